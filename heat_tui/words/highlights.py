"""The moments of a race that are worth watching again, chosen from its events alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from heat_core.race import events as e
from heat_core.text import counted, listed
from heat_tui.race.presenter import RaceLabels

HighlightKind: TypeAlias = Literal["spin_out", "slipstream", "corner", "top_speed", "lead"]

TITLES: dict[HighlightKind, str] = {
    "spin_out": "biggest spin-out",
    "slipstream": "best slipstream",
    "corner": "costliest corner",
    "top_speed": "top speed",
    "lead": "pass for the lead",
}


class Highlight(NamedTuple):
    """A moment worth watching.

    Attributes:
        event: Number of the event that it is, from 1.
        round: In which it lies.
        car: Who did it.
        where: Progress of the space where it happened.
        score: How remarkable it is among those of its kind.
        what: What happened, after the driver's name.
    """

    kind: HighlightKind
    event: int
    round: int
    car: int
    where: int
    score: int
    what: str


def highlights(labels: RaceLabels, events: Sequence[e.Event]) -> list[Highlight]:
    """Choose the most remarkable moment of each kind, the first of equal ones; of passes the last.

    Args:
        events: Of the whole race, masked or not; the first of them has number 1.
    """
    best: dict[HighlightKind, Highlight] = {}
    for found in _Moments(labels).of(events):
        known = best.get(found.kind)
        if known is None or found.kind == "lead" or found.score > known.score:
            best[found.kind] = found
    return [best[kind] for kind in TITLES if kind in best]


def highlight_place(labels: RaceLabels, moment: Highlight) -> str:
    """Say when and where it was: `round 8, space 21 of lap 2`, `round 9, 3 spaces over the line`."""
    lap = labels.track.lap(moment.where)
    if lap < 1:
        return f"round {moment.round}, on the grid"
    if (beyond := moment.where - labels.track.finish_line(labels.setup.laps)) > 0:
        return f"round {moment.round}, {counted(beyond, 'space')} over the line"
    return f"round {moment.round}, space {labels.track.space(moment.where)} of lap {lap}"


def highlight_text(labels: RaceLabels, moment: Highlight) -> str:
    """Say a moment in one sentence."""
    title = TITLES[moment.kind].capitalize()
    return f"{title}: {labels.names[moment.car]} {moment.what}, {highlight_place(labels, moment)}."


class _Moments:
    """Follows where the cars are, and gives each moment that might be the most remarkable one."""

    def __init__(self, labels: RaceLabels) -> None:
        self._labels = labels
        self._places = [0] * len(labels.names)
        self._round = 0
        self._owed: e.CornerChecked | None = None

    def of(self, events: Sequence[e.Event]) -> Iterator[Highlight]:
        for number, event in enumerate(events, start=1):
            match event:
                case e.GridDrawn():
                    for (space, _), car in zip(self._labels.setup.track.grid, event.order, strict=False):
                        self._places[car] = space
                case e.PositionPlaced():
                    self._round = event.round
                    self._places = [car.progress for car in event.cars]
                case e.RoundStarted():
                    self._round = event.round
                case e.SpeedSet():
                    yield self._top_speed(number, event.seat, event.speed)
                case e.LegendMoved():
                    yield self._top_speed(number, event.car, event.speed)
                case e.CornerChecked():
                    yield from self._corner(number, event)
                case e.SpunOut():
                    yield from self._spin_out(number, event)
                case e.CarMoved():
                    yield from self._move(number, event)
                case _:
                    pass

    def _moment(
        self, kind: HighlightKind, number: int, car: int, where: int, score: int, what: str
    ) -> Highlight:
        return Highlight(kind, number, self._round, car, where, score, what)

    def _top_speed(self, number: int, car: int, speed: int) -> Highlight:
        return self._moment("top_speed", number, car, self._places[car], speed, f"drives at speed {speed}")

    def _corner(self, number: int, event: e.CornerChecked) -> Iterator[Highlight]:
        self._owed = event
        if 0 < event.owed == event.paid:
            what = f"pays {event.paid} Heat in corner {event.corner + 1}"
            what += f": speed {event.speed}, limit {event.limit}"
            yield self._moment("corner", number, event.seat, event.line, event.paid, what)

    def _spin_out(self, number: int, event: e.SpunOut) -> Iterator[Highlight]:
        self._places[event.seat] = event.end
        if (owed := self._owed) is not None and owed.seat == event.seat:
            what = (
                f"spins out of corner {owed.corner + 1}: speed {owed.speed}, limit {owed.limit}, "
                f"owes {owed.owed} Heat"
            )
            yield self._moment("spin_out", number, event.seat, event.line, owed.owed, what)

    def _move(self, number: int, event: e.CarMoved) -> Iterator[Highlight]:
        others = [(car, place) for car, place in enumerate(self._places) if car != event.car]
        self._places[event.car] = event.end
        passed = [car for car, place in others if event.start <= place < event.end]
        if event.reason == "slipstream" and event.end > event.start:
            what = f"slipstreams {counted(event.end - event.start, 'space')}"
            if passed:
                what += f" past {listed([self._labels.names[car] for car in passed], 'and')}"
            score = 10 * len(passed) + event.end - event.start
            yield self._moment("slipstream", number, event.car, event.end, score, what)
        ahead = max(place for _, place in others)
        if event.start <= ahead < event.end:
            before = next(car for car, place in others if place == ahead)
            what = f"takes the lead from {self._labels.names[before]}"
            yield self._moment("lead", number, event.car, event.end, 0, what)
