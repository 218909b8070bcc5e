"""A settings file to start with: every setting with its default, as `heat-server settings` prints it."""

from __future__ import annotations

import textwrap
from dataclasses import fields
from typing import Final

import click

from heat_server.config import ServerConfig
from heat_server.settings import Group, Number, SettingOption, allowed, option_of

WIDTH: Final = 100

_HEAD: Final = """\
Settings of heat-server, each with its default. Lines that begin with # are off.

The server reads heat-server.toml in your configuration folder (heat-server --help shows the path), or the
file that --config or HEAT_SERVER_CONFIG names. Options (--port 7000) and variables (HEAT_SERVER_PORT=7000)
override it. Paths are relative to the folder of this file."""


def settings_example() -> str:
    """Write the file."""
    blocks = [_commented(_HEAD)]
    known = [(option_of(field), field.default) for field in fields(ServerConfig)]
    for group in Group:
        blocks.append(f"# ---- {group} ----")
        blocks += [_entry(option, default) for option, default in known if option.group is group]
    return "\n\n".join(blocks) + "\n"


def _entry(option: SettingOption, default: object) -> str:
    """Write a setting: what it is, what it takes, and its line; as a comment if there is no default."""
    text = option.help or ""
    if isinstance(option.type, (Number, click.Choice)):
        text += f" ({allowed(option.type)})"
    if (off := option.off) is not None and off.help is not None:
        text += f" {off.word} = true: {off.help[0].lower()}{off.help[1:]}"
    if default is None:
        line = f'# {option.word} = "{option.make_metavar(click.Context(click.Command(None)))}"'
    else:
        line = f"{option.word} = {_value(option.program_default)}"
    return "\n".join([*(f"# {row}" for row in textwrap.wrap(text, WIDTH - 2)), line])


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value) if isinstance(value, int) else f'"{value}"'


def _commented(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())
