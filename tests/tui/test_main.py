"""The command line: what is wrong is one line, with exit code 2 for wrong use and 1 for what failed."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from heat_tui import installation
from heat_tui.__main__ import command, main
from heat_tui.commands.running import warn_before_screens
from heat_tui.installation import line_for


def run(*arguments: str, path: Path, on_terminal: bool = False, **environment: str) -> tuple[int, str]:
    """Run the program as a shell does; gives exit code and what it printed."""
    variables = os.environ | {
        "XDG_CONFIG_HOME": str(path / "config"),
        "XDG_STATE_HOME": str(path / "state"),
        "TERM": "xterm-256color",
        **environment,
    }
    ends = pty.openpty() if on_terminal else (None, None)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "heat_tui", *arguments],
            stdin=ends[1] if ends[1] is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=ends[1] if ends[1] is not None else subprocess.STDOUT,
            env=variables,
            timeout=60,
            check=False,
        )
        text = done.stdout.decode()
        if ends[0] is not None:
            os.set_blocking(ends[0], False)
            text += os.read(ends[0], 65_536).decode()
        return done.returncode, text
    finally:
        for end in ends:
            if end is not None:
                os.close(end)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["bogus"], 2, "No such command 'bogus'"),
        (["--bogus"], 2, "No such option"),
        (["play", "--laps", "9"], 2, "'9' is not a whole number from 1 to 4."),
        (["play", "--legends", "0"], 2, "1 car; a race on USA has 2 to 6; add Legends or bots"),
        (["play", "--set", "hand_size=5"], 2, "The setting hand_size can be 6, 7 or 8."),
        (["play", "--set", "points=printed"], 2, "The setting points applies to championships only."),
        (["hotseat", "Ana", "Ben", "--set", "season_draft=one"], 2, "applies to championships only."),
        (["play", "--set", "hand_size=7", "--set", "hat=5"], 2, "--set 'hat=5': There is no such setting."),
        (["hotseat", "Ana", "Ben", "--set", "hat=5"], 2, "There is no such setting. The settings are"),
        (["hotseat", *"abcdefg"], 2, "up to 8 by the setting most_cars=8"),
        (["play", "--bots", "7", "--legends", "5"], 2, "13 cars"),
        (["play", "--name", ""], 2, "at least one letter"),
        (["play", "--level", "insane"], 2, "insane"),
        (["play", "--position", "none.toml"], 1, "none.toml: No such file"),
        (["play", "--position", "."], 1, ".: Is a directory"),
        (["play", "--position", "tests/conftest.py"], 1, "tests/conftest.py: not TOML"),
        (["play", "--position", "examples/hot-hand.toml", "--laps", "2"], 2, "leave out --laps"),
        (["play", "--position", "examples/hot-hand.toml", "--name", "Ana"], 2, "leave out --name"),
        (["play", "--position", "examples/hot-hand.toml"], 1, "a terminal is needed"),
        (["play", "--position", "examples/hot-hand.toml", "--seed", "x"], 1, "a terminal is needed"),
        (["play", "--position", "examples/last-corner.toml", "--seed", "x"], 2, "Leave out --seed"),
        (["play", "--position", "examples/hot-hand.toml", "--seed", "\udcff"], 2, "the seed must be text"),
        (["play", "--position", "\x1b[31m\n.toml"], 1, "\\x1b[31m\\n.toml: No such file"),
        (["play", "--position", "examples/hot-hand.toml", "--weather"], 2, "leave out --weather"),
        (["play", "--garage", "old"], 2, "old"),
        (["play", "--expansion"], 2, "need the garage advanced or mixed"),
        (["hotseat", "Ana", "Ben", "--garage", "basic", "--expansion"], 2, "advanced or mixed"),
        (["play", "--track", "nowhere"], 1, "no track 'nowhere'"),
        (["play", "--track", "../x.json"], 1, "x.json"),
        (["hotseat"], 2, "Missing argument"),
        (["hotseat", "Ana"], 2, "Give at least two names. To race alone, use heat-tui play."),
        (["hotseat", "Ana", "ana"], 2, "same name"),
        (["championship", "--year", "1960"], 2, "'1960' is not one of"),
        (
            ["championship", "--year", "1961", "--tracks", "usa"],
            2,
            "Give --tracks or --year, not both.",
        ),
        (["championship", "--year", "1961", "--events"], 2, "Leave out --events"),
        (["championship", "--tracks", "usa,italy"], 2, "2 races; a season has 3 or 4"),
        (["championship", "--tracks", "usa,italy,nowhere"], 1, "no track 'nowhere'"),
        (["championship", "Ana", "--laps", "2"], 2, "Give --year or --tracks to start a championship."),
        (["championship", "Ana", "ana", "--year", "1961"], 2, "same name"),
        (["championship", "--year", "1961"], 1, "a terminal is needed"),
        (["championship"], 1, "a terminal is needed"),
        (["serve", "connect"], 2, "Missing argument"),
        (["connect"], 2, "Missing argument"),
        (["connect", "host:"], 2, "the port must be a number"),
        (["connect", "host:99999"], 2, "the port must be a number"),
        (["connect", ""], 2, "Type an address"),
        (["connect", "host", "--name", "x" * 20], 2, "16 cells"),
        (["host", "--port", "0"], 2, "'0' is not a whole number from 1 to"),
        (["serve", "--port", "99999"], 2, "'99999' is not a whole number from 0 to 65535."),
        (["serve", "--tabs", "0"], 2, "'0' is not a whole number from 1 to"),
        (["serve", "--host", "no.such.host.invalid"], 1, "no host named 'no.such.host.invalid'"),
        (["serve", "--host", "203.0.113.9", "--port", "0"], 1, "Cannot listen at 203.0.113.9, port 0"),
        (["serve", "--announce", "races.example"], 2, "--announce must begin with https:// or http://"),
        (["serve", "--announce", "http://x:99999"], 2, "--announce must begin with https:// or http://"),
        (["serve", "bogus"], 2, "No such command 'bogus'"),
        (["serve", "serve"], 2, "A tab cannot serve other tabs."),
        (["serve", "play", "--laps", "9"], 2, "'9' is not a whole number from 1 to 4."),
        (["serve", "play", "--plain"], 2, "A tab always shows screens: leave out --plain."),
        (["serve", "replay", "x", "--export-svg", "x"], 2, "leave out --export-svg"),
        ([], 1, "a terminal is needed, but standard input is not one"),
        (["play"], 1, "a terminal is needed"),
        (["host"], 1, "a terminal is needed"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    text: str,
) -> None:
    """Within this process; that the shell is given line and code, test_programs proves of each program."""
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["heat-tui", *arguments])
    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        with pytest.raises(SystemExit) as ended:
            main()
    printed = "".join(capsys.readouterr())
    assert (ended.value.code, text in printed) == (code, True), printed
    assert printed.startswith("heat-tui: ")
    assert printed.count("\n") == 1


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("127.0.0.1:1", "Nothing listens at 127.0.0.1:1"),
        ("[::1]:1", "[::1]:1"),
        ("no.such.host.invalid", "There is no host named 'no.such.host.invalid'"),
    ],
)
def test_a_server_that_is_not_there_is_told_before_any_screen(
    tmp_path: Path, address: str, text: str
) -> None:
    code, printed = run("connect", address, path=tmp_path, on_terminal=True)
    assert code == 1
    assert printed.replace("\r", "").count("\n") == 1
    assert text in printed


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_place_text_is_told(tmp_path: Path, term: str) -> None:
    code, printed = run("play", path=tmp_path, on_terminal=True, TERM=term)
    assert code == 1
    assert "cannot show screens" in printed


def test_serve_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "find_spec", lambda name: None)
    result = CliRunner().invoke(command, ["serve"])
    assert result.exit_code == 1
    line = line_for("serve")
    assert result.output == (f"Error: serve needs aiohttp, which is not installed. To install it: {line}\n")


@pytest.mark.parametrize(
    "name", [None, "play", "hotseat", "championship", "connect", "host", "replay", "serve"]
)
def test_help(name: str | None) -> None:
    result = CliRunner().invoke(command, [name, "--help"] if name else ["-h"])
    assert result.exit_code == 0
    assert "Usage:" in result.output


def test_version() -> None:
    result = CliRunner().invoke(command, ["--version"])
    assert result.output.startswith("heat-tui ")


@pytest.mark.parametrize("module", ["heat_tui.__main__", "heat_tui.plain.home", "heat_tui.plain.setting_up"])
def test_no_screen_is_imported_for_lines_of_text(module: str) -> None:
    code = f"import sys, {module}; sys.exit('textual' in sys.modules or 'trio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("module", ["heat_tui.__main__", "heat_tui.app", "heat_tui.plain.home"])
def test_up_to_home_no_bot_is_imported_nor_the_planner_it_thinks_with(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert module in loaded
    assert not {"heat_core.bots", "heat_core.planner"} & {*loaded}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("words", [("--help",), ("--version",), ("play", "--help"), ("host", "-h")])
def test_an_output_that_cannot_be_written_is_told_in_one_line(words: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "heat_tui", *words], stdout=full, stderr=subprocess.PIPE, timeout=60
        )
    assert (done.returncode, done.stderr) == (1, b"heat-tui: No space left on device\n")


def test_a_reader_that_has_gone_is_no_fault_to_tell() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "heat_tui", "--help"], stdout=writing, stderr=subprocess.PIPE, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_warning_before_the_screens_breaks_between_words_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f"Saved at an earlier visit: {'it was another server then, ' * 4}https://example.org/{'a-b' * 30}"
    warn_before_screens(line)
    assert capsys.readouterr().err == f"{line}\n"
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    warn_before_screens(line)
    lines = capsys.readouterr().err.splitlines()
    assert " ".join(lines) == line
    assert all(len(part) <= 40 for part in lines[:-1])
