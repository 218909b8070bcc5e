"""The race that a room or a championship begins with, to be shown before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from heat_core.data.event_cards import EVENTS
from heat_core.options.table_options import RoomOptions
from heat_core.race.setup import EventName, Modules, length_of
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
    return make_first_race(facts, options.laps, event, is_in_season=options.season is not None)


def make_first_race(
    facts: TrackFacts, laps: int | None, event: EventName | None, *, is_in_season: bool
) -> FirstRace:
    """Make a first race.

    Args:
        laps: Without those that the event adds or takes; None: as many as printed.
    """
    length = length_of(laps or facts.laps, Modules(event=event))
    return FirstRace(facts, length, "Race 1: " if is_in_season else "")
