"""How a setting is given to the server: one word for the command line, the environment and the file.

A field of `ServerConfig` is made by `setting`, which keeps the field's click option beside its default:
name, type, range and help. `options` reads command line, environment and file by these options,
`settings_file` writes the example; nothing lists the settings a second time.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import Field, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource
from click.types import BoolParamType

from heat_core.files import shown_path
from heat_server.store.address import DatabaseUrl, is_database_url, parse_database_url

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

Value = TypeVar("Value")

MOST_SHOWN: Final = 60
"""Of a wrong value, in characters."""

VARIABLES: Final = "HEAT_SERVER_"

OPTION: Final = "option"
"""The key of a field's option in its metadata."""

FILE: Final = "heat_server.settings.FILE"
"""The key of the settings file's path in a context's `meta`."""


class Group(StrEnum):
    """The heading of a setting in the help and in the file."""

    LISTENING = "Network"
    RACES = "Races and rooms"
    LIMITS = "Limits"
    STORE = "Storage"
    LOG = "Log and status"


class Number(click.ParamType[Any]):
    """A whole number or a number, from `least` to `most`."""

    def __init__(self, kind: type[int] | type[float], least: float, most: float, unit: str = "") -> None:
        self.name = f"{'a whole number' if kind is int else 'a number'}{unit and f' of {unit}'}"
        self.kind, self.least, self.most = kind, least, most
        self._metavar = unit.upper() or "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        """Read a number of the command line or environment, or check one of the file."""
        try:
            number = self.kind(value)
        except (ValueError, OverflowError):  # a whole number of a file can be too large for any other kind
            number = math.nan
        if not self.least <= number <= self.most:  # nor is it with not-a-number
            self.fail(f"{shown_value(value)} is not {allowed(self)}", param, ctx)
        return number

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Give what the help shows in place of a value."""
        return self._metavar


class CheckedText(click.ParamType[Any]):
    """A text that is not empty.

    Attributes:
        check: Raises ValueError with the reason for a text that is not allowed.
    """

    name = "text"

    def __init__(self, check: Callable[[str], object] = str) -> None:
        self.check = check

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check a text."""
        text = _not_empty(self, value, param, ctx)
        try:
            self.check(text)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return text


class UserPath(click.ParamType[Any]):
    """A path; `~` is the user's folder, and in a file of settings a path begins at the file's folder.

    Attributes:
        is_folder: Whether it must be a folder that exists.
    """

    name = "path"

    def __init__(self, *, is_folder: bool = False) -> None:
        self.is_folder = is_folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Make a path of a text; the default is one already."""
        if isinstance(value, Path):
            return value
        path = Path(
            os.path.expanduser(_not_empty(self, value, param, ctx))
        )  # pathlib's raises for nobody's ~
        if ctx is not None and isinstance(param, SettingOption) and param.is_in_file(ctx):
            path = ctx.meta[FILE].parent / path
        if self.is_folder and not os.path.isdir(path):  # pathlib's raises where a name is too long
            self.fail(f"{shown_value(value)} is not {allowed(self)}", param, ctx)
        return path

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Give what the help shows in place of a value."""
        return "FOLDER" if self.is_folder else "FILE"


class StorePlace(UserPath):
    """Where matches are saved: the path of a file, or the URL of a PostgreSQL database."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Make a path or an address of a text; a default is one already."""
        if not isinstance(value, str) or not is_database_url(value):
            return value if isinstance(value, DatabaseUrl) else super().convert(value, param, ctx)
        try:
            return parse_database_url(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Give what the help shows in place of a value."""
        return "FILE|URL"


def _not_empty(
    kind: click.ParamType[Any], text: str, param: click.Parameter | None, ctx: click.Context | None
) -> str:
    if not text:
        wanted = (param and param.metavar) or allowed(kind)
        kind.fail(f"it is empty: give {wanted}, or leave it out", param, ctx)
    if "\0" in text:
        kind.fail(f"{shown_value(text)} is not {allowed(kind)}", param, ctx)
    return text


def shown_value(value: object) -> str:
    """Write a value that is not allowed, so that it can be printed in one line."""
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # thousands of digits, or of tables in tables
        return "what it is set to"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def allowed(kind: click.ParamType[Any]) -> str:
    """Say in a few words which values a type takes."""
    match kind:
        case Number():
            return f"{kind.name} from {kind.least:.12g} to {kind.most:.12g}"
        case click.Choice():
            return f"one of {', '.join(kind.choices)}"
        case UserPath(is_folder=True):
            return "a folder that exists"
        case _:
            return "true or false" if isinstance(kind, BoolParamType) else f"a {kind.name}"


class SettingOption(click.Option):
    """The option of a setting, which is a variable and a key of the file, too.

    Attributes:
        word: `--WORD`, the key in the file, and after `HEAT_SERVER_` in the environment.
        group: Its heading.
        off: The switch that sets it to None, if there is one.
    """

    def __init__(
        self, word: str, group: Group, *, off: SettingOption | None = None, **described: Any
    ) -> None:
        """Describe a setting; `described` is what `click.Option` takes."""
        names = f"--{word}/--no-{word}" if described.get("type") is click.BOOL else f"--{word}"
        super().__init__([names], envvar=VARIABLES + word.upper().replace("-", "_"), **described)
        self.word, self.group, self.off = word, group, off

    @property
    def kind(self) -> type:
        """The type of its values in the file: `bool`, `int`, `float` or `str`."""
        if isinstance(self.type, Number):
            return self.type.kind
        return bool if self.is_flag else str

    @property
    def program_default(self) -> object:
        """What the program takes if nobody gives it."""
        return self.default() if callable(self.default) else self.default

    def is_in_file(self, context: click.Context) -> bool:
        """Tell whether the value was read from the file of settings."""
        return context.get_parameter_source(self.name) is ParameterSource.DEFAULT_MAP

    def place(self, context: click.Context) -> str:
        """Name what the value was given by, for an error."""
        if self.is_in_file(context):
            return f"{shown_path(context.meta[FILE])}: {self.word}"
        if context.get_parameter_source(self.name) is ParameterSource.ENVIRONMENT:
            return str(self.envvar)
        return f"--{self.word}"

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Convert a value; an error names what it was given by, the value, and what is allowed."""
        try:
            return super().type_cast_value(ctx, value)
        except click.BadParameter as error:
            raise click.UsageError(f"{self.place(ctx)}: {error.message}") from None

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:
        """Show the default, also one that depends on the user's folders."""
        extra = super().get_help_extra(ctx)
        default = self.program_default
        if default is True:
            extra["default"] = "yes"
        elif default is not None and not self.is_flag:
            extra["default"] = shown_path(f"{default:.12g}" if isinstance(default, float) else str(default))
        return extra


def setting(
    default: Value,
    word: str,
    group: Group,
    help: str,
    kind: click.ParamType[Any],
    *,
    metavar: str | None = None,
    program_default: Callable[[], object] | None = None,
    off: SettingOption | None = None,
) -> Value:
    """Make a field of a dataclass that people can set.

    Args:
        default: Of the field, which suits tests.
        word: Its name for people.
        group: Its heading.
        help: One sentence or two.
        kind: What it can be.
        metavar: Takes the value's place in the help.
        program_default: Gives what the program takes if nobody gives it; None: the default.
        off: The switch that sets it to None.
    """
    taken = default if program_default is None else program_default
    option = SettingOption(word, group, help=help, type=kind, metavar=metavar, default=taken, off=off)
    return field(default=default, metadata={OPTION: option})


def option_of(field: Field[Any]) -> SettingOption:
    """Give the option of a field that `setting` made."""
    option = field.metadata[OPTION]
    assert isinstance(option, SettingOption)
    return option
