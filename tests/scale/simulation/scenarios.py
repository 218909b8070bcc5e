"""What happens to the servers of a simulation, and what became of it."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from tests.scale.simulation.steps import begin, until
from tests.scale.simulation.world import Machine, Moment, World

QUIET_SECONDS: Final = 10.0
"""Before anything happens."""

Fault = Callable[[World], Awaitable[None]]


class Scenario(NamedTuple):
    """Something that happens.

    Attributes:
        name: In words.
        fault: What.
        seconds: How long is looked at, from its beginning.
    """

    name: str
    fault: Fault
    seconds: float


class Outcome(NamedTuple):
    """What became of a scenario.

    Attributes:
        scenario: Its name.
        plan: Who takes over what.
        seed: Of chance.
        rooms: Seconds until each affected room had a server again.
        people: Seconds that people were away, each time.
        back: Seconds from the beginning until they were back, each time.
        missing: People who have not come back.
        ownerless: Rooms that nobody owns at the end, or a dead server.
        moments: What was seen, from the fault on.
        late_renewals: Renewals that came after the lease had run out.
        most_rooms: Of one server at the end, as a multiple of the mean.
        statements: Of each kind, how many, from the fault on.
    """

    scenario: str
    plan: str
    seed: int
    rooms: list[float]
    people: list[float]
    back: list[float]
    missing: int
    ownerless: int
    moments: list[Moment]
    late_renewals: int
    most_rooms: float
    statements: dict[str, int]


def simulate(scenario: Scenario, world: World) -> Outcome:
    """Let something happen to a fleet at rest."""
    gc.disable()  # much is made that lives to the end: looking through it takes most of the time
    try:
        return _simulate(scenario, world)
    finally:
        gc.enable()
        gc.collect()


def _simulate(scenario: Scenario, world: World) -> Outcome:
    world.run(QUIET_SECONDS)
    before = dict(world.database.statements)
    began, seen = world.clock.now, len(world.moments)

    async def happen() -> None:
        await scenario.fault(world)

    begin(world.clock, happen())
    world.run(scenario.seconds)
    database = world.database
    away = [client.away for client in world.clients]
    alive = set(database.living())
    ownerless = sum(len(owned) for server, owned in database.owned.items() if server not in alive)
    return Outcome(
        scenario.name,
        world.plan.name,
        world.seed,
        [room.owned_at - room.free_at for room in world.people_of if room.free_at and room.owned_at],
        [until_ - since for times in away for since, until_ in times if until_ is not None],
        [until_ - began for times in away for _, until_ in times if until_ is not None],
        sum(1 for times in away if times and times[-1][1] is None),
        ownerless,
        [moment._replace(at=moment.at - began) for moment in world.moments[seen:]],
        sum(server.late_renewals for server in world.servers),
        world.moments[-1].rooms,
        {name: count - before.get(name, 0) for name, count in database.statements.items()},
    )


# --- faults ---------------------------------------------------------------------------------------------


def dies(count: int = 1, *, in_silence: bool = False) -> Fault:
    """Kill servers at the same moment."""

    async def fault(world: World) -> None:
        for machine in list(world.machines.values())[:count]:
            if machine.server is not None:
                machine.server.die(in_silence=in_silence)

    return fault


def stops() -> Fault:
    """Stop the first server."""

    async def fault(world: World) -> None:
        if (server := next(iter(world.machines.values())).server) is not None:
            await server.stop()

    return fault


def restart(pause: float = 0.0, most: int | None = None, *, drained: bool = False) -> Fault:
    """Stop and start one server after another.

    Args:
        pause: Seconds from one stop to the next; 0: as soon as the one before listens again.
        most: How many; None: all.
        drained: Whether each is drained first.
    """

    async def restart_one(world: World, machine: Machine) -> None:
        if (server := machine.server) is not None:
            if drained:
                await server.drain()
            await server.stop()
        world.boot(machine)

    async def fault(world: World) -> None:
        for machine in list(world.machines.values())[:most]:
            began = world.clock.now
            await restart_one(world, machine)
            while machine.server is None or not machine.server.is_listening:
                await until(world.clock.timeout(0.1))
            if (left := began + pause - world.clock.now) > 0:
                await until(world.clock.timeout(left))

    return fault


def database_restarts(seconds: float) -> Fault:
    """Let the database be away."""

    async def fault(world: World) -> None:
        world.database.stop()
        await until(world.clock.timeout(seconds))
        world.database.is_up = True

    return fault


def database_is_slow(seconds: float, times: float) -> Fault:
    """Let all that the database does take several times as long for a while."""

    async def fault(world: World) -> None:
        world.database.cores.slowness = times
        await until(world.clock.timeout(seconds))
        world.database.cores.slowness = 1.0

    return fault


async def nothing(world: World) -> None:
    """Let all be well."""


ONE_DIES: Final = Scenario("one server is killed", dies(), 60)
TEN_DIE: Final = Scenario("ten servers are killed", dies(10), 90)
TEN_VANISH: Final = Scenario("ten machines vanish", dies(10, in_silence=True), 90)
ROLLING: Final = Scenario("ten restart, one a minute", restart(60, 10), 630)
DRAINED: Final = Scenario("ten are drained and restart", restart(0.0, 10, drained=True), 150)
ALL_RESTART: Final = Scenario("all restart, each as soon as the last is back", restart(), 260)
RESTART: Final = Scenario("the database restarts in 5 s", database_restarts(5), 60)
SLOW: Final = Scenario("the database takes 10 times as long for a minute", database_is_slow(60, 10), 150)
SCENARIOS: Final[Sequence[Scenario]] = (
    ONE_DIES,
    TEN_DIE,
    TEN_VANISH,
    ROLLING,
    ALL_RESTART,
    DRAINED,
    RESTART,
    SLOW,
)
