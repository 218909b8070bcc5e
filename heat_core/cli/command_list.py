"""Command lines whose help lists what each command does in a whole sentence, however long it is."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click

_ANY_LENGTH: Final = 10_000


class CommandList(click.Group):
    """A command that has others, whose list of them wraps sentences and cuts none.

    What a command needs is loaded when it or its help is asked for: a program that starts without one
    does not wait for the options of all.
    """

    def __init__(self, *arguments: Any, places: Mapping[str, str] | None = None, **named: Any) -> None:
        """Make a command.

        Args:
            arguments: Those of click.
            places: By name of a command, the module that holds it, under its name.
            named: Those of click.
        """
        super().__init__(*arguments, **named)
        self._places = places or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names of all, also of those that are not loaded."""
        return sorted({*super().list_commands(ctx), *self._places})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command; None if there is none of that name."""
        if cmd_name in self._places and cmd_name not in self.commands:
            self.add_command(getattr(import_module(self._places[cmd_name]), cmd_name))
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one row a command: its name, and its first sentence."""
        named = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [
            (name, command.get_short_help_str(_ANY_LENGTH))
            for name, command in named
            if command is not None and not command.hidden
        ]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
