"""What an option of a table is, and how values that any option may have are made and read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from heat_core.drivers import BOT_LEVELS, BotName
from heat_core.names import clean_names
from heat_core.options.settings import BadSetting, Value, changes_of, make_rules, parse_changes
from heat_core.options.table_options import (
    LEAST_TURN_MILLISECONDS,
    MOST_TURN_MILLISECONDS,
    USUAL_BOT,
    TableOptions,
    settings_of,
)
from heat_core.race.setup import MAX_CARS
from heat_core.text import listed

TrackNames: TypeAlias = Mapping[str, str]
"""The tracks to choose from: identifier -> name."""

Read: TypeAlias = Callable[[str, TableOptions, TrackNames], object]


class BadOption(ValueError):
    """There is no such option, or it cannot have that value; the text is one sentence for people."""


class Option(NamedTuple):
    """Something that can be chosen for a table.

    Attributes:
        field: As `value_in` of `heat_core.options.table_options` takes it.
        word: Its name in typed lines; on a command line two dashes stand before it.
        label: What people read in front of the value, at most 12 cells.
        help: What it is: a few words, no full stop.
        values: Those to choose from; of tracks there are those at hand, see `values_of`.
        others: What else can be typed, in words; empty: nothing.
        read: Makes a value of what is typed and is none of `values`, or raises `BadOption`.
    """

    field: str
    word: str
    label: str
    help: str
    values: tuple[Value, ...] = ()
    others: str = ""
    read: Read | None = None


USUAL: Final = "usual"


def word_values(*words: str) -> tuple[Value, ...]:
    """Make values that are words."""
    return tuple(Value(word, word, word) for word in words)


def number_values(least: int, most: int) -> tuple[Value, ...]:
    """Make a value of each number in [least, most]."""
    return tuple(Value(str(number), number, str(number)) for number in range(least, most + 1))


def switch_values(label: str) -> tuple[Value, ...]:
    """Make the values of what is off or on."""
    return (Value("off", False, "none"), Value("on", True, label))


def time_values(*seconds: int) -> tuple[Value, ...]:
    """Make the values of a time: the server's own, and some seconds."""
    usual = Value(USUAL, None, "server default")
    return (usual, *(Value(str(number), number * 1000, time_label(number)) for number in seconds))


def time_label(seconds: float) -> str:
    """Write a time as short as it can be: "90 s", "5 min"."""
    return f"{seconds:g} s" if seconds < 120 or seconds % 60 else f"{seconds / 60:g} min"


def read_seconds(typed: str, options: TableOptions, tracks: TrackNames) -> int:
    """Read a time in whole seconds, as milliseconds.

    Raises:
        BadOption: It is none, or too long or short.
    """
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 7):
        raise BadOption("A time is a whole number of seconds, or usual.")
    milliseconds = int(typed) * 1000
    if not LEAST_TURN_MILLISECONDS <= milliseconds <= MOST_TURN_MILLISECONDS:
        raise BadOption(f"A time is 1 to {MOST_TURN_MILLISECONDS // 1000} seconds, or usual.")
    return milliseconds


def read_names(typed: str, options: TableOptions, tracks: TrackNames) -> tuple[str, ...]:
    """Read names with commas between them.

    Raises:
        BadName: A name cannot be shown, or two are the same.
        BadOption: There is none.
    """
    names = [name for name in typed.split(",") if name.strip()]
    if not names:
        raise BadOption("Type at least one name, for example: Ana")
    return tuple(clean_names(names))


def read_bots(typed: str, usual: BotName = USUAL_BOT) -> tuple[BotName, ...]:
    """Read how many bots there are, and of which levels: `3`, `hard`, `2 easy, hard`.

    Args:
        usual: The level of those that are only counted.

    Raises:
        BadOption: It is none of these; the text says what can be typed.
    """
    bots: list[BotName] = []
    for part in typed.casefold().split(","):
        number, word = found.groups() if (found := _BOTS_OF_A_LEVEL.fullmatch(part)) else ("", "")
        level = next((level for level in BOT_LEVELS if level == (word or usual)), None)
        if level is None or not (number or word):
            levels = listed(BOT_LEVELS, "and")
            raise BadOption(f"bots can be a number, or levels such as {BOTS_TYPED}; levels are {levels}.")
        bots += [level] * int(number or 1)
    if len(bots) >= MAX_CARS:
        raise BadOption(f"There can be at most {MAX_CARS - 1} bots.")
    return tuple(bots)


def bots_text(bots: Sequence[BotName]) -> str:
    """Write levels as `read_bots` reads them: `2 easy, 1 hard`; empty for none."""
    return ", ".join(f"{len(list(same))} {level}" for level, same in groupby(bots))


_BOTS_OF_A_LEVEL: Final = re.compile(r" *([0-9]?) *([a-z]*) *")
BOTS_TYPED: Final = "2 easy, hard"


def read_seed(typed: str, options: TableOptions, tracks: TrackNames) -> str | None:
    """Read a seed, which may be any text; None for none."""
    return typed or None


def read_setting(typed: str, options: TableOptions, tracks: TrackNames) -> Mapping[str, str]:
    """Read one setting that differs, and give it beside those that differ already.

    Raises:
        BadOption: It is none.
    """
    if not typed:
        names = ", ".join(setting.name for setting in settings_of(options))
        raise BadOption(f"The rule settings are {names}; for example: set rule hand_size=8")
    try:
        changes = parse_changes([typed.casefold().replace(" ", "=", 1)])
        return changes_of(make_rules(options.rules, {**options.settings, **changes}))
    except BadSetting as error:
        raise BadOption(str(error)) from None
