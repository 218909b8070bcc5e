"""Gears, cards and discards: by key and by mouse, before they are said and after."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_core.race import commands as c
from tests.tui.support_app import SMALL, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, on_to, picked_in, race_app

pytestmark = pytest.mark.asyncio

CORNER = {
    "Ana": f"lap 1 space 30 gear 3 engine 5 hand 1 2 3 4 start-5 {STRESS} heat {DRAW}",
    "Ben": f"lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 {STRESS}",
}
BEN_PLAYS = c.PlayCards(("1", "1"))


def held(app: RaceApp) -> HeldSession:
    assert isinstance(app.session, HeldSession)
    return app.session


async def press(pilot: Pilot[None], *keys: str) -> str:
    """Press keys; give the forecast that follows."""
    await pilot.press(*keys)
    await pilot.pause()
    app = pilot.app
    assert isinstance(app, RaceApp)
    return app.panel("forecast")


async def click_card(pilot: Pilot[None], number: int) -> None:
    await pilot.click("#hand", offset=(1 + 5 * (number - 1) + 2, 1))
    await pilot.pause()


def picked(app: RaceApp) -> tuple[str, ...]:
    draft, own = app.controller.draft, app.controller.view.own
    assert draft is not None
    assert own is not None
    return draft.cards(own)


async def test_every_card_changes_the_forecast_which_names_corner_bill_and_spin_out(tmp_path: Path) -> None:
    async with race_app(tmp_path, CORNER).run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "pick 3 of your cards" in await press(pilot)
        text = await press(pilot, "1")
        assert "picked 1 = speed 1, to space 31; pick 2 more" in text
        assert "no corner crossed" in text
        text = await press(pilot, "2", "3")
        assert "picked 1 + 2 + 3 = speed 6, to space 36" in text
        assert "corner 2 (limit 3): 6 − 3 = 3 Heat" in text
        assert "3 of your 5 Heat, 2 left" in text
        text = await press(pilot, "1", "4")
        assert "picked 2 + 3 + 4 = speed 9, to space 39" in text
        assert " ✗ SPIN-OUT  to 33, 2 Stress, 1st gear" in text, "said once"
        assert "corner 2 (limit 3): 9 − 3 = 6 Heat, you have 5" in text
        text = await press(pilot, "u", "u", "u", "4", "5", "6")
        assert "picked 4 + 5 + Stress = speed 10 to 13, to space 40 to 43" in text
        assert " ✗ SPIN-OUT  in all cases" in text
        assert all(len(line) <= 80 for line in text.split("\n"))


async def test_cards_are_picked_by_key_and_by_mouse_and_put_back_the_same_way(tmp_path: Path) -> None:
    app = race_app(tmp_path, CORNER)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await press(pilot, "3")
        await click_card(pilot, 1)
        assert picked(app) == ("3", "1")
        assert picked_in(app) == 2
        await press(pilot, "1")
        assert picked(app) == ("3",)
        await click_card(pilot, 3)
        assert picked(app) == ()
        await press(pilot, "1", "2", "3")
        await pilot.click("#keys", offset=(app.panel("keys").index("u back"), 0))
        await pilot.pause()
        assert picked(app) == ("1", "2")
        await press(pilot, "u")
        assert picked(app) == ("1",)
        await press(pilot, "u", "u")
        assert picked(app) == ()


@pytest.mark.parametrize(("space", "may_change"), [(33, True), (20, False)])
async def test_before_the_first_pick_it_says_whether_others_may_change_where_it_leads(
    tmp_path: Path, space: int, may_change: bool
) -> None:
    others = {
        "Ben": f"lap 1 space {space} spot race gear 2 engine 6 hand 1 1 2 2 3 3 {STRESS}",
        "Cas": f"lap 1 space {space} spot other gear 2 engine 6 hand 1 1 2 2 3 3 {STRESS}",
    }
    app = race_app(tmp_path, CORNER | others)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        told = "cars that drive before you may fill the space where you would stop"
        await until(lambda: (told in app.panel("forecast")) == may_change)
        assert "pick 3 of your cards" in app.panel("forecast")
        assert told not in await press(pilot, "1"), "then the lines are about the pick"


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_big_cards_are_clicked_where_they_are_seen(tmp_path: Path, size: tuple[int, int]) -> None:
    app = race_app(tmp_path, CORNER)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        hand = app.race.query_one("#hand").content_region
        numbers = app.panel("hand").split("\n")[-1]
        for number in "25":
            await pilot.click(offset=(hand.x + numbers.index(number), hand.y + 3))
        await pilot.pause()
        assert picked(app) == ("2", "start-5")


async def test_the_count_is_enforced_and_what_cannot_be_picked_is_explained(tmp_path: Path) -> None:
    app = race_app(tmp_path, CORNER)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "Pick 3 more cards." in await press(pilot, "enter")
        assert "Pick 1 more card." in await press(pilot, "1", "2", "enter")
        assert held(app).said == []
        assert "Heat cannot be played" in await press(pilot, "7")
        assert "You hold 7 cards." in await press(pilot, "8")
        text = await press(pilot, "3", "4")
        assert picked(app) == ("2", "3", "4"), "one card too many puts back the first"
        assert "The 1 went back to your hand: you can play only 3." in text
        await press(pilot, "enter")
        await until(lambda: len(held(app).said) == 1)
        seat, _, command = held(app).said[0]
        assert (seat, command) == (0, c.PlayCards(("2", "3", "4")))


async def test_a_secret_choice_may_be_changed_until_all_have_chosen(tmp_path: Path) -> None:
    app = race_app(tmp_path, CORNER)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await press(pilot, "1", "2", "3", "enter")
        await until(lambda: app.controller.view.own is not None and app.controller.view.own.chosen)
        await pilot.pause()
        assert picked(app) == ("1", "2", "3"), "what is chosen stays in sight"
        assert "✓" in app.panel("standings")
        assert "waiting for Ben" in app.panel("banner")
        assert "Chosen. You can change it" in await press(pilot, "enter")
        assert len(held(app).said) == 1
        await press(pilot, "4", "enter")
        await until(lambda: len(held(app).said) == 2)
        assert held(app).said[1][2] == c.PlayCards(("2", "3", "4"))
        held(app).other_says(1, BEN_PLAYS)
        await until(lambda: any("Ana plays 2, 3, 4" in line.text.plain for line in app.controller.log))


async def test_a_half_made_choice_survives_every_update(tmp_path: Path) -> None:
    app = race_app(tmp_path, CORNER)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await press(pilot, "2", "4")
        held(app).other_says(1, BEN_PLAYS)
        await until(lambda: "✓" in app.panel("standings"))
        held(app).other_says(1, c.PlayCards(("2", "2")))
        held(app).left = 42.0
        await until(lambda: "0:42" in app.panel("banner"))
        assert picked(app) == ("2", "4")
        assert "picked 2 + 4 = speed 6" in await press(pilot)


@pytest.mark.spec("DASH-3")
async def test_the_gear_lever_moves_by_arrows_digits_and_mouse_and_tells_its_cost(tmp_path: Path) -> None:
    app = race_app(tmp_path, CORNER, phase="shift")
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "stay in 3rd gear: free, then play 3 cards" in await press(pilot)
        assert "‹3›" in app.panel("dashboard")
        assert "shift to 2nd gear: free" in await press(pilot, "left")
        assert "shift to 1st gear: costs 1 Heat of your 5, then play 1 card" in await press(pilot, "left")
        assert "‹1›" in app.panel("dashboard")
        assert app.panel("dashboard").split("\n")[0] == "gear ‹1›1▮   2 free 3 free 4 free"
        assert "You cannot shift any further." in await press(pilot, "left")
        assert "shift to 4th gear: free, then play 4 cards" in await press(pilot, "4")
        column = app.panel("dashboard").index(" 2 ")
        await pilot.click("#dashboard", offset=(column + 1, 0))
        assert "shift to 2nd gear" in await press(pilot)
        await press(pilot, "enter")
        await until(lambda: held(app).said)
        assert held(app).said[0][2] == c.ShiftGear(2)
        held(app).others_act()
        await until(lambda: "2 PLAY" in app.panel("banner"))
        assert app.panel("dashboard").split("\n")[0].split() == ["gear", "1", "‹2›", "3", "4"], "no cost told"
        await pilot.click("#dashboard", offset=(6, 0))
        assert "pick 2 of your cards" in await press(pilot, "left"), "the lever does not move"
        assert "‹2›" in app.panel("dashboard")


async def test_a_gear_out_of_reach_or_cluttered_is_told_before_it_is_chosen(tmp_path: Path) -> None:
    cars = {
        "Ana": f"lap 1 space 30 gear 1 engine 1 hand 1 2 heat heat heat heat {STRESS} {DRAW}",
        "Ben": CORNER["Ben"],
    }
    app = race_app(tmp_path, cars, phase="shift")
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "4th gear is 3 steps away; you can shift two steps at most." in await press(pilot, "4")
        assert app.panel("dashboard").startswith("gear ‹1›free 2 free 3 1▮   4\n")
        assert "‹1›" in app.panel("dashboard")
        assert "shift to 3rd gear: costs 1 Heat of your 1" in await press(pilot, "3")
        cars["Ana"] = f"lap 1 space 30 gear 1 engine 0 hand 1 heat heat heat heat heat heat {DRAW}"
    app = race_app(tmp_path, cars, phase="shift")
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        told = await press(pilot, "3")
        assert "3rd gear costs 1 Heat (1 for two steps); your engine has 0." in told
        text = await press(pilot, "2")
        assert "CLUTTERED" in text


async def test_cards_to_discard_are_picked_and_heat_and_stress_stay(tmp_path: Path) -> None:
    cars = {"Ana": f"lap 1 space 14 gear 1 engine 6 hand 1 2 3 4 {STRESS} heat {DRAW}", "Ben": CORNER["Ben"]}
    app = race_app(tmp_path, cars)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await press(pilot, "1", "enter")
        await on_to(pilot, app, "8 DISCARD")
        assert "discard nothing, then draw" in await press(pilot)
        hand = app.controller.view.own.hand if app.controller.view.own else ()
        assert hand[:3] == ("2", "3", "4")
        assert "Heat and Stress stay in the hand." in await press(pilot, str(hand.index(STRESS) + 1))
        assert "discard 2, 4, then draw" in await press(pilot, "1", "3")
        await press(pilot, "enter")
        await until(lambda: held(app).said[-1][2] == c.Discard(("2", "4")))
