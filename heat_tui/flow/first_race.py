"""The race that a room begins with, to be shown in its lobby."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from heat_core.data.event_cards import EVENTS
from heat_core.options.table_options import RoomOptions
from heat_core.race.setup import Modules, length_of
from heat_core.track_facts import TrackFacts


class FirstRace(NamedTuple):
    """A race on a circuit.

    Attributes:
        laps: With those that its event adds or takes.
        heading: Which race it is of a championship, to stand before the circuit's name; empty: the only one.
    """

    facts: TrackFacts
    laps: int
    heading: str


def first_track(options: RoomOptions) -> tuple[str, str | None]:
    """Name the track of the first race, and its event where one is printed."""
    season = options.season
    if season is None:
        return options.track, None
    printed = ((event.track, name) for name, event in EVENTS.items() if event.year == season.year)
    chosen = ((track, None) for track in season.tracks)
    return next(printed, next(chosen, (options.track, None)))


def first_race(options: RoomOptions, known: Mapping[str, TrackFacts]) -> FirstRace | None:
    """Give the first race of a room; None: its circuit is not known.

    Args:
        known: Circuits by identifier.
    """
    track, event = first_track(options)
    if (facts := known.get(track)) is None:
        return None
    laps = length_of(options.laps or facts.laps, Modules(event=event))
    return FirstRace(facts, laps, "" if options.season is None else "Race 1: ")
