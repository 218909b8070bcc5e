"""The statistics are the same for the same seed, and count what the races have."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from heat_core import charts
from tests.game_statistics.__main__ import main
from tests.game_statistics.races import BOARDS, CARS, Heading, Kind, Outcome, Task, run_race
from tests.game_statistics.tally import tally

WORDS = ("--races", "steady=9", "--garage-races", "steady=2", "--races", "random=1", "--seed", "s")


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(main, [*WORDS, *words, "--folder", str(folder), "--docs", str(folder)])


def raced(kind: Kind, number: int) -> Outcome:
    return run_race(Task(Heading("any", "s", "steady", kind), number))


def test_the_page_is_the_same_for_the_same_seed_whatever_runs_it(tmp_path: Path) -> None:
    pages = []
    for jobs, words in (("1", ["--races", "steady=3"]), ("2", [])):
        folder = tmp_path / jobs
        for more in (words, []):  # the first begins one file, which is continued
            done = run(folder, "--jobs", jobs, *more)
            assert done.exit_code == 0, done.output
        pages.append((folder / "statistics.md").read_text(encoding="utf-8"))
        links = {path.name for path in (folder / "pictures").iterdir()}
        assert len(links) == 5 + 4 + 1
        for path in (folder / "pictures").iterdir():
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
            assert f"(pictures/{path.name})" in pages[-1]
    assert without_hours(pages[0]) == without_hours(pages[1])
    assert "| steady | 9 races | 2 races |" in pages[0]
    assert all(f"| {board} | 1 |" in pages[0] for board in BOARDS)


def without_hours(page: str) -> list[str]:
    return [line for line in page.splitlines() if " races |" not in line]


def test_results_of_another_seed_are_refused(tmp_path: Path) -> None:
    assert run(tmp_path, "--jobs", "1").exit_code == 0
    refused = run(tmp_path, "--jobs", "1", "--seed", "u")
    assert refused.exit_code == 1
    assert 'seed is "s" there and "u" here' in refused.stderr


@pytest.mark.parametrize("words", [("--races", "schumacher=1"), ("--races", "steady=many")])
def test_wrong_use_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    refused = CliRunner().invoke(main, [*words, "--folder", str(tmp_path)])
    assert refused.exit_code == 2


def test_a_tally_counts_each_car_of_each_race_once() -> None:
    outcomes = [raced("garage", number) for number in range(3)]
    total = tally(outcomes)
    assert total.races == 3
    assert [counts.total() for counts in (*total.gaps, *total.places)] == [3] * 2 * CARS
    assert all(sum(counts[place] for counts in total.places) == 3 for place in range(1, CARS + 1))
    assert total.gaps[0] == {0: 3}
    assert sum(counts.total() for counts in total.upgrades.values()) == 3 * CARS * 3
    for outcome in outcomes:
        assert list(outcome.gaps) == sorted(outcome.gaps)
        assert sorted(outcome.grid) == sorted(outcome.order) == list(range(CARS))


@pytest.mark.parametrize(
    ("low", "high", "scale"),
    [(0, 97, (0, 25)), (3, 4, (3, 0.25)), (-0.6, 0.8, (-1, 0.5)), (-870, 530, (-1000, 500)), (7, 7, (7, 1))],
)
def test_a_scale_is_round_and_holds_its_values(low: float, high: float, scale: tuple[float, float]) -> None:
    assert charts._scale(low, high) == scale
