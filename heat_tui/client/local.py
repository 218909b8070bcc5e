"""A table in this process: races against bots and Legends, and hot-seat races. No server, no sockets."""

from __future__ import annotations

import asyncio

import msgspec

from heat_core.files import new_seed
from heat_core.planner.table_key import TableKey
from heat_core.planner.workers import TableWorkers
from heat_core.race.commands import Command
from heat_core.race.events import Event
from heat_core.race.setup import RaceSetup
from heat_core.record.record import Record
from heat_core.table import Table
from heat_core.view.race_view import RaceView
from heat_core.view.secrecy import public_setup
from heat_tui.client.connection_state import ConnectionState, SessionClosed


class LocalSession:
    """The `Session` of a table held here; it plays the table's bots after every answer.

    Attributes:
        table: The one authority; screens do not look into it.
        seats: The seats that people play at this keyboard.
    """

    def __init__(self, table: Table) -> None:
        """Take over a table; bots whose turn it is play once the first screen waits for a change."""
        self.table = table
        self.setup: RaceSetup = public_setup(table.setup)
        self.seats = tuple(seat for seat, driver in table.drivers.items() if driver == "human")
        self._workers = TableWorkers()
        self._playing = asyncio.Lock()
        self._closed = False
        self._wake = asyncio.Event()

    @property
    def connection(self) -> ConnectionState:
        """Always here."""
        return "local"

    @property
    def away(self) -> tuple[int, ...]:
        """Whoever plays here is here."""
        return ()

    @property
    def company(self) -> None:
        """Everybody sits around this keyboard."""
        return None

    @property
    def farewell(self) -> str:
        """Nobody else holds the table."""
        return "It is played only in this terminal, so it ends."

    @property
    def advice_refusal(self) -> str:
        """Whoever plays here may ask."""
        return ""

    @property
    def trouble(self) -> str:
        """All is well."""
        return ""

    def view(self, seat: int | None) -> RaceView:
        """Give the newest view of a seat, or with None the spectator's."""
        return self.table.view(seat)

    def events_since(self, number: int, seat: int | None) -> tuple[Event, ...]:
        """List the events behind event `number`, as that seat may see them."""
        return self.table.events_since(number, seat)

    def seconds_left(self, seat: int) -> float | None:
        """Nobody is hurried at home."""
        return None

    async def changed(self, number: int) -> None:
        """Play the bots that are due; then wait until there is an event behind event `number`.

        Raises:
            SessionClosed: The table was dropped.
        """
        while True:
            if not self._missing_tables() or self.table.event_number <= number:  # else it is shown first
                await self._play_bots()
            if self._closed:
                raise SessionClosed("You left the race.")
            if self.table.event_number > number:
                return
            self._wake.clear()
            await self._wake.wait()

    def _missing_tables(self) -> list[TableKey]:
        """List the tables that bots wait for."""
        return [key for key in self.table.tables_needed() if not self._workers.is_ready(key)]

    async def _play_bots(self) -> None:
        """Play the bots that are due, each once its table is built."""
        async with self._playing:
            while self.table.bot_due() and not self._closed:
                if missing := self._missing_tables():
                    await self._workers.make_all(missing)
                else:
                    self.table.step_bot()
                    await asyncio.sleep(0)  # keys and drawing come first

    async def submit(self, seat: int, decision: int | None, command: Command) -> None:
        """Answer a decision. Bots that are due come first, so that the same answers give the same record.

        Raises:
            Refused: The rules do not allow it; nothing changed.
            SessionClosed: The table was dropped.
        """
        await self._play_bots()
        if self._closed:
            raise SessionClosed("You left the race.")
        await self._take(seat, decision, command)
        self._wake.set()

    async def _take(self, seat: int, decision: int | None, command: Command) -> None:
        """Let the table take an answer; nobody is informed before this is done."""
        self.table.submit(seat, decision, command)

    async def records(self) -> tuple[Record, ...]:
        """Give the race once it is over."""
        return (Record(self.table.setup, tuple(self.table.log)),) if self.table.is_over else ()

    async def finish(self) -> None:
        """Drop the table."""
        await self.close()

    async def close(self) -> None:
        """Drop the table."""
        self._closed = True
        self._wake.set()

    def another_table(self) -> Table:
        """Make a table for the same drivers on the same track, or at the same position, with other luck."""
        setup = msgspec.structs.replace(self.table.setup, seed=new_seed())
        return Table(setup, self.table.drivers)
