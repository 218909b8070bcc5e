"""Every program at a terminal, from its help to Ctrl-C: no fault of a user's is a traceback."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT
from termios import tcgetattr
from typing import Final

import pytest

from heat_core.version import shown_version
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from tests.server.test_hostile import frame
from tests.tui.fake_server import fake_server
from tests.tui.support_app import server_process
from tests.tui.test_main_terminal import Terminal

MODULES: Final = {"heat-tui": "heat_tui", "heat-server": "heat_server", "heat_core": "heat_core"}

_AT_ITS_TERMINAL: Final = """
import os, sys
os.login_tty(os.dup(0))
os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])
"""
"""Starts a program so that Ctrl-C at its terminal is a signal, as in a shell."""


class Shell:
    """A terminal at which programs are started one after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def started(self, program: str, *words: str) -> Iterator[Terminal]:
        """Start a program. However it ends, the terminal is as before and shows no traceback."""

        class Started(Terminal):
            folder = self._path

            def command(self, arguments: list[str]) -> list[str]:
                return [sys.executable, "-c", _AT_ITS_TERMINAL, MODULES[program], *arguments]

        terminal = Started([*words], self._path, {})
        try:
            yield terminal
            assert tcgetattr(terminal.theirs) == terminal.before
            assert "Traceback" not in terminal.text
        finally:
            terminal.close()

    def run(self, program: str, *words: str) -> tuple[int, str]:
        """Run a program to its end; gives exit code and what the terminal shows."""
        with self.started(program, *words) as terminal:
            code = terminal.wait()
            return code, terminal.text.replace("\r", "")

    def fails(self, program: str, *words: str, code: int = 1) -> str:
        """Run a program that ends with a code and one line, which is given."""
        ended, text = self.run(program, *words)
        assert (ended, text.count("\n")) == (code, 1), text
        return text


@pytest.mark.asyncio
@pytest.mark.soak
@pytest.mark.timeout(600)  # some twenty programs are started
@pytest.mark.spec("APP-6")
async def test_every_program_says_what_it_is_and_what_is_wrong_and_leaves_the_terminal_clean(
    tmp_path: Path,
) -> None:
    async with asyncio.timeout(600):
        shell = Shell(tmp_path)
        await asyncio.to_thread(help_version_and_wrong_use, shell)
        with server_process() as address:
            await asyncio.to_thread(addresses_in_use_and_wrong, shell, address)
            await asyncio.to_thread(old_client, address)
        await old_server(shell)
        await asyncio.to_thread(ctrl_c, shell, tmp_path)


def help_version_and_wrong_use(shell: Shell) -> None:
    for program in MODULES:
        code, text = shell.run(program, "--help")
        assert (code, text[:7], "--version" in text) == (0, "Usage: ", True)
        assert shell.run(program, "--version") == (0, f"{program} {shown_version()}\n")
        assert "bogus" in shell.fails(program, "--bogus", code=2)
    assert "none.toml: No such file" in shell.fails("heat-tui", "play", "--position", "none.toml")
    assert "none.toml: No such file" in shell.fails("heat-server", "--config", "none.toml", code=2)
    assert "none.jsonl: No such file" in shell.fails("heat_core", "replay", "none.jsonl")


def addresses_in_use_and_wrong(shell: Shell, address: Address) -> None:
    port = str(address.port)
    for program, *command in (
        ["heat-server", "--host", address.host],
        ["heat-tui", "serve"],
        ["heat-tui", "host"],
    ):
        assert "in use" in shell.fails(program, *command, "--port", port)
    for program, *command in (["heat-server"], ["heat-tui", "serve"]):
        assert "192.0.2.1" in shell.fails(program, *command, "--host", "192.0.2.1", "--port", "0")
    assert "Nothing listens at 127.0.0.1:1" in shell.fails("heat-tui", "connect", "127.0.0.1:1")
    code, text = shell.run("heat_core", "simulate", "--races", "1", "--cluster", "tcp://127.0.0.1:1")
    assert code == 1
    assert "No cluster answers at tcp://127.0.0.1:1" in text


def old_client(address: Address) -> None:
    """Come with an old protocol to the real server."""
    with socket.create_connection((address.host, address.port), timeout=60) as connection:
        connection.sendall(frame({"type": "hello", "id": 1, "protocol": 0, "program": "old"}))
        answer = b""
        while data := connection.recv(65_536):
            answer += data
    text = answer.decode(errors="replace")
    assert f"version {m.PROTOCOL} " in text
    assert "version 0." in text


async def old_server(shell: Shell) -> None:
    async with fake_server() as fake:
        client = asyncio.create_task(asyncio.to_thread(shell.fails, "heat-tui", "connect", str(fake.address)))
        connection = await fake.accept()
        hello = await connection.expect(m.Hello)
        connection.send(m.Welcome(hello.id, 0, "old", "0.0.1", "x"))
        text = await client
    assert f"version 0 of the protocol, this program version {m.PROTOCOL}" in text


def ctrl_c(shell: Shell, folder: Path) -> None:
    """Interrupt each program in the middle of what it does, by the key."""
    with shell.started("heat-tui", "play", "--laps", "1") as program:
        program.wait_for("SHIFT")
        program.press("\x03")
        assert program.wait() == 128 + SIGINT
        assert program.text.rstrip().endswith("heat-tui was interrupted.")
    with shell.started("heat-server", "--port", "0", "--store", str(folder / "store")) as program:
        program.wait_for("listening on")
        program.press("\x03")
        assert program.wait() == 0
    with shell.started("heat_core", "simulate", "--laps", "1", "--races", "1000000") as program:
        program.wait_for("left")
        program.press("\x03")
        assert program.wait() == 128 + SIGINT
        assert re.search(r"interrupted after \d+ of 1000000 races", program.text)
