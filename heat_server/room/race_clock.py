"""A room during the race: a table, its members, and the time for decisions. It has no clock of its own.

Theory of operation. Every open decision that is not yet chosen has a deadline, one turn time after it
opened, and what the host has given its driver. Without a clock it is that of idle people, and nobody is told
of it. After two missed deadlines in a row, or after the grace time without connection, somebody else
drives for a player at once, so that the others need not wait; while nobody would wait, the deadlines hold.
Bots, and what is decided at once for others, play as fast as the room's pace allows: a race of programs
alone must not take all of the server's time. The time of an answer must not reveal what it is: some are
held for a while, see `held_answers`. While nobody at all is there, or everyone has voted for a pause, the
race stops: deadlines and held answers move with the clock.
"""

from __future__ import annotations

from typing import Final

from heat_core.decisions import only_answer
from heat_core.drivers import BotName
from heat_core.race.normal_form import normalised
from heat_core.table import OpenChoice, Table, TableDecision
from heat_core.view.secrecy import public_setup
from heat_core.wire.codes import ErrorCode
from heat_core.wire.encoded_update import EncodedUpdate
from heat_core.wire.messages import (
    MOST_NUMBER,
    Act,
    OpenDecision,
    Standstill,
    Started,
    Update,
)
from heat_server.room.bot_scheduler import Pace
from heat_server.room.denied import Denied
from heat_server.room.held_answers import HeldAnswer, HeldAnswers
from heat_server.room.participants import Participants, Presence
from heat_server.room.saved_room import Member, SavedRoom, TimerSnapshot
from heat_server.room.timing import NEVER, Timing
from heat_server.room.updates import SharedUpdate

MOST_MISSED: Final = 2
MOST_CHANGES: Final = 20
"""How often a secret choice can be changed: each change stays in the log."""

PLAYED_TOGETHER: Final = 15
"""Where a room has played as much for bots and those who are away as it may, so many are played together when
it may play again, which is one commit and one update."""


class RaceClock:
    """A table on the network.

    Attributes:
        table: The one authority.
    """

    def __init__(
        self,
        table: Table,
        saved: SavedRoom,
        people: Participants,
        timing: Timing,
        now: float,
        pace: Pace,
        timers: TimerSnapshot | None = None,
    ) -> None:
        """Begin to time a table.

        Args:
            table: With the driver "human" for each member's seat.
            saved: The room: whether there is a pause, and each car's place.
            people: Of the room; the `seat` of its members is set.
            timing: How long the race waits.
            now: The time on the caller's clock.
            pace: The room's; a rematch continues with it.
            timers: Of a race that continues after a restart: nobody is there yet, and decisions have what was
                left of their time, the grace time at least.
        """
        self.table = table
        self._saved = saved
        self._people = people
        self._timing = timing
        self._pace = pace
        self._deadlines: dict[tuple[int, int], float] = {}
        self._still_since: float | None = None
        self._away: tuple[int, ...] = ()
        self._attendance_seen = -1
        self._owed_by_bots: list[tuple[TableDecision, BotName]] = []
        self._plain: set[tuple[int, int]] = set()
        self._with_table: set[tuple[int, int]] = set()
        self._held = HeldAnswers(table, timing.bot_seconds, timers.held if timers is not None else ())
        if timers is not None:
            self._still_since = now
            for seat, number, seconds in timers.seconds_left:
                self._deadlines[seat, number] = now + max(seconds, timing.grace_seconds)
            for member in people.members():
                presence = people.presence(member)
                presence.missed = timers.missed.get(member.seat, 0)
                presence.heard = presence.sent = timers.heard.get(member.seat, 0)
        self._follow(now)

    def timers(self, now: float) -> TimerSnapshot:
        """Note what is in no event."""
        moment = now if self._still_since is None else self._still_since
        drivers = {member.seat: self._people.presence(member) for member in self._people.members()}
        return TimerSnapshot(
            [(seat, number, time - moment) for (seat, number), time in self._deadlines.items()],
            {seat: presence.missed for seat, presence in drivers.items() if presence.missed},
            {seat: presence.heard for seat, presence in drivers.items()},
            self.held,
        )

    @property
    def held(self) -> list[HeldAnswer]:
        """What people have answered and nobody else has seen yet."""
        return self._held.answers_of_people()

    @property
    def is_standing_still(self) -> bool:
        """Tell whether no time runs: nobody is there, or there is a pause."""
        return self._still_since is not None

    def submit(self, member: Member, act: Act, now: float) -> bool:
        """Take a seat's answer; that it came at all shows that the driver is awake.

        But for the one answer that a decision leaves: programs give it though nobody sits there. It may be
        held, and until it is shown only its seat's view has it.

        Returns:
            Whether anything changed that others see: not, where the answer is held, where the same came
            again, or what is chosen already.

        Raises:
            Refused: As `Table.submit`; nothing has changed then.
            Denied: There is a pause, or too many changes of mind.
        """
        if self._saved.is_paused and not self.table.is_over:
            raise Denied(ErrorCode.PAUSED, "The race is paused; everyone must vote to resume first.")
        asked, presence = self.table.open_choice(member.seat), self._people.presence(member)
        if self._is_held(member, act, asked):
            return False
        if not self._is_plain(asked, member.seat, act):
            self._note_missed(presence, 0)
        if self._is_chosen(asked, act):
            return False  # they agree with what they, or the room for them, have chosen
        is_change = asked is not None and asked.chosen is not None
        if is_change and presence.changes >= MOST_CHANGES:
            raise Denied(
                ErrorCode.TOO_MANY_CHANGES, "You have changed this choice too often; it is final now."
            )
        events = self.table.submit(member.seat, act.decision, act.command)
        if events:
            presence.changes = presence.changes + 1 if is_change else 0
        self._follow(now)
        return bool(events)

    def _is_held(self, member: Member, act: Act, asked: OpenChoice | None) -> bool:
        """Hold an answer that must not be shown yet; tell whether it is held, or was before."""
        if act.decision is None or self.table.is_over:
            return False
        held = self._held.answer_of(member.seat)
        if held is not None and held == (member.seat, act.decision, normalised(act.command)):
            return True
        choice = asked.choice if asked is not None else None
        if not self._held.take(member.seat, act.decision, act.command, choice):
            return False
        self._people.presence(member).needs_update = True
        return True

    def _is_plain(self, asked: OpenChoice | None, seat: int, act: Act) -> bool:
        """Tell whether an answer is the only one that its decision leaves, or left before it was played."""
        if act.decision is None:
            return False
        if asked is None or asked.decision != act.decision:
            return (seat, act.decision) in self._plain
        return only_answer(asked.choice) is not None

    @staticmethod
    def _is_chosen(asked: OpenChoice | None, act: Act) -> bool:
        if asked is None or asked.chosen is None or asked.decision != act.decision:
            return False
        return normalised(asked.chosen) == normalised(act.command)

    def note_presence(self, now: float) -> bool:
        """Stop or continue, now that somebody has come or gone, or a pause has begun or ended.

        Returns:
            Whether it stopped or went on.
        """
        may_run = self._people.is_a_driver_there() and not self._saved.is_paused
        if may_run and self._still_since is not None:
            waited = now - self._still_since
            self._deadlines = {key: time + waited for key, time in self._deadlines.items()}
            self._held.shift(waited)
            for presence in map(self._people.presence, self._people.members()):
                if presence.gone_at is not None:
                    presence.gone_at = now  # the grace time begins with somebody who could wait
            self._still_since = None
            return True
        if not may_run and self._still_since is None:
            self._still_since = now
            return True
        return False

    def away(self) -> tuple[int, ...]:
        """List the seats whose drivers do not answer; looked for anew only after one of them came or went."""
        if self._attendance_seen != self._people.attendance_changes:
            self._attendance_seen = self._people.attendance_changes
            self._away = tuple(sorted(one.seat for one in self._people.members() if not self._is_awake(one)))
        return self._away

    def _is_awake(self, member: Member) -> bool:
        return self._people.is_there(member) and self._people.presence(member).missed < MOST_MISSED

    def _note_missed(self, presence: Presence, count: int) -> None:
        """Note how many decisions in a row the time ran out for."""
        if presence.missed != count:
            presence.missed = count
            self._attendance_seen = -1

    def next_wake(self, now: float) -> float:
        """Give the time at which `advance` has something to do; `now` or before means: at once."""
        if self.table.is_over or self.is_standing_still:
            return NEVER
        times = [time for key, time in self._due_times().items() if time > now or self._can_be_driven(*key)]
        if self._next_bot() is not None or -NEVER in times:
            times = [time for time in times if time > -NEVER] + [self._pace.ready_at(now, PLAYED_TOGETHER)]
        thought_at = self._held.next_due(of_people=False)
        if thought_at <= now:
            thought_at = self._pace.turn_at(now)
        return min([*times, self._held.next_due(of_people=True), thought_at])

    def _next_bot(self) -> TableDecision | None:
        """Give the decision of a bot that has yet to think, and can."""
        for decision, driver in self._owed_by_bots:
            if self._held.answer_of(decision.seat) is None:
                if self._has_table(decision.seat, decision.decision, driver):
                    return decision
        return None

    def _has_table(self, seat: int, number: int, driver: BotName) -> bool:
        """Tell whether a bot can think about a decision; if not, the room is woken once it can."""
        has_table = (seat, number) in self._with_table
        if not has_table and (has_table := self._pace.has_table(self.table.table_needed(seat, driver))):
            self._with_table.add((seat, number))
        return has_table

    def _can_be_driven(self, seat: int, number: int) -> bool:
        """Tell whether a seat whose time is up can be played for now."""
        return (driver := self._stand_in(seat)) is None or self._has_table(seat, number, driver)

    def _stand_in(self, seat: int) -> BotName | None:
        """Say which bot drives for somebody; None: the defaults do."""
        driver = self._timing.away_driver
        # Somebody who is there and only slow wants their own plan spoilt as little as can be.
        is_there = self._people.is_there(self._people.driver(seat))
        return None if driver == "defaults" or is_there else driver

    def advance(self, now: float) -> bool:
        """Let a bot think, show an answer that was held, or play for a seat whose time is up.

        Returns:
            Whether anything changed that others see.
        """
        if self.table.is_over or self.is_standing_still:
            return False
        if (bot := self._next_bot()) is not None and self._pace.take(now):
            self._held.think(bot.seat, bot.decision)
            return False
        held = self._held.due(now, of_people=True)
        if held is None and self._pace.turn_at(now) <= now:
            held = self._held.due(now, of_people=False)
        if held is not None:
            self._show(held, now)
            return True
        for (seat, number), due_at in self._due_times().items():
            if due_at > now or not self._can_be_driven(seat, number):
                continue
            if due_at > -NEVER or self._pace.take(now):
                if (held := self._held.answer_of(seat)) is not None:
                    self._show(held, now)
                    return True
                is_late = self._deadlines[seat, number] <= now
                presence = self._driver(seat)
                self._note_missed(presence, presence.missed + is_late)
                self._drive_for(seat, number, by_clock=is_late)
                self._follow(now)
                return True
        return False

    def _show(self, held: HeldAnswer, now: float) -> None:
        """Put a held answer on the table."""
        seat, number, command = held
        if self.table.drivers[seat] == "human" and (asked := self.table.open_choice(seat)) is not None:
            presence = self._driver(seat)
            presence.changes = 0
            if only_answer(asked.choice) is None:
                self._note_missed(presence, 0)
        is_late = self._deadlines.get((seat, number), NEVER) <= now  # it then looks as if nobody had answered
        self.table.submit(seat, number, command, by_clock=is_late)
        self._follow(now)

    def _drive_for(self, seat: int, number: int, *, by_clock: bool) -> None:
        asked = self.table.open_choice(seat)
        if asked is not None and only_answer(asked.choice) is not None:
            self._plain.add((seat, number))  # its program's own answer may be on the way
        if (driver := self._stand_in(seat)) is None:
            self.table.play_default(seat, by_clock=by_clock)
        else:
            self.table.play_as_bot(seat, driver, by_clock=by_clock)

    def _due_times(self) -> dict[tuple[int, int], float]:
        """Give the time at which each decision is answered for its seat, by seat and decision."""
        away, members = self.away(), self._people.members()
        if len(away) in (0, len(members)):  # nobody's answer comes sooner than the clock has it
            return self._deadlines
        drivers = {member.seat: member for member in members}
        return {key: self._due_at(drivers[key[0]], deadline) for key, deadline in self._deadlines.items()}

    def _due_at(self, member: Member, deadline: float) -> float:
        presence = self._people.presence(member)
        if member.has_left or presence.missed >= MOST_MISSED:
            return -NEVER
        if presence.gone_at is not None:
            return min(deadline, presence.gone_at + self._timing.grace_seconds)
        return deadline

    def _driver(self, seat: int) -> Presence:
        return self._people.presence(self._people.driver(seat))

    def _follow(self, now: float) -> None:
        """Give new decisions their time; forget those that are answered."""
        owed = [decision for decision in self.table.decisions() if not decision.has_chosen]
        drivers, before = self.table.drivers, self._deadlines
        self._owed_by_bots = []
        self._deadlines = {}
        for decision in owed:
            key = decision.seat, decision.decision
            if (driver := drivers[decision.seat]) != "human":
                self._owed_by_bots.append((decision, driver))
            else:
                self._deadlines[key] = before[key] if key in before else self._new_deadline(key[0], now)
        if self._with_table:
            self._with_table &= {(decision.seat, decision.decision) for decision in owed}
        self._held.follow(owed, now)

    def _new_deadline(self, seat: int, now: float) -> float:
        return now + self._timing.turn_seconds + self._people.driver(seat).more_milliseconds / 1000

    def give_time(self, seat: int, seconds: float) -> None:
        """Give an open decision of a seat more time, or less."""
        for key in self._deadlines:
            if key[0] == seat:
                self._deadlines[key] += seconds

    def started(self, seat: int | None) -> Started:
        """Describe the race to a seat, or with None to a spectator."""
        return Started(seat, public_setup(self.table.setup), self._saved.race_places)

    def shared_update(self, now: float) -> SharedUpdate:
        """Make the update of which each gets what they may see, by `update`."""
        due_times = self._due_times()
        decisions = tuple(
            OpenDecision(
                decision.seat,
                decision.kind,
                decision.has_chosen,
                self._milliseconds_left(due_times.get((decision.seat, decision.decision)), now),
            )
            for decision in self.table.decisions()
        )
        standstill: Standstill | None = None
        if self.is_standing_still and not self.table.is_over:
            standstill = "paused" if self._saved.is_paused else "nobody"
        return SharedUpdate(self.table, decisions, self.away(), standstill)

    def update(self, seat: int | None, since: int, shared: SharedUpdate) -> Update | EncodedUpdate:
        """Make what a seat, or with None a spectator, is sent.

        Args:
            since: The last event that they have.
            shared: As it is now.
        """
        held = self._held.answer_of(seat) if seat is not None else None
        return shared.sent_to(seat, since) if held is None else shared.with_answer(held, since)

    def _milliseconds_left(self, due_at: float | None, now: float) -> int | None:
        if due_at is None or self.is_standing_still or not self._timing.has_clock:
            return None
        return min(round(max(0.0, due_at - now) * 1000), MOST_NUMBER)
