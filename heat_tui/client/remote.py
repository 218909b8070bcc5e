"""A race at a server, as the screens see it: `heat_tui.client.session.Session` over a link."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from heat_core.race.commands import Command
from heat_core.race.events import Event
from heat_core.record.record import Record
from heat_core.view.race_view import RaceView
from heat_core.wire.messages import LobbyView, OpenDecision, Update
from heat_tui.client.company import Company
from heat_tui.client.connection_state import ConnectionState, SessionClosed
from heat_tui.client.records import records_of
from heat_tui.client.server_link import ServerLink

NO_ADVICE_IN_ROOM: Final = "Advice is off in this room. The host can allow it in the lobby."


class RemoteSession:
    """One seat of a race at a server; made once the link has heard of the race's start and first view.

    Attributes:
        setup: The public set-up.
        company: The people around the table.
        seats: The one seat played here; none for a spectator.
    """

    def __init__(self, link: ServerLink, on_close: Callable[[], None] = lambda: None) -> None:
        """Take the race that the link has.

        Args:
            link: Its race has started, with a first update; see `is_ready`.
            on_close: Called once the table is left.
        """
        if link.race is None or link.race.update is None:
            raise ValueError("the server has sent no race yet")
        self._link = link
        self._feed = link.race
        self._on_close = on_close
        self._state_told: ConnectionState = link.state
        self._waiting_told = link.waits_for
        self._away_told: tuple[int, ...] = ()
        self._chosen_told: Command | None = None
        self._is_closed = False
        self.setup = link.race.started.setup
        self.company = Company(link)
        seat = link.race.started.seat
        self.seats: tuple[int, ...] = () if seat is None else (seat,)

    @staticmethod
    def is_ready(link: ServerLink) -> bool:
        """Tell whether a session can be made of a link: what happened before has come, too."""
        return link.race is not None and link.race.update is not None and link.race.is_whole

    @property
    def connection(self) -> ConnectionState:
        """How the link stands."""
        return self._link.state

    @property
    def room(self) -> LobbyView | None:
        """The room around the race."""
        return self._link.room

    @property
    def away(self) -> tuple[int, ...]:
        """Seats whose drivers are not there: they are played by defaults."""
        return self._update.away

    @property
    def farewell(self) -> str:
        """The server plays on."""
        if not self.seats:
            return "You are only watching."
        return "Your seat is played for you until you rejoin."

    @property
    def advice_refusal(self) -> str:
        """The host allows advice, or does not."""
        return "" if self.room is not None and self.room.options.advice else NO_ADVICE_IN_ROOM

    @property
    def trouble(self) -> str:
        """What the race waits for at its server."""
        return self._link.waits_for

    @property
    def _update(self) -> Update:
        assert self._feed.update is not None
        return self._feed.update

    def view(self, seat: int | None) -> RaceView:
        """Give the newest view; there is only the own seat's."""
        if seat is not None and seat not in self.seats:
            raise KeyError(seat)
        return self._update.view

    def events_since(self, number: int, seat: int | None) -> tuple[Event, ...]:
        """List the events behind event `number`, as far as they were received."""
        return self._feed.events_since(number)

    def seconds_left(self, seat: int) -> float | None:
        """Say how long a seat's open decision may still take, None where no time runs."""
        decision = self._decision(seat)
        if decision is None or decision.milliseconds_left is None:
            return None
        passed = asyncio.get_running_loop().time() - self._feed.received
        return max(0.0, decision.milliseconds_left / 1000 - passed)

    def _decision(self, seat: int) -> OpenDecision | None:
        return next((decision for decision in self._update.decisions if decision.seat == seat), None)

    async def changed(self, number: int) -> None:
        """Wait until there is an event behind event `number`, or until line, `away` or own choice change.

        Raises:
            SessionClosed: No more will ever come.
        """
        while True:
            own = self._update.view.own
            chosen = own.chosen if own is not None else None
            is_news, self._chosen_told = chosen != self._chosen_told, chosen
            if is_news or self._update.view.event_number != number:
                return
            if self._link.ended is not None:
                raise SessionClosed(self._link.ended)
            if self._link.race is not self._feed:
                raise SessionClosed("That race is over; the next one has begun.")
            if self._link.state != self._state_told:
                self._state_told = self._link.state
                return
            if self._link.waits_for != self._waiting_told:
                self._waiting_told = self._link.waits_for
                return
            if self._update.away != self._away_told:
                self._away_told = self._update.away
                return
            await self._link.wait(self._link.changes)

    async def submit(self, seat: int, decision: int | None, command: Command) -> None:
        """Answer a decision and wait until the server has accepted it; resent when the line drops.

        Raises:
            Refused: The rules do not allow it; nothing changed.
            SessionClosed: It could not be sent.
        """
        if seat not in self.seats:
            raise KeyError(seat)
        await self._link.act(decision, command)

    async def records(self) -> tuple[Record, ...]:
        """Ask the server for the races that are over."""
        return await records_of(self._link)

    async def finish(self) -> None:
        """Stay: there may be a rematch, or the next race of a championship."""

    async def close(self) -> None:
        """Leave the table and hang up."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            if self._link.ended is None:
                await self._link.leave()
            await self._link.close()
        finally:
            self._on_close()
