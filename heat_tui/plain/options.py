"""The options of a table as typed and shown: `track italy`, `laps 2`, `garage mixed expansion`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from heat_core.options.option import BadOption, bots_text
from heat_core.options.option_table import choices_told, options_for, read
from heat_core.options.settings import changes_text
from heat_core.options.table_options import (
    NO_CLOCK,
    LocalOptions,
    RoomOptions,
    SeasonOptions,
    TableOptions,
    settings_of,
    shown_rules,
)
from heat_core.text import counted
from heat_core.track_facts import TrackFacts
from heat_core.wire.messages import LobbyView
from heat_tui.client.company import driven_text
from heat_tui.flow.table_factory import legends_of

_ALSO: Final = {"name": "names"}
"""Other words for options."""


def read_change(options: TableOptions, typed: str, tracks: Mapping[str, str]) -> tuple[str, object]:
    """Read which change a typed line names.

    Args:
        typed: The word of an option, then its value.
        tracks: Names of those to choose from, by identifier.

    Returns:
        Field and value, as `heat_core.options.table_options.change` takes them.

    Raises:
        BadOption: There is no such option or value.
        BadName: A name cannot be shown, or two are the same.
    """
    word, _, value = typed.strip().partition(" ")
    word = _ALSO.get(word.casefold(), word.casefold())
    option = next((option for option in options_for(options) if option.word == word), None)
    if option is None:
        known = ", ".join(option.word for option in options_for(options))
        raise BadOption(f"The options are {known}; for example: set laps 2")
    if options.season is None and option.field in SeasonOptions.__struct_fields__:
        raise BadOption(f"{word} apply to championships. Set season first.")
    return option.field, read(option, value.strip(), options, tracks)


def options_explained(options: TableOptions, tracks: Mapping[str, str]) -> list[str]:
    """Say what each option is, and what can be typed for it."""
    return [
        f"set {option.word}: {option.help}. Type {choices_told(option, options, tracks)}."
        for option in options_for(options)
    ]


def room_told(room: LobbyView, tracks: Mapping[str, str]) -> list[str]:
    """Tell the options of a room."""
    options = room.options
    if options.season is None:
        told = [f"Track {tracks.get(options.track, options.track)}, {counted(room.laps, 'lap')}."]
    else:
        told = [season_text(options.season, tracks)]
    rules, *changes = rules_told(options)
    told += [
        f"{options.cars} places; {_empty_places_text(options)}.",
        rules,
        f"{_time_text(room)}; {driven_text(options.away_driver)} for absent drivers.",
    ]
    if options.grace_milliseconds is not None:
        seconds = f"{options.grace_milliseconds / 1000:g} seconds"
        told.append(f"The race waits {seconds} for a driver who lost the connection.")
    if options.advice:
        told.append("Drivers may ask for advice.")
    return [*told, *changes]


def _time_text(room: LobbyView) -> str:
    if room.turn_milliseconds == NO_CLOCK:
        return "No clock: take as long as you like for a decision"
    return f"{room.turn_milliseconds / 1000:g} seconds for each decision"


def _empty_places_text(options: RoomOptions) -> str:
    """Say what becomes of places that are still empty at the start."""
    if not options.legends:
        return "empty ones stay empty"
    return f"{counted(options.legends, 'Legend')} of level {options.level} at most fill empty ones"


def chosen_told(chosen: LocalOptions, tracks: Mapping[str, str], track: TrackFacts | None) -> list[str]:
    """Tell all that is chosen for this keyboard.

    Args:
        tracks: Names of those to choose from, by identifier.
        track: Of a single race; None: it is a championship.
    """
    laps = chosen.laps or (None if track is None else track.laps)
    length = "laps as printed" if laps is None else counted(laps, "lap")
    if chosen.season is None:
        where = f"{tracks.get(chosen.track, chosen.track)}, {length}."
    else:
        where = f"{season_text(chosen.season, tracks).removesuffix('.')}; {length}."
    legends = counted(legends_of(chosen, [] if track is None else [track]), "Legend")
    bots = f"bots: {bots_text(chosen.bots)}" if chosen.bots else "no bots"
    seed = f"; seed {chosen.seed}" if chosen.seed else ""
    drivers = f"{', '.join(chosen.names)}, first car {chosen.colour}"
    return [where, f"{drivers}; {legends}, level {chosen.level}; {bots}{seed}.", *rules_told(chosen)]


def rules_told(options: TableOptions) -> list[str]:
    """Tell rules and modules in one line, then each single setting that differs from the preset."""
    garage = options.garage + (" with expansion" if options.expansion else "")
    changes = changes_text(shown_rules(options), settings_of(options))
    return [
        f"Rules {options.rules}, garage {garage}, weather {'on' if options.weather else 'off'}.",
        *(f"{line}." for line in changes.splitlines()),
    ]


def season_text(season: SeasonOptions, tracks: Mapping[str, str]) -> str:
    """Say which championship it is."""
    if season.year is not None:
        text = f"Championship {season.year}"
    else:
        names = [tracks.get(track, track) for track in season.tracks]
        text = f"Championship on {', '.join(names)}, events {'on' if season.events else 'off'}"
    return f"{text}, sponsorships {'on' if season.sponsorships else 'off'}."
