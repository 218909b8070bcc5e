"""What the threads that wait for keys have in common, whatever the screen is."""

from __future__ import annotations

import os
import selectors
from collections.abc import Iterator
from threading import Event
from typing import Final

from textual.message import Message

from heat_tui.terminal.key_bytes import QUIET_SECONDS

_LOOK_SECONDS: Final = 0.1
"""How long the end of the program may go unnoticed by the thread that waits for keys."""

_MOST_READ_BYTES: Final = 4_096


class InputLost(Message):
    """No more keys are read, though the program has not ended.

    Attributes:
        error: Why not.
    """

    def __init__(self, error: BaseException) -> None:
        """Hold the reason."""
        super().__init__()
        self.error = error


def bytes_and_silences(fileno: int, end: Event) -> Iterator[bytes | float]:
    """Give what is read until the program ends, or for how many seconds nothing has come.

    A silence counts only while somebody waits: bytes that lay there while the machine was busy end it.

    Args:
        fileno: Where bytes come from.
        end: Set when the program ends.

    Raises:
        EOFError: There will be no more bytes.
        OSError: It cannot be read.
    """
    silence = 0.0
    with selectors.DefaultSelector() as selector:
        selector.register(fileno, selectors.EVENT_READ)
        while not end.is_set():
            wait = _LOOK_SECONDS if silence else QUIET_SECONDS
            if selector.select(wait):
                silence = 0.0
                if not (data := os.read(fileno, _MOST_READ_BYTES)):
                    raise EOFError("it has been closed")
                yield data
            else:
                silence += wait
                yield silence
