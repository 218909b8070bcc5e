"""A player of plain mode that reads prompts only, in this process and through pipes."""

from __future__ import annotations

import asyncio
import os
import re
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from heat_tui.client.local import LocalSession
from heat_tui.client.session import Session
from heat_tui.plain.line_terminal import PROMPT_SIGN, Left, LineTerminal
from heat_tui.plain.race import End, PlainRace
from heat_tui.state import PROGRAM, Folders
from tests.tui.support_race import DRAW, table_at

READ_SECONDS = 60.0
END_SECONDS = 60.0
SILENCE = "(silence)"
_PROMPT = re.compile(rf"^(.*){PROMPT_SIGN}$", re.MULTILINE)
MENU = "Type a letter or a name;"
"""Begins the prompt of home."""


def example_in(prompt: str) -> str:
    """Do what a prompt says: its example, or Enter where that is what it asks for.

    Where the example is known by now, ask for it: `again` repeats the whole question.
    """
    found = re.search(r"[Ff]or example: (.+?)$", prompt)
    if found is not None:
        return found[1]
    return "" if "Enter" in prompt else "again"


class Terminal:
    """A terminal in memory.

    Attributes:
        text: All that was written and, with its line's end, typed.
        prompts: The prompts so far, each with the sentences before its question.
    """

    def __init__(self, answer: Callable[[str], str | None] = example_in) -> None:
        """Sit down at it.

        Args:
            answer: From a prompt to what is typed; None: nobody types any more; `SILENCE`: nothing yet, until
                something more is said.
        """
        self.text = ""
        self.prompts: list[str] = []
        self.line_terminal = LineTerminal(self._write, has_echo=True)
        self._answer = answer
        self._is_asked = False

    def _write(self, text: str) -> None:
        self.text += text
        if text.endswith(PROMPT_SIGN):
            self.prompts.append(text.removesuffix(PROMPT_SIGN).replace("\n", " "))
            self._is_asked = True
        if self._is_asked and (typed := self._answer(self.prompts[-1])) != SILENCE:
            self.type(typed)

    def type(self, line: str | None) -> None:
        """Type a line; None: nothing more will be typed."""
        self._is_asked = False
        if line is None:
            self.line_terminal.end()
        else:
            self.text += f"{line}\n"
            self.line_terminal.hear(line)

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def flow(self) -> str:
        """All of it as if no sentence began a line."""
        return self.text.replace("\n", " ")


def by_script(*typed: str) -> Callable[[str], str | None]:
    """Type these lines, one a prompt, then nothing more."""
    script = iter(typed)
    return lambda prompt: next(script, None)


def first_then_examples(*typed: str) -> Callable[[str], str | None]:
    """Type these lines, one a prompt, then the examples."""
    script = iter(typed)
    return lambda prompt: next(script, None) or example_in(prompt)


class Walker:
    """Somebody who chooses in the menu and does what prompts say; a list that comes again is left."""

    def __init__(self, chosen: Iterator[str]) -> None:
        self._chosen = chosen
        self._lists = 0

    def answer(self, prompt: str) -> str:
        if prompt.startswith(MENU):
            return next(self._chosen)
        if prompt.startswith("Enter starts the race"):
            return ""
        if prompt.startswith("Type a race's number"):
            self._lists += 1
            return "" if self._lists == 1 else "leave"
        return example_in(prompt)


class Program:
    """The program behind pipes.

    Attributes:
        text: All that it has printed, and what was typed.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.text = ""
        self._unread = ""

    def prompt(self) -> str | None:
        """Read on to the next prompt; gives its line. None: the program has ended."""
        output: IO[bytes] | None = self.process.stdout
        assert output is not None
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while not (prompts := _PROMPT.findall(self._unread)):
                assert selector.select(READ_SECONDS), f"nothing was said for long:\n{self.text[-2000:]}"
                data = os.read(output.fileno(), 65_536)
                if not data:
                    return None
                self._unread += data.decode()
                self.text += data.decode()
        self._unread = ""
        return str(prompts[-1])

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def end(self) -> None:
        """Type nothing more."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def play(self, answer: Callable[[str], str] = example_in) -> str:
        """Answer every prompt until the program ends; gives all that it printed."""
        while (prompt := self.prompt()) is not None:
            self.type(answer(prompt))
        return self.text


def homes_in(path: Path) -> dict[str, str]:
    """Give the variables that keep a program's files in a folder."""
    return {f"XDG_{kind.upper()}_HOME": str(path / kind) for kind in ("config", "state", "data")}


def folders_of_program(path: Path) -> Folders:
    """Give the folders in which a program that was started with `homes_in` has its files."""
    return Folders(path / "config" / PROGRAM, path / "state" / PROGRAM, path / "data" / PROGRAM)


@contextmanager
def program(path: Path, *arguments: str, **environment: str) -> Iterator[Program]:
    """Run the client behind pipes, with files of its own."""
    variables = os.environ | homes_in(path) | {"TERM": "dumb", **environment}
    command: Sequence[str] = [sys.executable, "-m", "heat_tui", *arguments, "--plain"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables
    ) as process:
        try:
            yield Program(process)
        finally:
            if process.poll() is None:
                process.terminate()  # it ends what it has started
                try:
                    process.wait(END_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()


CONFIRM = "Enter confirms; or type another answer, or help for an explanation"
HAND = "hand 4 3 1 stress heat 2 start-5"


async def race(
    session: Session, answer: Callable[[str], str | None] = example_in
) -> tuple[Terminal, End | None]:
    """Race until it ends, or until nobody types any more."""
    terminal = Terminal(answer)
    try:
        async with asyncio.timeout(60):
            return terminal, await PlainRace(session, terminal.line_terminal).run()
    except Left:
        return terminal, None


def alone_at(hand: str = HAND, **options: object) -> LocalSession:
    table = table_at(
        {
            "Ana": f"lap 1 space 31 gear 3 engine 4 {hand} {DRAW}",
            "L1": "lap 1 space 20 legend easy",
        },
        **options,  # type: ignore[arg-type]  # handed on as they are
    )
    return LocalSession(table)
