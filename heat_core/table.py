"""A race being played: seats, bots, defaults and the log. The one authority, near or far.

A table has no transport and no clock. Its driver (a room, a hot-seat session, a simulation) hands commands
in, calls `step_bot` for one bot decision at a time, and `play_default` for a seat whose time is up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from heat_core.bots import BOTS
from heat_core.bots.planner import LEVELS, table_needed
from heat_core.decisions import Choice, choice_of, legal_commands, only_answer
from heat_core.drivers import BotName, DriverName
from heat_core.engine import abandon, advance, start_race, step
from heat_core.planner.table_key import TableKey
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.normal_form import normalised
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.table_dump import Answer, TableDump, race_of, read_dump, require_drivers, write_dump
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.view.race_view import OwnView, RaceView
from heat_core.view.secrecy import (
    own_of,
    public_setup,
    view_events,
    view_race,
    with_own,
)


class TableDecision(NamedTuple):
    """An open decision as the driver of a table sees it.

    Attributes:
        seat: Whose it is.
        decision: The id that an answer names.
        kind: What is asked.
        has_chosen: A secret choice is made and may still be changed; nobody waits for this seat.
    """

    seat: int
    decision: int
    kind: e.DecisionKind
    has_chosen: bool


class OpenChoice(NamedTuple):
    """What a seat is asked, for the driver of a table: it holds the seat's secrets.

    Attributes:
        decision: The id that an answer names.
        choice: What may be chosen.
        chosen: The secret choice made so far, which may still be changed.
    """

    decision: int
    choice: Choice
    chosen: c.Command | None


class Table:
    """A race being played.

    Attributes:
        setup: With the seed; clients get `public_setup` of it.
        drivers: Who decides for each seat.
        log: Every event so far, unmasked; event number n is at place n - 1.
    """

    def __init__(self, setup: RaceSetup, drivers: Mapping[int, DriverName]) -> None:
        """Begin a race.

        Args:
            setup: A complete set-up with its seed.
            drivers: One for each seat, by the seat's number.

        Raises:
            ValueError: There is another seat, or one too few; no race has begun.
        """
        require_drivers(setup, drivers)
        race, log = start_race(setup)
        self._take_up(race, log, drivers)

    def _take_up(self, race: Race, log: list[e.Event], drivers: Mapping[int, DriverName]) -> None:
        self.setup = race.setup
        self.drivers: dict[int, DriverName] = dict(drivers)
        self.log = log
        self._race = race
        self._public_setup = public_setup(race.setup)
        self._public_view: RaceView | None = None
        self._answered: dict[int, Answer] = {}
        self._bot_decisions = 0

    @property
    def event_number(self) -> int:
        """The number of the last event."""
        return self._race.event_number

    @property
    def is_over(self) -> bool:
        """Tell whether the race has ended."""
        return self._race.phase is Phase.ENDED

    def submit(
        self, seat: int, decision: int | None, command: c.Command, *, by_clock: bool = False
    ) -> list[e.Event]:
        """Take a seat's answer.

        Args:
            decision: The id that is answered; None with `GiveUp`.
            by_clock: As in `play_default`.

        Returns:
            The events that followed; none where the same answer to the same decision came again (a client
            resends it when the line drops before it heard the ok).

        Raises:
            Refused: The decision is not open, or the rules do not allow the command; nothing has changed.
        """
        command = normalised(command)
        if decision is not None and self._answered.get(seat) == (decision, command):
            return []
        if isinstance(command, c.GiveUp) and self._has_given_up(seat):
            return []
        if self.is_over:
            raise Refused(RefusalCode.RACE_ENDED, "The race is over.")
        if not isinstance(command, c.GiveUp):
            self._require_open(seat, decision)
        return self._noted(step(self._race, seat, command, by_clock=by_clock))

    def _require_open(self, seat: int, decision: int | None) -> None:
        opened = self._race.open.get(seat)
        if opened is None or opened.id != decision:
            text = f"Decision {decision} is not, or no longer, open for you."
            if decision is None:
                text = "The answer must name the decision that it answers."
            raise Refused(RefusalCode.LATE, text, decision=None if opened is None else opened.id)

    def _has_given_up(self, seat: int) -> bool:
        return 0 <= seat < len(self._race.cars) and self._race.cars[seat].status == "gave_up"

    def _advance(self, seat: int, command: c.Command, *, by_clock: bool = False) -> list[e.Event]:
        """Take an answer that this package chose for a seat, which needs no check."""
        return self._noted(advance(self._race, seat, command, by_clock=by_clock))

    def _noted(self, events: list[e.Event]) -> list[e.Event]:
        self.log.extend(events)
        for event in events:
            if isinstance(event, e.ChoiceMade):
                self._note_choice(event)
        return events

    def _note_choice(self, event: e.ChoiceMade) -> None:
        """Remember a seat's last answer, and how many decisions bots have made."""
        if event.decision is None or event.command is None:
            return
        if self.drivers[event.seat] == "human":
            self._answered[event.seat] = (event.decision, event.command)
        else:
            self._bot_decisions += 1

    def legal_commands(self, seat: int, decision: int, most: int) -> tuple[tuple[c.Command, ...], int]:
        """List the commands that answer an open decision; see `heat_core.decisions.legal_commands`.

        Where some are drawn by lot, the same request draws the same, and touches no other stream.

        Raises:
            Refused: The decision is not open.
        """
        self._require_open(seat, decision)
        return legal_commands(choice_of(self._race, seat), most, Stream(f"legal/{seat}/{decision}"))

    def decisions(self) -> tuple[TableDecision, ...]:
        """List all open decisions, secret ones that are chosen already too."""
        return tuple(
            [
                TableDecision(seat, decision.id, decision.kind, decision.chosen is not None)
                for seat, decision in self._race.open.items()
            ]
        )

    def open_choice(self, seat: int) -> OpenChoice | None:
        """Give what a seat is asked, as its view has it; None: nothing."""
        assert seat in self.drivers, seat
        opened = self._race.open.get(seat)
        return None if opened is None else OpenChoice(opened.id, choice_of(self._race, seat), opened.chosen)

    def _next_bot(self) -> int | None:
        for seat in self._race.owing:
            if self.drivers[seat] != "human":
                return seat
        return None

    def bot_due(self) -> bool:
        """Tell whether a bot has a decision to make."""
        return self._next_bot() is not None

    def step_bot(self) -> list[e.Event]:
        """Play one decision of one bot.

        Returns:
            The events that followed, none where no bot is due.
        """
        seat = self._next_bot()
        if seat is None:
            return []
        return self._advance(seat, self.bot_command(seat))

    def bot_command(self, seat: int) -> c.Command:
        """Choose for the open decision of a bot's seat; nothing changes."""
        driver = self.drivers[seat]
        assert driver != "human"
        if only := only_answer(choice_of(self._race, seat)):
            return only
        # A stream of its own for each decision: nothing to save, and independent of the race's shuffles.
        stream = Stream(f"{self.setup.seed}/bot/{seat}/{self._bot_decisions}")
        return BOTS[driver](self.observation(seat), stream)

    def table_needed(self, seat: int, driver: DriverName | None = None) -> TableKey | None:
        """Name the value table by which a bot decides for a seat; None for drivers that need none.

        Who must not wait, as an event loop, builds it elsewhere and puts it into `TABLES` before it asks the
        bot; else it is built when the bot decides, which takes some tenths of a second.

        Args:
            driver: Who decides; None: the seat's own driver.
        """
        if (driver or self.drivers[seat]) not in LEVELS:
            return None
        return table_needed(self.observation(seat))

    def tables_needed(self) -> tuple[TableKey, ...]:
        """Name the value tables of all bots that have a decision to make."""
        needed = (self.table_needed(seat) for seat in self._race.owing)
        return tuple(key for key in needed if key is not None)

    def play_default(self, seat: int, *, by_clock: bool = False) -> list[e.Event]:
        """Answer a seat's open decision for it, sensibly (NET-5).

        Args:
            by_clock: Its time is over, which the event says.

        Returns:
            The events that followed, none where nothing is asked of the seat or it has chosen.
        """
        if seat not in self._race.owing:
            return []
        return self._advance(seat, default_command(self.observation(seat)), by_clock=by_clock)

    def play_as_bot(self, seat: int, bot: BotName, *, by_clock: bool = False) -> list[e.Event]:
        """Answer a person's open decision as a bot would, for somebody who is away (NET-10).

        Args:
            by_clock: As in `play_default`.

        Returns:
            The events that followed, none where nothing is asked of the seat or it has chosen.
        """
        if seat not in self._race.owing:
            return []
        stream = Stream(f"{self.setup.seed}/away/{seat}/{self.event_number}")
        return self._advance(seat, BOTS[bot](self.observation(seat), stream), by_clock=by_clock)

    def set_driver(self, seat: int, driver: DriverName) -> None:
        """Hand a seat to a person or a bot.

        Raises:
            KeyError: There is no such seat.
        """
        if seat not in self.drivers:
            raise KeyError(seat)
        self.drivers[seat] = driver

    def view(self, seat: int | None) -> RaceView:
        """Give what a seat, or with None a spectator, may see."""
        public = self._public_view
        if public is None or public.event_number != self._race.event_number:
            # What all may see follows from the events alone: made once, and used for every seat.
            public = self._public_view = view_race(self._race, None)
        return public if seat is None else with_own(public, own_of(self._race, seat))

    def timed_view(self, seat: int | None) -> RaceView:
        """Give the view with what is answered for the seat when its time is up."""
        public = self.view(None)
        return public if seat is None else with_own(public, self.timed_own(seat))

    def timed_own(self, seat: int) -> OwnView:
        """Give what a seat alone may know, with what is answered for it when its time is up."""
        own = own_of(self._race, seat)
        if not own.is_asked:
            return own
        view = with_own(self.view(None), own)
        return msgspec.structs.replace(own, default=default_command(Observation(self._public_setup, view)))

    def observation(self, seat: int) -> Observation:
        """Give a seat's view together with the public set-up."""
        return Observation(self._public_setup, self.view(seat))

    def events_since(self, number: int, seat: int | None) -> tuple[e.Event, ...]:
        """List the events behind event `number` as a seat, or with None a spectator, may see them."""
        return view_events(self.log[number:], seat)

    def abandon(self) -> list[e.Event]:
        """End a running race without a winner."""
        if self.is_over:
            return []
        events = abandon(self._race)
        self.log.extend(events)
        return events

    def dump(self) -> bytes:
        """Serialise the table with everything it needs to play on, its log too."""
        known, log = len(self.log), self.log
        return write_dump(
            TableDump(self.setup, known, self.drivers, self._answered, self._bot_decisions, log)
        )

    @classmethod
    def load(cls, data: bytes) -> Table:
        """Bring a table back from `dump`: the race is dealt again, and all its choices are made again.

        Raises:
            BadDump: The bytes are no table, another version wrote them, or their events cannot happen.
        """
        return cls._of(read_dump(data))

    @classmethod
    def resume(cls, setup: RaceSetup, drivers: Mapping[int, DriverName], log: list[e.Event]) -> Table:
        """Bring a table back from what it began with and its log.

        Args:
            setup: With the seed.
            drivers: One for each seat, by the seat's number.
            log: All events from the first on, unmasked, up to the end of a step.

        Raises:
            BadDump: Another version raced, or the log does not follow from the set-up.
        """
        return cls._of(TableDump(setup, 0, dict(drivers), {}, 0, log))

    @classmethod
    def _of(cls, kept: TableDump) -> Table:
        table = cls.__new__(cls)
        table._take_up(race_of(kept), kept.log, kept.drivers)
        table._answered = kept.answered
        table._bot_decisions = kept.bot_decisions
        for event in kept.log[kept.events :]:
            if isinstance(event, e.ChoiceMade):
                table._note_choice(event)
        return table
