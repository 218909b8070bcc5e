"""A room's options, and what changing one of them entails: in rows on the screen as in typed lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import msgspec

from heat_core.presets import PRESETS, Rules
from heat_core.season_setup import RACES_OF_A_SEASON
from heat_core.settings import (
    RACE_SETTINGS,
    SETTINGS,
    BadSetting,
    Setting,
    changed_settings,
    make_rules,
)
from heat_core.wire import messages as m

SINGLE: Final = "single"
"""In place of a season: a single race."""

OWN_TRACKS: Final = "own"
"""In place of a season's year: tracks of one's own choice."""

RACES: Final = tuple(f"race{number}" for number in range(1, RACES_OF_A_SEASON[-1] + 1))
"""What the track of each race of such a season is called."""

_FIRST_TRACKS: Final = ("usa", "gb", "italy")
"""What a championship on tracks of one's own begins with."""


def rules_of(options: m.RoomOptions) -> Rules:
    """Make rules of a room's options; a server that names settings which are none does not end the client."""
    try:
        return make_rules(options.rules, options.settings)
    except BadSetting:
        return PRESETS[options.rules]


def settings_of(options: m.RoomOptions) -> Sequence[Setting]:
    """List the settings that mean something in a room's race or championship."""
    return RACE_SETTINGS if options.season is None else SETTINGS


def tell_changes(rules: Rules, settings: Sequence[Setting]) -> str:
    """List what of some settings differs from the preset, one line each; empty where nothing does."""
    changed = changed_settings(rules, settings)
    return "\n".join(f"{setting.label}: {setting.label_in(rules)}" for setting in changed)


def with_values(options: m.RoomOptions, **values: object) -> m.RoomOptions:
    """Change options, and take back as many places and Legends as the rules no longer have room for."""
    options = msgspec.structs.replace(options, **values)
    cars = min(options.cars, rules_of(options).most_cars)
    return msgspec.structs.replace(options, cars=cars, legends=min(options.legends, cars - 1))


def tracks_of(season: m.SeasonOptions) -> list[str]:
    """List the track of each race, "" where there is no such race."""
    return [*season.tracks, *[""] * (len(RACES) - len(season.tracks))]


def changed_season(season: m.SeasonOptions | None, what: str, value: object) -> m.SeasonOptions | None:
    """Change a championship.

    Args:
        season: None: a single race.
        what: `season`, one of `RACES`, or a field of a season.
        value: Of the first a year as a text, `OWN_TRACKS` or `SINGLE`.

    Returns:
        None: a single race again.
    """
    has_sponsorships = season is not None and season.sponsorships
    if what == "season":
        if value == SINGLE:
            return None
        if value == OWN_TRACKS:
            return m.SeasonOptions(tracks=_FIRST_TRACKS, events=True, sponsorships=has_sponsorships)
        return m.SeasonOptions(year=int(cast(str, value)), sponsorships=has_sponsorships)
    assert season is not None
    if what in RACES:
        tracks = tracks_of(season)
        tracks[RACES.index(what)] = cast(str, value)
        return msgspec.structs.replace(season, tracks=tuple(track for track in tracks if track))
    return msgspec.structs.replace(season, **{what: value})
