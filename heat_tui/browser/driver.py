"""Textual's end of a tab: the program inside it draws to a pipe and reads keys from one."""

from __future__ import annotations

import os
import threading
from functools import partial
from typing import Any

from textual.app import App
from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp


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
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())
