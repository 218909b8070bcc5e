"""What docs/scale.md is made of: which simulations are made, on all cores, and what is kept of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

import msgspec

from tests.scale.simulation import scenarios as s
from tests.scale.simulation.parameters import FAIR_SHARES, FIRST_TAKES_ALL, UNMENDED, People
from tests.scale.simulation.scenarios import Outcome, Scenario, simulate
from tests.scale.simulation.validation import CASES, Case, Modelled, model
from tests.scale.simulation.world import Moment, World

SERVERS: Final = 50

PLANS: Final = {plan.name: plan for plan in (UNMENDED, FIRST_TAKES_ALL, FAIR_SHARES)}
BY_NAME: Final = {scenario.name: scenario for scenario in s.SCENARIOS}


class Run(msgspec.Struct, frozen=True):
    """One simulation to be made.

    Attributes:
        scenario: Its name.
        plan: Its name.
        seed: Of chance.
        seconds: How long is looked at; 0: as long as the scenario says.
    """

    scenario: str
    plan: str
    seed: int
    seconds: float = 0.0


class Times(NamedTuple):
    """How long something took that happened often, in seconds; median, 99 of 100, the last."""

    number: int
    median: float
    slow: float
    last: float


class Result(msgspec.Struct, frozen=True):
    """What a run showed; see `Outcome`.

    Attributes:
        moments: One for each second.
        answer: The longest time of an answer.
        database: The most that the database's cores had to do, as a share of what they can.
        processor: The same of the busiest server.
        hellos: The most in a second at one server.
    """

    run: Run
    rooms: Times
    people: Times
    missing: int
    ownerless: int
    late_renewals: int
    answer: float
    database: float
    processor: float
    hellos: float
    most_rooms: float
    statements: dict[str, int]
    moments: list[Moment]


class Size(msgspec.Struct, frozen=True):
    """A fleet at rest."""

    servers: int
    rooms: int
    plan: str


class Steady(msgspec.Struct, frozen=True):
    """What a fleet at rest does.

    Attributes:
        commands: A second.
        commits: A second.
        rounds: Statements of the servers' rounds a second.
        database: Share of the database's cores that work.
        processor: Share of its processor that a server needs.
        answer: Seconds until a command is answered.
        late_renewals: Renewals that came too late.
    """

    size: Size
    commands: float
    commits: float
    rounds: float
    database: float
    processor: float
    answer: float
    late_renewals: int


class Study(msgspec.Struct, frozen=True):
    """All that was simulated."""

    results: list[Result]
    steady: list[Steady]
    modelled: list[Modelled]


def _runs() -> list[Run]:
    fair, first, before = FAIR_SHARES.name, FIRST_TAKES_ALL.name, UNMENDED.name
    runs = [Run(s.ONE_DIES.name, before, 1, 30)]
    for scenario, plan, seeds in (
        (s.ROLLING, fair, 1),
        (s.ALL_RESTART, fair, 1),
        (s.DRAINED, fair, 1),
        (s.TEN_DIE, fair, 1),
        (s.TEN_DIE, first, 1),
        (s.TEN_VANISH, fair, 2),
        (s.ONE_DIES, fair, 3),
        (s.ONE_DIES, first, 3),
        (s.RESTART, fair, 3),
        (s.SLOW, fair, 3),
    ):
        runs += [Run(scenario.name, plan, seed) for seed in range(1, seeds + 1)]
    return runs


RUNS: Final[Sequence[Run]] = tuple(_runs())
SIZES: Final[Sequence[Size]] = tuple(
    Size(servers, rooms, FAIR_SHARES.name)
    for servers in (10, 20, 50, 100)
    for rooms in (10_000, 30_000, 100_000, 200_000, 300_000)
) + tuple(Size(SERVERS, rooms, UNMENDED.name) for rooms in (10_000, 30_000, 100_000))

Task = Run | Size | Case


def study(
    tell: Callable[[int], None],
    runs: Sequence[Run] = RUNS,
    sizes: Sequence[Size] = SIZES,
    jobs: int | None = None,
) -> Study:
    """Simulate all of it, in as many processes as there are cores.

    Args:
        tell: Called with how many simulations are done.
        runs: What happens to the fleet.
        sizes: How large it is at rest.
        jobs: How many processes; None: one for each core.
    """
    tasks: list[Task] = [*runs, *sizes, *CASES]
    done: list[Result | Steady | Modelled] = []
    with ProcessPoolExecutor(jobs) as pool:
        for result in pool.map(_do, tasks):
            done.append(result)
            tell(len(done))
    return Study(
        [one for one in done if isinstance(one, Result)],
        [one for one in done if isinstance(one, Steady)],
        [one for one in done if isinstance(one, Modelled)],
    )


def _do(task: Task) -> Result | Steady | Modelled:
    match task:
        case Run():
            return result_of(task, SERVERS, People())
        case Size():
            return steady_of(task)
        case Case():
            return model(task)


def result_of(run: Run, servers: int, people: People) -> Result:
    """Make a run."""
    scenario = BY_NAME[run.scenario]
    if run.seconds:
        scenario = scenario._replace(seconds=run.seconds)
    outcome = simulate(scenario, World(PLANS[run.plan], people, servers, run.seed))
    moments = outcome.moments
    return Result(
        run,
        times(outcome.rooms),
        times(outcome.people),
        outcome.missing,
        outcome.ownerless,
        outcome.late_renewals,
        max(moment.answer for moment in moments),
        max(moment.database for moment in moments),
        max(moment.processor for moment in moments),
        max(moment.hellos for moment in moments),
        outcome.most_rooms,
        outcome.statements,
        list(_by_second(moments)),
    )


def steady_of(size: Size) -> Steady:
    """Look at a fleet at rest."""
    scenario = Scenario("nothing", s.nothing, 20)
    world = World(PLANS[size.plan], People(rooms=size.rooms), size.servers, 1)
    outcome: Outcome = simulate(scenario, world)
    half = outcome.moments[len(outcome.moments) // 2 :]
    answer = _mean(moment.answer for moment in half)
    return Steady(
        size,
        _mean(moment.commands for moment in half),
        _mean(moment.commits for moment in half),
        sum(outcome.statements.values()) / scenario.seconds,
        _mean(moment.database for moment in half),
        _mean(moment.processor for moment in half),
        answer,
        outcome.late_renewals,
    )


def times(seconds: Sequence[float]) -> Times:
    """Say how long something took that happened often."""
    if not seconds:
        return Times(0, 0.0, 0.0, 0.0)
    in_order = sorted(seconds)
    return Times(
        len(in_order), in_order[len(in_order) // 2], in_order[int(0.99 * len(in_order))], in_order[-1]
    )


def _by_second(moments: Iterable[Moment]) -> Iterable[Moment]:
    """Keep the worst of each second."""
    seconds: dict[int, list[Moment]] = {}
    for moment in moments:
        seconds.setdefault(int(moment.at), []).append(moment)
    for second, of_it in seconds.items():
        worst = (round(max(values), 4) for values in list(zip(*of_it, strict=True))[2:])
        yield Moment(float(second), round(of_it[-1].playing, 4), *worst)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)
