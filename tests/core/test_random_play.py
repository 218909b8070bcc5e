"""Random play from plain seeds: every property in all kinds of races, and the same in other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import combinations
from math import factorial, prod
from typing import get_args

import pytest
from msgspec.structs import replace

from heat_core.data.event_cards import EVENTS
from heat_core.data.facts import SymbolKind
from heat_core.decisions import choice_of, enumerate_commands
from heat_core.files import new_seed, track_names
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.commands import SECRET_KINDS
from heat_core.race.phase import Phase
from heat_core.race.presets import LEGEND_LEVELS, PRESETS, STANDARD, LegendLevel, PresetName, Rules
from heat_core.race.setup import Carried, LegendSetup, Modules, RaceSetup, make_setup
from heat_core.race.state_dump import dump_race
from heat_core.record.record import Record, encode_record, verify_record
from heat_core.rng import Stream, seed_key, shuffled
from heat_core.simulation import make_table, play_out
from tests.core.driver import CheckedPlay, Property
from tests.core.properties import EVERY_PROPERTY
from tests.core.properties_engine import InvariantsHold, SomebodyCanGoOn, TheSameAgain
from tests.core.properties_ruled import ChoicesAreByTheRules, EventsAreByTheRules
from tests.core.random_setups import (
    MODULE_EVENTS,
    MODULE_SETTINGS,
    RULES,
    SEASON_SETTINGS,
    SETTINGS,
    random_module_setup,
    random_setup,
    with_poor_hands,
)
from tests.core.support import RandomPlay, setup_of, track_facts

pytestmark = pytest.mark.no_cover  # a million times the lines that the rules' own tests run once

LIGHT: tuple[type[Property], ...] = (SomebodyCanGoOn, TheSameAgain)
"""Enough to know that a race ends and replays, and quick."""

RULED: tuple[type[Property], ...] = (EventsAreByTheRules, ChoicesAreByTheRules, InvariantsHold)
"""What docs/rules.md says, and quick as well."""

BASE_KINDS = ("gear", "cards", "react", "slipstream", "discard")
MODULE_KINDS = ("pick", "swap", "value", "unpaid")
MODULE_REASONS = ("direct", "accelerate", "draft", "unpaid")
NOT_USED_BY_THEMSELVES = ("flip", "direct", "slipstream", "adjust", "refresh")

BATCH = 32
STEPS = 40
MODULE_BATCHES = 8
MODULE_BATCH = 4
MODULE_STEPS = 60
MakeSetup = Callable[[Stream, Rules | None], RaceSetup]
LEVELS: tuple[LegendLevel, ...] = ("easy", "medium", "hard")


def has_every_three(number: int) -> bool:
    """Whether a combination is one of the few that hold every three values of three settings between them.

    Seven settings have two values each: the last three follow from the first four by parity, and of those
    sixteen each is played with every size of hand.
    """
    one, two, three, four, *rest = (number // len(SETTINGS["hand_size"]) >> bit & 1 for bit in range(7))
    return rest == [one ^ two ^ three, one ^ two ^ four, one ^ three ^ four]


THREES = tuple(filter(has_every_three, range(len(RULES))))
"""Combinations of settings for a test that has little time; `make soak` plays them all."""


def play_some(seed: str, number: int, most_steps: int, make: MakeSetup = random_setup) -> CheckedPlay:
    """Play race number `number`, by combination `number` of the single settings, with all properties."""
    stream = Stream(f"{seed}/{number}")
    setup = make(stream, RULES[number % len(RULES)])
    play = CheckedPlay(setup, stream, EVERY_PROPERTY, f"play_some({seed!r}, {number}, {most_steps})")
    for _ in range(most_steps):
        if play.race.phase is Phase.ENDED:
            break
        play.step()
    return play


def board_setup(board: str, number: int, preset: PresetName = "standard") -> RaceSetup:
    """Make race number `number` of a board: 2 to 8 cars, from one seat to all of them seats."""
    cars = 2 + number % 7
    seats = 1 + number % cars
    drives = LegendSetup(*LEGEND_LEVELS[LEVELS[number % 3]])
    return setup_of(
        board,
        seats=seats,
        legends=cars - seats,
        legend=drives,
        laps=1 if number % 4 else None,
        seed=f"{board}/{number}",
        rules=PRESETS[preset],
    )


def play_to_the_end(setup: RaceSetup, properties: tuple[type[Property], ...]) -> CheckedPlay:
    play = CheckedPlay(setup, Stream(f"play/{setup.seed}"), properties)
    play.run()
    return play


def test_all_combinations_of_settings_are_played() -> None:
    assert len(set(RULES)) == len(RULES) == 2**7 * 3
    others = {*MODULE_SETTINGS, *SEASON_SETTINGS, "preset", "most_cars"}
    assert others.isdisjoint(SETTINGS)
    assert others | SETTINGS.keys() == set(Rules.__struct_fields__)
    usual = {name: getattr(STANDARD, name) for name in others}
    assert {replace(rules, **usual) for rules in PRESETS.values()} <= set(RULES)
    for names in combinations(SETTINGS, 3):
        played = {tuple(getattr(RULES[number], name) for name in names) for number in THREES}
        assert len(played) == prod(len(SETTINGS[name]) for name in names), names


@pytest.mark.parametrize("batch", range(len(THREES) // 8))
def test_every_property_holds_by_every_three_settings(batch: int) -> None:
    for number in THREES[batch * 8 : (batch + 1) * 8]:
        play_some("plain", number, STEPS)


@pytest.mark.parametrize("batch", range(MODULE_BATCHES))
def test_every_property_holds_with_all_kinds_of_modules(batch: int) -> None:
    for number in range(batch, MODULE_BATCHES * MODULE_BATCH, MODULE_BATCHES):
        play_some("modules", number, MODULE_STEPS, random_module_setup)


@pytest.mark.soak
@pytest.mark.parametrize("make", [random_setup, random_module_setup])
@pytest.mark.parametrize("batch", range(100))
def test_every_property_holds_in_whole_races_of_all_kinds(batch: int, make: MakeSetup) -> None:
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        play_some("soak", number, 1000, make)


@pytest.mark.spec("CORE-11", "CORE-12", "CORE-13", "CORE-14", "RACE-8", "TURN-20")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_property_holds_in_whole_races_in_which_all_happens(preset: PresetName) -> None:
    """One race by the preset on each board and some with poor hands; what is proved must come to pass."""
    seen = Counter[str]()
    for number, board in enumerate(track_names()):
        setup = replace(board_setup(board, 10 + number, preset), laps=1)
        if number % 2 == 0:
            setup = with_poor_hands(setup, Stream(f"poor/{number}"))
        play = CheckedPlay(setup, Stream(f"all/{board}/{preset}"), EVERY_PROPERTY)
        while play.race.phase is not Phase.ENDED:
            choices = [list(enumerate_commands(choice_of(play.race, seat))) for seat in play.race.open]
            seen["asked with one answer"] += sum(len(commands) == 1 for commands in choices)
            play.step()
        seen.update(what_happened(play))
    wanted = {*BASE_KINDS, "asked with one answer"}
    wanted |= {"boost", "slipstreamed", "GiveUp", "SpunOut", "HandCluttered", "FlipFailed"}
    wanted |= {"PileReshuffled", "CardFlipped", "LegendMoved", "CarFinished"}
    wanted |= {f"changed {kind}" for kind in SECRET_KINDS if kind != "discard" or preset == "standard"}
    assert wanted <= set(seen), wanted - set(seen)


def all_modules_setup(board: str, event: str, number: int, preset: PresetName) -> RaceSetup:
    """Make a race of a season with all modules on: three seats and a Legend."""
    rules = PRESETS[preset]
    carried = Carried(
        grid=(2, 0, 3, 1),
        upgrades=(("brakes-1", "fuel-1"), ("gas-4", "fuel-1"), ("turbo-1", "fuel-2"), ())
        if number % 2
        else (),
        sponsorships=(("sponsor-1", "sponsor-6"), (), ("sponsor-7",), ()) if number % 2 else (),
    )
    modules = Modules(
        garage="mixed" if number % 2 else "advanced",
        expansion=True,
        draft="one" if number % 2 else "three",
        weather=True,
        sponsorships=True,
        event=event,
    )
    cars = setup_of(board, seats=3, legends=1, legend=LegendSetup(4, True)).cars
    facts, seed = track_facts(board), f"{board}/{event}/{number}"
    return make_setup(facts, cars, seed=seed, laps=1, rules=rules, modules=modules, carried=carried)


@pytest.mark.spec("GARAGE-4", "GARAGE-5")
@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_rules_hold_in_whole_races_in_which_all_happens_with_modules(preset: PresetName) -> None:
    """Some races by the preset for each event, over all boards; what is proved must come to pass."""
    seen = Counter[str]()
    boards = track_names()
    events = list(EVENTS) * (2 if preset == "rulebook" else 3)  # By the rulebook races are longer.
    for number, event in enumerate(events):
        setup = all_modules_setup(boards[number % len(boards)], event, number, preset)
        play = play_to_the_end(setup, RULED)
        seen.update(what_happened(play))
        seen.update(cards_used(play))
    wanted = {*BASE_KINDS, *MODULE_KINDS, *MODULE_REASONS}
    wanted |= {kind.__name__ for kind in MODULE_EVENTS}
    wanted |= {"gained by press", "gained by slipstream", "gained by start", "gained by event"}
    wanted |= {kind for kind in get_args(SymbolKind) if kind not in NOT_USED_BY_THEMSELVES}
    assert wanted <= set(seen), wanted - set(seen)


def cards_used(play: CheckedPlay) -> Counter[str]:
    """Count the symbols that were used, by kind, and why Sponsorships were gained."""
    seen = Counter[str]()
    symbols: tuple[e.Symbol, ...] = ()
    for event in play.events:
        match event:
            case e.TurnStarted():
                symbols = ()
            case e.SymbolsGained():
                symbols += event.symbols
            case e.SymbolUsed():
                seen[symbols[event.number].kind] += 1
            case e.SponsorshipGained():
                seen[f"gained by {event.reason}"] += 1
            case _:
                pass
    return seen


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("board", track_names())
def test_races_with_all_modules_on_every_board_end_and_replay(board: str, preset: PresetName) -> None:
    for number, event in enumerate(list(EVENTS)[:: len(EVENTS) // 4]):
        play_to_the_end(all_modules_setup(board, event, number, preset), LIGHT)


def what_happened(play: CheckedPlay) -> Counter[str]:
    seen = Counter(type(event).__name__ for event in play.events)
    seen.update(event.kind for event in play.events if isinstance(event, e.DecisionsOpened))
    seen.update(event.reason for event in play.events if isinstance(event, e.CarMoved))
    seen.update(type(command).__name__ for _, command in play.commands)
    seen["slipstreamed"] = sum(command == c.Slipstream(2) for _, command in play.commands)
    chosen: dict[int, str] = {}
    kind = ""
    for event in play.events:
        match event:
            case e.DecisionsOpened():
                kind, chosen = event.kind, {}
            case e.ChoiceMade(seat, decision) if decision is not None:
                seen[f"changed {kind}"] += seat in chosen
                chosen[seat] = kind
            case _:
                pass
    return +seen


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("board", track_names())
def test_races_on_every_board_end_and_replay(board: str, preset: PresetName) -> None:
    """With each number of cars once."""
    for number in range(7):
        play_to_the_end(board_setup(board, number, preset), LIGHT)


@pytest.mark.soak
@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("board", track_names())
def test_a_thousand_races_a_board_end_and_replay(board: str, preset: PresetName) -> None:
    for number in range(1000, 2000):
        play_to_the_end(board_setup(board, number, preset), LIGHT)


@pytest.mark.parametrize("board", track_names())
def test_steady_bots_race_every_board_and_replay(board: str) -> None:
    drivers = ["steady"] * 4 + ["legend:hard"] * 2
    table = make_table(track_facts(board), None, drivers, PRESETS["standard"], board)
    play_out(table)
    verify_record(Record(table.setup, tuple(table.log)))


def races_digests(number: int) -> list[str]:
    """Play some races of all kinds to the end or to where they are: one hash for each."""
    digests = []
    for n in range(number):
        stream = Stream(f"elsewhere/{n}")
        make = (random_setup, random_module_setup)[n % 2]
        play = RandomPlay(make(stream), stream)
        for _ in range(200):
            if play.race.phase is Phase.ENDED:
                break
            play.step()
        record = encode_record(play.setup, play.events, "") + dump_race(play.race)
        digests.append(sha256(record).hexdigest())
    return digests


RACES_ELSEWHERE = 40


WHERE_AND_WHEN = """
import sys, time
seconds = float(sys.argv[1])
time.time = time.monotonic = time.perf_counter = lambda: seconds
time.time_ns = lambda: int(seconds * 1e9)
from tests.core.test_random_play import races_digests as digests
"""


def digests_elsewhere(
    hash_seed: str, before: str = "", *, seconds: str = "0", zone: str = "UTC"
) -> list[str]:
    """Play the same races, twice, in a process of its own, on some day in some place.

    Args:
        before: Lines of program that run first.
    """
    program = f"{WHERE_AND_WHEN}{before}\nprint(*digests({RACES_ELSEWHERE}), *digests({RACES_ELSEWHERE}))"
    done = subprocess.run(
        [sys.executable, "-c", program, seconds],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone},
        capture_output=True,
        text=True,
        check=True,
    )
    digests = done.stdout.split()
    assert digests[:RACES_ELSEWHERE] == digests[RACES_ELSEWHERE:]
    return digests[:RACES_ELSEWHERE]


@pytest.mark.spec("CORE-9")
def test_the_same_races_in_other_processes_on_other_days_and_another_without_a_given_seed() -> None:
    here = races_digests(RACES_ELSEWHERE)
    assert len(set(here)) == RACES_ELSEWHERE
    for hash_seed, seconds, zone in (("0", "0", "UTC"), ("4242", "1750000000.5", "Asia/Tokyo")):
        assert digests_elsewhere(hash_seed, seconds=seconds, zone=zone) == here
    assert new_seed() != new_seed()
    plays = [RandomPlay(setup_of(seed=seed), "x") for seed in "abcdefghij"]
    assert len({encode_record(play.setup, play.events[1:], "") for play in plays}) == len(plays)
    key = seed_key("uniform")
    counts = Counter(shuffled(key, counter, "abcd") for counter in range(24_000))
    assert len(counts) == factorial(4)
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 49.7, "23 degrees of freedom: once in a thousand seeds"
