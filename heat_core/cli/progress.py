"""How far a long command has come, on standard error where that is a terminal."""

from __future__ import annotations

import os
import sys
import time
from typing import Final

import click

from heat_core.signals import INTERRUPTED

STOPPING: Final = "Stopping when what has begun is done. Ctrl-C again stops at once."


def say(text: str) -> None:
    """Show one sentence to whoever waits at a terminal."""
    if sys.stderr.isatty():
        click.echo(text, err=True)


def say_that_it_stops() -> None:
    """Say what the first Ctrl-C does; may be called at any moment."""
    if sys.stderr.isatty():  # and not by `sys.stderr`, which may be in the middle of a line
        os.write(sys.stderr.fileno(), f"\n{STOPPING}\n".encode())


class Progress:
    """Tells how far a long command has come, and at its end whether Ctrl-C cut it short."""

    def __init__(self, total: int, noun: str, *, begun: int = 0) -> None:
        """Begin.

        Args:
            total: What is to be done, counted.
            noun: Its name in the plural.
            begun: How much of it an earlier run has done.
        """
        self._total = total
        self._noun = noun
        self._begun = begun
        self._began_at = self._told_at = time.perf_counter()

    def tell(self, done: int) -> None:
        """Write a line with the time left, once a second at most."""
        now = time.perf_counter()
        if now - self._told_at > 1 and sys.stderr.isatty():
            self._told_at = now
            left = (now - self._began_at) / (done - self._begun) * (self._total - done)
            click.echo(f"{done} of {self._total} {self._noun}, {_time_text(left)} left", err=True)

    def end(self, done: int) -> None:
        """Say that Ctrl-C came, where not all is done, and exit.

        Raises:
            SystemExit: Not all is done.
        """
        if done < self._total:
            click.echo(f"interrupted after {done} of {self._total} {self._noun}", err=True)
            raise SystemExit(INTERRUPTED)


def _time_text(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
