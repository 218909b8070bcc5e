"""A recorded race to watch, on the screen and in lines: which moment, whose view, how fast.

Theory of operation. A `ReplayController` has a place among the moments of a record, a viewpoint and a speed.
Walking sets the place and stops playing. The clock belongs to the screen: while `is_playing`, it shows the
moment for `seconds`, lets the cars drive `next_moves`, and calls `advance`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import reduce
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from heat_core.cards import Cards
from heat_core.race import events as e
from heat_core.record.figures import race_figures
from heat_core.record.playback import Moment, Playback
from heat_core.view.observation import Observation
from heat_core.view.race_view import RaceView
from heat_tui.map.marks import Skid
from heat_tui.race.animation import skids_after
from heat_tui.race.presenter import RaceLabels
from heat_tui.words.result_table import places_by_round

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)

_MOMENT_SECONDS: Final = 1.0
"""How long a moment is shown, at the speed of 1."""
_HEADING_SECONDS: Final = 0.4
"""The same where there is nothing to see but a heading."""
_FASTEST_DRIVE: Final = 2.0
"""Faster than at this speed cars jump."""


Walk: TypeAlias = Literal["event", "turn", "round", "start", "end", "to_round", "to_moment", "to_choice"]
"""How to walk: some events, turns or rounds on or back, to a moment, or to where a choice was open."""

Whose: TypeAlias = Literal["all", "spectator", "seat", "next"]
"""Which view to choose."""


class Viewpoint(NamedTuple):
    """Whose view is shown.

    Attributes:
        seat: None: nobody's.
        is_open: Whether all hands are shown.
    """

    seat: int | None = None
    is_open: bool = False


ALL_HANDS: Final = Viewpoint(is_open=True)
SPECTATOR: Final = Viewpoint()


class ReplayController:
    """A finished race, or a record of one that stops.

    Attributes:
        playback: The record.
        labels: Names of its cars.
        texts: A sentence for each moment, without its full stop.
        place: Of the present moment.
        viewpoint: Whose view is shown.
        speed: One of `SPEEDS`.
        is_playing: Whether the race plays by itself.
    """

    def __init__(self, playback: Playback, labels: RaceLabels, place: int = 0) -> None:
        """Begin at a moment, with all hands open.

        Args:
            labels: As the face names cars.
        """
        self.playback = playback
        self.labels = labels
        self.texts = tuple(labels.told(moment.event) or moment.text for moment in playback.moments)
        self.place = place
        self.viewpoint = ALL_HANDS
        self.speed = 1.0
        self.is_playing = False
        self._scenes: list[tuple[int, int]] = []
        self._scene_count = 0
        self._turns = _turns_by_round(playback.record.events)
        self._until: int | None = None
        self._seen: tuple[int, int | None, Viewpoint, RaceView] | None = None

    # --- what is shown --------------------------------------------------------------------------------------

    @property
    def moment(self) -> Moment:
        """The present moment."""
        return self.playback.moments[self.place]

    @property
    def text(self) -> str:
        """The sentence of the present moment."""
        return self.texts[self.place]

    @property
    def is_at_end(self) -> bool:
        """Whether no moment follows."""
        return self.place == self.playback.last

    @property
    def count(self) -> str:
        """How far the round has come: `turn 3 of 6`; before the start, and at the end of the race, that."""
        if self.is_at_end:
            return "the end"
        if not self.moment.round:
            return "before the start"
        turns = self._turns.get(self.moment.round, [])
        number = bisect_right(turns, self.moment.first)
        return f"turn {number} of {len(turns)}" if number else "before the first turn"

    @property
    def view(self) -> RaceView:
        """The present moment, from the viewpoint."""
        now = self.place, self._until, self.viewpoint
        if self._seen is None or self._seen[:3] != now:
            self._seen = *now, self.playback.view(self.place, self.viewpoint.seat, self._until)
        return self._seen[3]

    @property
    def observation(self) -> Observation | None:
        """The same with the set-up; None unless it is a seat's view."""
        return self.labels.observation(self.view)

    @property
    def hands(self) -> list[tuple[int, Cards]]:
        """The hands that can be seen now, each with its car."""
        race = self.playback.race_at(self.place, self._until)
        return [
            (seat, tuple(race.seat(seat).hand))
            for seat in race.seats()
            if self.viewpoint.is_open or seat == self.viewpoint.seat
        ]

    @property
    def places(self) -> list[tuple[int, tuple[int, ...]]]:
        """Who was where after each round so far: its number, and the cars, first place first."""
        figures = race_figures(self.labels.setup, self.playback.events_until(self.place))
        orders = places_by_round(self.view, figures)
        first = self.view.round - len(orders) + 1
        return [(number, tuple(order)) for number, order in enumerate(orders, start=first)]

    @property
    def skids(self) -> tuple[Skid, ...]:
        """The marks that spin-outs of this round have left."""
        return reduce(skids_after, self.playback.events_until(self.place), ())

    @property
    def end(self) -> RaceView:
        """The last moment, as a spectator sees it."""
        return self.playback.view(self.playback.last, None)

    @property
    def no_result(self) -> str:
        """Why there is no result, in one sentence; empty where there is one."""
        end = self.end
        return (
            "" if end.status == "ended" else f"The record stops in round {end.round}, so there is no result."
        )

    # --- walking --------------------------------------------------------------------------------------------

    def walk(self, way: Walk, number: int = 0) -> range:
        """Go to another moment, or as near as there is one, and pause.

        Args:
            number: How many events, turns or rounds on, or back where it is negative; the number of the
                round, the place of the moment or the number of the choice's event to go to.

        Returns:
            The places passed on the way, up to the new one; none of the way back.
        """
        before = self.place
        self.pause()
        self._until = None
        match way:
            case "event":
                self.place = self.playback.step(before, number)
            case "turn":
                self.place = self.playback.step_turns(before, number)
            case "round":
                self.place = self.playback.step_rounds(before, number)
            case "start":
                self.place = 0
            case "end":
                self.place = self.playback.last
            case "to_round":
                self.place = self.playback.place_of_round(number)
            case "to_moment":
                self.place = max(0, min(self.playback.last, number))
            case "to_choice":
                self._until = number - 1
                self.place = self.playback.place_of_event(self._until)
            case _:
                assert_never(way)
        return range(before + 1, self.place + 1)

    # --- playing --------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Let the race play, from its beginning where it is at its end; pause it where it plays."""
        if not self.is_playing and self.is_at_end:
            self.place, self._until = 0, None
        self.is_playing = not (self.is_playing or self.is_at_end)

    @property
    def scene(self) -> str:
        """Which of the scenes plays: `moment 2 of 5`; empty where none does."""
        number = self._scene_count - len(self._scenes) + 1
        return f"moment {number} of {self._scene_count}" if self._scenes else ""

    def play_scenes(self, scenes: Sequence[tuple[int, int]]) -> None:
        """Let some parts of the race play, one after the other.

        Args:
            scenes: First and last place of each; one at least.
        """
        self._scenes, self._scene_count = [*scenes], len(scenes)
        self.place, self.is_playing, self._until = self._scenes[0][0], True, None

    def pause(self) -> None:
        """Stop at the present moment; the rest of the scenes is not played any more."""
        self._scenes = []
        self.is_playing = False

    @property
    def seconds(self) -> float:
        """How long the present moment is shown while the race plays."""
        is_heading = isinstance(self.moment.event, e.RoundStarted)
        return (_HEADING_SECONDS if is_heading else _MOMENT_SECONDS) / self.speed

    @property
    def next_moves(self) -> tuple[e.Event, ...]:
        """What cars do on the way to the next moment; nothing where they jump."""
        if self._scenes and self.place >= self._scenes[0][1]:
            return ()
        return () if self.speed > _FASTEST_DRIVE else tuple(self.playback.events_of(self.place + 1))

    def advance(self) -> None:
        """Go to the next moment of a race that plays; it stops at the last one, or behind the last scene."""
        if self._scenes and self.place >= self._scenes[0][1]:
            del self._scenes[0]
            self.is_playing = bool(self._scenes)
            self.place = self._scenes[0][0] if self._scenes else self.place
            return
        self._until = None
        self.place += 1
        self.is_playing = not self.is_at_end

    def change_speed(self, step: int) -> None:
        """Play faster or slower; behind the fastest comes the slowest again."""
        self.speed = SPEEDS[(SPEEDS.index(self.speed) + step) % len(SPEEDS)]

    # --- looking --------------------------------------------------------------------------------------------

    @property
    def viewpoints(self) -> list[Viewpoint]:
        """The views that one can choose: all hands, each seat's, a spectator's."""
        seats = [number for number, car in enumerate(self.labels.setup.cars) if car.legend is None]
        return [ALL_HANDS, *map(Viewpoint, seats), SPECTATOR]

    def look(self, whose: Whose, number: int = 0) -> None:
        """Choose the view.

        Args:
            number: Of the seat, from 1 and Legends left out; where there is none, nothing changes. For the
                next view: how many on, or back where it is negative.
        """
        known = self.viewpoints
        match whose:
            case "all":
                self.viewpoint = ALL_HANDS
            case "spectator":
                self.viewpoint = SPECTATOR
            case "seat":
                self.viewpoint = known[number] if number < len(known) - 1 else self.viewpoint
            case "next":
                self.viewpoint = known[(known.index(self.viewpoint) + number) % len(known)]
            case _:
                assert_never(whose)


def _turns_by_round(events: Sequence[e.Event]) -> dict[int, list[int]]:
    """Give the numbers, from 1, of the events with which the turns of each round begin."""
    turns: dict[int, list[int]] = {}
    round_number = 0
    for number, event in enumerate(events, start=1):
        match event:
            case e.RoundStarted() | e.PositionPlaced():
                round_number = event.round
            case e.TurnStarted():
                turns.setdefault(round_number, []).append(number)
            case _:
                pass
    return turns
