"""Shorthand for tests of the core: tracks, positions, and races by random commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Literal

import msgspec
from msgspec.structs import replace

from heat_core.cards import HEAT, CardName
from heat_core.decisions import ReactChoice, choice_of, enumerate_commands, sample_command
from heat_core.engine import start_race, step
from heat_core.files import load_track
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import fold
from heat_core.race.phase import Phase
from heat_core.race.presets import STANDARD, Rules
from heat_core.race.setup import COLOURS, USUAL_CARS, CarSetup, LegendSetup, RaceSetup, make_setup
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race, load_race
from heat_core.record.record import Record
from heat_core.rng import Stream
from heat_core.rules.invariants import cards_of
from heat_core.track import Track, compile_track
from heat_core.track_facts import TrackFacts
from heat_core.view.secrecy import public_setup

MUST_BE_USED = ("heat", "scrap")


def roomy(rules: Rules, cars: int) -> Rules:
    """Give the rules the setting that more than six cars need."""
    return replace(rules, most_cars=8) if cars > USUAL_CARS else rules


@cache
def track_facts(name: str) -> TrackFacts:
    return load_track(name)


def track(name: str) -> Track:
    return compile_track(track_facts(name))


def position(
    cars: dict[str, str],
    *,
    on: str = "usa",
    round: int = 2,
    phase: Literal["shift", "play"] = "play",
    laps: int | None = None,
    rules: Rules = STANDARD,
) -> Race:
    """Begin a race in the middle, at phase 2 unless said."""
    setup = make_position(
        track_facts(on), cars, round=round, phase=phase, laps=laps, rules=roomy(rules, len(cars))
    )
    race, _ = start_race(setup)
    return race


def setup_of(
    on: str = "usa",
    *,
    seats: int = 2,
    legends: int = 0,
    legend: LegendSetup | None = None,
    seed: str = "seed",
    laps: int | None = None,
    rules: Rules = STANDARD,
) -> RaceSetup:
    drives = legend or LegendSetup()
    cars = [CarSetup(f"seat {number}", COLOURS[number]) for number in range(seats)]
    cars += [CarSetup(f"legend {n}", COLOURS[n], drives) for n in range(seats, seats + legends)]
    return make_setup(track_facts(on), cars, seed=seed, laps=laps, rules=roomy(rules, len(cars)))


def play(race: Race, *cards: CardName, seat: int = 0) -> list[e.Event]:
    return step(race, seat, c.PlayCards(cards))


def pass_all(race: Race, seats: tuple[int, ...] = ()) -> list[e.Event]:
    """Let seats answer everything with as little as possible until the round is over or others must."""
    events: list[e.Event] = []
    number = race.round
    while race.phase is not Phase.ENDED and race.round == number:
        due = [
            seat
            for seat, decision in race.open.items()
            if decision.chosen is None and (not seats or seat in seats)
        ]
        if not due:
            break
        events += step(race, due[0], least_command(race, due[0]))
    return events


def least_command(race: Race, seat: int) -> c.Command:
    match race.open[seat].kind:
        case "gear":
            return c.ShiftGear(race.seat(seat).gear)
        case "cards":
            pool = [card for card in race.seat(seat).hand if card != HEAT]
            gear = race.seat(seat).gear
            return c.PlayCards(tuple(pool[:gear]) if len(pool) >= gear else ())
        case "react":
            choice = choice_of(race, seat)
            assert isinstance(choice, ReactChoice)
            if choice.must:
                uses = enumerate(choice.symbols)
                must = [(n, use.most) for n, use in uses if use.most and use.symbol.kind in MUST_BE_USED]
                return c.UseSymbol(*must[0])
            return c.EndReact()
        case "slipstream":
            return c.Slipstream(0)
        case "discard":
            return c.Discard(())
        case "pick" | "swap" | "value" | "unpaid":
            return next(enumerate_commands(choice_of(race, seat)))


def all_cards(race: Race, number: int) -> Counter[CardName]:
    """Count a seat's cards wherever they are (CORE-14)."""
    return cards_of(race.seat(number))


def attributes_of(state: object) -> dict[str, object]:
    """Read all that a state's class holds: slots, which are descriptors of another kind once compiled."""
    kinds = (MemberDescriptorType, GetSetDescriptorType)
    names = [name for name in dir(state) if isinstance(getattr(type(state), name, None), kinds)]
    return {name: getattr(state, name) for name in names if not name.startswith("__")}


def told_cars(race: Race) -> object:
    """Give all that a race's bytes say of its cars."""
    return msgspec.json.decode(dump_race(race))["race"]["cars"]


def without_seed(setup: RaceSetup, events: Sequence[e.Event]) -> Record:
    """Make a record that nobody can deal anew: its seed stands neither in the set-up nor at the end."""
    told = [replace(event, seed=None) if isinstance(event, e.RaceEnded) else event for event in events]
    return Record(public_setup(setup), tuple(told))


def stopped(record: Record, events: int) -> Record:
    """Let a record stop at the end of a step, after so many events or a few less."""
    ends = [number for number, event in enumerate(record.events) if isinstance(event, e.ChoiceMade)]
    return Record(record.setup, record.events[: max(end for end in ends if end <= events)])


class RandomPlay:
    """Plays a race by random commands; `tests.core.driver` looks on while it does."""

    def __init__(self, setup: RaceSetup, seed: str | Stream, most_rounds: int = 400) -> None:
        self.setup = setup
        self.race, self.events = start_race(setup)
        self.stream = Stream(seed) if isinstance(seed, str) else seed
        self.most_rounds = most_rounds
        self.commands: list[tuple[int, c.Command]] = []

    def run(self) -> Race:
        while self.race.phase is not Phase.ENDED:
            self.step()
        return self.race

    def step(self) -> None:
        due = [seat for seat, decision in self.race.open.items() if decision.chosen is None]
        assert due, "nobody can go on"
        seat = self.stream.choose(due)
        self.say(seat, sample_command(choice_of(self.race, seat), self.stream))

    def say(self, seat: int, command: c.Command) -> None:
        """Take one step by a command that a seat may give."""
        self.events += step(self.race, seat, command)
        self.commands.append((seat, command))
        assert self.race.round <= self.most_rounds

    def check_record(self) -> None:
        """Prove that the events alone give the state, and that the state serialises."""
        dump = dump_race(self.race)
        assert dump_race(fold(self.setup, self.events)) == dump
        assert dump_race(load_race(dump)) == dump
