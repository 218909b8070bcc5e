"""What a server does for each command of a race, counted: these figures are the same on any machine.

A server in memory, with a real store, races people who answer by the defaults of the rules. For each command
there is how much was sent, written and read, and how many functions of this program the server called.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

from trio.testing import wait_all_tasks_blocked

from heat_core.wire.messages import RoomOptions
from heat_server.store.contract import RecordedRace, SavedMatch
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.writes import AddEvents, Write
from tests.server.support import Player, server_on

_OWN: Final = ("/heat_server/", "/heat_core/")
_CLIENTS: Final = "/heat_core/wire/"
"""Players in this process call it, too."""


class Step(NamedTuple):
    """What one command brought.

    Attributes:
        events: So far, before the command.
        sent_bytes: To all players.
        rows: Written to the store.
        row_bytes: Of the events among them.
        reads: Of the store.
        calls: Of functions, by the server.
    """

    events: int
    sent_bytes: int
    rows: int
    row_bytes: int
    reads: int
    calls: int


class CountedStore(SqliteStore):
    """A store that counts what is asked of it.

    Attributes:
        rows, row_bytes, reads: As in `Step`, since the start.
    """

    rows = row_bytes = reads = 0

    def write(self, writes: Sequence[Write]) -> None:
        self.rows += len(writes)
        self.row_bytes += sum(len(write.events) for write in writes if isinstance(write, AddEvents))
        super().write(writes)

    def load(self, match: str) -> SavedMatch:
        self.reads += 1
        return super().load(match)

    def races(self, match: str) -> list[RecordedRace]:
        self.reads += 1
        return super().races(match)


class Calls:
    """Counts calls of functions of the server and of the engine, while it is asked to."""

    def __init__(self) -> None:
        self.count = 0

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            name = frame.f_code.co_filename
            if any(own in name for own in _OWN) and _CLIENTS not in name:
                self.count += 1

    @contextmanager
    def counted(self) -> Iterator[None]:
        before = sys.getprofile()
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)


async def _read_on(player: Player) -> None:
    while True:
        await player.receive()


async def count_race(folder: Path, options: RoomOptions, watchers: int = 0) -> list[Step]:
    """Race with a player in each place, to the end; to be run on a clock that stands still.

    Args:
        folder: For the store.
        watchers: How many spectators there are, besides.

    Returns:
        One for each command, in order.
    """
    with CountedStore.open(folder / "store.db", lambda: 0) as store:
        async with server_on(store) as house:
            players = await house.full_lobby([f"p{number}" for number in range(options.cars)], options)
            watching = [await house.player() for _ in range(watchers)]
            for number, watcher in enumerate(watching):
                await watcher.watch(players[0].code, f"w{number}")
            await players[0].start()
            for player in (*players, *watching):
                house.nursery.start_soon(_read_on, player)
            await wait_all_tasks_blocked()
            return await _steps(players, watching, store)


async def _steps(players: Sequence[Player], watching: Sequence[Player], store: CountedStore) -> list[Step]:
    calls, steps = Calls(), list[Step]()

    def totals(events: int) -> Step:
        sent = sum(len(each.raw) for each in (*players, *watching))
        return Step(events, sent, store.rows, store.row_bytes, store.reads, calls.count)

    while players[0].view.status != "ended":
        player, act = next((each, act) for each in players if (act := each.next_act()) is not None)
        before = totals(player.view.event_number)
        with calls.counted():
            await player.send(act)
            await wait_all_tasks_blocked()
        after = totals(before.events)
        steps.append(
            Step(before.events, *(new - old for new, old in zip(after[1:], before[1:], strict=True)))
        )
    return steps
