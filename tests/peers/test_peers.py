"""The contest by which `make peers` compares engines, held by this engine alone."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from heat_core.compiled import is_compiled
from heat_core.version import program_version
from tests.peers.__main__ import main
from tests.peers.builds import ROOT, source_home
from tests.peers.contest import Entry, hold
from tests.peers.roster import HEAT, Contestant


def test_every_way_to_play_this_engine_has_its_row_for_each_build() -> None:
    result = CliRunner().invoke(main, ["--quick", "--only-heat"])
    assert result.exit_code == 0, result.output
    rows = [line for line in result.output.splitlines() if program_version() in line]
    builds = ["plain", "compiled"] if is_compiled() else ["plain"]
    assert len(rows) == len(HEAT) * len(builds)
    for contestant in HEAT:
        for build in builds:
            assert any(contestant.name in row and build in row for row in rows)


def test_entries_are_compared_with_the_first_of_the_same_round() -> None:
    entries = [Entry(contestant, "", ROOT) for contestant in HEAT[:2]]
    turns: list[int] = []
    first, second = hold(entries, 2, 0.01, turns.append)
    assert turns == [1, 2, 3, 4]
    assert first.ratios == [1.0, 1.0]
    assert second.ratios == [own / other for own, other in zip(second.rates, first.rates, strict=True)]
    assert second.rate > 0


def test_a_contestant_that_does_not_play_ends_the_contest() -> None:
    with pytest.raises(RuntimeError, match="does not play"):
        hold([Entry(Contestant("nobody", "play_heat", "no_such_way", ""), "", ROOT)], 1, 0.01)


def test_the_engine_runs_from_its_source_beside_a_compiled_one() -> None:
    with source_home() as home:
        assert not is_compiled(str(home / "heat_core"))
        assert (home / "heat_core" / "tracks" / "usa.json").is_file()
