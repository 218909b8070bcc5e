"""A recorded race to step through by event, turn or round, forwards and backwards.

Theory of operation. A record is followed once, which also proves that it holds; on the way a copy of the race
is put aside every `SNAPSHOT_EVENTS` events. Any moment is then the last copy before it with a few events
applied: going back costs no more than continuing. A moment is something that happened, and the events behind
it that nobody sees, such as a turn that begins or a question that is asked. The beginning of a round is
a moment of its own besides: a heading, at which steps do not stop.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.state import Race, new_race
from heat_core.record.record import BadRecord, Record, follow_record, is_verifiable
from heat_core.sentences.events import sentence
from heat_core.track import Track
from heat_core.view.race_view import RaceView
from heat_core.view.secrecy import view_race

SNAPSHOT_EVENTS: Final = 100

NOT_VERIFIED: Final = "Not verified: the record has no seed, so its cards cannot be checked"
"""Shown wherever a record without a seed is shown."""


class Moment(NamedTuple):
    """A step of the walk.

    Attributes:
        first: Number of the event that it tells.
        last: Number of the last event that belongs to it.
        text: A plain sentence without its full stop.
        round: In which it lies; 0 before the first.
    """

    first: int
    last: int
    event: e.Event
    text: str
    round: int


class Playback:
    """A record and the ways through it.

    Attributes:
        record: What is played back.
        moments: At least one, in order; walkers keep a place in this list.
        rounds: Number of each round that began.
        final: The race as the record leaves it; nobody may change it.
        is_verified: Whether its cards were dealt again from its seed; a record without one may be made up.
    """

    def __init__(self, record: Record) -> None:
        """Follow a record.

        Raises:
            BadRecord: It does not hold, or no car ever is on the track.
        """
        self.record = record
        self.is_verified = is_verifiable(record)
        race = new_race(record.setup)
        self._snapshots = [race.copy()]
        told: list[tuple[int, str, int]] = []
        turns: list[int] = []
        for number, event in enumerate(follow_record(record, race), start=1):
            if number % SNAPSHOT_EVENTS == 0:
                self._snapshots.append(race.copy())
            if isinstance(event, e.TurnStarted):
                turns.append(number)
            if text := moment_text(event, [car.name for car in record.setup.cars], race.track):
                told.append((number, text, race.round if race.status != "set_up" else 0))
        self.final = race
        self.moments = self._moments(told)
        starts = [place for place, m in enumerate(self.moments) if isinstance(m.event, e.RoundStarted)]
        self._round_starts = starts
        self._stops = [place for place in range(self.last + 1) if place not in {*starts}]
        ends = [place for place, m in enumerate(self.moments) if isinstance(m.event, e.RaceEnded)]
        turn_starts = [bisect_left(self.moments, number, key=lambda moment: moment.first) for number in turns]
        self._turn_starts = sorted({*starts, *ends, *(place for place in turn_starts if place <= self.last)})
        self.rounds = tuple(self.moments[place].round for place in starts)

    def _moments(self, told: Sequence[tuple[int, str, int]]) -> tuple[Moment, ...]:
        """Begin where the cars are on the track, and end each moment before the next one is shown."""
        events = self.record.events
        placed = [
            number
            for number, event in enumerate(events, start=1)
            if isinstance(event, e.GridDrawn | e.PositionPlaced)
        ]
        if not placed:
            raise BadRecord("no race begins in this record: no car is ever placed on the track")
        first = placed[0]
        kept = [(first, moment_text(events[first - 1], self._names, self.final.track) or "", 0)]
        kept += [entry for entry in told if entry[0] > first]
        ends = [number - 1 for number, _, _ in kept[1:]] + [len(events)]
        return tuple(
            Moment(number, last, events[number - 1], text, round_number)
            for (number, text, round_number), last in zip(kept, ends, strict=True)
        )

    @property
    def _names(self) -> list[str]:
        return [car.name for car in self.record.setup.cars]

    @property
    def last(self) -> int:
        """The place of the last moment."""
        return len(self.moments) - 1

    def race_at(self, place: int, until: int | None = None) -> Race:
        """Give the race at a moment, hidden cards too; an independent copy.

        Args:
            until: Number of the last event that has happened, within the moment; None: the moment's last.
        """
        number = self.moments[place].last if until is None else until
        snapshot = number // SNAPSHOT_EVENTS
        race = self._snapshots[snapshot].copy()
        for event in self.record.events[snapshot * SNAPSHOT_EVENTS : number]:
            apply(race, event)
        return race

    def view(self, place: int, seat: int | None, until: int | None = None) -> RaceView:
        """Give what a seat, or with None a spectator, saw at a moment; see `race_at`."""
        return view_race(self.race_at(place, until), seat)

    def events_of(self, place: int) -> Sequence[e.Event]:
        """List the events of a moment."""
        moment = self.moments[place]
        return self.record.events[moment.first - 1 : moment.last]

    def events_until(self, place: int) -> Sequence[e.Event]:
        """List all events up to the end of a moment."""
        return self.record.events[: self.moments[place].last]

    def step(self, place: int, steps: int) -> int:
        """Go on to what happens next so many times, or back where it is negative, as far as there is some."""
        return self._step_among(self._stops, place, steps)

    def step_turns(self, place: int, turns: int) -> int:
        """Go to what happens first in another turn; the beginnings of rounds and the end count as turns."""
        return self._step_among(self._turn_starts, place, turns)

    def step_rounds(self, place: int, rounds: int) -> int:
        """Go to the beginning of another round, or to the very first or last moment."""
        return self._step_among(self._round_starts, place, rounds)

    def _step_among(self, starts: Sequence[int], place: int, steps: int) -> int:
        if steps > 0:
            at = bisect_right(starts, place) + steps - 1
            return starts[at] if at < len(starts) else self.last
        at = bisect_left(starts, place) + steps
        return starts[at] if at >= 0 else 0

    def place_of_event(self, number: int) -> int:
        """Find the moment that an event belongs to.

        Args:
            number: From 1; what comes before the first moment leads to it.
        """
        return max(0, bisect_right(self.moments, number, key=lambda moment: moment.first) - 1)

    def round_problem(self, number: int) -> str:
        """Say which rounds there are where a number is none of them; empty where it is one."""
        if not self.rounds:
            return "This record has no rounds."
        if self.rounds[0] <= number <= self.rounds[-1]:
            return ""
        return f"There is no round {number}: this record has rounds {self.rounds[0]} to {self.rounds[-1]}."

    def place_of_round(self, number: int) -> int:
        """Find where a round begins; the nearest one that was raced where it was not."""
        if not self.rounds:
            return 0
        at = bisect_right(self.rounds, number) - 1
        return self._round_starts[max(0, at)]


def moment_text(event: e.Event, names: Sequence[str], track: Track) -> str | None:
    """Tell an event that happened.

    Returns:
        None for what belongs to the moment before.
    """
    if isinstance(event, e.PositionPlaced):
        return f"The cars are placed; round {event.round} comes next"
    return sentence(event, names, track)
