"""The command that says why something does not work: `doctor`."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import click

from heat_core.options.option_flags import WrongUse
from heat_core.wire.address import Address, BadAddress, parse_address
from heat_core.wire.messages import DEFAULT_PORT
from heat_tui.commands.default_ports import DEFAULT_SSH_PORT, DEFAULT_WEB_PORT
from heat_tui.commands.options import PLAIN
from heat_tui.commands.running import nearby_on

if TYPE_CHECKING:
    from heat_tui.doctor.findings import Finding, Section

_PORTS: Final = {DEFAULT_PORT: "heat-server", DEFAULT_SSH_PORT: "ssh", DEFAULT_WEB_PORT: "browsers"}
"""The default ports, and who comes in there."""


@click.command()
@click.option(
    "--server", metavar="[tls://]HOST[:PORT]", help="Ask this server whether it answers, and which it is."
)
@click.option("--json", "is_json", is_flag=True, help="Print what was found as JSON.")
@PLAIN
def doctor(server: str | None, is_json: bool, plain: bool) -> None:
    """Look at this terminal, the network and your files, and say what hurts play.

    Nothing on this machine is changed. It takes a few seconds.
    """
    from heat_tui.doctor.findings import as_json, as_lines

    try:
        address = None if server is None else parse_address(server)
    except BadAddress as error:
        raise WrongUse(f"--server: {error}") from None
    sections = _examined(address, _say)
    if is_json:
        click.echo(as_json(sections))
        return
    for line in as_lines(sections, shutil.get_terminal_size().columns):
        click.echo(line)


def _say(line: str) -> None:
    """Say what takes a while, where somebody waits for it."""
    if sys.stderr.isatty():
        click.echo(line, err=True)


def _examined(server: Address | None, say: Callable[[str], None]) -> list[Section]:
    """Look at everything, one after the other."""
    from heat_tui.doctor.network import network_findings
    from heat_tui.doctor.parts import part_findings
    from heat_tui.doctor.places import place_findings
    from heat_tui.doctor.terminal import terminal_findings
    from heat_tui.state import load_settings, user_folders

    folders = user_folders()
    settings = load_settings(folders)
    interfaces = nearby_on() if settings.nearby else None
    say("asking the terminal ...")
    sections = [_section("Terminal", lambda: terminal_findings(settings))]
    say("listening to the network ...")
    sections += [_section("Network", lambda: asyncio.run(network_findings(_PORTS, interfaces, server)))]
    return [
        *sections,
        _section("Files", lambda: place_findings(folders)),
        _section("Versions", part_findings),
    ]


def _section(title: str, look: Callable[[], Sequence[Finding]]) -> Section:
    """Look at one subject; one that cannot be looked at must not hide the others."""
    from heat_tui.doctor.findings import Finding, Section

    try:
        return Section(title, look())
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        return Section(title, [Finding("not known", fault, "Please report this line.")])
