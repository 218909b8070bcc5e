"""What a terminal of lines writes: signs as words, a sentence a line."""

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

from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.words import sentences_of, spoken
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_plain import Terminal, by_script


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("One two. Three!", ["One two.", "Three!"]),
        ("You are third. 2 spaces left (limit 3). Hand: 1.", None),
        ("Pick 3 cards. For example: 1, 2, 3", ["Pick 3 cards. For example: 1, 2, 3"]),
        ("J. Doe leads. Ben is 2nd.", ["J. Doe leads.", "Ben is 2nd."]),
        ("1.5 spaces, and so on...", ["1.5 spaces, and so on..."]),
        ("", [""]),
    ],
)
def test_each_sentence_is_a_line(text: str, lines: list[str] | None) -> None:
    assert sentences_of(text) == (lines or text.replace(". ", ".\n").split("\n"))


def test_a_voice_speaks_signs_as_words_and_breaks_no_sentence() -> None:
    written: list[str] = []
    terminal = LineTerminal(written.append, has_echo=True)
    terminal.say("Corner 2: 8 \u2212 3 = 5 Heat \u2026")
    terminal.prompt("Enter takes 2. Type a number, for example: 3")
    assert written == [
        "Corner 2: 8 minus 3 equals 5 Heat ...\n",
        "Enter takes 2.\nType a number, for example: 3 > ",
    ]
    assert spoken("1st \u2192 2nd") == "1st to 2nd"


@pytest.mark.asyncio
async def test_a_question_mark_at_yes_or_no_is_no_answer() -> None:
    terminal = Terminal(by_script("?", "help", "yes", "no"))
    assert await terminal.line_terminal.agrees("Delete race 1?")
    assert terminal.text.count("Type yes to go ahead; anything else cancels.") == 2
    assert not await terminal.line_terminal.agrees("Delete race 1?")


def test_the_terminal_is_left_to_break_long_lines(tmp_path: Path) -> None:
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 30, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "heat_tui", "--plain"],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)},
    ) as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    os.close(terminal)
    text = os.read(controller, 65_536).decode().replace("\r", "")
    os.close(controller)
    assert "n: New race, against Legends and bots." in text.splitlines()
