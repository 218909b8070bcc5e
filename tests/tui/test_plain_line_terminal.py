"""What a terminal of lines writes: signs as words, and on a terminal lines that break between words."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.cells import cell_len

from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.words import spoken, wrapped
from tests.tui.support_plain import Terminal, by_script


@pytest.mark.parametrize(
    ("text", "cells", "lines"),
    [
        ("one two three", 0, ["one two three"]),
        ("one two three", 80, ["one two three"]),
        ("one two three", 8, ["one two", "three"]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 3, ["one", "two", "three"]),
        ("a_word_that_is_longer", 5, ["a_word_that_is_longer"]),
        ("one\n\ntwo three", 5, ["one", "", "two", "three"]),
        ("\u8f66\u8f66 \u8f66\u8f66", 8, ["\u8f66\u8f66", "\u8f66\u8f66"]),
        ("", 8, [""]),
    ],
)
def test_lines_break_between_words(text: str, cells: int, lines: list[str]) -> None:
    assert wrapped(text, cells).split("\n") == lines


def test_a_voice_speaks_signs_as_words_and_keeps_to_the_terminal() -> None:
    written: list[str] = []
    terminal = LineTerminal(written.append, has_echo=True, cells=lambda: 20)
    terminal.say("Corner 2: 8 \u2212 3 = 5 Heat \u2026")
    terminal.prompt("Type a number, for example: 3")
    assert written == ["Corner 2: 8 minus 3\n= 5 Heat ...\n", "Type a number, for\nexample: 3 > "]
    assert spoken("1st \u2192 2nd") == "1st to 2nd"


@pytest.mark.asyncio
async def test_a_question_mark_at_yes_or_no_is_no_answer() -> None:
    terminal = Terminal(by_script("?", "help", "yes", "no"))
    assert await terminal.line_terminal.agrees("Delete race 1?")
    assert terminal.text.count("Type yes to go ahead; anything else cancels.") == 2
    assert not await terminal.line_terminal.agrees("Delete race 1?")


def test_at_a_narrow_terminal_no_word_is_broken(tmp_path: Path) -> None:
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "heat_tui", "--plain"],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)},
    ) as process:
        assert process.wait(30) == 0
    os.close(terminal)
    text = os.read(controller, 65_536).decode().replace("\r", "")
    os.close(controller)
    assert max(cell_len(line) for line in text.split("\n")) < 40
    assert "n: New race, against Legends and bots." in " ".join(text.split())
