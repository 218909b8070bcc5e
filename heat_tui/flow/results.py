"""The results of a race, for the screen and for lines: places, gaps, moments to watch, bests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property

from heat_core.race import events as e
from heat_core.record.figures import race_figures
from heat_core.record.playback import Playback
from heat_core.view.race_view import RaceView
from heat_tui.flow.bests import bests_words
from heat_tui.flow.daily import counted_days
from heat_tui.flow.daily_words import result_line, round_signs
from heat_tui.race.presenter import RaceLabels
from heat_tui.saved.finished import Finished, FinishedIndex, finished_races, own_cars
from heat_tui.saved.records import record_digest
from heat_tui.state import Folders
from heat_tui.words.highlights import Highlight, highlights
from heat_tui.words.result_table import places_by_round
from heat_tui.words.result_words import own_result


class ResultsController:
    """A race that is over, as one terminal has it.

    Attributes:
        labels: Names of the cars.
        view: After the end.
        events: Of the whole race, as far as they are known here.
        own: The seats played here.
        playback: The race's record; None: there is none that can be watched.
        figures: What each car did.
    """

    def __init__(
        self,
        labels: RaceLabels,
        view: RaceView,
        events: Sequence[e.Event],
        own: Sequence[int],
        playback: Playback | None = None,
    ) -> None:
        """Read the figures."""
        self.labels = labels
        self.view = view
        self.events = playback.record.events if playback is not None else events
        self.own = own
        self.playback = playback
        self.figures = race_figures(labels.setup, self.events)

    @property
    def own_result(self) -> list[str]:
        """Where those came who are played here, a sentence each."""
        return own_result(self.labels, self.view, self.figures, self.own)

    @property
    def own_car(self) -> int | None:
        """The car that is shown before the others; None: several or none are played here."""
        return self.own[0] if len(self.own) == 1 else None

    @cached_property
    def highlights(self) -> list[Highlight]:
        """The moments worth watching."""
        return highlights(self.labels, self.events)

    def place_of(self, number: int) -> int | None:
        """Give where a moment is in the replay; None where there is no such moment or no replay.

        Args:
            number: Of the moment, from 1.
        """
        if self.playback is None or not 1 <= number <= len(self.highlights):
            return None
        return self.playback.place_of_event(self.highlights[number - 1].event)

    @cached_property
    def scenes(self) -> list[tuple[int, int]]:
        """The turns with the moments worth watching, in the order of the race: first and last place."""
        playback, found = self.playback, []
        if playback is not None:
            for moment in self.highlights:
                place = playback.place_of_event(moment.event)
                following = playback.step_turns(place, 1)
                found.append((playback.step_turns(place + 1, -1), max(place, following - 1)))
        return sorted(set(found))

    @cached_property
    def places(self) -> list[tuple[int, tuple[int, ...]]]:
        """Who was where after each round: its number, and the cars, first place first."""
        if not any(told.progress for told in self.figures):
            return []
        orders = places_by_round(self.view, self.figures)
        first = self.view.round - len(orders) + 1
        return [(number, tuple(order)) for number, order in enumerate(orders, start=first)]

    @cached_property
    def spin_outs(self) -> Mapping[int, frozenset[int]]:
        """The cars that spun out, by round."""
        found: dict[int, frozenset[int]] = {}
        number = 0
        for event in self.events:
            match event:
                case e.PositionPlaced() | e.RoundStarted():
                    number = event.round
                case e.SpunOut():
                    found[number] = found.get(number, frozenset()) | {event.seat}
                case _:
                    pass
        return found

    @cached_property
    def engine(self) -> list[int]:
        """Heat in the own engine after each round of `places`; empty without a record or a single seat."""
        playback, car = self.playback, self.own_car
        if playback is None or car is None or self.view.cars[car].is_legend:
            return []
        ends = [playback.place_of_round(number + 1) - 1 for number, _ in self.places[:-1]]
        return [playback.race_at(max(0, place)).seat(car).engine for place in (*ends, playback.last)]

    def bests(self, folders: Folders, player_name: str) -> list[str]:
        """Say which of one's own records the race beat; reads the index, so not on the loop."""
        return [
            sentence
            for race in self._finished(player_name)
            for sentence in bests_words(race, FinishedIndex(folders, player_name).all())
        ]

    def daily_line(self, folders: Folders, player_name: str, *, is_plain: bool = False) -> list[str]:
        """Give the line to paste of a daily race that counts; reads the index, so not on the loop.

        Args:
            is_plain: In ASCII only.
        """
        if self.playback is None:
            return []
        record = self.playback.record
        days = counted_days(FinishedIndex(folders, player_name).all())
        return [
            result_line(race, round_signs(record, race.car), is_plain=is_plain)
            for race in self._finished(player_name)
            if (counted := days.get(race.daily)) is not None and counted.race == race.race
        ]

    def _finished(self, player_name: str) -> list[Finished]:
        """Give the race as the index of finished races has it; nothing where no seat is the player's."""
        if self.playback is None:
            return []
        record = self.playback.record
        cars = own_cars(record, self.own, player_name)[:1]
        return [*finished_races(record, cars, datetime.now(UTC), digest=record_digest(record))]
