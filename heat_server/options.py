"""The settings as options, variables and keys of a file; who of the three says a thing first is heard.

Each says as much as it likes: first the command line, then the environment, then the file. Within one of them
a setting and the word that turns it off exclude each other.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click

from heat_core.cli.command_list import CommandList
from heat_core.files import shown_path
from heat_server.config import ServerConfig
from heat_server.places import usual_config_file
from heat_server.settings import Group, Known, WrongValue, known_settings

VARIABLES: Final = "HEAT_SERVER_"
CONFIG_VARIABLE: Final = f"{VARIABLES}CONFIG"
MOST_CONFIG_BYTES: Final = 1024 * 1024

SETTINGS: Final = known_settings(ServerConfig)

Command = TypeVar("Command", bound=Callable[..., Any])


class Layer(NamedTuple):
    """What one of command line, environment and file says.

    Attributes:
        values: By the name of the setting, or the word that turns it off (then whether it does).
        place: Words for a fault: where a name stands.
    """

    values: Mapping[str, object]
    place: Callable[[str], str]


def variable_of(name: str) -> str:
    """Give the name of the environment variable of a setting."""
    return VARIABLES + name.upper().replace("-", "_")


def resolve(layers: Sequence[Layer]) -> ServerConfig:
    """Make the settings of what several layers say, the first that says something of a setting being heard.

    Raises:
        UsageError: A layer contradicts itself.
    """
    values = {}
    for known in SETTINGS:
        name, off = known.about.name, known.about.off
        values[known.field] = known.usual
        for layer in layers:
            is_off = off is not None and bool(layer.values.get(off))
            if is_off and name in layer.values:
                raise click.UsageError(f"{layer.place(name)} and {layer.place(off or '')} exclude each other")
            if is_off or name in layer.values:
                values[known.field] = None if is_off else layer.values[name]
                break
    return ServerConfig(**values)  # type: ignore[arg-type]


def environment_layer(environ: Mapping[str, str]) -> Layer:
    """Read the variables; an empty one says nothing.

    Raises:
        UsageError: A value is wrong.
    """
    values: dict[str, object] = {}
    for name, parse, _ in _words():
        variable = variable_of(name)
        if text := environ.get(variable):
            try:
                values[name] = parse(text)
            except WrongValue as error:
                raise click.UsageError(f"{variable}: {error}") from None
    return Layer(values, variable_of)


def file_layer(path: Path) -> Layer:
    """Read a file of settings, in TOML; paths in it begin at its folder.

    Raises:
        UsageError: It cannot be read, is no TOML, has an unknown key or a wrong value; names file and key.
    """
    shown = shown_path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_CONFIG_BYTES + 1)
        if len(data) > MOST_CONFIG_BYTES:
            raise click.UsageError(f"{shown}: a file of settings has at most {MOST_CONFIG_BYTES} bytes")
        found = tomllib.loads(data.decode())
    except OSError as error:
        raise click.UsageError(f"{shown}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{shown}: byte {error.start} is not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise click.UsageError(f"{shown}: no TOML: {error}") from None
    checks = {name: check for name, _, check in _words()}
    values: dict[str, object] = {}
    for key, value in found.items():
        if key not in checks:
            close = difflib.get_close_matches(key, checks, 1)
            hint = f"is {close[0]} meant?" if close else f"the keys are {', '.join(checks)}"
            raise click.UsageError(f"{shown}: unknown key {key[:40]!a}; {hint}")
        try:
            values[key] = checks[key](value)
        except WrongValue as error:
            raise click.UsageError(f"{shown}: {key}: {error}") from None
    return Layer(
        {key: path.parent / value if isinstance(value, Path) else value for key, value in values.items()},
        lambda name: f"{shown}: {name}",
    )


def _words() -> list[tuple[str, Callable[[str], object], Callable[[object], object]]]:
    """List all words, those that turn off too, with what reads a text and what checks a value."""
    words: list[tuple[str, Callable[[str], object], Callable[[object], object]]] = []
    for known in SETTINGS:
        words.append((known.about.name, known.parse, known.check))
        if known.about.off is not None:
            switch = Known(known.field, bool, False, known.about)
            words.append((known.about.off, switch.parse, switch.check))
    return words


def config_of(context: click.Context) -> ServerConfig:
    """Make the settings of the options given to the program, the environment, and the file.

    Raises:
        UsageError: One of them is wrong.
    """
    given = {
        name.replace("_", "-"): value
        for name, value in context.params.items()
        if value is not None and name != "config"
    }
    layers = [Layer(given, lambda name: f"--{name}"), environment_layer(os.environ)]
    named = context.params["config"] or os.environ.get(CONFIG_VARIABLE)
    path = Path(named) if named else usual_config_file()
    if named or path.exists():
        layers.append(file_layer(path))
    return resolve(layers)


class _Value(click.ParamType[Any]):
    """A value as the table of settings wants it."""

    def __init__(self, known: Known) -> None:
        self.name = known.about.name
        self._known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._known.parse(value) if isinstance(value, str) else value
        except WrongValue as error:
            raise click.UsageError(f"--{self.name}: {error}") from None


def option_again(name: str) -> Callable[[Command], Command]:
    """Make the option of a setting for a command of its own; not given, what the program was told holds."""
    (known,) = (known for known in SETTINGS if known.about.name == name)
    return option_of(known, with_default=False)


def option_of(known: Known, *, with_default: bool = True) -> Callable[[Command], Command]:
    """Make the option of a setting; not given, it is None.

    Args:
        with_default: Tell in the help what it is when nobody says.
    """
    about = known.about
    text = about.help
    if with_default and known.usual is not None:
        text += f"  [default: {_shown(known.usual)}]"
    if known.kind is bool:
        return click.option(f"--{about.name}/--no-{about.name}", default=None, help=text)
    shown = "|".join(about.choices) or about.shown
    return click.option(f"--{about.name}", type=_Value(known), metavar=shown, help=text)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Path):
        return shown_path(value)
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def all_options(command: Command) -> Command:
    """Give a command every setting as an option, and `--config`."""
    for known in reversed(SETTINGS):
        if known.about.off is not None:
            command = click.option(
                f"--{known.about.off}", is_flag=True, default=None, help=known.about.off_help
            )(command)
        command = option_of(known)(command)
    return click.option(
        "--config",
        metavar="FILE",
        help=f"Read settings from this file.  [default: {shown_path(usual_config_file())}, if it is there]",
    )(command)


_GROUP_OF: Final = {
    word: known.about.group
    for known in SETTINGS
    for word in (known.about.name, known.about.off)
    if word is not None
}


class GroupedHelp(CommandList):
    """A command whose help lists its options under the headings of the settings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one section a heading, then what belongs to none, then the commands."""
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in ("General", *Group)}
        for parameter in self.get_params(ctx):
            if (row := parameter.get_help_record(ctx)) is not None:
                name = (parameter.name or "").replace("_", "-")
                sections[_GROUP_OF.get(name, "General")].append(row)
        for heading, rows in sections.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows, col_max=26)
        self.format_commands(ctx, formatter)
