"""Words of plain mode that are understood wherever one is, and answers to what was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_tui.state import load_settings
from tests.tui.support_app import server_process
from tests.tui.support_plain import Program, folders_of_program, program


def answered(run: Program, line: str) -> str:
    """Type a line; gives what is said up to the next prompt."""
    before = len(run.text)
    run.type(line)
    assert run.prompt() is not None
    return run.text[before:]


def test_hints_are_turned_on_and_off_at_any_question(tmp_path: Path) -> None:
    with program(tmp_path) as run:
        assert run.prompt()
        assert "Hints are off." in answered(run, "hints off")
        assert not load_settings(folders_of_program(tmp_path)).hints
        assert "For example:" in answered(run, "n"), "the setting up of a race"
        assert "Hints are on: the next race explains each phase." in answered(run, "Hints on")
        assert load_settings(folders_of_program(tmp_path)).hints
        answered(run, "leave")
        for line in ("s", "hints off", "hints on", ""):
            answered(run, line)
        assert load_settings(folders_of_program(tmp_path)).hints


def test_hints_are_turned_on_and_off_in_a_race(tmp_path: Path) -> None:
    with program(tmp_path, "play", "--laps", "1") as run:
        assert run.prompt()
        for _ in range(2):
            answer = answered(run, "hints off")
            assert "Hints are off" in answer
            assert "Gear: " not in answer
            answer = answered(run, "hints on")
            assert "Hints are on: each new thing is explained when it first happens." in answer
            assert "Gear: " in answer
        assert "Choose gear" in run.text
        assert "Leave the race?" in answered(run, "leave")
        assert "Hints are on" in answered(run, "hints on"), "at a yes or no question too"


@pytest.mark.parametrize("typed", ["", "Zoe"])
def test_whoever_connects_is_asked_for_a_name_before_others_see_that_of_the_login(
    tmp_path: Path, typed: str
) -> None:
    with server_process() as address:
        with program(tmp_path, "connect", str(address), LOGNAME="secretlogin") as run:
            prompt = run.prompt()
            assert prompt is not None
            assert "Type the name that others will see; Enter takes secretlogin." in run.text
            answered(run, typed)
            said = answered(run, "new")
            assert f"1: {typed or 'secretlogin'}, red, host" in said
            assert load_settings(folders_of_program(tmp_path)).name == typed
        with program(tmp_path / "other", "connect", str(address), "--name", "Ana") as run:
            assert "code to join" in (run.prompt() or "")
            assert "secretlogin" not in run.text or typed == ""


def test_a_setting_is_answered_whether_or_not_it_changes_anything(tmp_path: Path) -> None:
    with server_process() as address, program(tmp_path, "connect", str(address), "--name", "Ana") as run:
        assert run.prompt()
        answered(run, "new")
        assert "Set: laps 1." in answered(run, "set laps 1")
        for line in ("set laps 1", "SET laps 1", "open", "not ready"):
            assert "Nothing changed" in answered(run, line), line
        assert "Set: grace 30." in answered(run, "set grace 30"), "which the list of settings does not hold"
        answered(run, "set season 1961")
        assert "Set: laps 2." in answered(run, "set laps 2")
