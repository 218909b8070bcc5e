"""How a setting is told to the server: one word for the command line, the environment and the file.

A field of `ServerConfig` is made by `setting`, which keeps beside its default all that people need to know of
it. `options` makes the command line of that and reads variables and the file by it, `settings_file` writes
the example; nothing lists the settings a second time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import Final, Literal, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

Value = TypeVar("Value")

_KEY: Final = "setting"


class Group(StrEnum):
    """Under which heading a setting stands."""

    LISTENING = "Where it listens"
    RACES = "Races and rooms"
    LIMITS = "Limits"
    STORE = "What is kept"
    LOG = "Log and status"


@dataclass(frozen=True)
class Setting:
    """What people need to know of one setting.

    Attributes:
        name: `--NAME`, the key in the file, and behind `HEAT_SERVER_` in the environment.
        group: Its heading.
        help: One sentence or two.
        least: The least number allowed; None: the type says.
        most: The greatest.
        choices: The words allowed; empty: any.
        shown: What stands for the value in the help.
        is_folder: Whether a path must be that of a folder that is there.
        check: Looks at a text and raises ValueError with the reason when it will not do.
        usual: What the program takes when nobody says; None: the default of the field, which suits tests.
        off: The word that sets it to None, where people may want that.
        off_help: What that word does.
    """

    name: str
    group: Group
    help: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    shown: str | None = None
    is_folder: bool = False
    check: Callable[[str], object] | None = None
    usual: Callable[[], object] | None = None
    off: str | None = None
    off_help: str = ""


def setting(default: Value, about: Setting) -> Value:
    """Make a field of a dataclass that people can set."""
    return field(default=default, metadata={_KEY: about})


class WrongValue(ValueError):
    """A value that a setting cannot have; the message says what is allowed."""


class Known(NamedTuple):
    """A setting and the field that it fills.

    Attributes:
        field: The name of the field.
        kind: `str`, `int`, `float`, `bool` or `Path`.
        default: What the field is when nobody says.
        about: What people need to know.
    """

    field: str
    kind: type
    default: object
    about: Setting

    @property
    def usual(self) -> object:
        """What the program takes when nobody says."""
        return self.default if self.about.usual is None else self.about.usual()

    @property
    def allowed(self) -> str:
        """Say in a few words what values it takes."""
        about = self.about
        if about.choices:
            return f"one of {', '.join(about.choices)}"
        if self.kind is bool:
            return "yes or no"
        if self.kind in (int, float):
            noun = "a whole number" if self.kind is int else "a number"
            if about.shown in ("SECONDS", "DAYS"):
                noun += f" of {about.shown.lower()}"
            assert about.least is not None
            assert about.most is not None
            return f"{noun} from {about.least:.12g} to {about.most:.12g}"
        if about.is_folder:
            return "a folder that is there"
        return "a path" if self.kind is Path else "a text"

    def parse(self, text: str) -> object:
        """Read a value as it stands on the command line or in the environment.

        Raises:
            WrongValue: It is none.
        """
        if self.kind is bool:
            if text.lower() not in _TRUTHS:
                raise WrongValue(f"{text!a} is not {self.allowed}")
            return _TRUTHS[text.lower()]
        if self.kind in (int, float):
            try:
                return self.check(self.kind(text))
            except ValueError as error:
                raise WrongValue(f"{text!a} is not {self.allowed}") from error
        return self.check(text)

    def check(self, value: object) -> object:
        """Check a value as it stands in a file; gives it as the field wants it.

        Raises:
            WrongValue: It is none.
        """
        about, wrong = self.about, WrongValue(f"{value!a} is not {self.allowed}")
        if self.kind is float and type(value) is int:
            value = float(value)
        if type(value) is not (str if self.kind is Path else self.kind):
            # `lan = "yes"` is a text there: that it is no yes or no would explain nothing.
            allowed = "true or false" if self.kind is bool else self.allowed
            quotes = ", without quotes" if isinstance(value, str) else ""
            raise WrongValue(f"{value!a} is not {allowed}{quotes}")
        if isinstance(value, (int, float)) and self.kind is not bool:
            assert about.least is not None
            assert about.most is not None
            if math.isnan(value) or not about.least <= value <= about.most:
                raise wrong
        if value == "":
            raise WrongValue(f"it is empty: give {about.shown or self.allowed}, or leave {about.name} out")
        if isinstance(value, str):
            if "\0" in value or (about.choices and value not in about.choices):
                raise wrong
            if about.check is not None:
                try:
                    about.check(value)
                except ValueError as error:
                    raise WrongValue(str(error)) from None
        if self.kind is Path:
            path = Path(cast("str", value)).expanduser()
            if about.is_folder and not path.is_dir():
                raise wrong
            return path
        return value


_TRUTHS: Final = {"yes": True, "true": True, "on": True, "1": True} | {
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}


def known_settings(config: type) -> tuple[Known, ...]:
    """List the settings that the fields of a dataclass are filled from, in their order."""
    hints = get_type_hints(config)
    known = []
    for one in fields(config):
        hint = hints[one.name]
        if get_origin(hint) is Literal:
            kind: type = str
        else:
            (kind,) = (kind for kind in get_args(hint) or (hint,) if kind is not NoneType)
        known.append(Known(one.name, kind, one.default, one.metadata[_KEY]))
    return tuple(known)
