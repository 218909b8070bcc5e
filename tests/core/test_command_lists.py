"""No help of any program cuts a sentence."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from heat_core.__main__ import main as core
from heat_server.__main__ import command as server
from heat_tui.__main__ import command as client


@pytest.mark.parametrize("program", [core, server, client])
@pytest.mark.parametrize("columns", [80, 100, 200])
def test_the_list_of_commands_cuts_no_sentence(program: click.Group, columns: int) -> None:
    result = CliRunner().invoke(program, ["--help"], terminal_width=columns)
    told = result.output.split("Commands:")[1]
    assert "..." not in told
    context = click.Context(program)
    assert len(program.list_commands(context)) >= 4
    for name in program.list_commands(context):
        assert name in told
        each = program.get_command(context, name)
        assert each is not None
        assert each.help is not None
        first = " ".join(each.help.split("\n\n")[0].split()).split(". ")[0].rstrip(".")
        assert first in " ".join(told.split()), name
