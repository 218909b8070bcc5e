"""Advice on open decisions: the best choice, its sentence, and what each choice is worth."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT
from heat_core.coach.advice import Advice, advise
from heat_core.decisions import CardsChoice, choice_of, enumerate_commands
from heat_core.engine import step
from heat_core.planner.table_key import own_table_key
from heat_core.planner.tables import TABLES
from heat_core.planner.upgrade_worths import worths_in
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.race.setup import Modules
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.rules.start import start_race
from heat_core.sentences.card_words import card_label
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup, view_race
from tests.core.properties_seen import swapped
from tests.core.support import RandomPlay, setup_of
from tests.core.support_turns import begin, leave_react, reveal, to_discard

EVERYTHING = Modules("mixed", expansion=True, weather=True)


def advice(race: Race, seat: int = 0) -> Advice:
    observation = Observation(public_setup(race.setup), view_race(race, seat))
    return advise(observation, TABLES.get(own_table_key(observation)), Stream("any"))


@pytest.mark.spec("BOT-3")
def test_advice_is_legal_and_weighs_what_is_offered_by_what_the_seat_may_know() -> None:
    game = RandomPlay(
        replace(setup_of("italy", seats=3, legends=1, seed="advice"), modules=EVERYTHING), "steady"
    )
    kinds = Counter[str]()
    for number in range(250):
        race = game.race
        for seat in [seat for seat in race.open if seat == number % 3]:
            given = advice(race, seat)
            choice = choice_of(race, seat)
            legal = set(enumerate_commands(choice))
            assert normalised(given.command) in legal
            spaces = [worth.spaces for worth in given.worths]
            assert spaces[0] == 0
            assert spaces == sorted(spaces, reverse=True)
            assert {worth.command for worth in given.worths} <= legal
            if isinstance(choice, CardsChoice):
                assert len(given.worths) == len(legal)
            assert given.sentence.endswith(".")
            assert given.sentence[0].isdigit() or given.sentence[0].isupper() or given.sentence[0] == "+"
            assert advice(swapped(race, seat, Stream(f"{number}"), {}), seat) == given
            kinds[race.open[seat].kind] += 1
        game.step()
    assert min(kinds[kind] for kind in ("pick", "gear", "cards", "react", "discard")) > 0


CORNER_AHEAD = "lap 1 space 30 gear 3"


@pytest.mark.parametrize(
    ("words", "phase", "sentence"),
    [
        (
            f"{CORNER_AHEAD} engine 6 hand 1 1 2 4 4 draw 1 2 3",
            "shift",
            "3rd gear, play 1 + 1 + 2: 4 spaces through corner 2 for 1 Heat; the best of 2nd gear",
        ),
        (
            f"{CORNER_AHEAD} engine 0 hand 1 2 3 4 4 heat heat draw 1 2 3",
            "play",
            "Play 1 + 2 + 3: a spin-out at corner 2; playing 1 + 2 + 4 is about as good.",
        ),
        (
            "lap 1 space 33 gear 2 engine 1 hand 1 2 3 4 draw 1 1",
            "play",
            "Play 1 + 2: 3 spaces through corner 2 without Heat; playing 1 + 3 goes 1 space further,",
        ),
    ],
)
def test_a_sentence_says_what_is_best_and_the_largest_reason(words: str, phase: str, sentence: str) -> None:
    race = begin(words, garage="none", phase="shift" if phase == "shift" else "play")
    assert advice(race).sentence.startswith(sentence)


def test_a_boost_is_told_with_the_odds_of_its_flip_or_of_the_spin_out() -> None:
    race = begin("lap 1 space 14 gear 4 engine 6 hand 1 1 2 2 3 draw 1 2 3 4", garage="none")
    reveal(race, "1", "1", "2", "2")
    assert advice(race).worths[0].spaces == 0
    near = begin("lap 1 space 26 gear 4 engine 2 hand 1 1 2 2 3 draw 1 4 4 4", garage="none")
    reveal(near, "1", "1", "2", "2")
    given = advice(near)
    assert given.command == c.EndReact()
    assert given.sentence.startswith("No boost: a boost spins out in 75 % of cases and is ")
    far = begin("lap 2 space 58 gear 4 engine 6 hand 1 1 2 2 3 draw 3 4 4 4", garage="none")
    reveal(far, "1", "1", "2", "2")
    assert advice(far).sentence.startswith("Boost for 1 Heat: the flip adds 3 (25 %) or 4 (75 %); ")


def test_what_costs_nothing_is_advised_at_once_alone() -> None:
    race = begin("lap 1 space 29 gear 1 engine 1 hand 1 1 2 2 heat heat draw 1 4 4 4", garage="none")
    assert HEAT in race.seat(0).hand
    reveal(race, "1")
    given = advice(race)
    assert (given.sentence, len(given.worths)) == ("Cool 2: it costs nothing.", 1)


def test_a_slipstream_is_told_by_where_it_leads_and_has_no_second_one() -> None:
    cars = {
        "ana": "lap 1 space 10 gear 2 engine 6 hand 2 2 1 draw 1 1 4 4 4",
        "ben": "lap 1 space 14 gear 1 hand 1 1 1 draw 2 2 2",
    }
    race = begin(cars, garage="none")
    reveal(race, "2", "2")
    step(race, 0, c.EndReact())
    assert advice(race).sentence.startswith("Slipstream 2: stop ")
    assert advice(race).sentence.count("slipstream") == 1  # "no slipstream is … worse"


def test_discards_are_told_by_the_corner_ahead() -> None:
    race = begin("lap 1 space 60 gear 1 engine 1 hand 1 1 2 2 draw 1 4 4 4", garage="none")
    reveal(race, "2")
    leave_react(race)
    to_discard(race)
    assert "corner 1 (limit 7) is " in advice(race).sentence


@pytest.mark.parametrize(
    ("ana", "ben", "sentence"),
    [
        ("lap 1 space 30 gear 2 engine 0", "lap 1 space 38", "No slipstream: a spin-out at corner 2; "),
        ("lap 2 space 65 gear 2 engine 6", "lap 2 space 67", "Slipstream 2: over the finish line; "),
    ],
)
def test_a_car_that_spins_out_or_finishes_stops_before_no_corner(ana: str, ben: str, sentence: str) -> None:
    cards = ("4", "4") if "engine 0" in ana else ("2", "1")
    hand = " ".join((*cards, "3"))
    cars = {"ana": f"{ana} hand {hand} draw 1 1", "ben": f"{ben} gear 1 hand 1 1 1 draw 2 2 2"}
    race = begin(cars, garage="none")
    reveal(race, *cards)
    step(race, 0, c.EndReact())
    assert advice(race).sentence.startswith(sentence)


def test_in_a_draft_advice_is_what_upgrades_save_on_the_board_of_the_race() -> None:
    setup = replace(setup_of("japan", seats=2, seed="draft"), modules=Modules("mixed"))
    race, _ = start_race(setup)
    seat = race.owing[0]
    given = advice(race, seat)
    worths = worths_in(setup)
    best, other = sorted(dict.fromkeys(race.offered), key=worths.of, reverse=True)[:2]
    assert given.command == c.PickUpgrade(best)
    assert given.sentence == (
        f"Pick {card_label(best)}: it {worths.gained(best)}; {card_label(other)} {worths.gained(other)}."
    )
    assert given.sentence.endswith(" here.")
