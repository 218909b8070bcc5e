"""How every program of this game runs its commands and ends: what is wrong becomes one line."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import NoReturn

import click

from heat_core.files import give_output_up, shown_path
from heat_core.signals import INTERRUPTED


def run_program(command: click.Command, name: str) -> NoReturn:
    """Run a program and exit: 2 for wrong use, 1 for what failed, 130 after Ctrl-C.

    What is wrong becomes one line on stderr. Characters that the output cannot hold become `?`. An output
    that nobody reads any more ends the program without a word.

    Args:
        command: What the program does.
        name: What people type to run it.
    """
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = command(prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        click.echo(f"{name}: {' '.join(error.format_message().split())}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as error:
        give_output_up()
        if error.errno != errno.EPIPE:
            where = f"{shown_path(error.filename)}: " if error.filename else ""
            click.echo(f"{name}: {where}{error.strerror or error}", err=True)
        sys.exit(1)
    sys.exit(code or 0)


def _open_closed_streams() -> None:
    """Open empty streams in place of those of the three that were closed at the start.

    Otherwise a socket would take the number of one and receive what is meant for it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    # Python has None for a stream that was closed at the start, though its types do not say so.
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")
