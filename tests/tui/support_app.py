"""What the tests of screens share: an app with folders of its own, a real server, waiting for what shows."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from textual.pilot import Pilot

from heat_core.race.setup import MAX_CARS
from heat_core.table import Table
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, create_session_file
from heat_tui.flow.setup import Opponent
from heat_tui.screens.rows import ChoiceRow, MessageLine
from heat_tui.state import Folders

SMALL = (80, 24)
LARGE = (120, 40)


class WaitedTooLong(AssertionError):
    """What a test waited for did not happen."""


async def until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until something holds; for what happens over a network, where no event can be awaited."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition():
        if asyncio.get_running_loop().time() > deadline:
            raise WaitedTooLong(condition)
        await asyncio.sleep(0.01)


def folders_in(path: Path) -> Folders:
    return Folders(path / "config", path / "state", path / "data")


class GridApp(HeatApp):
    """The client, which stops where the race would begin.

    Attributes:
        tables: Tables that would be raced at here.
        visits: Visits whose race would be shown.
    """

    def __init__(
        self, path: Path, *, opening: Callable[[HeatApp], None] | None = None, name: str = "Ana"
    ) -> None:
        super().__init__(folders_in(path), opening=opening, animate=False, player_name=name)
        self.tables: list[Table] = []
        self.raced_at: list[ServerStay] = []

    def race_here(self, table: Table) -> None:
        self.tables.append(table)

    def race_there(self, stay: ServerStay) -> None:
        self.raced_at.append(stay)


def save_seat(folders: Folders, seat: SavedSession) -> None:
    """Save a seat at a server, as a program does that has ended since."""
    file = create_session_file(folders)
    file.save(seat)
    file.close()


def show_opponents(app: HeatApp, *opponents: Opponent) -> None:
    """Choose what drives against the first person, in the form that is shown; nobody has the other places."""
    for number in range(1, MAX_CARS):
        opponent: Opponent = opponents[number - 1] if number <= len(opponents) else "nobody"
        app.screen.query_one(f"#opponent{number}", ChoiceRow).show(opponent)


def message(app: HeatApp) -> str:
    return app.screen.query_one(MessageLine).text


def shown(pilot: Pilot[None]) -> str:
    """Give the whole screen as text."""
    app = pilot.app
    width, height = app.size
    lines = app.screen._compositor.render_strips()
    assert len(lines) == height
    return "\n".join(strip.text.ljust(width) for strip in lines)


@contextmanager
def server_process(
    *options: str, program: Sequence[str] = (sys.executable, "-m", "heat_server"), path: Path = Path()
) -> Iterator[Address]:
    """Run the real server as a process of its own, on a free port; nothing takes time by lot."""
    usual = ["--host", "127.0.0.1", "--port", "0", "--bot-time", "0"]
    command = [*program, *usual, *options]
    with subprocess.Popen(
        command, cwd=path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"port (\d+)", line)
            assert found, line
            yield Address("127.0.0.1", int(found[1]))
        finally:
            process.terminate()
            process.wait(60)
