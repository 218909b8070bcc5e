"""The simulation on little: what must hold of it whatever its figures are."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import fields
from pathlib import Path
from random import Random

import msgspec
import pytest

from heat_server.store.contract import RENEW_SECONDS
from heat_server.store.postgres.leases import LEASE_SECONDS
from heat_tui.client.backoff import LONGEST_PAUSE_SECONDS
from tests.scale.document import DOCS
from tests.scale.simulation import scenarios as s
from tests.scale.simulation.document import SECTION
from tests.scale.simulation.page import section
from tests.scale.simulation.parameters import (
    FAIR_SHARES,
    FIRST_TAKES_ALL,
    UNMENDED,
    Costs,
    People,
    Plan,
    table,
)
from tests.scale.simulation.pictures import pictures
from tests.scale.simulation.queueing import Cores
from tests.scale.simulation.scenarios import Outcome, Scenario, simulate
from tests.scale.simulation.study import (
    RUNS,
    SIZES,
    Result,
    Run,
    Size,
    Study,
    result_of,
    steady_of,
    study,
    times,
)
from tests.scale.simulation.validation import CASES, Modelled, model
from tests.scale.simulation.world import World

FEW: People = People(rooms=600, racing=0.2, drivers=3)
SERVERS = 6


def outcome_of(scenario: Scenario, plan: Plan = FAIR_SHARES, seed: int = 1) -> Outcome:
    return simulate(scenario, World(plan, FEW, SERVERS, seed))


SHORT: tuple[Scenario, ...] = (
    Scenario("killed", s.dies(), 30),
    Scenario("two killed", s.dies(2), 30),
    Scenario("vanished", s.dies(in_silence=True), 60),
    Scenario("stopped", s.stops(), 10),
    Scenario("all restart", s.restart(), 60),
    Scenario("all are drained", s.restart(drained=True), 120),
    Scenario("database away", s.database_restarts(5), 30),
    Scenario("database slow", s.database_is_slow(10, 10), 30),
)


@pytest.mark.parametrize("plan", [FAIR_SHARES, FIRST_TAKES_ALL, UNMENDED], ids=lambda plan: plan.name)
@pytest.mark.parametrize("scenario", SHORT, ids=lambda scenario: scenario.name)
def test_whatever_happens_each_room_has_a_server_again_and_all_people_their_room(
    scenario: Scenario, plan: Plan
) -> None:
    world = World(plan, FEW, SERVERS, 1)
    outcome = simulate(scenario, world)
    assert (outcome.missing, outcome.ownerless) == (0, 0)
    owned = world.database.owned
    assert sum(map(len, owned.values())) == FEW.rooms
    for room, clients in world.people_of.items():
        assert room.owner is not None
        assert room in owned[room.owner].racing
        assert {client.server for client in clients} == {room.owner}, "all people of a room are where it is"


def test_the_same_seed_gives_the_same_and_another_one_something_else() -> None:
    first, again, other = (outcome_of(SHORT[0], seed=seed) for seed in (7, 7, 8))
    assert first == again
    assert first.people != other.people


def test_rooms_of_a_killed_server_wait_for_its_lease_and_no_longer_than_a_round() -> None:
    outcome = outcome_of(SHORT[0])
    assert len(outcome.rooms) == FEW.rooms * FEW.racing / SERVERS
    assert min(outcome.rooms) > LEASE_SECONDS - RENEW_SECONDS - 0.1
    assert max(outcome.rooms) < LEASE_SECONDS + RENEW_SECONDS + 0.5
    assert max(outcome.people) < 10, "FLEET-4"


def test_people_of_a_stopped_or_drained_server_are_back_within_a_second() -> None:
    stopped, drained = outcome_of(SHORT[3]), outcome_of(SHORT[5])
    assert max(stopped.people) < 1
    assert max(drained.people) < 1


def test_shares_leave_no_server_with_much_more_than_the_others() -> None:
    """The first that looks has the dead server's rooms beside its own; with shares each has a fifth more."""
    fair, first = (outcome_of(SHORT[0], plan) for plan in (FAIR_SHARES, FIRST_TAKES_ALL))
    assert fair.most_rooms < 1.5
    assert first.most_rooms == pytest.approx(2, abs=0.05)


def test_nothing_is_taken_over_and_nobody_leaves_while_the_database_restarts_or_is_slow() -> None:
    for scenario in SHORT[6:]:
        outcome = outcome_of(scenario)
        assert (outcome.rooms, outcome.people) == ([], [])
        assert "claim" not in outcome.statements
        assert max(moment.answer for moment in outcome.moments) < LONGEST_PAUSE_SECONDS


def test_rounds_grow_with_the_servers_and_the_database_with_the_commands() -> None:
    small, large, wide = (
        steady_of(Size(servers, rooms, FAIR_SHARES.name))
        for servers, rooms in ((5, 1_000), (5, 4_000), (10, 1_000))
    )
    assert small.rounds == pytest.approx(large.rounds, rel=0.05)
    assert wide.rounds == pytest.approx(2 * small.rounds, rel=0.05)
    assert large.database > 2 * small.database
    assert large.commands == pytest.approx(4 * small.commands, rel=0.05)
    assert small.late_renewals == 0


def test_what_comes_in_beyond_what_cores_can_do_waits() -> None:
    cores = Cores(2, Random(1))
    cores.set_rate(1.0, 0.0)
    assert cores.wait(100.0) == 0.0
    cores.set_rate(4.0, 100.0)
    assert cores.wait(101.0) == pytest.approx(1.0)
    assert cores.take(0.5, 101.0) > 1.5
    assert cores.wait(101.0) == pytest.approx(1.25), "it is there for all who come after it"
    cores.slowness = 10.0
    assert cores.mean(0.1, 101.0) > 2.25


def test_all_figures_are_in_the_table_with_their_source() -> None:
    rows = table(Costs(), People())
    nothing = [entry.name for entry in fields(Costs) if not getattr(Costs(), entry.name)]
    assert len(rows) == 2 + len(fields(Costs)) + len(fields(People)) - len(nothing)
    assert all(row.source for row in rows)


def test_times_are_summed_up() -> None:
    assert times([3.0, 1.0, 2.0]) == times([1.0, 2.0, 3.0])
    assert times([float(number) for number in range(1000)])[1:] == (500.0, 990.0, 999.0)


def drawn_study() -> Study:
    """Make a whole study of few rooms: each scenario once."""
    runs = {(run.scenario, run.plan): Run(run.scenario, run.plan, 1, 12.0) for run in RUNS}
    results: list[Result] = [result_of(run, SERVERS, FEW) for run in runs.values()]
    small = steady_of(Size(SERVERS, FEW.rooms, FAIR_SHARES.name))
    steady = [msgspec.structs.replace(small, size=size) for size in SIZES]
    modelled: list[Modelled] = [model(CASES[0])]
    return Study(results, steady, modelled)


def test_page_and_pictures_show_every_scenario(tmp_path: Path) -> None:
    simulated = drawn_study()
    text = section(simulated)
    assert all(f"| {scenario.name}" in text for scenario in s.SCENARIOS)
    assert max(len(line) for line in text.splitlines() if not line.startswith("|")) <= 120
    drawn = dict(pictures(simulated))
    assert all(f"pictures/{name}" in text for name in drawn)
    for picture in drawn.values():
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    (tmp_path / "scale.md").write_text((DOCS / "scale.md").read_text(encoding="utf-8"), encoding="utf-8")
    SECTION.write(tmp_path, text, pictures(simulated))
    assert SECTION.text_in(tmp_path) == text
    assert (tmp_path / "scale.md").read_text(encoding="utf-8").startswith("# How far a fleet goes")


def test_a_study_by_several_processes_has_the_small_fleets_about_as_they_were_measured() -> None:
    """Within a factor of the range of the model's runs, as one real run may be any of them.

    All of a stop is over in a second, so what the model leaves out counts for more there.
    """
    done: list[int] = []
    simulated = study(done.append, runs=(), sizes=(Size(2, 200, FAIR_SHARES.name),), jobs=2)
    assert [len(simulated.results), len(simulated.steady)] == [0, 1]
    assert [modelled.case for modelled in simulated.modelled] == [*CASES]
    assert done == list(range(1, len(CASES) + 2))
    assert len(CASES) > 4, "that of tests/e2e and those of tests/scale/figures.json"
    assert CASES[-1].end == "stopped"
    for modelled in (*simulated.modelled[:3], simulated.modelled[-1]):
        case, factor = modelled.case, {"killed": 1.5, "stopped": 2.0}[modelled.case.end]
        assert modelled.half_back[0] / factor < case.half_back < modelled.half_back[2] * factor
        assert modelled.back[0] / factor < case.back < modelled.back[2] * factor


def test_the_documentation_holds_what_these_figures_gave() -> None:
    """Whoever changes a figure runs `make scale`: the table of the page is that of the code."""
    page = SECTION.text_in(DOCS)
    for row in table(Costs(), People()):
        assert f"| {row.what} " in page
        assert f" {row.value} |" in page
