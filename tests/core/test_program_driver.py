"""Bots that are programs of their own: they race over a pipe, and lose by defaults what they do wrong."""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from heat_core.__main__ import main
from heat_core.cli.program_driver import open_program
from heat_core.files import load_track
from heat_core.race.presets import PRESETS
from heat_core.race.setup import Modules
from heat_core.simulation import drive_out, make_table
from heat_core.table import Table

MODULES = Modules("mixed", expansion=True, weather=True)
BOT = Path(__file__).parent / "pipe_bot.py"


def raced(
    *words: str, seconds: float = 20, seed: str = "pipe", modules: Modules = MODULES
) -> tuple[Table, str | None]:
    """Race a program in seat 0 against a steady bot."""
    track = load_track("italy")
    table = make_table(track, 1, ["program", "steady"], PRESETS["standard"], seed, modules, ["program"])
    with open_program([sys.executable, str(BOT), *words], seconds) as driver:
        drive_out(table, {0: driver})
    return table, driver.fault


def by_defaults(seed: str = "pipe", modules: Modules = MODULES) -> Table:
    """The same race with nothing but defaults in seat 0."""
    track = load_track("italy")
    table = make_table(track, 1, ["program", "steady"], PRESETS["standard"], seed, modules, ["program"])
    drive_out(table, {0: lambda table, asked: table.play_default(asked.seat)})
    return table


@pytest.mark.parametrize("number", range(3))
def test_a_program_drives_a_race_with_all_modules(number: int) -> None:
    """It asks for the legal commands, and answers with the default: the log is that of defaults."""
    table, fault = raced("default", seed=f"pipe/{number}")
    assert fault is None
    assert table.is_over
    assert table.log == by_defaults(f"pipe/{number}").log


def test_a_program_may_ask_for_whatever_helps_a_driver(tmp_path: Path) -> None:
    said = tmp_path / "said"
    _, fault = raced("curious", str(said))
    assert fault is None
    types = said.read_text(encoding="utf-8").split()
    assert types[:2] == ["welcome", "started"]
    assert {"update", "legal", "catalogue", "pong", "error", "ok"} <= set(types)
    assert types[-2:] == ["update", "bye"], "it sees the end of the race"


@pytest.mark.parametrize(
    ("what", "fault"),
    [
        ("silent", "no answer in 0.5 s"),
        ("deaf", "no answer in 0.5 s"),
        ("floods", "no answer in 0.5 s"),
        ("dies", "it ended"),
        ("closes", "it ended"),
        ("babbles", "A frame says that it has"),
        ("illegal", "must"),
        ("late", "Decision 999 is not, or no longer, open for you."),
        ("old", "it speaks protocol 1, not"),
        ("rude", "its first message was not hello"),
    ],
)
def test_what_a_program_does_wrong_ends_it_and_defaults_drive_on(what: str, fault: str) -> None:
    """After some right answers, which stay as they are."""
    began = time.monotonic()
    table, found = raced(what, seconds=0.5 if "0.5" in fault else 20)
    assert found is not None
    assert fault in found
    assert table.is_over
    assert table.log == by_defaults().log, "its right answers were the defaults, too"
    assert time.monotonic() - began < 15


def test_a_program_that_does_not_end_by_itself_is_ended() -> None:
    began = time.monotonic()
    _, fault = raced("stays")
    assert fault is None
    assert time.monotonic() - began < 15


def test_what_a_program_has_started_ends_with_the_race(tmp_path: Path) -> None:
    """A pipe ends once the last process that holds it open is gone."""
    held = tmp_path / "held"
    os.mkfifo(held)
    with open(os.open(held, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
        _, fault = raced("leaves a child", str(held))
        assert fault is None
        assert pipe.read(65_536)
        assert select.select([pipe], [], [], 10)[0], "a child still holds it"
        assert pipe.read(65_536) == b""


def run(*words: str) -> Result:
    small = ("--bots", "random", "--boards", "italy", "--laps", "1", "--seed", "t", "--jobs", "1")
    return CliRunner().invoke(main, ["tournament", *small, *words])


def test_a_program_races_in_a_tournament() -> None:
    seat = f"cmd:{sys.executable} {BOT} default"
    done = run("--seat", seat, "--fields", "2", "--duels", "2")
    assert done.exit_code == 0, done.output
    assert "driven by defaults" not in done.stdout
    assert seat in done.stdout


def test_a_tournament_says_what_programs_did_wrong() -> None:
    seat = f"cmd:{sys.executable} {BOT} illegal"
    done = run("--seat", seat, "--fields", "0", "--duels", "2")
    assert done.exit_code == 0, done.output
    assert f"{seat} was driven by defaults in 2 races; in one on italy, deal 0: " in done.stdout


@pytest.mark.parametrize(
    ("seat", "reason"),
    [
        ("cmd:./no-such-program", "there is no program './no-such-program'"),
        ("cmd:", "there is no program ''"),
        ("cmd:'open", "cannot be read: No closing quotation"),
        ("steady", "a seat is FILE.py:FUNCTION or cmd:PROGRAM, not 'steady'"),
    ],
)
def test_a_seat_that_is_none_is_refused(seat: str, reason: str) -> None:
    refused = run("--seat", seat)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert reason in refused.stderr
