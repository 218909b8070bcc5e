"""Textual's driver of a terminal, with our own reading of the keys."""

from __future__ import annotations

from textual.drivers.linux_driver import LinuxDriver

from heat_tui.terminal.input_thread import InputLost, bytes_and_silences
from heat_tui.terminal.key_bytes import KeyBytes


class TerminalDriver(LinuxDriver):
    """Textual's driver, for a program that no bytes on its input end or confuse."""

    def _query_in_band_window_resize(self) -> None:
        """Ask for no sizes on the input: they come by signal."""

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except BaseException as error:
            if not self.exit_event.is_set():
                self._app.post_message(InputLost(error))

    def run_input_thread(self) -> None:
        """Read keys until the program ends.

        Raises:
            EOFError: There will be no more.
            OSError: The terminal cannot be read.
        """
        keys = KeyBytes()
        for what in bytes_and_silences(self.fileno, self.exit_event):
            for message in keys.feed(what) if isinstance(what, bytes) else keys.be_silent(what):
                self.process_message(message)
