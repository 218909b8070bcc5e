"""A room's settings as the host types them: `track italy`, `laps 2`, `garage mixed expansion`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, cast

import msgspec

from heat_core.presets import LEGEND_LEVELS, PRESETS
from heat_core.season_setup import RACES_OF_A_SEASON, YEARS
from heat_core.settings import BadSetting, changes_of, make_rules, parse_changes
from heat_core.setup import GARAGES, GarageName
from heat_core.wire import messages as m
from heat_tui.plain.asking import BadAnswer
from heat_tui.plain.words import choices_text, counted
from heat_tui.room_options import (
    SINGLE,
    changed_season,
    rules_of,
    settings_of,
    tell_changes,
    with_values,
)

_USUAL: Final = "usual"
_SWITCH: Final = {"on": True, "off": False}


class BadOption(BadAnswer):
    """A setting that cannot be so; the text is one sentence for people."""


_Changer: TypeAlias = Callable[[m.RoomOptions, str, Mapping[str, str]], m.RoomOptions]


def change_options(
    options: m.RoomOptions, typed: str, tracks: Mapping[str, str], known: Sequence[str] = ()
) -> m.RoomOptions:
    """Make the change that a typed line names.

    Args:
        typed: The setting, then its value.
        tracks: Names of those to choose from, by identifier.
        known: The settings that there are; empty: all those of a room.

    Raises:
        BadOption: There is no such setting or value.
    """
    known = known or tuple(_CHANGERS)
    name, _, value = typed.strip().partition(" ")
    changer = _CHANGERS.get(name.casefold())
    if changer is None or name.casefold() not in known:
        raise BadOption(f"The settings are {', '.join(known)}; for example: set laps 2")
    changed = changer(options, value.strip().casefold(), tracks)
    try:
        return msgspec.convert(msgspec.to_builtins(changed), m.RoomOptions)
    except msgspec.ValidationError:
        raise BadOption(f"{name} cannot be {value!r}.") from None


def options_told(room: m.RoomState, tracks: Mapping[str, str]) -> list[str]:
    """Tell the settings of a room."""
    options = room.options
    if options.season is None:
        told = [f"Track {tracks.get(options.track, options.track)}, {counted(room.laps, 'lap')}."]
    else:
        told = [season_text(options.season, tracks)]
    seconds = room.turn_milliseconds / 1000
    rules, *changes = rules_told(options)
    told += [
        f"Places {options.cars}; Legends that fill empty ones {options.legends}, level {options.level}.",
        rules,
        f"{seconds:g} seconds for each decision; for who is away drives {options.away_driver}.",
    ]
    return [*told, *changes]


def rules_told(options: m.RoomOptions) -> list[str]:
    """Tell rules and modules in one line, then each single setting that differs from the preset."""
    garage = options.garage + (" with expansion" if options.expansion else "")
    changes = tell_changes(rules_of(options), settings_of(options))
    return [
        f"Rules {options.rules}, garage {garage}, weather {'on' if options.weather else 'off'}.",
        *(f"{line}." for line in changes.splitlines()),
    ]


def season_text(season: m.SeasonOptions, tracks: Mapping[str, str]) -> str:
    """Say which championship it is."""
    if season.year is not None:
        text = f"Championship {season.year}"
    else:
        names = [tracks.get(track, track) for track in season.tracks]
        text = f"Championship on {', '.join(names)}, events {'on' if season.events else 'off'}"
    return f"{text}, sponsorships {'on' if season.sponsorships else 'off'}."


def _track(value: str, tracks: Mapping[str, str]) -> str:
    for track, name in tracks.items():
        if value in (track.casefold(), name.casefold()):
            return track
    raise BadOption(f"The tracks are {', '.join(tracks)}.")


def _number(value: str, what: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 7):
        raise BadOption(f"{what} is a number.")
    return int(value)


def _at_most(value: str, what: str, most: int) -> int:
    number = _number(value, what)
    if number > most:
        raise BadOption(f"{what} are {most} at most, as the other settings are.")
    return number


def _one_of(value: str, words: tuple[str, ...], what: str) -> str:
    if value not in words:
        raise BadOption(f"{what} can be {choices_text(list(words))}.")
    return value


def _change_track(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, track=_track(value, tracks))


def _change_laps(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, laps=None if value == _USUAL else _number(value, "laps, if not usual,"))


def _change_places(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, cars=_at_most(value, "places", rules_of(options).most_cars))


def _change_legends(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, legends=_at_most(value, "legends", options.cars - 1))


def _change_level(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, level=_one_of(value, tuple(LEGEND_LEVELS), "level"))


def _change_rules(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, rules=_one_of(value, tuple(PRESETS), "rules"), settings={})


def _change_rule(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    try:
        changes = {**options.settings, **parse_changes([value.replace(" ", "=", 1)])}
        rules = make_rules(options.rules, changes)
    except BadSetting as error:
        raise BadOption(str(error)) from None
    return with_values(options, settings=changes_of(rules))


def _change_garage(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    name, _, more = value.partition(" ")
    garage = cast(GarageName, _one_of(name, GARAGES, "garage"))
    return with_values(options, garage=garage, expansion=more == "expansion")


def _change_weather(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, weather=_SWITCH[_one_of(value, tuple(_SWITCH), "weather")])


def _milliseconds(value: str, what: str) -> int | None:
    return None if value == _USUAL else 1000 * _number(value, f"{what}, if not usual,")


def _change_time(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, turn_milliseconds=_milliseconds(value, "time"))


def _change_grace(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, grace_milliseconds=_milliseconds(value, "grace"))


def _change_away(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    return with_values(options, away_driver=_one_of(value, ("defaults", "steady"), "away"))


def _change_season(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
    years = tuple(str(year) for year in YEARS)
    if value.isdecimal() and value not in years:
        raise BadOption(f"The printed seasons are {choices_text(years)}.")
    if value == "none":
        season = changed_season(options.season, "season", SINGLE)
    elif value in years:
        season = changed_season(options.season, "season", value)
    elif names := value.replace(",", " ").split():
        chosen = tuple(_track(name, tracks) for name in names)
        if len(chosen) not in RACES_OF_A_SEASON:
            raise BadOption(f"A championship has {choices_text([str(n) for n in RACES_OF_A_SEASON])} races.")
        events = options.season is not None and options.season.events
        season = m.SeasonOptions(tracks=chosen, events=events)
    else:
        raise BadOption(f"season can be none, {choices_text(years)}, or 3 or 4 tracks.")
    return with_values(options, season=season)


def _switch_of_season(row: str) -> _Changer:
    def change(options: m.RoomOptions, value: str, tracks: Mapping[str, str]) -> m.RoomOptions:
        if options.season is None:
            raise BadOption(f"{row} are for championships: set season first.")
        is_on = _SWITCH[_one_of(value, tuple(_SWITCH), row)]
        return with_values(options, season=changed_season(options.season, row, is_on))

    return change


_CHANGERS: Final[dict[str, _Changer]] = {
    "track": _change_track,
    "laps": _change_laps,
    "places": _change_places,
    "legends": _change_legends,
    "level": _change_level,
    "rules": _change_rules,
    "rule": _change_rule,
    "garage": _change_garage,
    "weather": _change_weather,
    "time": _change_time,
    "grace": _change_grace,
    "away": _change_away,
    "season": _change_season,
    "events": _switch_of_season("events"),
    "sponsorships": _switch_of_season("sponsorships"),
}
"""By the name of a setting: makes the change that its value says."""
