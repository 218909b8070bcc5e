"""The doors of a party as its card sees them: a process that is started, heard, asked and ended."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from heat_core.files import shown_path
from heat_tui.doors.news import News
from heat_tui.hosting import open_output
from heat_tui.party.messages import (
    FROM_DOORS,
    NotOpen,
    OpenDoors,
    Ready,
    RemoveGuest,
    SshOpen,
    Told,
    WebOpen,
    line_of,
)
from heat_tui.party.wish import DoorsOpen

READY_SECONDS: Final = 60.0
"""How long a busy machine may take to load the client for the guests."""

END_SECONDS: Final = 15.0
"""More than guests' programs may take to end."""

RESTART_SECONDS: Final = 2.0
MOST_FAULTS: Final = 3
"""After so many starts in a row that open nothing there is no other."""

DOORS_PROCESS: Final = "heat_tui.party.doors_process"


Hear: TypeAlias = Callable[[DoorsOpen, News | None], None]
"""Is called with how the doors stand, and perhaps with what has happened."""


class PartyDoors:
    """The process. Where it fails it is started again; its guests come back by the same words and keys."""

    def __init__(self, output: Path, hear: Hear, module: str = DOORS_PROCESS) -> None:
        """Prepare; `start` begins.

        Args:
            output: The file for what the process complains about.
            module: What the process runs.
        """
        self._output = output
        self._module = module
        self._hear = hear
        self._stands = DoorsOpen()
        self._process: Process | None = None
        self._ready = asyncio.Event()
        self._is_ready = False
        self._task: asyncio.Task[None] | None = None

    def start(self, wish: OpenDoors) -> None:
        """Start the process; what it opens is heard of."""
        self._task = asyncio.create_task(self._run(wish))

    async def ready(self) -> None:
        """Wait until it is known of every way whether it is open, but not for ever."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ready.wait(), READY_SECONDS)

    def remove(self, number: int) -> None:
        """Have the login of a guest ended."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(line_of(RemoveGuest(number)))

    async def end(self) -> None:
        """End the process and with it every guest's."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, wish: OpenDoors) -> None:
        faults, why = 0, ""
        while faults < MOST_FAULTS:
            self._is_ready = False
            why = f"The doors do not open; {shown_path(self._output)} says why."
            try:
                await self._run_once(wish)
            except OSError as error:
                why = f"The doors do not open: {error.strerror or error}."
            finally:
                await self._see_out()
            faults = 0 if self._is_ready else faults + 1
            wish = self._as_open(wish)
            self._stands = DoorsOpen()
            text = "The doors have closed because of a fault; they are opened again."
            is_news = faults < 2  # the same fault again is none
            self._hear(self._stands, News("warning", text) if is_news else None)
            await asyncio.sleep(RESTART_SECONDS)
        self._stands = DoorsOpen(closed=(("ssh", why), ("web", why)))
        self._ready.set()
        self._hear(self._stands, News("warning", why))

    def _as_open(self, wish: OpenDoors) -> OpenDoors:
        """Keep to the ports that were found: guests know them."""
        ssh, web = self._stands.ssh_port, self._stands.web_port
        return msgspec.structs.replace(
            wish, ssh=wish.ssh if ssh is None else (ssh,), web=wish.web if web is None else (web,)
        )

    async def _run_once(self, wish: OpenDoors) -> None:
        """Run the process until it ends by itself, or this is cancelled."""
        with open_output(self._output) as output:
            self._process = process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # whatever lies in the folder that the host is in, it is no part of the program
                "-m",
                self._module,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                start_new_session=True,  # Ctrl-C in the card's terminal is for the card
            )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line_of(wish))
        while line := await process.stdout.readline():
            self._take(line)

    def _take(self, line: bytes) -> None:
        news: News | None = None
        try:
            message = FROM_DOORS.decode(line)
        except msgspec.MsgspecError:
            return
        match message:
            case SshOpen(port, fingerprint):
                self._stands = self._stands._replace(ssh_port=port, fingerprint=fingerprint)
            case WebOpen(port):
                self._stands = self._stands._replace(web_port=port)
            case NotOpen(way, why):
                self._stands = self._stands._replace(closed=(*self._stands.closed, (way, why)))
            case Ready():
                self._is_ready = True
                self._ready.set()
            case Told():
                news = message.news
        self._hear(self._stands, news)

    async def _see_out(self) -> None:
        """Close the line to the process, which ends it, and wait; kill it where it hangs."""
        process = self._process
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            await asyncio.wait_for(asyncio.shield(self._drain(process)), END_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _drain(self, process: Process) -> None:
        assert process.stdout is not None
        while await process.stdout.read(65_536):
            pass
        await process.wait()
