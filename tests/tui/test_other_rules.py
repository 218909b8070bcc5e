"""Championships of release 0.1, by version 1 of the rules: continued between two races, else closed."""

from __future__ import annotations

from pathlib import Path
from shutil import copy

import pytest

from heat_core.race.rules_version import RULES_VERSION
from heat_core.record.record import verify_record
from heat_core.simulation import play_out
from heat_tui.saved.championship import Championship
from heat_tui.saved.continuing import saved_games
from tests.tui.support_app import folders_in

KEPT = Path(__file__).parents[1] / "kept" / "0.1"


def found(path: Path, name: str) -> tuple[list[Championship], list[str]]:
    """Say what can be continued where a file of release 0.1 lies, and what is said of it."""
    folder = path / "state" / "championships"
    folder.mkdir(parents=True)
    copy(KEPT / name, folder)
    said: list[str] = []
    games = [game for game in saved_games(folders_in(path), said.append) if isinstance(game, Championship)]
    return games, said


@pytest.mark.spec("CORE-17")
def test_a_championship_between_two_races_continues_by_the_new_rules(tmp_path: Path) -> None:
    (game,), said = found(tmp_path, "between.season")
    assert not said
    before = game.view()
    assert (before.race, len(before.races[0].results)) == (2, 3)
    while not game.season.is_over:
        table = game.race()
        assert table.setup.rules_version == RULES_VERSION
        for seat in table.drivers:
            table.set_driver(seat, "steady")
        play_out(table)
        game.settle()
    assert game.view().races[0].results == before.races[0].results
    first, *others = game.records()
    assert first.setup.rules_version == 1, "it was raced by the old ones, and its record says so"
    for record in others:
        verify_record(record)
    game.close()
    (again,) = saved_games(folders_in(tmp_path), said.append)
    assert isinstance(again, Championship)
    assert again.records()[0].setup.rules_version == 1
    again.close()


@pytest.mark.spec("CORE-17")
def test_a_championship_in_a_race_by_the_old_rules_is_closed_with_the_reason(tmp_path: Path) -> None:
    games, (said,) = found(tmp_path, "mid-race.season")
    assert not games
    assert said.startswith(
        "A saved championship cannot be continued: the race was begun by version 1 of the rules, in which "
        f"all played cards turned up before the first car moved; this program plays version {RULES_VERSION}. "
    )
    (kept,) = (tmp_path / "state" / "championships").iterdir()
    assert kept.suffix != ".season", "it is set aside, not deleted"
