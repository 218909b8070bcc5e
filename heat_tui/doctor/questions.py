"""Asking the terminal what it can do.

All questions go out at once, on the other screen, so that nothing of what they draw stays. The last one is
what every terminal since the VT100 answers (its device attributes): once that answer has come, no other will.
A terminal that answers nothing at all costs `PATIENCE_SECONDS`.
"""

from __future__ import annotations

import os
import re
import select
import signal
import termios
import time
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Final, NamedTuple, NoReturn

from heat_core.signals import heeded
from heat_tui.terminal.environment import CONSOLE
from heat_tui.terminal.ground import ground_answer, ground_question

PATIENCE_SECONDS: Final = 1.5

_READ_BYTES: Final = 4_096

SAMPLES: Final[Mapping[str, str]] = {
    "half blocks": "▀▌",
    "quarter blocks": "▘▝▖▗▚",
    "eighth blocks": "▁▂▃▅▆▇▏▎▍▋▊▉",
    "lines": "┌─┐┃━╎",
    "symbols": "✓▶▮·↑●◉○★",
}
"""Signs that the screens are drawn in; each takes one cell."""

_ATTRIBUTES: Final = re.compile(rb"\x1b\[\?([0-9;]*)c")
_OTHER_SCREEN: Final = "\x1b[?1049h\x1b[H"
_BACK: Final = "\x1b[0m\x1b[?1049l"
_QUESTIONS: Final = (
    "\x1b[?2026$p"  # does it draw at once?
    "\x1b[?1006$p"  # does it report the mouse?
    "\x1b[>0q"  # what is it called?
    "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m"  # what becomes of a colour out of 16 million?
    "\x1bP+q4d73\x1b\\"  # does it take texts for the clipboard (its capability Ms)?
)
_WHERE: Final = "\x1b[6n"
_ATTRIBUTES_QUESTION: Final = "\x1b[c"


class Answers(NamedTuple):
    """What a terminal has said; None: nothing.

    Attributes:
        has_answered: Whether it has said anything.
        name: What it calls itself; empty: it did not say.
        is_light: Whether its ground is light.
        draws_at_once: Whether it shows what is drawn when it is whole (synchronised output).
        reports_mouse: Whether it reports the mouse, at any column.
        colours: What it keeps of a colour: `true`, or less.
        takes_clipboard: Whether it takes texts for the clipboard (OSC 52).
        widths: How many cells each of `SAMPLES` has taken, by name; empty: it does not say.
    """

    has_answered: bool = False
    name: str = ""
    is_light: bool | None = None
    draws_at_once: bool | None = None
    reports_mouse: bool | None = None
    colours: str | None = None
    takes_clipboard: bool | None = None
    widths: Mapping[str, int] = {}


def ask(read_from: int, write_to: int, environment: Mapping[str, str], *, may_show_signs: bool) -> Answers:
    """Ask a terminal, and leave it as it was; takes `PATIENCE_SECONDS` at most.

    Args:
        read_from: File number of its input, which no one else reads meanwhile.
        write_to: The same of its output.
        may_show_signs: Whether it may be sent other signs than ASCII.

    Raises:
        OSError: It cannot be asked.
    """
    if environment.get("TERM") == CONSOLE:
        return Answers()  # it would show most questions
    samples = tuple(SAMPLES.values()) if may_show_signs else ()
    asked = [_OTHER_SCREEN, ground_question(environment), _QUESTIONS]
    asked += [f"\r{sample}{_WHERE}" for sample in samples]
    with _in_raw_mode(read_from):
        try:
            _write_all(write_to, "".join([*asked, _ATTRIBUTES_QUESTION]).encode())
            return read_answers(_heard(read_from))
        finally:
            _write_all(write_to, _BACK.encode())


def read_answers(heard: bytes) -> Answers:
    """Find the answers in what a terminal has sent."""
    attributes = _ATTRIBUTES.search(heard)
    grounds = [ground_answer(found) for found in re.findall(rb"\x1b\]11;[^\x07\x1b]*(?:\x07|\x1b\\)", heard)]
    ground = next((ground for ground in grounds if ground is not None), None)
    name = re.search(rb"\x1bP>\|([^\x1b\x07]{1,80})\x1b\\", heard)
    kept = re.search(rb"\x1bP1\$r([0-9:;]*)m\x1b\\", heard)
    clipboard = re.search(rb"\x1bP([01])\+r(?:4[dD]73)?", heard)
    columns = [int(column) - 1 for column in re.findall(rb"\x1b\[[0-9]{1,4};([0-9]{1,4})R", heard)]
    says_52 = attributes is not None and b"52" in attributes[1].split(b";")
    return Answers(
        has_answered=bool(heard),
        name="" if name is None else _printable(name[1]),
        is_light=None if ground is None else ground.is_light,
        draws_at_once=_mode(heard, 2026),
        reports_mouse=_mode(heard, 1006),
        colours=None if kept is None else _depth(kept[1]),
        takes_clipboard=says_52 or (None if clipboard is None else clipboard[1] == b"1"),
        widths=dict(zip(SAMPLES, columns, strict=True)) if len(columns) == len(SAMPLES) else {},
    )


def _mode(heard: bytes, number: int) -> bool | None:
    """Read whether a mode is known; it may be on or off."""
    found = re.search(rb"\x1b\[\?%d;([0-4])\$y" % number, heard)
    return None if found is None else found[1] in b"123"


def _depth(kept: bytes) -> str:
    """Read what became of the colour 1, 2, 3 behind a text: itself, or a number of a table."""
    if re.search(rb"48[:;]2[:;](?:[0-9]*[:;])?1[:;]2[:;]3", kept):
        return "true"
    return "256" if re.search(rb"48[:;]5", kept) else "16"


def _printable(name: bytes) -> str:
    return "".join(sign for sign in name.decode(errors="replace") if sign.isprintable())


def _heard(read_from: int) -> bytes:
    """Read until the last answer has come, or nothing is to be waited for any more."""
    heard, end = b"", time.monotonic() + PATIENCE_SECONDS
    while not _ATTRIBUTES.search(heard) and (left := end - time.monotonic()) > 0:
        if select.select([read_from], [], [], left)[0]:
            if not (more := os.read(read_from, _READ_BYTES)):
                break
            heard += more
    return heard


@contextmanager
def _in_raw_mode(number: int) -> Iterator[None]:
    """Have what is typed come at once and unseen; afterwards what has come meanwhile is forgotten.

    Ctrl-C works as ever. Signals that end the process do so when the terminal is as before.
    """
    try:
        before = termios.tcgetattr(number)
        others = {each: signal.signal(each, _leave) for each in heeded((signal.SIGTERM, signal.SIGHUP))}
        try:
            tty.setcbreak(number, termios.TCSADRAIN)
            yield
        finally:
            termios.tcsetattr(number, termios.TCSAFLUSH, before)
            for each, handler in others.items():
                signal.signal(each, handler)
    except termios.error as error:
        raise OSError(*error.args) from None


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _write_all(number: int, data: bytes) -> None:
    while data:
        data = data[os.write(number, data) :]
