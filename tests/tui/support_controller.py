"""Races that a test drives through their controller, without a face."""

from __future__ import annotations

from collections.abc import Callable

from heat_core.race import commands as c
from heat_core.view.defaults import default_command
from heat_tui.flow.race import RaceController
from heat_tui.flow.race_news import News
from tests.tui.support_race import DRAW, HeldSession, table_at

CARS = {
    "Ana": f"lap 1 space 30 gear 3 engine 5 hand 1 2 3 4 start-5 stress heat {DRAW}",
    "Ben": f"lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 stress {DRAW}",
}


def catch_up(race: RaceController) -> News:
    """Take in all that happened, as a face does that shows nothing one by one."""
    unseen = race.unseen()
    for event in unseen.events:
        race.take_in(event)
    return race.settle(unseen)


def choose_the_default(race: RaceController) -> None:
    """Change the draft to what the server would choose for a seat that sleeps."""
    choosing = race.choosing
    assert choosing is not None
    choosing.take_back()
    match default_command(choosing.observation):
        case c.ShiftGear(gear):
            assert choosing.gear(gear) == ""
        case c.PlayCards(cards) | c.Discard(cards):
            hand: list[str | None] = [*choosing.observation.own.hand]
            choosing.draft.picked.clear()
            for card in cards:
                place = hand.index(card)
                hand[place] = None
                assert choosing.number(place + 1) == ""
        case c.Slipstream(spaces):
            choosing.select_slipstream(spaces)
        case _:
            pass  # what a draft begins with


async def answer(race: RaceController) -> None:
    """Answer the open decision."""
    choose_the_default(race)
    reply = race.confirm()
    assert reply is not None, race.message
    assert await race.submit(reply), race.message or race.ending


async def drive(
    race: RaceController, *, rounds: int = 99, look: Callable[[], None] = lambda: None
) -> list[int]:
    """Race on until the end, or so many rounds; give who was called to the keyboard, in order.

    Args:
        look: Is called behind every step.
    """
    called: list[int] = []
    while not race.ending:
        catch_up(race)
        look()
        if race.is_over or race.view.round > rounds:
            break
        if race.curtain is not None:
            called.append(race.curtain)
            race.lift_curtain()
        elif await race.answer_forced_choices():
            continue
        elif race.choosing is not None and race.owes_a_choice:
            await answer(race)
        else:
            await race.wait()
    return called


def log_of(race: RaceController) -> list[str]:
    return [line.text.plain for line in race.log]


def held(**options: object) -> tuple[RaceController, HeldSession]:
    """Sit down as Ana, where the test answers for Ben."""
    session = HeldSession(table_at(CARS, **options))  # type: ignore[arg-type]  # handed on as they are
    race = RaceController(session)
    catch_up(race)
    return race, session
