"""What the driver reads off the car: lever, engine, what clogs the hand, piles; and why there is no gear."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heat_core.cards import HEAT, STRESS
from heat_tui.race.refusal_text import why_no_gear
from heat_tui.screens.race import RaceScreen
from tests.tui.support_app import LARGE, SMALL, shown
from tests.tui.support_race import DRAW, begin, race_app

HUGE = (200, 60)


@pytest.mark.parametrize(
    ("now", "gear", "engine", "is_flooded", "text"),
    [
        (1, 9, 6, False, "The gears are 1 to 4."),
        (4, 1, 6, False, "1st gear is 3 steps away; you can shift two steps at most."),
        (3, 1, 0, False, "1st gear costs 1 Heat (1 for two steps); your engine has 0."),
        (
            3,
            1,
            1,
            True,
            (
                "1st gear costs 2 Heat (1 for two steps + 1 for shifting down on a flooded space); "
                "your engine has 1."
            ),
        ),
        (2, 3, 6, False, "Your 2 playable cards cannot fill 3rd gear."),
    ],
)
def test_why_there_is_no_gear_is_a_bill(
    now: int, gear: int, engine: int, is_flooded: bool, text: str
) -> None:
    assert why_no_gear(now, gear, engine, ("1", STRESS, HEAT), is_flooded=is_flooded) == text


@pytest.mark.asyncio
@pytest.mark.spec("DASH-4")
@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE])
@pytest.mark.parametrize(
    ("engine", "hand", "gauge", "clog"),
    [
        (4, f"1 2 3 4 heat heat {STRESS}", "engine ▮▮▮▮▯▯ 4 Heat", "hand   ▒▒ 2 dead Heat  1 Stress"),
        (0, "1 2 3 4 heat 1 2", "engine ▯▯▯▯▯▯ 0 Heat", "hand   ▒ 1 dead Heat  0 Stress"),
        (6, "1 2 3 4 1 2 3", "engine ▮▮▮▮▮▮ 6 Heat", "hand   no Heat  0 Stress"),
    ],
)
async def test_the_engine_shows_its_heat_and_heat_in_hand_clogs(
    tmp_path: Path, size: tuple[int, int], engine: int, hand: str, gauge: str, clog: str
) -> None:
    cars = {
        "Ana": f"lap 1 space 30 gear 3 engine {engine} hand {hand} {DRAW}",
        "Ben": "lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 4",
    }
    app = race_app(tmp_path, cars)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        text = shown(pilot)
        assert gauge in text
        assert clog in text


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [LARGE, HUGE])
async def test_a_click_on_a_slot_of_the_gate_moves_the_lever(tmp_path: Path, size: tuple[int, int]) -> None:
    cars = {
        "Ana": f"lap 1 space 30 gear 3 engine 4 hand 1 2 3 4 1 2 3 {DRAW}",
        "Ben": "lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 4",
    }
    app = race_app(tmp_path, cars, phase="shift")
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        assert "‹3›" in shown(pilot)
        gate = app.panel("dashboard").split("\n")
        row = next(number for number, line in enumerate(gate) if re.match(r" +2 +4 ", line))
        await pilot.click("#dashboard", offset=(gate[row].index("4"), row))
        await pilot.pause()
        assert "‹4›" in shown(pilot)


@pytest.mark.asyncio
@pytest.mark.spec("DASH-8")
@pytest.mark.parametrize("way", ["key", "click"])
async def test_piles_are_counted_and_the_own_discard_pile_can_be_opened(tmp_path: Path, way: str) -> None:
    cars = {
        "Ana": "lap 1 space 30 gear 3 engine 4 hand 1 2 3 heat draw 4 4 1 start-5 discard 2 2 heat stress",
        "Ben": "lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 4",
    }
    app = race_app(tmp_path, cars)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "draw 4  discard 4 o look" in shown(pilot)
        if way == "key":
            await pilot.press("o")
        else:
            await pilot.click("#dashboard", offset=(app.panel("dashboard").split("\n")[-1].index("look"), 3))
        await pilot.pause()
        assert not isinstance(app.screen, RaceScreen)
        told = [part.strip() for part in re.split(r"[│\n]", shown(pilot))]
        assert "2 × 2" in told
        assert "1 × Heat" in told
        assert "1 × Stress" in told
        assert any("Draw pile, in unknown order" in line for line in told)
        assert "2 × 4" in told, "what it can still hold is counted by card"


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-4")
@pytest.mark.parametrize("size", [LARGE, HUGE])
async def test_where_there_is_room_the_draw_pile_is_shown_card_by_card(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    cars = {
        "Ana": f"lap 1 space 30 gear 3 engine 4 hand 1 2 3 heat draw 4 4 1 start-5 {STRESS} discard 2 2",
        "Ben": "lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 4",
    }
    app = race_app(tmp_path, cars)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        text = app.panel("dashboard")
        assert bool(re.search(r"in the draw pile\n.* 1 + 4 ×2 +\+5 + S +\n", text)) == (size == HUGE)
        assert ("a flip is worth 3.0 on average" in text) == (size == HUGE)
