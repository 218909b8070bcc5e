"""The player's panels, sentence by sentence: hand, choice of cards, reactions, banner, bills (DASH)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.style import Style
from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_core.files import load_track
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race.setup import Modules
from heat_core.table import Table
from heat_tui.theme.colours import SOFT
from heat_tui.widgets.card_figures import painted_figure
from heat_tui.widgets.cards import card_paper
from heat_tui.widgets.panel import TextPanel
from tests.tui.support_app import LARGE, SMALL, until
from tests.tui.support_race import (
    DRAW,
    HeldSession,
    RaceApp,
    begin,
    on_to,
    own_decision,
    picked_in,
    race_app,
    table_at,
)

pytestmark = pytest.mark.asyncio

HUGE = (200, 60)
BEN = "lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 4"
CORNER = {"Ana": f"lap 1 space 30 gear 3 engine 5 hand 1 2 3 4 start-5 {STRESS} heat {DRAW}", "Ben": BEN}


def held(app: RaceApp) -> HeldSession:
    assert isinstance(app.session, HeldSession)
    return app.session


async def press(pilot: Pilot[None], *keys: str) -> str:
    """Press keys; give the forecast that follows."""
    await pilot.press(*keys)
    await pilot.pause()
    assert isinstance(pilot.app, RaceApp)
    return pilot.app.panel("forecast")


def chips_in(app: RaceApp) -> dict[str, str]:
    """Give what is marked in the list of reactions, and the paint behind it."""
    return {
        line.plain[span.start : span.end]: span.style.bgcolor.name
        for line in app.race.query_one("#reactions", TextPanel)._lines
        for span in line.spans
        if isinstance(span.style, Style) and span.style.bgcolor is not None
    }


def with_a_sponsorship(path: Path) -> RaceApp:
    setup = make_position(
        load_track("usa"),
        {
            "Ana": f"lap 1 space 4 gear 2 hand 1 4 heat {STRESS} tyres-5 sponsor-4 upgrades tyres-5",
            "Ben": "lap 1 space 10 gear 1 hand 1 1 2 upgrades body-1",
        },
        phase="play",
        modules=Modules(garage="mixed", sponsorships=True),
    )
    return RaceApp(path, HeldSession(Table(setup, {0: "human", 1: "human"})))


@pytest.mark.spec("DASH-1")
@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE])
async def test_each_kind_of_card_in_the_hand_has_words_and_a_colour_of_its_own(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = with_a_sponsorship(tmp_path)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        own = app.controller.view.own
        assert own is not None
        panel = app.race.query_one("#hand", TextPanel)
        papers = {card: card_paper(card) for card in own.hand}
        kinds = ("1", "heat", STRESS, "tyres-5", "sponsor-4")
        assert len({papers[card].bgcolor for card in kinds}) == 5
        styles = {span.style for line in panel._lines for span in line.spans}
        shaded = {style.bgcolor for style in styles if isinstance(style, Style)}
        assert {paper.bgcolor for paper in papers.values()} <= shaded
        text = app.panel("hand")
        assert text.split("\n")[-1].split() == [str(number + 1) for number in range(len(own.hand))]
        assert "TYRES" in text
        if size == SMALL:
            faces = re.sub("[▏▕]", " ", text.split("\n")[1]).split()
            assert {"1", "4", "▒H▒", "S"} <= {*faces}
        else:
            height = 4 if size == LARGE else 5
            lines = [
                line.plain for card in "14" for line in painted_figure(card, height, "ink", "ink", "card")
            ]
            assert all(line in text for line in lines), "values are big figures"
            assert "HEAT" in text
            assert "flip 1" in text


@pytest.mark.spec("DASH-2")
@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("way", ["key", "mouse"])
async def test_cards_are_chosen_the_choice_is_shown_the_count_enforced_and_one_key_confirms(
    tmp_path: Path, size: tuple[int, int], way: str
) -> None:
    app = race_app(tmp_path, CORNER)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)

        async def choose(number: int) -> str:
            if way == "key":
                return await press(pilot, str(number))
            panel = app.race.query_one("#hand", TextPanel)
            row, first, behind, _ = next(hit for hit in panel._hits if hit[3] == f"card({number})")
            region = panel.content_region
            await pilot.click(offset=(region.x + (first + behind) // 2, region.y + row))
            return await press(pilot)

        assert "picked 3 = speed 3, to space 33; pick 2 more" in await choose(3)
        assert picked_in(app) == 1, "it is seen which ones"
        assert "Pick 2 more cards." in await press(pilot, "enter")
        assert held(app).said == []
        await choose(4)
        assert "picked 3 + 4 + 5 = speed 12" in await choose(5)
        assert "picked 4 + 5 + 1 = speed 10" in await choose(1), "never more than the gear says"
        assert picked_in(app) == 3
        assert "Heat cannot be played" in await choose(7)
        await press(pilot, "enter")
        await until(lambda: held(app).said)
        (_, _, command), *_ = held(app).said
        assert isinstance(command, c.PlayCards)
        assert sorted(command.cards) == ["1", "4", "start-5"]


@pytest.mark.spec("DASH-5")
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_reactions_tell_cost_and_effect_and_are_disabled_where_they_cannot_be_used(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    cars = {
        "Ana": f"lap 1 space 14 gear 4 engine 1 hand 1 1 2 3 4 {STRESS} heat draw 1 2 3 4",
        "Ben": "lap 1 space 40 gear 1 engine 6 hand 1 1 2 2 3 3 4",
    }
    app = race_app(tmp_path, cars)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await press(pilot, "1", "2", "3", "4", "enter")
        await on_to(pilot, app, "5 REACT")
        rows = [row.strip(" ▶") for row in app.panel("reactions").split("\n")]
        assert "b     boost: 1 Heat, adds 1-4, to 22-25" in rows
        assert "a     +1 speed, to space 22 (adrenaline)" in rows
        assert "c     cool 1 Heat (adrenaline)" in rows
        chips = chips_in(app)
        assert {chips[part] for part in ("1 Heat", "to 22-25")} == {"amber-fill"}
        assert (chips["cool 1 Heat"], chips["to space 22"]) == ("cyan-fill", "green-fill")
        assert "to space 22" in await press(pilot, "a")
        await press(pilot, "b", "enter")
        await until(lambda: "b     boost" not in app.panel("reactions"))
        assert app.controller.view.cars[0].engine == 0
        said = len(held(app).said)
        assert "Already used." in await press(pilot, "b", "b")
        assert len(held(app).said) == said

    cars["Ana"] = f"lap 1 space 14 gear 4 engine 0 hand 1 1 2 3 4 {STRESS} 3 draw 1 2 4"
    app = race_app(tmp_path, cars)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await press(pilot, "1", "2", "3", "4", "enter")
        await on_to(pilot, app, "5 REACT")
        panel = app.race.query_one("#reactions", TextPanel)
        disabled = [line for line in panel._lines if "boost" in line.plain or "cool" in line.plain]
        assert len(disabled) == 2
        for line in disabled:
            inks = {span.style.color for span in line.spans if isinstance(span.style, Style)}
            assert inks == {SOFT}, "and there are no chips"
        said = len(held(app).said)
        assert "your engine has no Heat" in await press(pilot, "b"), "and it says why"
        assert "no Heat in your hand" in await press(pilot, "c")
        await press(pilot, "b", "enter", "c", "enter")
        assert len(held(app).said) == said


@pytest.mark.spec("DASH-7")
@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE])
async def test_the_banner_tells_phase_who_what_and_how_long_and_what_does_not_apply_is_off(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(CORNER, phase="shift")))
    controls = ("left", "1", "b", "c", "a", "s", "u")
    live = {
        "1 SHIFT": {"left", "1"},
        "2 PLAY": {"1", "u"},
        "5 REACT": {"c", "b", "a", "u"},
        "8 DISCARD": {"1"},
    }
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        held(app).left = 42.0
        app.race._show_banner()
        assert "1 SHIFT GEARS: choose a gear" in app.panel("banner")
        assert "you, Ben · 0:42" in app.panel("banner")
        seen = set()
        for _ in range(60):
            banner = app.panel("banner")
            phase = next((name for name in live if name in banner), None)
            if own_decision(app.race) is not None and phase is not None:
                seen.add(phase)
                assert " you" in banner, "who decides"
                assert "0:42" in banner
                for key in controls:
                    if key not in live[phase]:
                        said = len(held(app).said)
                        draft = app.controller.draft
                        assert draft is not None
                        before = (draft.gear, list(draft.picked), draft.spaces)
                        await press(pilot, key)
                        assert len(held(app).said) == said
                        assert (draft.gear, draft.picked, draft.spaces) == before, (phase, key)
                await press(pilot, *(("1", "2", "3") if phase == "2 PLAY" else ("u",)), "enter")
            else:
                assert own_decision(app.race) is None
                if app.controller.view.own is not None and app.controller.view.own.chosen is None:
                    assert "wait while the others choose or drive" in app.panel("forecast")
                assert "waiting for Ben · 0:42" in banner, "for whom, and how long"
                held(app).others_act()
            await pilot.pause(0.02)
            held(app).left = 42.0
            app.race._show_banner()
            if seen == set(live):
                break
        assert seen == set(live)


@pytest.mark.spec("DASH-9")
@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE])
async def test_before_every_choice_it_is_told_what_it_will_mean_and_each_bill_has_its_parts(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    setup = make_position(
        load_track("usa"),
        {
            "Ana": "lap 1 space 8 gear 1 engine 5 hand 1 2 3 4 4 wings-1 draw 1 2 3 4 upgrades wings-1",
            "Ben": "lap 1 space 40 gear 1 engine 5 hand 1 1 2 2 3 3 4 upgrades body-1",
        },
        phase="shift",
        modules=Modules(garage="mixed", weather=True),
        weather="snow",
        roads="limit-1 limit-1 overheat slipstream+1",
    )
    app = RaceApp(tmp_path, HeldSession(Table(setup, {0: "human", 1: "human"})))
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        assert "shift to 3rd gear: costs 1 Heat of your 5, then play 3 cards" in await press(pilot, "3")
        told = await press(pilot, "4")
        assert "4th gear is 3 steps away; you can shift two steps at most." in told
        await press(pilot, "enter")
        held(app).others_act()
        await on_to(pilot, app, "2 PLAY")
        own = app.controller.view.own
        assert own is not None
        places = [str(own.hand.index(card) + 1) for card in ("wings-1", "3")]
        places.append(str(own.hand.index("4") + 1))
        told = await press(pilot, *places)
        assert "picked Wings 4 + 3 + 4 = speed 11, to space 19" in told
        assert "corner 1 (limit 7 − 1 road + 2 cards = 8): 11 − 8 = 3 Heat" in told
        assert "3 of your 3 Heat after 1 Heat for cards, 0 left" in told
        await press(pilot, "enter")
        held(app).others_act()
        await on_to(pilot, app, "5 REACT")
        assert "you must pay 1 Heat (Wings 4)" in await press(pilot)
        assert "speed 11, on space 19" in await press(pilot, "down", "down")
        session = held(app)
        for _ in range(30):
            if any("Ana takes corner 1" in line.text.plain for line in app.controller.log):
                break
            if own_decision(app.race) is not None:
                session.table.play_default(0)  # what must be done with the upgrade, then nothing
            session.others_act()
            await pilot.pause(0.02)
        log = next(line.text.plain for line in app.controller.log if "Ana takes corner 1" in line.text.plain)
        limit = "limit 7 − 1 road token + 2 adjust = 8"
        assert log == f"Ana takes corner 1, {limit}, at speed 11: 11 − 8 = 3 Heat owed, 3 paid"


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_forecast_shows_the_engine_before_and_after_where_there_is_room(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = race_app(tmp_path, CORNER)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        told = await press(pilot, "1", "2", "3")
        assert "6 − 3 = 3 Heat" in told
        assert "engine ▮▮▮▮▮ 5 › 2 left" in told
        assert "engine" not in await press(pilot, "u", "u", "u", "1"), "where nothing is paid it stays"
