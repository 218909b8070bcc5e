"""Drafts of answers: what they lack, whom they fit, and the command that they become."""

from __future__ import annotations

from heat_core.cards import HEAT
from heat_core.decisions import ReactChoice, SlipstreamChoice, only_answer
from heat_core.race import commands as c
from heat_core.race.events import DecisionKind
from heat_tui.flow.reaction_rows import reaction_rows
from heat_tui.race.draft import DONE, Draft, same_answer
from heat_tui.words.wording import draft_outcomes, forecast_lines
from tests.tui.support_race import DRAW, table_at
from tests.tui.support_wording import choice_of, draft_of, react_table, say, table_of, texts, told


def test_reactions_are_rows_with_key_effect_and_how_to_end() -> None:
    observation = react_table().observation(0)
    rows = reaction_rows(observation, draft_of(observation))
    assert [(row.key, row.text) for row in rows] == [
        ("c", "cool 2 Heat of 2 in hand"),
        ("a", "+1 speed, to space 17 (adrenaline)"),
        ("C", "cool 1 Heat (adrenaline)"),
        ("Enter", "done"),
    ]
    assert [row.is_selected for row in rows] == [False, False, False, True]
    assert texts(told(observation))[0] == "done: 2 = speed 2, on space 16"
    assert texts(told(observation, row=0, amount=1))[0] == "cool 1 Heat of 2 in hand; 1st gear cools up to 3"
    assert reaction_rows(observation, draft_of(observation, row=0, amount=1))[0].hint == "left/right"
    assert [
        outcome.speed for outcome in draft_outcomes(observation, draft_of(observation, row=1, amount=1))
    ] == [3]


def test_a_slipstream_that_ends_elsewhere_says_which_space_is_full() -> None:
    cars = {
        "Ana": f"lap 2 space 44 gear 1 engine 6 hand 2 1 3 {DRAW}",
        "Ben": "lap 1 space 47 gear 1 engine 6 hand 1 1 2",
        "L": "lap 1 space 48 spot race legend easy",
        "M": "lap 1 space 48 spot other legend easy",
    }
    table = table_at(cars)
    say(table, 0, c.PlayCards(("2",)))
    say(table, 1, c.PlayCards(("1",)))
    say(table, 0, c.EndReact())
    observation = table.observation(0)
    draft = draft_of(observation, spaces=2)
    assert [row.text for row in reaction_rows(observation, draft)] == [
        "slipstream to space 49 (48 is full)",
        "stay on space 46",
    ]
    assert texts(forecast_lines(observation, draft))[0] == "slipstream to space 49 (48 is full)"


def test_a_draft_says_what_is_missing_and_then_the_command() -> None:
    observation = table_of().observation(0)
    own = observation.own
    assert draft_of(observation).command(own) == "Pick 3 more cards."
    assert draft_of(observation, "1", "2").command(own) == "Pick 1 more card."
    assert draft_of(observation, "3", "1", "2").command(own) == c.PlayCards(("3", "1", "2"))
    draft = draft_of(observation)
    assert draft.toggle(own, own.hand.index(HEAT)).startswith("Heat cannot be played")
    assert draft.toggle(own, 7) == "You hold 7 cards."
    assert draft.shift(own, 1) == "You can shift only in phase 1."
    assert draft.picked == []


def test_a_draft_fits_its_own_kind_of_decision_in_its_own_round() -> None:
    draft = Draft(0, "cards", 2)
    assert draft.fits(0, "cards", 2)
    kinds: tuple[DecisionKind, ...] = ("gear", "react")
    assert not any(draft.fits(0, kind, 2) for kind in kinds)
    assert not draft.fits(0, "cards", 3)
    assert not draft.fits(1, "cards", 2)


def test_a_lever_whose_gear_is_not_offered_begins_at_the_nearest() -> None:
    observation = table_of("lap 1 space 30 gear 4 engine 0 hand 1 2", phase="shift").observation(0)
    draft = draft_of(observation)
    assert draft.gear == 4
    assert draft.shift(observation.own, 1) == "You cannot shift any further."
    assert draft.shift(observation.own, -1) == ""
    assert draft.shift(observation.own, -1) != "", "two steps cost a Heat that is not there"
    assert draft.command(observation.own) == c.ShiftGear(3)


def test_the_list_of_reactions_is_walked_to_its_ends() -> None:
    observation = react_table().observation(0)
    choice = observation.own.choice
    assert isinstance(choice, ReactChoice)
    draft = draft_of(observation)
    rows = []
    for step in (1, -1, -1, -1, -1, 1):
        draft.select(choice, step)
        rows.append(draft.row)
    assert rows == [DONE, 2, 1, 0, 0, 1]
    assert draft.command(observation.own) == c.UseSymbol(1, 1)
    draft.row = 0
    draft.amount = 99
    assert draft.command(observation.own) == c.UseSymbol(0, 2)


def test_only_what_leaves_nothing_to_decide_is_answered() -> None:
    cluttered = table_of("lap 1 space 30 gear 4 engine 0 hand heat heat 1").observation(0).own.choice
    assert cluttered is not None
    assert only_answer(cluttered) == c.PlayCards(())
    assert only_answer(ReactChoice(())) == c.EndReact()
    assert only_answer(SlipstreamChoice((0,), (16,))) == c.Slipstream(0)
    assert only_answer(SlipstreamChoice((0, 2), (16, 18))) is None
    for table in (table_of(), table_of(phase="shift"), react_table()):
        choice = choice_of(table)
        assert choice is not None
        assert only_answer(choice) is None


def test_the_order_of_cards_makes_no_other_answer() -> None:
    assert same_answer(c.PlayCards(("1", "2")), c.PlayCards(("2", "1")))
    assert same_answer(c.Discard(("1", "2")), c.Discard(("2", "1")))
    assert not same_answer(c.PlayCards(("1", "2")), c.PlayCards(("2", "2")))
    assert not same_answer(None, c.ShiftGear(1))
    assert same_answer(c.ShiftGear(1), c.ShiftGear(1))
