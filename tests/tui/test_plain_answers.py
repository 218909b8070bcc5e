"""Answers in words: whatever may be chosen can be typed, and what cannot be is one sentence."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from heat_core.decisions import sample_command
from heat_core.options.table_options import LocalOptions
from heat_core.race import commands as c
from heat_core.race.normal_form import normalised
from heat_core.rng import Stream
from heat_core.sentences.card_words import card_name
from heat_core.table import Table
from heat_core.view.observation import Observation
from heat_tui.flow.asking import draft_for
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.answers import example_of, take_answer, words_of
from heat_tui.plain.questions import help_text, question, short_question
from heat_tui.plain.reading import read_cards, read_numbers
from heat_tui.plain.voice import Voice
from heat_tui.race.draft import Draft
from tests.tui.support_race import DRAW, table_at


def table_with(box: LocalOptions, seed: str, track: str = "usa") -> Table:
    table = make_table(
        replace(box, names=("Ana",), bots=("steady",) * 3, legends=0, seed=seed, track=track, laps=1)
    )
    for seat in table.drivers:
        table.set_driver(seat, "human")
    return table


def told(observation: Observation, text: str) -> c.Command | str:
    """Give the command that a typed answer makes, or why it makes none."""
    draft = draft_for(observation, None)
    assert draft is not None
    refusal = take_answer(observation, draft, text).refusal
    return refusal or draft.command(observation.own)


@pytest.mark.spec("APP-10.7")
@pytest.mark.parametrize(
    ("garage", "expansion"), [("none", False), ("basic", False), ("advanced", True), ("mixed", True)]
)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_whatever_may_be_chosen_can_be_typed(garage: str, expansion: bool, seed: str) -> None:
    box = LocalOptions(garage=garage, expansion=expansion, weather=True)  # type: ignore[arg-type]  # a literal
    table = table_with(box, seed)
    stream = Stream(f"typed/{seed}")
    kinds: Counter[str] = Counter()
    for _ in range(400):
        if table.is_over:
            break
        decision = next(decision for decision in table.decisions() if not decision.has_chosen)
        observation = table.observation(decision.seat)
        choice = observation.own.choice
        assert choice is not None
        command = normalised(sample_command(choice, stream))
        answer = told(observation, words_of(observation.own, command))
        assert not isinstance(answer, str), answer
        assert normalised(answer) == command
        example = told(observation, example_of(observation))
        assert not isinstance(example, str), example
        draft = draft_for(observation, None)
        assert draft is not None
        assert question(observation, draft, Voice()).endswith(f"For example: {example_of(observation)}")
        assert short_question(observation, Voice()).endswith(f"For example: {example_of(observation)}")
        assert help_text(choice)
        kinds[decision.kind] += 1
        table.submit(decision.seat, decision.decision, command)
    assert kinds.keys() >= {"gear", "cards", "react", "discard"}
    assert ("pick" in kinds) == (garage != "none")


def observation_of_hand(hand: str, phase: str = "play", gear: int = 3) -> Observation:
    table = table_at(
        {
            "Ana": f"lap 1 space 31 gear {gear} engine 4 hand {hand} {DRAW}",
            "L1": "lap 1 space 20 legend easy",
        },
        phase=phase,  # type: ignore[arg-type]  # a literal
    )
    return table.observation(0)


def test_cards_are_named_in_many_ways() -> None:
    observation = observation_of_hand("4 3 1 stress heat 2 start-5")
    for text in ("4 3 stress", "4, 3, Stress", "STRESS 3 4", "4,s 3", "#3 #4 #6", " 4   3 s "):
        command = told(observation, text)
        assert isinstance(command, c.PlayCards), text
        assert sorted(command.cards) == ["3", "4", "stress"], text
    command = told(observation, "+5 5 4")
    assert command == "There is no other +5 to name."
    assert isinstance(told(observation, "5 4 1"), c.PlayCards)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("4 4 3", "There is no other 4 to name."),
        ("4 3 1 2", "You named 4 cards. Pick 3."),
        ("4 3", "Pick 1 more card."),
        ("4 3 heat", "Heat cannot be played. Cool it down in 1st or 2nd gear."),
        ("4 3 9", "There is no card '9' here. There are 1, 2, 3, 4, +5, Stress."),
        ("#9", "There is no card #9. Use #1 to #7, each once."),
        ("#1 #1 #2", "There is no card #1. Use #1 to #7, each once."),
        ("#x", "There is no card #x. Use #1 to #7, each once."),
    ],
)
def test_cards_that_cannot_be_are_one_sentence(text: str, refusal: str) -> None:
    observation = observation_of_hand("4 3 1 stress heat 2 start-5")
    assert told(observation, text) == refusal


@pytest.mark.parametrize(
    ("text", "gear"),
    [
        ("3", 3),
        ("stay", 3),
        ("up", 4),
        ("down", 2),
        ("1", 1),
        ("4th", 4),
        ("2nd", 2),
        ("UP", 4),
        ("gear 2", 2),
    ],
)
def test_gears(text: str, gear: int) -> None:
    assert told(observation_of_hand("4 3 1 stress heat 2 start-5", "shift"), text) == c.ShiftGear(gear)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("5", "The gears are 1 to 4."),
        ("x", "'x' is not a gear. Type the number of a gear."),
        ("1 2", "'1 2' is not a gear. Type the number of a gear."),
        ("99999999", "'99999999' is not a gear. Type the number of a gear."),
    ],
)
def test_gears_that_cannot_be_are_one_sentence(text: str, refusal: str) -> None:
    assert told(observation_of_hand("4 3 1 stress heat 2 start-5", "shift"), text) == refusal


def test_an_exclamation_mark_needs_no_confirmation() -> None:
    observation = observation_of_hand("4 3 1 stress heat 2 start-5")
    draft = Draft.begin(observation.own, "cards", 2, 3)
    assert take_answer(observation, draft, "4 3 1!").is_final
    assert not take_answer(observation, draft, "4 3 1").is_final
    assert not take_answer(observation, draft, "4 3 9!").is_final


def test_cards_of_one_name_are_told_apart_by_their_place() -> None:
    box = LocalOptions(garage="mixed", expansion=True)
    for seed in range(40):
        observation = table_with(box, f"names/{seed}").observation(0)
        names = Counter(card_name(card) for card in dict.fromkeys(observation.view.offered))
        twice = [name for name, count in names.items() if count > 1]
        if twice:
            answer = read_cards(twice[0], observation.view.offered)
            assert isinstance(answer, str)
            assert "name one by its position, such as #" in answer
            return
    raise AssertionError("no garage had two cards of one name")


def test_half_a_name_that_fits_several_asks_for_more() -> None:
    cards = ("4", "start-0", "start-5", "stress", "heat")
    assert read_cards("h", cards) == [4]
    assert read_cards("", cards) == []
    assert read_cards("x", ()) == "There are no cards to name."
    assert read_numbers("1, 2") == [1, 2]
    assert read_numbers("1 x") is None
