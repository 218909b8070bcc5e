"""Whole races of all kinds for the soak: what race a number stands for, and what must hold of each."""

from __future__ import annotations

import traceback
from typing import Final

import msgspec

from heat_core.files import load_track, track_names
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import fold
from heat_core.race.presets import LEGEND_LEVELS, PRESETS, PresetName
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.race.state_dump import dump_race, load_race
from heat_core.record.figures import race_figures
from heat_core.record.record import Record, decode_record, encode_record, fold_record, verify_record
from heat_core.rng import Stream
from heat_core.simulation import MOST_ROUNDS, EndlessRace, make_table
from heat_core.table import Table
from heat_core.view.secrecy import view_race
from tests.core.random_setups import random_modules
from tests.core.support import roomy, without_seed

SEATS: Final = (1, 2, 3, 4, 5, 6, 8)
USUAL_CARS: Final = 6
ONE_IN_VERIFIED: Final = 10
"""Every record is held against the invariants; one in so many is dealt anew, as slow as the race itself."""
ONE_IN_QUITS: Final = 12
ROUNDS_LOOKED_AT_EVERY: Final = 1000


class Plan(msgspec.Struct, frozen=True):
    """A race of the soak.

    Attributes:
        drivers: As `parse_drivers` reads them, one for each car.
        modules: What the race has besides the base game.
        quitter: The seat that gives up as soon as it may, None for nobody.
        quits_after: So many decisions of bots.
    """

    number: int
    track: str
    preset: PresetName
    laps: int
    drivers: tuple[str, ...]
    seed: str
    quitter: int | None
    quits_after: int
    modules: Modules = BASE_GAME


class CarOutcome(msgspec.Struct, frozen=True):
    """What a car came to."""

    driver: str
    place: int
    status: str
    spin_outs: int
    heat_paid: int
    slipstreams: int
    top_speed: int


class Outcome(msgspec.Struct, frozen=True):
    """A race that held, or with `fault` one that did not.

    Attributes:
        laps: Of the race, an event's counted.
        fault: A traceback.
    """

    plan: Plan
    laps: int = 0
    rounds: int = 0
    decisions: int = 0
    events: int = 0
    is_verified: bool = False
    cars: tuple[CarOutcome, ...] = ()
    fault: str | None = None


def plan_race(seed: str, number: int) -> Plan:
    """Say which race a number stands for: track and preset in turn, all else by lot."""
    stream = Stream(f"{seed}/plan/{number}")
    names = track_names()
    track = load_track(names[number % len(names)])
    presets = list(PRESETS)
    seats = SEATS[number // (len(names) * len(presets)) % len(SEATS)]
    least = 1 if seats == 1 else 0
    legends = least + stream.below(max(1, USUAL_CARS - seats + 1 - least))
    bots = [("steady", "random")[stream.below(2)] for _ in range(seats)]
    levels = [f"legend:{stream.choose(list(LEGEND_LEVELS))}" for _ in range(legends)]
    drivers = bots + levels
    return Plan(
        number=number,
        track=track.id,
        preset=presets[number // len(names) % len(presets)],
        laps=1 + stream.below(track.laps),
        drivers=tuple(stream.sample(drivers, len(drivers))),
        seed=f"{seed}/{number}",
        quitter=stream.below(len(drivers)) if stream.below(ONE_IN_QUITS) == 0 else None,
        quits_after=stream.below(200),
        modules=BASE_GAME if stream.below(2) else random_modules(stream),
    )


def drive(plan: Plan) -> tuple[Table, int]:
    """Drive a planned race to its end.

    Returns:
        The table, and how many decisions its bots made.

    Raises:
        EndlessRace: It does not end.
    """
    rules = roomy(PRESETS[plan.preset], len(plan.drivers))
    table = make_table(load_track(plan.track), plan.laps, plan.drivers, rules, plan.seed, plan.modules)
    quitter = plan.quitter if plan.quitter in table.drivers else None
    decisions = 0
    while not table.is_over:
        if quitter is not None and decisions >= plan.quits_after:
            own = table.view(quitter).own
            if own is not None and own.may_give_up:
                table.submit(quitter, None, c.GiveUp())
                quitter = None
                continue
        table.step_bot()
        decisions += 1
        if decisions % ROUNDS_LOOKED_AT_EVERY == 0 and table.view(None).round > MOST_ROUNDS:
            raise EndlessRace(f"no end after {MOST_ROUNDS} rounds")
    return table, decisions


def check(plan: Plan, table: Table) -> None:
    """Prove what must hold of every race: its record gives the same end, all invariants hold on the way."""
    record = Record(table.setup, tuple(table.log))
    fold_record(without_seed(table.setup, table.log))
    race = fold(table.setup, table.log)
    for onlooker in (None, *race.seats()):
        assert view_race(race, onlooker) == table.view(onlooker), f"car {onlooker} sees another race"
    assert race.status == "ended"
    assert dump_race(load_race(dump_race(race))) == dump_race(race)
    assert [standing.place for standing in race.standings] == list(range(1, len(race.cars) + 1))
    assert sorted(standing.car for standing in race.standings) == list(range(len(race.cars)))
    figures = race_figures(record.setup, record.events)
    stress = {event.seat for event in record.events if isinstance(event, e.SpunOut) and event.stress}
    assert {number for number, told in enumerate(figures) if told.spin_outs} == stress
    if is_verified(plan):
        again = decode_record(encode_record(table.setup, table.log, "soak"))
        assert again == record
        assert dump_race(verify_record(again)) == dump_race(race)


def is_verified(plan: Plan) -> bool:
    """Tell whether a race's record is dealt anew too: one in some, so that all tracks and presets come by."""
    return Stream(f"{plan.seed}/verify").below(ONE_IN_VERIFIED) == 0


def run_race(plan: Plan) -> Outcome:
    """Drive and check a race; a fault of any kind is an outcome, so that the other races go on."""
    try:
        table, decisions = drive(plan)
        check(plan, table)
        figures = race_figures(table.setup, table.log)
    except Exception:
        return Outcome(plan, fault=traceback.format_exc())
    cars = tuple(
        CarOutcome(
            driver,
            told.place,
            told.status or "",
            told.spin_outs,
            told.heat_paid,
            told.slipstreams,
            told.top_speed,
        )
        for driver, told in zip(plan.drivers, figures, strict=True)
    )
    rounds = table.view(None).round
    return Outcome(plan, table.setup.laps, rounds, decisions, len(table.log), is_verified(plan), cars)
