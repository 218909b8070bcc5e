"""Command lines whose help lists what each command does in a whole sentence, however long it is."""

from __future__ import annotations

from typing import Final

import click

_ANY_LENGTH: Final = 10_000


class CommandList(click.Group):
    """A command that has others, whose list of them wraps sentences and cuts none."""

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
