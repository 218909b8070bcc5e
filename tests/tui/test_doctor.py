"""What `heat-tui doctor` finds out, at terminals that answer, at one that never does, and at none."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from termios import tcgetattr

import pytest
import trustme

from heat_core.wire.address import Address
from heat_tui import installation
from heat_tui.doctor import parts
from heat_tui.doctor import terminal as doctor_terminal
from heat_tui.doctor.findings import Finding, Section, as_json, as_lines
from heat_tui.doctor.network import network_findings, server_finding
from heat_tui.doctor.parts import part_findings
from heat_tui.doctor.places import place_findings
from heat_tui.doctor.questions import PATIENCE_SECONDS, SAMPLES, Answers, read_answers
from heat_tui.doctor.terminal import answer_findings
from heat_tui.installation import Requirement
from heat_tui.state import CRASH_FILE, SETTINGS_FILE, Folders, Settings
from tests.tui.test_main_terminal import ALTERNATE, NORMAL, terminal

LAST_QUESTION = "\x1b[c"
ATTRIBUTES = "\x1b[?62;22;52c"
OF_A_GOOD_TERMINAL = (
    "\x1b]11;rgb:f5f5/f2f2/ebeb\x1b\\\x1b[?2026;2$y\x1b[?1006;1$y\x1bP>|xterm(397)\x1b\\"
    "\x1bP1$r0;48:2::1:2:3m\x1b\\\x1bP1+r4D73=5C45\x1b\\"
    + "".join(f"\x1b[1;{len(sample) + 1}R" for sample in SAMPLES.values())
    + ATTRIBUTES
)
WITH_COLOURS = {"COLORTERM": "truecolor", "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def advice_of(answers: Answers, settings: Settings | None = None, **variables: str) -> dict[str, str]:
    """Give by name what to do about a terminal."""
    found = answer_findings(answers, settings or Settings(), WITH_COLOURS | variables)
    return {finding.name: finding.advice for finding in found if finding.advice}


def test_answers_are_read_in_any_order_and_between_keys() -> None:
    good = read_answers(OF_A_GOOD_TERMINAL.encode())
    assert good == Answers(
        has_answered=True,
        name="xterm(397)",
        is_light=True,
        draws_at_once=True,
        reports_mouse=True,
        colours="true",
        takes_clipboard=True,
        widths={name: len(sample) for name, sample in SAMPLES.items()},
    )
    backwards = "\x1b[?62c" + "q\x1b[A" + "\x1bP>|a\x1b[31mb\x1b\\" + "\x1b[?1006;0$y" + "\x1b[?2026;4$y"
    assert read_answers(backwards.encode()) == Answers(
        has_answered=True, draws_at_once=False, reports_mouse=False
    )
    assert read_answers(b"") == Answers()


@pytest.mark.parametrize(
    "noise", [b"\xff\xfe\x00" * 50, b"\x1b]11;", b"\x1b[999999;9R", b"\x1bP1$r", b"q" * 5000]
)
def test_noise_is_no_answer(noise: bytes) -> None:
    assert read_answers(noise) == Answers(has_answered=True)


@pytest.mark.parametrize(
    ("kept", "colours"),
    [
        ("0;48:2::1:2:3", "true"),
        ("48;2;1;2;3", "true"),
        ("0;48:2:1:2:3", "true"),
        ("0;48;5;16", "256"),
        ("0;40", "16"),
    ],
)
def test_a_colour_that_comes_back_says_how_many_there_are(kept: str, colours: str) -> None:
    assert read_answers(f"\x1bP1$r{kept}m\x1b\\".encode()).colours == colours


def test_what_hurts_play_has_advice_and_nothing_else_has() -> None:
    good = read_answers(OF_A_GOOD_TERMINAL.encode())
    assert advice_of(good) == {}
    assert advice_of(Answers()) == {}
    assert advice_of(good, COLORTERM="") == {
        "colours": "Set COLORTERM=truecolor: this terminal has all colours."
    }
    assert "SendEnv=COLORTERM" in advice_of(good, COLORTERM="", SSH_CONNECTION="x")["colours"]
    assert "256 colours only" in advice_of(good._replace(colours="256"))["colours"]
    assert "set -as terminal-features" in advice_of(good._replace(colours="256"), TMUX="x")["colours"]
    assert "NO_COLOR" in advice_of(good, NO_COLOR="1")["colours"]
    wide = good._replace(widths={**good.widths, "symbols": 15})
    assert "narrow" in advice_of(wide)["signs"]
    assert advice_of(wide, Settings(ascii=True)) == {}


@pytest.mark.parametrize(("is_set", "has_advice"), [("external", True), ("on", False), ("", False)])
def test_tmux_that_keeps_what_is_copied_has_advice(
    monkeypatch: pytest.MonkeyPatch, is_set: str, has_advice: bool
) -> None:
    monkeypatch.setattr(
        doctor_terminal, "_tmux_option", lambda name: is_set if name == "set-clipboard" else ""
    )
    advice = doctor_terminal._between({"TMUX": "x"}).advice
    assert ("set -g set-clipboard on" in advice) is has_advice
    assert doctor_terminal._between({}).advice == ""


def test_findings_fit_the_terminal_and_say_how_many_things_are_to_do() -> None:
    sections = [
        Section("Terminal", [Finding("size", "70x20", "Make it larger. " * 8), Finding("mouse", "yes")])
    ]
    lines = as_lines(sections, 70)
    assert max(map(len, lines)) <= 70
    assert lines[0] == "Terminal"
    assert lines[1].split() == ["size", "70x20"]
    assert lines[2].strip().startswith("-> Make it larger.")
    assert lines[-1].startswith("1 thing to do")
    assert as_lines([Section("Files", [Finding("a", "b")])], 5)[-1] == "No problems found."
    assert json.loads(as_json(sections))["terminal"][1] == {"name": "mouse", "found": "yes", "advice": ""}


def test_a_terminal_that_answers_is_described_and_left_as_it_was(tmp_path: Path) -> None:
    with terminal("--no-lan", "doctor", path=tmp_path, COLORTERM="") as program:
        program.wait_for(LAST_QUESTION, 20)
        program.press(f"q{OF_A_GOOD_TERMINAL}")
        assert program.wait() == 0
        asked, told = program.text.split(NORMAL)
        assert ALTERNATE in asked
        words = " ".join(told.split())
        assert "size 80x24" in words
        assert "terminal xterm(397) (TERM=xterm-256color)" in words
        assert "-> Set COLORTERM=truecolor: this terminal has all colours." in words
        assert "background light; colours follow it" in words
        assert "blocks, lines and symbols are one cell wide" in words
        assert "mouse reported" in words
        assert "drawing at once" in words
        assert "clipboard works (OSC 52)" in words
        assert "1 thing to do" in words
        assert "Traceback" not in told
        assert "\x1b" not in told
        assert tcgetattr(program.theirs) == program.before
    assert list(tmp_path.rglob("*")) == [], "nothing on the machine is changed"


def test_a_terminal_that_never_answers_costs_a_moment(tmp_path: Path) -> None:
    with terminal("--no-lan", "doctor", path=tmp_path) as program:
        program.wait_for(LAST_QUESTION, 20)
        begun = time.monotonic()
        program.wait_for(NORMAL)
        assert time.monotonic() - begun < PATIENCE_SECONDS + 2
        assert program.wait() == 0
        words = " ".join(program.text.split())
        assert "it does not answer queries" in words
        assert "mouse unknown" in words
        assert "No problems found." in words
        assert tcgetattr(program.theirs) == program.before


@pytest.mark.parametrize(("end", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_end_while_it_asks_leaves_the_terminal_as_it_was(
    tmp_path: Path, end: signal.Signals, code: int
) -> None:
    with terminal("--no-lan", "doctor", path=tmp_path) as program:
        program.wait_for(LAST_QUESTION, 20)
        program.process.send_signal(end)
        assert program.wait() == code
        assert program.text.count(ALTERNATE) == program.text.count(NORMAL) == 1
        assert "Traceback" not in program.text
        assert tcgetattr(program.theirs) == program.before


@pytest.mark.parametrize(
    "words", [["--no-lan", "doctor", "--json"], ["--no-lan", "--plain", "doctor", "--json"]]
)
def test_without_a_terminal_it_says_so(tmp_path: Path, words: list[str]) -> None:
    command = [sys.executable, "-m", "heat_tui", *words]
    environment = {
        **os.environ,
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert list(told) == ["terminal", "network", "files", "versions"]
    screen = told["terminal"][0]
    assert screen["found"].startswith("A terminal is needed, but standard input is not one.")
    assert "--plain" in screen["found"]
    assert screen["advice"] == "", "nothing was seen that hurts"


def test_a_wrong_address_is_wrong_use(tmp_path: Path) -> None:
    with terminal("doctor", "--server", "a b", path=tmp_path) as program:
        assert program.wait() == 2
        assert "--server: 'a b' is not an address" in program.text


async def found_at(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], **named: ssl.SSLContext
) -> Finding:
    """Ask what listens for the length of this."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, **named)  # type: ignore[arg-type]
    async with server:
        return await server_finding(Address("127.0.0.1", server.sockets[0].getsockname()[1]))


def test_what_is_no_server_is_named_without_its_words() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\x1b[31mSSH-2.0-Other\r\n")
        await writer.drain()
        writer.close()

    found = asyncio.run(found_at(serve))
    assert found.found.endswith("is not a heat-server. Check the port.")
    assert found.advice


def test_a_server_that_encrypts_is_named_with_the_address_to_type() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("race.example").configure_cert(context)
    found = asyncio.run(found_at(serve, ssl=context))
    assert found.found.endswith(" encrypts (TLS)")
    assert found.advice.startswith("Connect with tls://127.0.0.1:")


def test_a_running_server_says_its_version_and_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [
            sys.executable,
            "-m",
            "heat_server",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-lan",
            "--no-store",
            "--no-socket",
        ]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            own = int(process.stdout.readline().rsplit(maxsplit=1)[1])
            taken.close()
            asked = network_findings({own: "races", port: "ssh"}, None, Address("127.0.0.1", own))
            told = {finding.name: finding for finding in asyncio.run(asked)}
            process.terminate()
    assert told[f"port {own}"].found.startswith("a heat-server ")
    assert told[f"port {port}"].found == "free (ssh)"
    assert "without encryption" in told["server"].found
    assert told["server"].advice == ""
    assert told["announcements"].found.startswith("not listened for")


def test_files_are_found_where_they_are_and_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    folders = Folders(tmp_path / "config", tmp_path / "state", tmp_path / "data")
    before = {finding.name: finding for finding in place_findings(folders)}
    assert before["settings"].found.endswith("none saved yet")
    assert not list(tmp_path.iterdir())
    for folder in folders[:3]:
        assert folder is not None
        folder.mkdir()
    (folders.config / SETTINGS_FILE).write_text("{")
    (folders.state / CRASH_FILE).write_text("x" * 3000)
    (folders.data / "replays").write_text("in the way")
    found = {finding.name: finding for finding in place_findings(folders)}
    assert "is not JSON" in found["settings"].found
    assert found["settings"].advice == "Correct or remove the file."
    assert found["seats and logs"].found.endswith("1 file, 3 KiB")
    assert "Please report it" in found["crash"].advice
    blocked = Folders(tmp_path / "config", tmp_path / "data" / "replays" / "below", tmp_path / "data")
    (seats,) = (finding for finding in place_findings(blocked) if finding.name == "seats and logs")
    assert seats.advice.startswith("Nothing can be saved here: ")


def test_a_terminal_that_cannot_show_screens_has_advice(tmp_path: Path) -> None:
    with terminal("--no-lan", "doctor", path=tmp_path, TERM="dumb") as program:
        assert program.wait() == 0
        assert "-> Use plain mode: heat-tui --plain" in program.text


@pytest.mark.parametrize("how", ["checkout", "pipx"])
def test_how_extras_are_installed_is_said_once(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    absent = (Requirement("no-such-part", ""),)
    monkeypatch.setattr(parts, "requirements", lambda: {"rl": absent, "serve": absent, "other": absent})
    monkeypatch.setattr(parts, "installer", lambda: how)
    monkeypatch.setattr(installation, "installer", lambda: how)
    found = {finding.name: finding.found for finding in part_findings()}
    assert found["extra rl"] == "not installed (heat_core.rl: agents that learn)"
    assert found["extra other"] == "not installed"
    begins = {"checkout": "make serve installs", "pipx": "pipx install --force 'heat-tui-race[NAME"}
    assert found["to install extras"].startswith(begins[how])
    monkeypatch.setattr(parts, "requirements", dict)
    assert "to install extras" not in {finding.name for finding in part_findings()}


def test_versions_name_all_that_is_needed_and_every_extra() -> None:
    found = {finding.name: finding.found for finding in part_findings()}
    assert "engine" in found["heat-tui"]
    assert "textual 8" in found["needs"]
    assert "missing" not in found["needs"]
    assert {"extra doors", "extra serve", "extra rl", "extra parquet"} <= set(found)
