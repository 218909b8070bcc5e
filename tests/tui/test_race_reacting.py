"""Phases 5 and 6, what answers itself, what is refused, and Enter held down."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_core.race import commands as c
from heat_core.race.presets import RULEBOOK
from heat_core.refusal import RefusalCode, Refused
from heat_tui.app import HeatApp
from heat_tui.race.enter_guard import EnterGuard
from tests.tui.support_app import SMALL, shown, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, on_to, own_decision, race_app

pytestmark = pytest.mark.asyncio

BEN = f"hand 1 1 2 2 3 3 {STRESS}"
HOT = {
    "Ana": f"lap 1 space 46 gear 1 engine 3 hand 1 2 3 4 heat heat heat {DRAW}",
    "Ben": f"lap 1 space 20 gear 2 engine 6 {BEN}",
}
FAST = {
    "Ana": f"lap 1 space 22 gear 4 engine 3 hand 1 2 3 1 heat heat 4 {DRAW}",
    "Ben": f"lap 1 space 3 gear 2 engine 6 {BEN}",
}
LAST = {
    "Ana": f"lap 1 space 14 gear 3 engine 5 hand 1 2 3 4 heat {STRESS} {STRESS} {DRAW}",
    "Ben": f"lap 1 space 40 gear 1 engine 6 {BEN}",
}
BEHIND = {
    "Ana": f"lap 1 space 14 gear 1 engine 6 hand 1 2 3 4 {DRAW}",
    "Ben": f"lap 1 space 16 gear 1 engine 6 {BEN}",
    "Leg": "lap 1 space 3 legend medium",
}


def held(app: RaceApp) -> HeldSession:
    assert isinstance(app.session, HeldSession)
    return app.session


def said(app: RaceApp) -> list[c.Command]:
    return [command for _, _, command in held(app).said]


async def press(pilot: Pilot[None], *keys: str) -> str:
    """Press keys; give the forecast that follows."""
    await pilot.press(*keys)
    await pilot.pause()
    assert isinstance(pilot.app, RaceApp)
    return pilot.app.panel("forecast")


async def in_react(pilot: Pilot[None], *cards: str) -> RaceApp:
    app = await begin(pilot)
    await pilot.press(*cards, "enter")
    await on_to(pilot, app, "5 REACT")
    return app


async def test_how_much_to_cool_is_chosen_and_said_with_enter(tmp_path: Path) -> None:
    async with race_app(tmp_path, HOT).run_test(size=SMALL) as pilot:
        app = await in_react(pilot, "2")
        assert "c     cool 3 Heat of 3 in hand" in app.panel("reactions")
        assert "done: 2 = speed 2, on space 48" in await press(pilot)
        assert "cool 3 Heat of 3 in hand; 1st gear cools up to 3" in await press(pilot, "c")
        assert "▶ c     cool 3 Heat of 3 in hand  left/right" in app.panel("reactions")
        assert "cool 2 Heat of 3" in await press(pilot, "left")
        assert "cool 1 Heat of 3" in await press(pilot, "left", "left", "left")
        assert "cool 2 Heat of 3" in await press(pilot, "right")
        assert "cool 2 Heat of 3" in await press(pilot, "c"), "a letter only chooses"
        await press(pilot, "enter")
        await until(lambda: c.UseSymbol(0, 2) in said(app))
        await until(lambda: any("Ana cools 2 Heat" in line.text.plain for line in app.controller.log))


async def test_a_boost_tells_its_cost_and_where_it_may_lead(tmp_path: Path) -> None:
    async with race_app(tmp_path, FAST).run_test(size=SMALL) as pilot:
        app = await in_react(pilot, "1", "2", "3", "4")
        assert "b     boost: 1 Heat, adds 1-4, to " in app.panel("reactions")
        assert "+1 speed" not in app.panel("reactions"), "only the last gets adrenaline"
        text = await press(pilot, "a")
        assert "You have nothing like that to use this turn." in text
        text = await press(pilot, "b")
        assert "boost: 1 Heat" in text
        await press(pilot, "enter")
        await until(lambda: any(isinstance(command, c.UseSymbol) for command in said(app)))
        await until(lambda: any("flips" in line.text.plain for line in app.controller.log))
        await until(lambda: "b     boost" not in app.panel("reactions"))


async def test_adrenaline_by_key_and_by_mouse(tmp_path: Path) -> None:
    async with race_app(tmp_path, LAST).run_test(size=SMALL) as pilot:
        app = await in_react(pilot, "1", "2", "3")
        rows = app.panel("reactions").split("\n")
        assert any("+1 speed, to space 21" in row for row in rows)
        cool = next(number for number, row in enumerate(rows) if "cool 1 Heat (adrenaline)" in row)
        await pilot.click("#reactions", offset=(10, cool))
        assert "in hand (adrenaline)" in await press(pilot)
        await pilot.click("#reactions", offset=(10, cool))
        await until(lambda: len(said(app)) == 2)
        await until(lambda: any("Ana cools 1 Heat" in line.text.plain for line in app.controller.log))
        await pilot.pause()
        assert "+1 speed" in app.panel("reactions")
        await press(pilot, "a", "enter")
        await until(lambda: any("adrenaline: 20 → 21" in line.text.plain for line in app.controller.log))


async def test_the_list_is_walked_by_arrows_and_ends_with_done(tmp_path: Path) -> None:
    async with race_app(tmp_path, LAST).run_test(size=SMALL) as pilot:
        app = await in_react(pilot, "1", "2", "3")
        selected = []
        for key in ("up", "up", "up", "down", "down", "down"):
            await press(pilot, key)
            selected.append(next(row for row in app.panel("reactions").split("\n") if "▶" in row))
        assert selected[1] == selected[2]
        assert "Enter done" in selected[-1]
        assert selected[0] != selected[1]
        await press(pilot, "u", "enter")
        await until(lambda: said(app)[-1] == c.EndReact())


async def test_a_list_longer_than_its_panel_keeps_the_selected_row_in_sight(tmp_path: Path) -> None:
    """By the rulebook any gear may boost: with adrenaline that makes five rows for four lines."""
    cars = {**HOT, "Ben": f"lap 1 space 60 gear 2 engine 6 {BEN}"}
    async with race_app(tmp_path, cars, rules=RULEBOOK).run_test(size=SMALL) as pilot:
        app = await in_react(pilot, "2")
        assert "▶ Enter done" in shown(pilot)
        seen = set()
        for _ in range(4):
            await press(pilot, "up")
            assert "▶" in app.panel("reactions")
            seen |= {row[2:].strip() for row in app.panel("reactions").split("\n") if "▶" in row}
        assert {row[0] for row in seen} == {"c", "b", "a", "C"}
        assert len(seen) == 4
        await press(pilot, "u")
        assert "▶ Enter done" in shown(pilot)


@pytest.mark.spec("DASH-6")
@pytest.mark.parametrize("way", ["key", "mouse", "no"])
async def test_a_slipstream_says_where_it_leads(tmp_path: Path, way: str) -> None:
    async with race_app(tmp_path, BEHIND).run_test(size=SMALL) as pilot:
        app = await begin(pilot)
        await pilot.press("2", "enter")
        held(app).other_says(1, c.PlayCards(("1",)))
        await on_to(pilot, app, "6 SLIPSTREAM")
        assert "s     slipstream 2 further, to space 18" in app.panel("reactions")
        assert "n     stay on space 16" in app.panel("reactions")
        assert "no slipstream, stay on space 16" in await press(pilot, "n")
        assert "slipstream to space 18" in await press(pilot, "s")
        assert "no slipstream" in await press(pilot, "down")
        match way:
            case "key":
                await press(pilot, "s", "enter")
            case "mouse":
                await pilot.click("#reactions", offset=(10, 0))
                await pilot.pause()
                await pilot.click("#reactions", offset=(10, 0))
            case _:
                await press(pilot, "n", "enter")
        spaces = 0 if way == "no" else 2
        await until(lambda: c.Slipstream(spaces) in said(app))
        if spaces:
            await until(lambda: any("slipstreams 16 → 18" in line.text.plain for line in app.controller.log))


async def test_a_refusal_is_told_as_a_sentence_and_the_choice_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = race_app(tmp_path, HOT)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        usual = app.session.submit

        async def refuse(seat: int, decision: int | None, command: c.Command) -> None:
            raise Refused(RefusalCode.LATE, "That was a moment too late.")

        monkeypatch.setattr(app.session, "submit", refuse)
        await press(pilot, "2", "enter")
        await until(lambda: "That was a moment too late." in app.panel("forecast"))
        assert "picked 2" in app.panel("forecast")
        monkeypatch.setattr(app.session, "submit", usual)
        await press(pilot, "enter")
        await until(lambda: said(app) == [c.PlayCards(("2",))])
        await pilot.pause()
        assert "too late" not in app.panel("forecast")


async def test_enter_held_down_confirms_one_decision_and_not_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HeatApp, "enter_gap_seconds", 60.0)
    app = race_app(tmp_path, HOT)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        held(app).other_says(1, c.PlayCards(("1", "1")))
        await pilot.pause()
        await pilot.press("2")
        for _ in range(40):
            app.race.action_confirm()
            await pilot.pause()
        await pilot.pause()
        assert said(app) == [c.PlayCards(("2",))], "the reaction is still open"
        assert "5 REACT" in shown(pilot)
        assert own_decision(app.race) is not None
        monkeypatch.setattr(HeatApp, "enter_gap_seconds", 0.0)  # the key was let go for long enough
        app.race.action_confirm()
        await until(lambda: len(said(app)) >= 2)


async def test_a_key_or_click_of_the_moment_in_which_a_question_comes_up_answers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = race_app(tmp_path, HOT)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("2", "enter")
        await until(lambda: said(app) == [c.PlayCards(("2",))])
        monkeypatch.setattr(HeatApp, "enter_gap_seconds", 3600.0)
        app.race.enter.guard = EnterGuard(lambda: app.enter_gap_seconds)
        held(app).other_says(1, c.PlayCards(("1", "1")))
        await until(lambda: "5 REACT" in shown(pilot))
        await pilot.pause()
        before, draft = app.panel("reactions"), app.controller.draft
        assert draft is not None
        selected = draft.row
        await pilot.press("enter", "c", "left", "1", "up", "d", "enter")
        for row in (0, 0, 1, 1):
            await pilot.click("#reactions", offset=(10, row))
        await pilot.pause()
        assert said(app) == [c.PlayCards(("2",))], "it was meant for what was there before"
        assert app.panel("reactions") == before
        assert app.controller.draft is not None
        assert app.controller.draft.row == selected
        monkeypatch.setattr(HeatApp, "enter_gap_seconds", 0.0)  # some time later
        await pilot.press("c", "enter")
        await until(lambda: len(said(app)) >= 2)
        assert said(app)[1] == c.UseSymbol(0, 3)


async def test_an_enter_that_is_waited_with_answers_no_other_question(tmp_path: Path) -> None:
    app = race_app(tmp_path, HOT)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("2")
        app.enter_gap_seconds = 0.1
        app.race.enter.guard.skip()
        await pilot.press("enter")
        assert not said(app), "it counts in a moment, unless the key is being held down"
        held(app).table.play_default(0)
        held(app).table.play_default(1)
        app.controller.renew()
        app.race.enter.confirm_what_is_due()
        await pilot.pause()
        assert not said(app)
