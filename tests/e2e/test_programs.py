"""What the three programs have in common: help, version, one line for what is wrong, and a clean end."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from termios import tcgetattr

import pytest

from heat_core.version import shown_version
from heat_core.wire import messages as m
from tests.tui.fake_server import fake_server
from tests.tui.support_app import server_process
from tests.tui.test_main import run as run_client
from tests.tui.test_main_terminal import ALTERNATE, NORMAL, SHOW_CURSOR, terminal

PROGRAMS = {"heat-tui": "heat_tui", "heat-server": "heat_server", "heat_core": "heat_core"}
EACH = pytest.mark.parametrize("program", PROGRAMS)


def run(program: str, *words: str) -> tuple[int, str, str]:
    """Run a program; gives exit code, output and complaints."""
    done = subprocess.run(
        [sys.executable, "-m", PROGRAMS[program], *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@EACH
@pytest.mark.spec("APP-6.1")
def test_each_tells_how_it_is_used_and_its_version(program: str) -> None:
    for option in ("--help", "-h"):
        code, told, errors = run(program, option)
        assert (code, errors) == (0, "")
        assert told.startswith("Usage: ")
        assert "--version" in told
    for option in ("--version", "-V"):
        assert run(program, option) == (0, f"{program} {shown_version()}\n", "")


@pytest.mark.parametrize(
    ("program", "typed", "completed"),
    [("heat-tui", "pl", "play"), ("heat-tui", "play --rul", "--rules"), ("heat-server", "sta", "status")],
)
def test_completion_works_as_the_page_about_options_says(program: str, typed: str, completed: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "options.md").read_text(encoding="utf-8")
    variable = f"_{program.upper().replace('-', '_')}_COMPLETE"
    assert f'eval "$({variable}=bash_source {program})"' in page
    words = f"{program} {typed}"
    done = subprocess.run(
        [sys.executable, "-m", PROGRAMS[program]],
        env=os.environ
        | {variable: "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert f"plain,{completed}" in done.stdout.splitlines()


@EACH
@pytest.mark.spec("APP-6.6")
@pytest.mark.parametrize("words", [("--bogus",), ("bogus",)])
def test_wrong_use_is_one_line_and_exit_2(program: str, words: tuple[str, ...]) -> None:
    code, told, errors = run(program, *words)
    assert (code, told) == (2, "")
    assert errors.count("\n") == 1
    assert "bogus" in errors


@EACH
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_an_output_that_cannot_be_written_is_one_line_and_exit_1(program: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", PROGRAMS[program], "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.endswith(": No space left on device\n")
    assert done.stderr.count("\n") == 1


@EACH
@pytest.mark.parametrize("closed", ["| head -c 0", ">&- 2>&- <&-"])
def test_an_output_that_nobody_reads_is_no_error_to_see(program: str, closed: str) -> None:
    """Of a closed pipe the program learns when it writes; closed streams become empty ones."""
    command = f'"$@" --help {closed}'
    done = subprocess.run(
        ["sh", "-c", command, "sh", sys.executable, "-m", PROGRAMS[program]],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_the_engine_without_a_command_or_with_a_wrong_value_says_so_in_one_line() -> None:
    assert run("heat_core") == (2, "", "python -m heat_core: Missing command.\n")
    code, told, errors = run("heat_core", "simulate", "--races", "none")
    assert (code, told, errors.count("\n")) == (2, "", 1)
    assert "--races" in errors


def test_the_engine_can_be_interrupted(tmp_path: Path) -> None:
    words = ["simulate", "--races", "1000000", "--laps", "1", "--export", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "heat_core", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert re.match(r"[1-9]\d* races? on usa, 1 lap, ", told)
    assert re.fullmatch(r"(\d+ of 1000000 races\n)?interrupted after [1-9]\d* of 1000000 races\n", errors), (
        errors
    )


@pytest.mark.spec("APP-6.2")
def test_a_port_in_use_is_one_line_of_each_that_listens(tmp_path: Path) -> None:
    with server_process() as address:
        port = str(address.port)
        code, told, errors = run("heat-server", "--host", address.host, "--port", port)
        assert (code, told, errors.count("\n")) == (1, "", 1)
        assert errors.startswith(f"heat-server: port {port} ")
        assert "in use" in errors
        in_use = f"Port {port} is in use. Choose another with --port."
        assert run("heat-tui", "serve", "--port", port) == (1, "", f"heat-tui: {in_use}\n")
        code, printed = run_client("host", "--port", port, path=tmp_path, on_terminal=True)
        assert code == 1
        assert "in use" in printed
        assert printed.replace("\r", "").count("\n") == 1


@pytest.mark.spec("APP-6.3")
def test_an_address_that_is_not_there_is_one_line_of_each_that_takes_one(tmp_path: Path) -> None:
    for words in (("heat-server", "--host", "192.0.2.1"), ("heat-tui", "serve", "--host", "192.0.2.1")):
        code, told, errors = run(*words, "--port", "0")
        assert (code, told, errors.count("\n")) == (1, "", 1)
        assert "192.0.2.1" in errors
    code, printed = run_client("connect", "127.0.0.1:1", path=tmp_path, on_terminal=True)
    assert (code, printed.replace("\r", "").count("\n")) == (1, 1)
    assert "Nothing listens at 127.0.0.1:1" in printed


@pytest.mark.asyncio
@pytest.mark.spec("APP-6.4")
async def test_an_old_server_is_told_in_one_line_with_both_versions(tmp_path: Path) -> None:
    async with asyncio.timeout(60), fake_server() as fake:
        client = asyncio.create_task(
            asyncio.to_thread(run_client, "connect", str(fake.address), path=tmp_path, on_terminal=True)
        )
        connection = await fake.accept()
        hello = await connection.expect(m.Hello)
        connection.send(m.Welcome(hello.id, 0, "old", "0.0.1", "x"))
        code, printed = await client
    assert code == 1
    assert printed.replace("\r", "").count("\n") == 1
    assert f"version 0 of the protocol, this program version {m.PROTOCOL}" in printed


@pytest.mark.parametrize("words", [("play", "--laps", "1"), ("hotseat", "Ana", "Ben")])
def test_ctrl_c_in_a_race_leaves_the_terminal_as_it_was(tmp_path: Path, words: tuple[str, ...]) -> None:
    with terminal(*words, path=tmp_path) as program:
        program.wait_for("SHIFT" if words[0] == "play" else "Pass the keyboard")
        program.press("\x03")
        assert program.wait() == 130
        assert program.text.count(ALTERNATE) == program.text.count(NORMAL) == 1
        assert SHOW_CURSOR in program.text[program.text.rindex(ALTERNATE) :]
        assert program.text.split(NORMAL)[1].strip().endswith("heat-tui was interrupted.")
        assert tcgetattr(program.theirs) == program.before
