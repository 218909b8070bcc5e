"""Answers given through the controller of a race: sent once, changed, refused, late, or not needed."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.decisions import GearChoice
from heat_core.race import commands as c
from heat_tui.flow.asking import Reply
from heat_tui.flow.race import RaceController
from heat_tui.words.race_talk import CHOSEN, NO_GIVING_UP
from tests.tui.support_app import until
from tests.tui.support_controller import CARS, answer, catch_up, choose_the_default, held
from tests.tui.support_race import DRAW, HeldSession, table_at

pytestmark = pytest.mark.asyncio


async def test_an_answer_is_sent_once_however_often_it_is_confirmed() -> None:
    race, session = held()
    session.gate.clear()
    choose_the_default(race)
    reply = race.confirm()
    assert reply is not None
    sending = asyncio.create_task(race.submit(reply))
    await until(lambda: session.said)
    assert race.confirm() is None
    assert not await race.submit(reply)
    session.gate.set()
    assert await sending
    assert len(session.said) == 1


async def test_a_secret_choice_can_be_changed_and_is_not_sent_again_unchanged() -> None:
    race, session = held()
    await answer(race)
    catch_up(race)
    assert not race.owes_a_choice
    assert race.choosing is not None
    assert race.confirm() is None
    assert race.message == CHOSEN
    race.choosing.take_back()
    race.choosing.number(5)
    reply = race.confirm()
    assert reply is not None
    assert await race.submit(reply)
    assert len(session.said) == 2


async def test_who_was_away_can_confirm_what_was_chosen_for_them() -> None:
    race, session = held()
    session.driven = (0,)
    session.other_says(0, c.PlayCards(("1", "2", "3")))
    catch_up(race)
    choosing = race.choosing
    assert choosing is not None
    choosing.draft.picked[:] = [0, 1, 2]
    reply = race.confirm()
    assert reply is not None
    assert reply.command == c.PlayCards(("1", "2", "3"))
    session.driven = ()
    assert race.confirm() is None
    assert race.message == CHOSEN


CLUTTERED = f"lap 1 space 22 gear 3 engine 1 hand heat heat heat heat heat stress 3 {DRAW}"
ALONE = f"lap 1 space 22 gear 3 engine 6 hand 1 2 3 4 stress {DRAW}"


@pytest.mark.parametrize(
    ("car", "expected"),
    [(CLUTTERED, [c.PlayCards(())]), (ALONE, [c.PlayCards(("1", "2", "3")), c.EndReact()])],
)
async def test_what_leaves_nothing_to_decide_is_answered_by_itself(
    car: str, expected: list[c.Command]
) -> None:
    session = HeldSession(table_at({**CARS, "Ana": car}))
    race = RaceController(session)
    while len(session.said) < len(expected):
        session.others_act()
        catch_up(race)
        if not await race.answer_forced_choices() and race.owes_a_choice:
            assert race.draft is not None
            assert race.draft.kind == "cards", "no symbol can be used, nobody is near"
            race.draft.picked = [0, 1, 2]
            reply = race.confirm()
            assert reply is not None
            await race.submit(reply)
    assert [command for _, _, command in session.said] == expected


async def test_a_refused_answer_says_why_and_can_be_given_again() -> None:
    race, _ = held()
    assert race.open_decision is not None
    seat, decision = race.open_decision
    assert not await race.submit(Reply(seat, decision, c.PlayCards(("4", "4", "4"))))
    assert race.message
    await answer(race)
    assert race.message == ""


async def test_an_answer_that_comes_late_is_refused_and_changes_nothing() -> None:
    race, session = held()
    assert race.choosing is not None
    for number in (1, 2, 5):
        race.choosing.number(number)
    reply = race.confirm()
    assert reply is not None
    session.table.play_default(0)
    session.others_act()
    number = session.table.event_number
    assert not await race.submit(reply)
    assert race.message
    assert session.table.event_number == number
    catch_up(race)
    assert race.message == "", "it was about the question before"


async def test_half_an_answer_is_no_proposal_and_leaves_the_draft_as_it_was() -> None:
    race, _ = held()
    assert race.draft is not None
    draft = race.draft
    assert not race.propose(draft.copy())
    assert race.message == "Pick 3 more cards."
    assert race.draft is draft
    whole = draft.copy()
    whole.picked = [0, 1, 2]
    assert race.propose(whole)
    assert race.draft is whole


async def test_a_draft_survives_what_others_do_and_ends_with_its_question() -> None:
    race, session = held(phase="shift")
    assert race.choosing is not None
    assert isinstance(race.choosing.choice, GearChoice)
    race.choosing.gear(2)
    session.other_says(1, c.ShiftGear(1))
    catch_up(race)
    assert race.draft is not None
    assert race.draft.gear == 2
    await answer(race)
    catch_up(race)
    assert race.draft is not None
    assert race.draft.kind == "cards"


async def test_giving_up_is_asked_about_and_done_once() -> None:
    race, session = held()
    reply = race.give_up()
    assert reply is not None
    assert race.give_up_question(reply).startswith("Does Ana give up this race?")
    assert await race.submit(reply)
    catch_up(race)
    assert race.give_up() is None
    assert race.message == NO_GIVING_UP
    session.other_says(1, c.GiveUp())
    catch_up(race)
    assert race.is_over
