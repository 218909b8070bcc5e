"""A client's side of a table, near or far: all that the screens know of a race.

The screens pull: they wait for `changed`, then read the events they have not seen and the view after them.
They never fold events into a state of their own, so what they show cannot drift from the table.
"""

from __future__ import annotations

from typing import Protocol

from heat_core.race.commands import Command
from heat_core.race.events import Event
from heat_core.race.setup import RaceSetup
from heat_core.record.record import Record
from heat_core.view.race_view import RaceView
from heat_tui.client.company import Company
from heat_tui.client.connection_state import ConnectionState


class Session(Protocol):
    """A table as seen from one terminal.

    Attributes:
        setup: The public set-up: no seed while the race runs.
        seats: The seats that are played here: one at a server, several in a hot-seat race.
    """

    setup: RaceSetup
    seats: tuple[int, ...]

    @property
    def connection(self) -> ConnectionState:
        """For the banner."""
        ...

    @property
    def away(self) -> tuple[int, ...]:
        """Seats whose drivers do not answer: they are played for."""
        ...

    @property
    def company(self) -> Company | None:
        """The people around the table, None where they sit around this keyboard."""
        ...

    @property
    def farewell(self) -> str:
        """What becomes of the race when this terminal leaves it, in one sentence."""
        ...

    @property
    def advice_refusal(self) -> str:
        """Why no advice is given at this table, in one sentence; empty: it is."""
        ...

    @property
    def trouble(self) -> str:
        """What the players here should know of the table, in one sentence; empty: all is well."""
        ...

    def view(self, seat: int | None) -> RaceView:
        """Give the newest view of one of `seats`, or with None the spectator's."""
        ...

    def events_since(self, number: int, seat: int | None) -> tuple[Event, ...]:
        """List the events behind event `number`, as that seat (None: a spectator) may see them.

        A far session may have missed some: it then gives those it has, and the view is right all the same.
        """
        ...

    def seconds_left(self, seat: int) -> float | None:
        """Say how long a seat's open decision may still take, None where no time is set."""
        ...

    async def changed(self, number: int) -> None:
        """Wait for an event behind event `number`, or for a change of line, `away`, `trouble` or own choice.

        A server holds a choice that a hand forces: its seat's view has it before there is an event of it.

        Raises:
            SessionClosed: No more will ever come.
        """
        ...

    async def submit(self, seat: int, decision: int | None, command: Command) -> None:
        """Answer a decision and wait until it is accepted.

        Args:
            seat: One of `seats`.
            decision: The id from its view; None with `GiveUp`.

        Raises:
            Refused: The rules do not allow it; nothing changed.
            SessionClosed: It could not be sent.
        """
        ...

    async def records(self) -> tuple[Record, ...]:
        """Give whole races of this table, nothing hidden: those that are over and may be shown.

        Of a championship none before it is over, for they reveal what is in decks; then all.
        """
        ...

    async def finish(self) -> None:
        """Be done with a race that is over; at a server the table stays, for what comes next."""
        ...

    async def close(self) -> None:
        """Leave the table: near, it is dropped; far, the server is told."""
        ...
