"""Textual's end of a tab: the program inside it draws to a pipe and reads keys from one."""

from __future__ import annotations

import os
import threading
from functools import partial
from typing import Any, Final

from textual.app import App
from textual.drivers._byte_stream import ByteStream
from textual.drivers.web_driver import WebDriver, _ExitInput
from textual.message import Message
from textual.messages import ExitApp

from heat_tui.terminal.input_thread import InputLost, bytes_and_silences
from heat_tui.terminal.key_bytes import KeyBytes

_STANDARD_INPUT: Final = 0

_KEYS: Final = "D"
"""The kind of a packet that holds what was typed; the others are about the tab."""


class TabDriver(WebDriver):
    """Textual's driver for the web, for a program that ends with its tab, however the web server ends."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._one_at_a_time = threading.Lock()
        self._write = partial(self._write_whole)

    def _write_whole(self, packet: bytes) -> int:
        """Write a packet in one piece: the thread that hands files out writes too.

        A pipe that nobody reads any more is no fault of the program's: it is about to hear of its end.
        """
        with self._one_at_a_time:
            left = memoryview(packet)
            try:
                while left:
                    left = left[os.write(self.fileno, left) :]
            except BrokenPipeError:
                pass
        return len(packet)

    def run_input_thread(self) -> None:
        """Read keys until the pipe's other end is closed, which ends the program: the tab is gone."""
        last: Message = ExitApp()
        try:
            self._read_keys()
        except (EOFError, _ExitInput):
            pass
        except BaseException as error:
            last = InputLost(error)
        if not self.exit_event.is_set():
            self._app.post_message(last)

    def _read_keys(self) -> None:
        keys = KeyBytes()
        packets = ByteStream()
        for what in bytes_and_silences(_STANDARD_INPUT, self.exit_event):
            if isinstance(what, float):
                self._process(keys.be_silent(what))
                continue
            for kind, payload in packets.feed(what):
                if kind == _KEYS:
                    self._process(keys.feed(payload))
                else:
                    self._on_meta(kind, payload)

    def _process(self, told: list[Message]) -> None:
        for message in told:
            self.process_message(message)
