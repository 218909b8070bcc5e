"""Refusals: whatever is said out of place, the race is byte for byte as before, and a sentence says why."""

from __future__ import annotations

import pytest

from heat_core.decisions import choice_of, enumerate_commands
from heat_core.engine import abandon, start_race, step
from heat_core.files import track_names
from heat_core.race import commands as c
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from tests.core.support import position, setup_of


def refusal_of(race: Race, seat: int, command: c.Command) -> Refused | None:
    """Try a command on the race itself: None if it was taken."""
    try:
        step(race, seat, command)
    except Refused as refused:
        return refused
    return None


@pytest.mark.parametrize(
    ("words", "command", "code", "sentence"),
    [
        ("gear 3", c.ShiftGear(5), RefusalCode.GEAR_OUT_OF_REACH, "There is no gear 5."),
        ("gear 1", c.ShiftGear(0), RefusalCode.GEAR_OUT_OF_REACH, "There is no gear 0."),
        ("gear 1", c.ShiftGear(4), RefusalCode.GEAR_OUT_OF_REACH, "more than two steps"),
        ("gear 1 engine 0", c.ShiftGear(3), RefusalCode.NOT_ENOUGH_HEAT, "the engine has 0"),
        ("gear 1", c.PlayCards(("1",)), RefusalCode.OTHER_DECISION, "gear"),
        ("gear 1", c.EndReact(), RefusalCode.OTHER_DECISION, "gear"),
    ],
)
def test_a_refused_gear_names_the_reason(
    words: str, command: c.Command, code: RefusalCode, sentence: str
) -> None:
    cars = {"ana": f"lap 1 space 30 hand 1 2 3 draw 4 4 {words}", "ben": "lap 1 space 40"}
    race = position(cars, phase="shift")
    refused = refusal_of(race, 0, command)
    assert refused is not None
    assert refused.code is code
    assert sentence in refused.text


@pytest.mark.parametrize(
    ("cards", "code", "sentence"),
    [
        (("heat", "1"), RefusalCode.CARD_NOT_PLAYABLE, "Heat"),
        (("1",), RefusalCode.WRONG_NUMBER_OF_CARDS, "Gear 2 takes 2 cards, not 1."),
        (("1", "2", "3"), RefusalCode.WRONG_NUMBER_OF_CARDS, "not 3"),
        (("1", "1"), RefusalCode.CARD_NOT_IN_HAND, "You named the card '1' 2 times and have 1."),
        (("1", "4"), RefusalCode.CARD_NOT_IN_HAND, "have 0"),
    ],
)
def test_refused_cards_name_the_reason(cards: tuple[str, ...], code: RefusalCode, sentence: str) -> None:
    race = position({"ana": "lap 1 space 30 gear 2 hand 1 2 3 stress heat draw 4 4", "ben": "lap 1 space 40"})
    refused = refusal_of(race, 0, c.PlayCards(cards))
    assert refused is not None
    assert refused.code is code
    assert sentence in refused.text


def test_every_board_lists_few_enough_commands_to_enumerate() -> None:
    for board in track_names():
        race, _ = start_race(setup_of(board, seats=6, seed=board))
        assert all(1 <= len(list(enumerate_commands(choice_of(race, seat)))) <= 4 for seat in race.open)


def test_an_abandoned_race_takes_no_command() -> None:
    race, _ = start_race(setup_of())
    abandon(race)
    refused = refusal_of(race, 0, c.ShiftGear(2))
    assert refused is not None
    assert refused.code is RefusalCode.RACE_ENDED
