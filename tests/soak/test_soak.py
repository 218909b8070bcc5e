"""The soak itself: its races are of all kinds and the same each time, and a fault is told, not lost."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import product
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from heat_core.data.event_cards import EVENTS
from heat_core.files import track_names
from heat_core.game_files import read_record
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import BASE_GAME, GARAGES, Modules
from heat_core.record.record import verify_record
from tests.soak import races
from tests.soak.__main__ import main
from tests.soak.picture import picture
from tests.soak.races import Outcome, Plan, check, drive, plan_race, run_race
from tests.soak.report import as_text, bar, report
from tests.soak.tally import KINDS, kind_of, quantile, tally

SHORT = Plan(7, "italy", "standard", 1, ("steady", "random", "legend:hard"), "short", None, 0)


def test_the_races_are_of_all_kinds_and_the_same_each_time() -> None:
    plans = [plan_race("x", number) for number in range(1000)]
    assert plans == [plan_race("x", number) for number in range(1000)]
    assert plans != [plan_race("y", number) for number in range(1000)]
    assert {(plan.track, plan.preset) for plan in plans} == {(t, p) for t in track_names() for p in PRESETS}
    seats = Counter(sum(not driver.startswith("legend") for driver in plan.drivers) for plan in plans)
    assert set(seats) == {1, 2, 3, 4, 5, 6, 8}
    assert {kind_of(driver) for plan in plans for driver in plan.drivers} == set(KINDS)
    assert all(2 <= len(plan.drivers) <= 8 for plan in plans)
    assert {plan.laps for plan in plans} == {1, 2, 3}
    assert any(plan.quitter is not None for plan in plans)
    assert 400 < sum(plan.modules == BASE_GAME for plan in plans) < 600
    assert {plan.modules.garage for plan in plans} == set(GARAGES)
    assert {plan.modules.event for plan in plans} == {None, *EVENTS}
    assert {(plan.modules.weather, plan.modules.sponsorships) for plan in plans} == set(
        product((False, True), repeat=2)
    )


@pytest.mark.parametrize("preset", list(PRESETS))
def test_races_of_eight_cars_and_of_all_modules_hold(preset: PresetName) -> None:
    """With each event once; and all that modules bring or take is counted as it comes and goes."""
    eight = msgspec.structs.replace(SHORT, preset=preset, drivers=("steady",) * 7 + ("legend:easy",))
    assert run_race(eight).fault is None
    seen = Counter[str]()
    for number, event in enumerate(EVENTS):
        modules = Modules("mixed", expansion=True, weather=True, sponsorships=True, event=event)
        plan = msgspec.structs.replace(SHORT, preset=preset, modules=modules, seed=f"{event}/{number}")
        table, _ = drive(plan)
        check(plan, table)
        seen.update(type(event).__name__ for event in table.log)
    assert {"SponsorshipGained", "SponsorshipsSpent", "HeatLost", "SpunOut"} <= set(seen)


def test_a_race_that_somebody_leaves_holds_and_is_counted() -> None:
    left = msgspec.structs.replace(SHORT, quitter=0, quits_after=5)
    outcomes = [run_race(left), run_race(SHORT)]
    assert [outcome.fault for outcome in outcomes] == [None, None]
    total = tally("x", outcomes)
    assert total.kinds["steady"].gave_up == 1
    assert total.kinds["random"].places.total() == total.kinds["Legend, hard"].cars == 2
    assert sum(kind.places[1] for kind in total.kinds.values()) == 2
    assert total.rounds_of(track="italy", preset="standard", laps=1).total() == total.races == 2
    assert total.with_modules == 0
    assert total.rounds_of(track="usa").total() == 0
    assert tally("x", outcomes[::-1]).kinds == total.kinds


@pytest.mark.parametrize("damage", ["dropped", "card", "standings"])
def test_a_damaged_log_does_not_hold(damage: str) -> None:
    table, _ = drive(SHORT)
    log = table.log
    match damage:
        case "dropped":
            del log[-2]
        case "card":
            at = next(n for n, event in enumerate(log) if isinstance(event, e.CardsDrawn) and event.cards)
            log[at] = e.CardsDrawn(0, ("4",) * 7, 7)
        case _:
            end = log[-1]
            assert isinstance(end, e.RaceEnded)
            log[-1] = e.RaceEnded(end.reason, end.standings[::-1], end.seed)
    with pytest.raises((AssertionError, ValueError)):
        check(SHORT, table)


def test_a_fault_is_told_with_the_race_to_drive_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(races, "MOST_ROUNDS", 0)
    monkeypatch.setattr(races, "ROUNDS_LOOKED_AT_EVERY", 1)
    words = ["--races", "2", "--seed", "f", "--jobs", "1", "--folder", str(tmp_path)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "EndlessRace: no end after 0 rounds" in done.stderr
    assert "2 races did not hold: 0, 1" in done.stderr
    assert "again: python -m tests.soak --seed f --only 0" in done.stderr
    assert "0 of 2 races held" in (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert CliRunner().invoke(main, [*words, "--only", "0"]).exit_code == 1


def test_a_small_soak_on_two_processes_writes_report_and_picture(tmp_path: Path) -> None:
    """On one process and on two the same figures come out."""
    reports = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        words = ["--races", "6", "--seed", "s", "--jobs", jobs, "--folder", str(folder)]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
        reports.append((folder / "report.txt").read_text(encoding="utf-8").split("\n", 1)[1])
        assert ElementTree.parse(folder / "soak.svg").getroot().tag.endswith("svg")
    assert reports[0] == reports[1]
    assert all(word in reports[0] for word in ("Rounds of a race", "Places", "Spin-outs", "steady", "█"))
    done = CliRunner().invoke(main, ["--seed", "s", "--only", "3", "--folder", str(tmp_path)])
    assert done.exit_code == 0
    assert verify_record(read_record(tmp_path / "race-3.jsonl")).status == "ended"


def test_figures_of_nothing_and_of_one_race_can_be_told() -> None:
    fault = Outcome(SHORT, fault="it broke")
    assert "0 of 1 races held" in as_text(report(tally("x", [fault]), 1))
    one = tally("x", [run_race(SHORT)])
    lines = as_text(report(one, 1)).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "…" not in "".join(lines)
    assert picture(one).count("<rect") > 10


def test_words() -> None:
    assert [quantile(Counter({3: 1, 5: 8, 9: 1}), share) for share in (0, 0.5, 0.9, 1)] == [3, 5, 5, 9]
    assert quantile(Counter(), 0.5) == 0
    assert [bar(share, 2) for share in (0, 0.5, 0.75, 1)] == ["", "█", "█▌", "██"]
