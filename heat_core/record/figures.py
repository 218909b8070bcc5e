"""What each car did in a race, read from its events alone (RACE-7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from heat_core.data.event_cards import NO_EVENT
from heat_core.race import events as e
from heat_core.race.bills import total
from heat_core.race.setup import RaceSetup
from heat_core.rules.sponsors import press_corners, press_reason, watched_corners
from heat_core.track import Track, compile_track


class RaceFigures(msgspec.Struct):
    """What one car did.

    Attributes:
        place: From 1; 0 while the race runs.
        status: What it ended as, None while the race runs.
        rounds: In which it took a turn.
        top_speed: Greatest speed of a turn.
        heat_paid: Out of the engine, for shifts, boosts and corners.
        slipstreams: That it took.
        corners_pressed: As Sponsorships count them (docs/rules.md: Sponsorships), with or without any. In a
            race with Sponsorships the event card may say which corners count, and that slow cars press them.
        progress: By round, where the car stood at the round's end.
    """

    place: int = 0
    status: str | None = None
    rounds: int = 0
    top_speed: int = 0
    heat_paid: int = 0
    spin_outs: int = 0
    slipstreams: int = 0
    corners_pressed: int = 0
    progress: list[int] = []


def race_figures(setup: RaceSetup, events: Iterable[e.Event]) -> list[RaceFigures]:
    """Read the figures of every car from a race's events, masked or not.

    Args:
        setup: The public one will do.
        events: From the first on.
    """
    track = compile_track(setup.track)
    figures = [RaceFigures() for _ in setup.cars]
    places = [0] * len(figures)
    first_round = 1
    slipstreamed: tuple[int, ...] = ()
    pressed: set[int] = set()
    press = _Press(setup, track)
    top_speed_before = 0
    for event in events:
        match event:
            case e.GridDrawn():
                for (space, _), car in zip(setup.track.grid, event.order, strict=False):
                    places[car] = space
            case e.PositionPlaced():
                first_round = event.round
                places = [car.progress for car in event.cars]
            case e.TurnStarted():
                figures[event.car].rounds += 1
                top_speed_before = figures[event.car].top_speed
                slipstreamed = ()
                pressed = set()
            case e.SpeedSet():
                # The last of a turn counts: what cannot be paid may take speed away again.
                figures[event.seat].top_speed = max(top_speed_before, event.speed)
            case e.LegendMoved():
                figures[event.car].top_speed = max(figures[event.car].top_speed, event.speed)
            case e.HeatPaid():
                figures[event.seat].heat_paid += event.amount
            case e.CornerChecked() if event.corner not in pressed:
                if press.cares_about(event, in_slipstream=event.line in slipstreamed):
                    pressed.add(event.corner)
                    figures[event.seat].corners_pressed += 1
            case e.SpunOut():
                figures[event.seat].spin_outs += 1
                figures[event.seat].corners_pressed -= len(pressed)
                places[event.seat] = event.end
            case e.CarMoved():
                if event.reason == "slipstream":
                    figures[event.car].slipstreams += 1
                    slipstreamed = event.lines
                places[event.car] = event.end
            case e.RoundStarted() if event.round > first_round:
                _note_places(figures, places)
            case e.RaceEnded():
                _note_places(figures, places)
                for standing in event.standings:
                    figures[standing.car].place = standing.place
                    figures[standing.car].status = standing.status
            case _:
                pass
    return figures


class Gap(NamedTuple):
    """How far a car ended from another one; below 0: behind it.

    Attributes:
        rounds: How many rounds sooner it ended its race.
        spaces: Where both ended in the same round, by how many spaces.
    """

    rounds: int
    spaces: int


def gap_between(car: RaceFigures, other: RaceFigures) -> Gap:
    """Measure how far a car ended ahead of another one; both need the figures of a race that is over."""
    if car.status == other.status == "finished" and car.rounds != other.rounds:
        return Gap(other.rounds - car.rounds, 0)
    return Gap(0, car.progress[-1] - other.progress[-1])


class _Press:
    """Which corners count as pressed in a race, and when."""

    def __init__(self, setup: RaceSetup, track: Track) -> None:
        # What an event card says of the press means something only where Sponsorships are gained.
        has_sponsorships = setup.modules.sponsorships
        self._card = setup.event_card if has_sponsorships else NO_EVENT
        self._corners = (
            watched_corners(setup, track)
            if has_sponsorships
            else press_corners(track, NO_EVENT, everywhere=True)
        )

    def cares_about(self, event: e.CornerChecked, *, in_slipstream: bool) -> bool:
        """Tell whether a corner was pressed; its limit has road tokens in it, no adjust symbols."""
        limit = max(0, total(part for part in event.limit_parts if part.rule != "adjust"))
        reason = press_reason(self._card, event.speed, limit, in_slipstream=in_slipstream)
        return reason is not None and event.corner in self._corners


def _note_places(figures: Sequence[RaceFigures], places: Sequence[int]) -> None:
    for car, place in zip(figures, places, strict=True):
        car.progress.append(place)
