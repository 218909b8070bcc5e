"""A first screen that nobody sees, drawn before anybody comes.

What Python and Textual work out at first use (parsed style sheets, types to decode into, colours, imports
inside functions) is then there for every login that is forked from this process, and in shared memory.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Any, Final

import msgspec
from textual._compositor import CompositorUpdate
from textual.pilot import Pilot
from textual.screen import Screen

from heat_core.version import program_version
from heat_core.wire import messages as m
from heat_core.wire.address import LOOPBACK, Address
from heat_core.wire.codec import decode_server_message
from heat_tui.doors.guest_app import GuestApp
from heat_tui.doors.messages import Guest
from heat_tui.state import Folders

_SIZE: Final = (120, 40)
_NOWHERE: Final = Address(LOOPBACK, 1)
_TERMINAL: Final = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
"""What most guests have."""


def rehearse() -> int | None:
    """Show the way to the rooms of no server to nobody; returns when no loop and no thread of it is left.

    Returns:
        The exit code of the program; after a fault, which is not 0, logins begin more slowly.

    Raises:
        OSError: There is no room for a temporary folder.
    """
    decode_server_message(msgspec.msgpack.encode(m.Pong(0)))
    program_version()
    own = dict(os.environ)
    for name in ("NO_COLOR", "COLORTERM"):
        os.environ.pop(name, None)
    os.environ.update(_TERMINAL)
    try:
        return asyncio.run(_show_rooms())
    finally:
        os.environ.clear()
        os.environ.update(own)


class _Rehearsed(GuestApp):
    """The client, which draws all of what it would send to a terminal."""

    def _display(self, screen: Screen[object], renderable: Any) -> None:
        if isinstance(renderable, CompositorUpdate):
            renderable.render_segments(self.console)
        super()._display(screen, renderable)


async def _show_rooms() -> int | None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        folders = Folders(root / "config", root / "state", root / "data", _NOWHERE)
        guest = Guest("guest", folder, str(_NOWHERE), "", "", {}, False, "")
        app = _Rehearsed(folders, guest)

        async def leave(pilot: Pilot[object]) -> None:
            await pilot.pause()
            app.exit()

        await app.run_async(headless=True, size=_SIZE, auto_pilot=leave)
        return app.return_code
