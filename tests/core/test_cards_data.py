"""The printed facts: what is in the box, and that a new line of it needs no code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from heat_core.cards import CATALOGUE, UPGRADES, playable_cards, sponsorship_deck, starting_deck, upgrade_deck
from heat_core.data.event_cards import EVENTS
from heat_core.data.legends import LEGEND_CARDS
from heat_core.data.sponsorships import EXPANSION_SPONSORSHIPS, SPONSORSHIPS
from heat_core.data.upgrades import (
    ADVANCED_UPGRADES,
    BASIC_UPGRADES,
    EXPANSION_UPGRADES,
)
from heat_core.data.weather import ROAD_COPIES, ROADS, WEATHER

FAMILIES = {
    "4-wheel drive": 4,
    "body": 6,
    "brakes": 4,
    "cooling system": 4,
    "R.P.M.": 6,
    "fuel": 2,
    "gas pedal": 5,
    "suspension": 4,
    "tyres": 6,
    "turbocharger": 2,
    "wings": 3,
}
"""Kind of upgrade -> its variants, in the base game."""


@pytest.mark.spec("GARAGE-3")
def test_the_eleven_kinds_of_upgrades_have_their_variants_as_lines_of_data() -> None:
    lines = [facts for facts in (*BASIC_UPGRADES, *ADVANCED_UPGRADES) if facts.family != "heat"]
    assert Counter(facts.family for facts in lines) == FAMILIES
    assert Counter(facts.family for facts in EXPANSION_UPGRADES) == {"air intake": 6, "front wing": 6}
    assert len({facts.name for facts in UPGRADES.values()}) == 17 + 31 + 12
    for facts in lines:
        assert (facts.name, facts.speeds, facts.symbols) == (
            CATALOGUE[facts.name].name,
            CATALOGUE[facts.name].speeds,
            CATALOGUE[facts.name].symbols,
        )


def test_the_box_holds_as_many_cards_and_tokens_as_printed() -> None:
    assert len(upgrade_deck(basic=True, advanced=False, expansion=False)) == 34
    assert len(upgrade_deck(basic=False, advanced=True, expansion=False)) == 62
    assert len(upgrade_deck(basic=False, advanced=False, expansion=True)) == 24
    assert len(sponsorship_deck(expansion=False)) == 35
    assert len(sponsorship_deck(expansion=True)) == 49
    assert (len(WEATHER), len(ROADS) * ROAD_COPIES, len(LEGEND_CARDS), len(EVENTS)) == (6, 12, 10, 18)
    assert Counter(facts.year for facts in EVENTS.values()) == {1961: 3, 1962: 3, 1963: 4, 1964: 4, 1965: 4}


SPEEDS = {"basic": 55, "advanced": 76, "expansion": 24, "sponsorships": 29}
"""Sum of all values to be played at, as printed."""

SYMBOLS = {
    "flip": (10, 13),
    "cooldown": (15, 24),
    "reduce_stress": (8, 13),
    "heat": (11, 13),
    "slipstream": (11, 19),
    "scrap": (17, 49),
    "salvage": (4, 10),
    "direct": (6, 6),
    "accelerate": (2, 2),
    "refresh": (7, 7),
    "adjust": (13, 10),
    "super_cool": (7, 8),
    "draft": (7, 12),
}
"""Symbol -> on how many cards it is printed, and the sum of its numbers."""


def test_the_sums_of_what_is_printed_are_those_of_the_cards() -> None:
    """A slip in one line shows as another sum."""
    groups = {
        "basic": BASIC_UPGRADES,
        "advanced": ADVANCED_UPGRADES,
        "expansion": EXPANSION_UPGRADES,
        "sponsorships": (*SPONSORSHIPS, *EXPANSION_SPONSORSHIPS),
    }
    assert {name: sum(sum(facts.speeds) for facts in lines) for name, lines in groups.items()} == SPEEDS
    printed = [symbol for lines in groups.values() for facts in lines for symbol in facts.symbols]
    cards = Counter(kind for kind, _ in printed)
    sums = {
        kind: (count, sum(number for name, number in printed if name == kind))
        for kind, count in cards.items()
    }
    assert sums == SYMBOLS
    assert Counter(facts.sponsorships for facts in EVENTS.values()) == {0: 4, 1: 10, 2: 3, 3: 1}


@pytest.mark.spec("CORE-3")
def test_each_card_is_of_one_of_five_kinds_with_what_belongs_to_it() -> None:
    kinds: dict[str, list[str]] = {}
    for card in CATALOGUE.values():
        kinds.setdefault(card.kind, []).append(card.name)
    assert set(kinds) == {"speed", "heat", "stress", "upgrade", "sponsorship"}
    assert [CATALOGUE[name].speeds for name in kinds["speed"]] == [(1,), (2,), (3,), (4,)]
    assert (kinds["heat"], kinds["stress"]) == (["heat"], ["stress"])
    assert CATALOGUE["stress"].symbols == (("flip", 1),)
    # Upgrades have symbols of their own, and a family; all but Heat can be played.
    assert all(CATALOGUE[name].family for name in kinds["upgrade"])
    assert len(kinds["upgrade"]) == 2 + 16 + 30 + 12
    assert kinds["sponsorship"] == [f"sponsor-{number}" for number in range(1, 8)]
    hand = list(CATALOGUE)
    assert playable_cards(hand) == tuple(card for card in hand if card != "heat")
    deck = Counter(starting_deck(3))
    assert deck == {"1": 3, "2": 3, "3": 3, "4": 3, "start-0": 1, "start-5": 1, "heat": 1, "stress": 3}


NEW_LINES = """
from heat_core.data import event_cards, sponsorships, upgrades
from heat_core.data.event_cards import EventFacts
from heat_core.data.facts import CardFacts

upgrades.BASIC_UPGRADES += (
    CardFacts(
        "proto-1",
        "prototype",
        (0, 2),
        (("flip", 2), ("heat", 1), ("super_cool", 1), ("adjust", 2), ("slipstream", 1), ("refresh", 1)),
    ),
)
upgrades.BASIC_UPGRADES += (CardFacts("proto-2", "prototype", (1,), (("boost", 1),)),)
sponsorships.SPONSORSHIPS += (CardFacts("sponsor-9", "sponsorship", (5,), (("salvage", 1), ("direct", 1))),)
event_cards.EVENTS["parade"] = EventFacts(
    1966, "usa", 1, (2,), "", laps=1, hand_size=8, trigger="speed_of_15"
)
"""
"""What somebody would add to the tables, before anything reads them."""

PLAY = """
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.engine import step
from heat_core.race.state_dump import dump_race
from heat_core.record.record import decode_record, encode_record, verify_record
from heat_core.engine import start_race
from tests.core.support_turns import *

race = begin(
    "lap 1 space 25 gear 1 engine 4 hand proto-1 sponsor-9 4 draw 3 heat 4 1 1 2",
    event="parade",
    garage="basic",
)
setup = race.setup
again, log = start_race(setup)
assert dump_race(again) == dump_race(race), "a position begins by the same door as any race"
for number, command in ((1, c.PlayCards(("1",))), (0, c.PlayCards(("proto-1",)))):
    log += step(race, number, command)
log += step(race, 0, c.ChooseValue((2,)))
assert (speed(race), space(race)) == (9, 34), "2 and flips of 3 and 4"
log += play_directly(race, "sponsor-9", 5)
log += use(race, "salvage", "sponsor-9", 1, ("heat",))
log += use(race, "heat", "proto-1")
log += use(race, "super_cool", "proto-1")
log += leave_react(race)
(bill,) = [event for event in log if isinstance(event, e.CornerChecked)]
assert (bill.speed, bill.limit) == (14, 5)
verified = verify_record(decode_record(encode_record(setup, log, "x")))
assert dump_race(verified) == dump_race(race), "the log recomputes everything"

race = begin("lap 1 space 14 gear 4 engine 4 hand proto-2 1 1 2 draw 3 4", garage="basic")
reveal(race, "proto-2", "1", "1", "2")
use(race, "boost", "proto-2")
assert (speed(race), race.seat(0).engine) == (8, 3)
assert refused_use(race, "boost", "gear") == "Only one boost is allowed each turn."
print("played")
"""


@pytest.mark.spec("SIS-3")
def test_a_new_card_or_event_takes_a_line_of_data_and_no_code() -> None:
    """In a program of its own, for the tables are read once."""
    root = Path(__file__).parents[2]
    program = subprocess.run(
        [sys.executable, "-c", NEW_LINES + PLAY],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (program.stdout, program.stderr) == ("played\n", "")
