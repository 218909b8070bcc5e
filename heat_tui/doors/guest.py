"""What a login runs: the client in the guest form, in a process that was forked for it."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from types import FrameType

from heat_core.wire.address import Address
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.server_stay import ServerStay
from heat_tui.doors.guest_app import GuestApp
from heat_tui.doors.guest_process import become
from heat_tui.doors.guest_words import idle_text, word_text
from heat_tui.doors.messages import Guest
from heat_tui.plain.asking import GoneBack
from heat_tui.plain.bell import bell_of
from heat_tui.plain.hints import hints_of_later
from heat_tui.plain.line_terminal import Left, LineTerminal
from heat_tui.plain.news import news_switches
from heat_tui.plain.server import ShutOut, play_there
from heat_tui.plain.terminal import run_plain
from heat_tui.plain.voice import words_commands
from heat_tui.state import Folders, keep_crash, load_settings


def play(guest: Guest) -> int:
    """Play until the guest leaves; the terminal is standard input, output and error.

    Returns:
        The exit code: 0 only where the guest chose to leave.
    """
    folders = become(guest)
    if guest.word:
        print(word_text(guest), flush=True)
    try:
        code = _in_lines(guest, folders) if guest.is_plain else asyncio.run(_on_screens(guest, folders))
    except Exception as error:
        print(f"heat-tui failed because of an error of its own: {keep_crash(folders, error)}")
        code = 1
    with suppress(OSError):  # the terminal is gone
        if guest.word and not guest.is_plain:
            print(word_text(guest))
        sys.stdout.flush()
    return code


async def _on_screens(guest: Guest, folders: Folders) -> int:
    app = GuestApp(folders, guest)
    loop = asyncio.get_running_loop()

    def warn(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(app.warn_of_idling)

    # Not by the loop: the program's own watch takes signals over, and wakes the loop for this one.
    signal.signal(signal.SIGUSR1, warn)
    await app.run_async()
    return 1 if app.return_code is None else app.return_code


def _in_lines(guest: Guest, folders: Folders) -> int:
    async def played(terminal: LineTerminal) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, terminal.say, idle_text())
        settings = load_settings(folders)
        terminal.voice.level = settings.words
        terminal.at_any_question = (
            hints_of_later(folders)
            | news_switches(terminal, folders)
            | words_commands(folders, terminal.voice)
        )
        terminal.ring = bell_of(folders)
        try:
            stay = await ServerStay.begin(folders, _server(folders))
        except ConnectFailed as error:
            terminal.say(error.text)
            raise Left(1) from None
        code = guest.code or None
        try:
            await play_there(terminal, folders, stay, name=guest.name, colour=settings.colour, code=code)
        except GoneBack:
            pass
        except ShutOut:
            raise Left(1) from None

    return run_plain(played)


def _server(folders: Folders) -> Address:
    assert folders.guest_of is not None
    return folders.guest_of
