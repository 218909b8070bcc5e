"""A room during the race: a table, its members, and the time that decisions take. No clock of its own.

Theory of operation. Every open decision that is not yet chosen has a deadline, one turn time after it
opened. Whoever misses two in a row, or is gone for the grace time, is played by defaults at once, so that the
others need not wait; but where nobody is left who would wait, the deadlines hold. While nobody at all is
there the race stands still: the deadlines move on with the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.table import Table
from heat_core.view import public_setup
from heat_core.wire.messages import MOST_NUMBER, Act, OpenDecision, Started, Update
from heat_server.lobby import Member

MOST_MISSED: Final = 2
MOST_EVENTS: Final = 3000
"""In one update; more would not fit in a frame. Who was away longer gets the newest ones."""

NEVER: Final = float("inf")


class RaceRun:
    """A table on the network.

    Attributes:
        table: The one authority.
        members: By seat.
    """

    def __init__(
        self,
        table: Table,
        members: Sequence[Member],
        places: Sequence[int | None],
        *,
        turn_seconds: float,
        grace_seconds: float,
        now: float,
    ) -> None:
        """Begin to time a fresh table.

        Args:
            table: With the driver "human" for each member's seat.
            members: Their `seat` is set.
            places: The lobby's place of each car.
            turn_seconds: How long each decision may take.
            grace_seconds: How long the others wait for one who is gone.
            now: The time on the caller's clock.
        """
        self.table = table
        self.members = {member.seat: member for member in members}
        self._places = tuple(places)
        self._turn_seconds = turn_seconds
        self._grace_seconds = grace_seconds
        self._deadlines: dict[tuple[int, int], float] = {}
        self._still_since: float | None = None
        self._open_deadlines(now)

    @property
    def is_standing_still(self) -> bool:
        """Tell whether the race waits for anybody to come back."""
        return self._still_since is not None

    @property
    def still_since(self) -> float | None:
        """Since when nobody is there."""
        return self._still_since

    def submit(self, member: Member, act: Act, now: float) -> bool:
        """Take a seat's answer; that it came at all shows that the driver is awake.

        Returns:
            Whether anything changed: not, where the same answer came again.

        Raises:
            Refused: As `Table.submit`; nothing has changed then.
        """
        member.missed = 0
        events = self.table.submit(member.seat, act.decision, act.command)
        self._open_deadlines(now)
        return bool(events)

    def note_presence(self, now: float) -> bool:
        """Stop or go on, now that somebody has come or gone.

        Returns:
            Whether it stopped or went on.
        """
        is_anybody_there = any(member.is_there for member in self.members.values())
        if is_anybody_there and self._still_since is not None:
            waited = now - self._still_since
            self._deadlines = {key: time + waited for key, time in self._deadlines.items()}
            for member in self.members.values():
                if member.gone_at is not None:
                    member.gone_at = now  # the grace time begins with somebody who could wait
            self._still_since = None
            return True
        if not is_anybody_there and self._still_since is None:
            self._still_since = now
            return True
        return False

    def away(self) -> tuple[int, ...]:
        """List the seats whose drivers do not answer."""
        return tuple(seat for seat, member in sorted(self.members.items()) if not self._is_awake(member))

    @staticmethod
    def _is_awake(member: Member) -> bool:
        return member.is_there and member.missed < MOST_MISSED

    def next_wake(self, now: float) -> float:
        """Give the time at which `advance` has something to do; `now` or before means: at once."""
        if self.table.is_over or self.is_standing_still:
            return NEVER
        if self.table.bot_due():
            return now
        return min((self._due_at(seat, number) for seat, number in self._deadlines), default=NEVER)

    def advance(self, now: float) -> bool:
        """Play one decision of a bot, or of a seat whose time is up.

        Returns:
            Whether there was one.
        """
        if self.table.is_over or self.is_standing_still:
            return False
        if self.table.bot_due():
            self.table.step_bot()
            self._open_deadlines(now)
            return True
        for seat, number in self._deadlines:
            if self._due_at(seat, number) <= now:
                if self._deadlines[seat, number] <= now:
                    self.members[seat].missed += 1
                self.table.play_default(seat)
                self._open_deadlines(now)
                return True
        return False

    def _due_at(self, seat: int, number: int) -> float:
        """Give the time at which a seat's decision is answered for it."""
        member, deadline = self.members[seat], self._deadlines[seat, number]
        if not any(self._is_awake(other) for other in self.members.values()):
            return deadline
        if member.has_left or member.missed >= MOST_MISSED:
            return -NEVER
        if member.gone_at is not None:
            return min(deadline, member.gone_at + self._grace_seconds)
        return deadline

    def _open_deadlines(self, now: float) -> None:
        """Give new decisions their time; forget those that are answered."""
        waiting = [
            (decision.seat, decision.decision)
            for decision in self.table.decisions()
            if not decision.has_chosen and self.table.drivers[decision.seat] == "human"
        ]
        self._deadlines = {key: self._deadlines.get(key, now + self._turn_seconds) for key in waiting}

    def started(self, member: Member) -> Started:
        """Describe the race to a member."""
        return Started(member.seat, public_setup(self.table.setup), self._places)

    def update(self, member: Member, since: int, now: float) -> Update:
        """Make what a member is sent; marks nothing as sent.

        Args:
            since: The last event that the member has.
        """
        number = self.table.event_number
        since = max(min(since, number), number - MOST_EVENTS)
        return Update(
            number,
            self.table.events_since(since, member.seat),
            self.table.view(member.seat),
            tuple(
                OpenDecision(
                    decision.seat,
                    decision.kind,
                    decision.has_chosen,
                    self._milliseconds_left(decision.seat, decision.decision, now),
                )
                for decision in self.table.decisions()
            ),
            self.away(),
            self.is_standing_still,
        )

    def _milliseconds_left(self, seat: int, number: int, now: float) -> int | None:
        if (seat, number) not in self._deadlines or self.is_standing_still:
            return None
        seconds_left = max(0.0, self._due_at(seat, number) - now)
        return min(round(seconds_left * 1000), MOST_NUMBER)
