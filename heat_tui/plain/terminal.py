"""Plain mode on the terminal of the process, which may be a pipe: its lines and its signals."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any, Final

from heat_core.signals import heeded
from heat_tui.plain.line_terminal import Left, LineTerminal
from heat_tui.plain.typed_lines import TerminalLines, read_in_advance

WELCOME: Final = "Plain mode: type an answer, then Enter. Type help for an explanation, or leave to go back."


def run_plain(game: Callable[[LineTerminal], Coroutine[Any, Any, None]]) -> int:
    """Play in lines on standard input and output.

    Args:
        game: All that is played, from beginning to end; whatever ends it, its `finally` is run.

    Returns:
        The exit code.
    """
    return asyncio.run(_run(game))


async def _run(game: Callable[[LineTerminal], Coroutine[Any, Any, None]]) -> int:
    loop = asyncio.get_running_loop()
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    terminal = LineTerminal(_print, has_echo=is_terminal)
    terminal.say(WELCOME)
    playing = asyncio.ensure_future(game(terminal))
    code = 0

    def leave(number: int) -> None:
        nonlocal code
        code = 128 + number
        playing.cancel()

    lines = TerminalLines(loop, terminal) if is_terminal else None
    if lines is None:
        read_in_advance(loop, terminal)

    def interrupt() -> None:
        if lines is not None:
            lines.forget()
        terminal.interrupt()

    for number in heeded((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)):
        if number is signal.SIGINT:
            loop.add_signal_handler(number, interrupt)
        else:
            loop.add_signal_handler(number, leave, number)
    if lines is not None:
        loop.add_signal_handler(signal.SIGTSTP, lines.stop)
        loop.add_signal_handler(signal.SIGCONT, lines.hold)
    try:
        await playing
    except Left as left:
        return left.code
    except asyncio.CancelledError:
        if not code:
            raise
    finally:
        if lines is not None:
            lines.give_back()
    return code


def _print(text: str) -> None:
    """Write at once, and whatever the terminal cannot show as a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()
