"""The worker processes of a real server: they build what its bots need, and none outlives it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import trio

from heat_core.wire.messages import RoomOptions, Update
from tests.e2e.test_server_tcp import port_of, program
from tests.patience import PATIENCE_SECONDS
from tests.server.support import Player


def children_of(pid: int) -> list[int]:
    """List the processes that a process has started and that still run."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


@pytest.mark.trio
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_no_worker_outlives_its_server_however_that_ends(ending: signal.Signals) -> None:
    with trio.fail_after(60), program("--port", "0", "--bot-time", "0") as process:
        async with await trio.open_tcp_stream("127.0.0.1", port_of(process)) as stream:
            player = Player(stream)
            await player.hello()
            await player.create("ana", RoomOptions(laps=1, cars=2))
            await player.bot(1, "normal")
            await player.start()
            await player.wait_for(Update, lambda update: any(one.has_chosen for one in update.decisions))
            workers = list(map(os.pidfd_open, children_of(process.pid)))
            assert workers
            process.send_signal(ending)
            process.communicate(timeout=PATIENCE_SECONDS)
        for ended in workers:
            await trio.lowlevel.wait_readable(ended)
            os.close(ended)
