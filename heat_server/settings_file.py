"""A file of settings to begin with: every setting with its default, as `heat-server settings` prints it."""

from __future__ import annotations

import textwrap
from typing import Final

from heat_server.config import ServerConfig
from heat_server.settings import Group, Known, known_settings

WIDTH: Final = 100

_HEAD: Final = """\
Settings of heat-server, each with its default. Lines that begin with # are off.

The server reads heat-server.toml in your configuration folder (heat-server --help shows the path), or the
file that --config or HEAT_SERVER_CONFIG names. Options (--port 7000) and variables (HEAT_SERVER_PORT=7000)
override it. Paths are relative to the folder of this file."""


def settings_example() -> str:
    """Write the file."""
    blocks = [_commented(_HEAD)]
    known = known_settings(ServerConfig)
    for group in Group:
        blocks.append(f"# ---- {group} ----")
        blocks += [_entry(one) for one in known if one.about.group is group]
    return "\n\n".join(blocks) + "\n"


def _entry(known: Known) -> str:
    """Write a setting: what it is, what it takes, and its line; off where the default is not a value."""
    about = known.about
    text = about.help
    if known.kind in (int, float) or about.choices:
        text += f" ({known.allowed})"
    if about.off is not None:
        text += f" {about.off} = true: {about.off_help[0].lower()}{about.off_help[1:]}"
    if known.default is None:
        line = f'# {about.name} = "{about.shown}"'
    else:
        line = f"{about.name} = {_value(known.usual)}"
    return "\n".join([*(f"# {row}" for row in textwrap.wrap(text, WIDTH - 2)), line])


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value) if isinstance(value, int) else f'"{value}"'


def _commented(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())
