"""The command line of the settings: options first, then the environment, then the file.

Click reads all three: each option knows its variable, and the file becomes the context's `default_map`.
"""

from __future__ import annotations

import copy
import difflib
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from heat_core.cli.command_list import CommandList
from heat_core.files import shown_path
from heat_core.toml_text import toml_fault
from heat_server.config import ServerConfig
from heat_server.default_paths import default_config_file
from heat_server.settings import FILE, VARIABLES, Group, SettingOption, allowed, option_of, shown_value

CONFIG_VARIABLE: Final = f"{VARIABLES}CONFIG"
MOST_CONFIG_BYTES: Final = 1024 * 1024

SETTINGS: Final = tuple(option_of(field) for field in fields(ServerConfig))

_OPTIONS: Final = {
    option.word: option for setting in SETTINGS for option in (setting, setting.off) if option is not None
}
"""All of them, those that turn one off too, by their words."""

_SOURCES: Final = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
    ParameterSource.DEFAULT,
)


def config_of(context: click.Context) -> ServerConfig:
    """Make the settings of the parameters of a context.

    Raises:
        UsageError: A setting is given and turned off in one place.
    """
    return ServerConfig(
        **{field.name: _value_of(option_of(field), context) for field in fields(ServerConfig)}
    )


def _value_of(option: SettingOption, context: click.Context) -> Any:
    if (off := option.off) is not None and context.params[off.name]:
        by, off_by = (
            _SOURCES.index(context.get_parameter_source(one.name) or ParameterSource.DEFAULT)
            for one in (option, off)
        )
        if by == off_by:
            raise click.UsageError(f"{option.place(context)} and {off.place(context)} cannot be combined")
        if off_by < by:
            return None
    return context.params[option.name]


def read_settings(path: Path) -> dict[str, object]:
    """Read a file of settings, in TOML, as a `default_map`.

    Raises:
        UsageError: It cannot be read, is not TOML, has an unknown key or a value of the wrong type; the text
            names file and key. Ranges are checked later, with those of options and variables.
    """
    shown = shown_path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_CONFIG_BYTES + 1)
        if len(data) > MOST_CONFIG_BYTES:
            raise click.UsageError(f"{shown}: a settings file has at most {MOST_CONFIG_BYTES} bytes")
        found = tomllib.loads(data.decode())
    except OSError as error:
        raise click.UsageError(f"{shown}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{shown}: byte {error.start} is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"{shown}: {toml_fault(error)}") from None
    for key, value in found.items():
        if (option := _OPTIONS.get(key)) is None:
            close = difflib.get_close_matches(key, _OPTIONS, 1)
            hint = f"did you mean {close[0]}?" if close else f"the keys are {', '.join(_OPTIONS)}"
            raise click.UsageError(f"{shown}: unknown key {key[:40]!a}; {hint}")
        if type(value) is not option.kind and not (option.kind is float and type(value) is int):
            quotes = ", without quotes" if isinstance(value, str) else ""
            raise click.UsageError(
                f"{shown}: {key}: {shown_value(value)} is not {allowed(option.type)}{quotes}"
            )
    return {key.replace("-", "_"): value for key, value in found.items()}


def _load_file(context: click.Context, parameter: click.Parameter, named: str | None) -> None:
    path = Path(named) if named else default_config_file()
    if not context.resilient_parsing and (named or path.exists()):
        context.meta[FILE] = path
        context.default_map = read_settings(path)


def settings_options() -> list[click.Parameter]:
    """List `--config` and the option of every setting, for a command that calls `config_of`."""
    config = click.Option(
        ["--config"],
        metavar="FILE",
        envvar=CONFIG_VARIABLE,
        is_eager=True,  # the file must be there before the others look for their values
        expose_value=False,
        callback=_load_file,
        help=f"Read settings from this file.  [default: {shown_path(default_config_file())}, if it exists]",
    )
    return [config, *_OPTIONS.values()]


def option_again(word: str, help: str) -> SettingOption:
    """Make the option of a setting for another command; it is None if it is not given there."""
    option = copy.copy(_OPTIONS[word])
    option.envvar = option.default = None
    option.help = help
    return option


class GroupedHelp(CommandList):
    """A command whose help lists its options under the headings of the settings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each heading, the first for all other options, then the commands."""
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in ("General", *Group)}
        for parameter in self.get_params(ctx):
            if (row := parameter.get_help_record(ctx)) is not None:
                group = parameter.group if isinstance(parameter, SettingOption) else "General"
                sections[group].append(row)
        for heading, rows in sections.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows, col_max=26)
        self.format_commands(ctx, formatter)
