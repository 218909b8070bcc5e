"""Drivers of the user's own for a tournament: a function in a Python file, or any program."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from contextlib import nullcontext
from functools import cache, partial
from typing import Final

from heat_core.cli.program_driver import open_program
from heat_core.cli.simulate import is_policy, load_policy
from heat_core.simulation import BadDrivers, PolicyDriver
from heat_core.tournament.races import Opener

_PROGRAM: Final = "cmd:"


@cache
def open_own(words: tuple[str, ...], decision_seconds: float) -> Mapping[str, Opener]:
    """Prepare drivers, once in each process.

    Args:
        words: `FILE.py:FUNCTION` or `cmd:PROGRAM`, as they were typed.
        decision_seconds: What a program has for each decision.

    Returns:
        By their words.

    Raises:
        BadDrivers: One does not exist; the text says which.
    """
    return {word: _opener(word, decision_seconds) for word in words}


def _opener(word: str, decision_seconds: float) -> Opener:
    if word.startswith(_PROGRAM):
        return partial(open_program, _command(word.removeprefix(_PROGRAM)), decision_seconds)
    if not is_policy(word):
        raise BadDrivers(f"a seat is FILE.py:FUNCTION or cmd:PROGRAM, not {word!r}")
    policy = load_policy(word)
    return lambda: nullcontext(PolicyDriver(policy))


def _command(text: str) -> list[str]:
    """Split a command line into program and arguments, as a shell would; nothing else of a shell is done."""
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise BadDrivers(f"the command {text!r} cannot be read: {error}") from None
    if not command or shutil.which(command[0]) is None:
        raise BadDrivers(f"there is no program {(command or [''])[0]!r}")
    return command
