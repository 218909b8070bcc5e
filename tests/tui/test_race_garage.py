"""The draft before a race: a screen of its own, by keys and by mouse, at 80x24, in plain signs too."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from heat_core.decisions import ReactChoice
from heat_core.options.table_options import LocalOptions
from heat_core.planner.upgrade_worths import worths_in
from heat_core.race import commands as c
from heat_core.sentences.card_words import card_name, explain_card
from heat_core.table import Table
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_tui.flow.table_factory import make_table
from heat_tui.map.widget import TrackMap
from heat_tui.screens.dialogs import PageDialog
from heat_tui.screens.results import ResultsScreen
from heat_tui.state import Settings, save_settings
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_race import HeldSession, RaceApp, begin, keys_of, own_decision

pytestmark = pytest.mark.asyncio

BOX = LocalOptions(garage="mixed", expansion=True, weather=True)


def table(*names: str, box: LocalOptions = BOX, legends: int = 1, seed: str = "garage/1") -> Table:
    return make_table(replace(box, names=names, track="italy", laps=1, legends=legends, seed=seed))


def drafting_one(*names: str) -> Table:
    """A race with the draft of a championship by the rulebook: one pick, then perhaps a swap."""
    three = table(*names)
    modules = replace(three.setup.modules, draft="one")
    return Table(replace(three.setup, modules=modules), three.drivers)


def picker(app: RaceApp) -> int:
    return app.controller.view.decisions[0].seat


async def turn_of(pilot: Pilot[None], app: RaceApp, seat: int) -> None:
    """Let the others pick until it is a seat's turn."""
    session = app.session
    assert isinstance(session, HeldSession)
    while picker(app) != seat:
        number = app.controller.view.event_number
        session.others_act()
        await until(partial(_is_past, app, number))
    await pilot.pause()


def _is_past(app: RaceApp, number: int) -> bool:
    return app.controller.view.event_number > number


@pytest.mark.spec("GARAGE-6")
@pytest.mark.parametrize("is_ascii", [False, True])
async def test_the_draft_is_a_screen_that_explains_each_card(tmp_path: Path, is_ascii: bool) -> None:
    folders = folders_in(tmp_path)
    save_settings(folders, Settings(ascii=is_ascii))
    app = RaceApp(tmp_path, HeldSession(table("Ana", "Ben", "Cleo")))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await turn_of(pilot, app, 0)
        offered = app.controller.view.offered
        assert "GARAGE: Ana picks" in app.panel("banner")
        offer, page = app.panel("garage-side"), app.panel("garage")
        assert "On offer: 1st pick of 3" in offer
        assert (offer + page).isascii() == is_ascii
        for number, card in enumerate(offered):
            assert f"{number + 1} {card_name(card)}" in offer
            await pilot.press(str(number + 1))
            await pilot.pause()
            told = " ".join(line.strip() for line in app.panel("garage").split("\n"))
            for sentence in explain_card(card):
                assert sentence in told
            assert f"pick {card_name(card)}" in app.panel("forecast")
        assert "now  A Ana (you): nothing yet" in page
        assert all(name in page for name in ("Ben", "Cleo"))
        await pilot.press("i")
        await pilot.pause()
        assert isinstance(app.screen, PageDialog)
        assert explain_card(offered[0])[0] in shown(pilot)


async def test_an_upgrade_is_picked_by_keys_and_by_mouse(tmp_path: Path) -> None:
    app = RaceApp(tmp_path, HeldSession(table("Ana", "Ben")))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        session = app.session
        assert isinstance(session, HeldSession)
        await turn_of(pilot, app, 0)
        first, second = app.controller.view.offered[0], app.controller.view.offered[1]
        assert first != second
        await pilot.press("down", "down", "up", "enter")
        await until(lambda: session.said)
        assert session.said[-1][2] == c.PickUpgrade(second)
        await until(lambda: app.controller.view.cars[0].upgrades == (second,))
        await turn_of(pilot, app, 0)
        await until(lambda: app.controller.draft is not None)
        wanted = app.controller.view.offered[2]
        for _ in range(2):
            await pilot.click("#garage-side", offset=(10, 3))
            await pilot.pause()
        await until(lambda: app.controller.view.cars[0].upgrades == (second, wanted))
        assert f"Ana (you): {card_name(second)}, {card_name(wanted)}" in app.panel("garage")


async def test_one_may_look_at_the_cards_while_others_pick(tmp_path: Path) -> None:
    app = RaceApp(tmp_path, HeldSession(table("Ana", "Ben"), seats=(1,)))
    app.controller.viewer = 1
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await turn_of(pilot, app, 0)
        assert "GARAGE: Ana picks" in app.panel("banner")
        assert "waiting for Ana" in app.panel("banner")
        card = app.controller.view.offered[2]
        await pilot.press("down", "down")
        await pilot.pause()
        assert explain_card(card)[0] in app.panel("garage")
        await pilot.click("#garage-side", offset=(10, 1))
        await pilot.pause()
        assert explain_card(app.controller.view.offered[0])[0] in app.panel("garage")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.session, HeldSession)
        assert 1 not in [seat for seat, _, _ in app.session.said]


async def test_the_first_picker_may_swap_what_is_left(tmp_path: Path) -> None:
    app = RaceApp(tmp_path, HeldSession(drafting_one("Ana", "Ben")))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        session = app.session
        assert isinstance(session, HeldSession)
        while app.controller.view.decisions[0].kind == "pick":
            number = app.controller.view.event_number
            if picker(app) == 0:
                await pilot.press("enter")
            else:
                session.others_act()
            await until(partial(_is_past, app, number))
        seat = picker(app)
        assert "may swap" in app.panel("banner")
        assert seat == 0
        await pilot.pause()
        owned, left = app.controller.view.cars[0].upgrades, app.controller.view.offered
        assert "keep all your upgrades" in app.panel("forecast")
        await pilot.press("2")
        await pilot.pause()
        assert f"swap {card_name(owned[0])}" in app.panel("forecast")
        assert f"for {card_name(left[1])}" in app.panel("forecast")
        await pilot.click("#garage-side", offset=(10, 1))
        await pilot.pause()
        assert f"for {card_name(left[0])}" in app.panel("forecast")
        await pilot.press("enter")
        await until(lambda: session.said[-1][2] == c.SwapUpgrade(owned[0], left[0]))


def keys_for(observation: Observation) -> list[str]:
    """Give the keys for the answer that the server would give."""
    command, choice = default_command(observation), observation.own.choice
    match command:
        case c.PickUpgrade() | c.ChooseValue() | c.DropUnpaid():
            return ["enter"]
        case c.UseSymbol():
            assert isinstance(choice, ReactChoice)
            usable = [number for number, use in enumerate(choice.symbols) if use.most]
            return ["u", *["up"] * (len(usable) - usable.index(command.number) + _playable(choice)), "enter"]
        case _:
            return keys_of(command, observation.own.hand)


def _playable(choice: ReactChoice) -> int:
    return sum(not use.reason for use in choice.direct)


@pytest.mark.parametrize("seed", ["a", "b"])
async def test_a_race_with_all_modules_is_driven_by_keys_from_the_draft_to_the_results(
    tmp_path: Path, seed: str
) -> None:
    app = RaceApp(tmp_path, HeldSession(table("Ana", "Ben", legends=2, seed=seed)))
    kinds = set()
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        session = app.session
        assert isinstance(session, HeldSession)
        while app.controller.view.status != "ended":
            observation, decision = app.controller.observation, own_decision(app.race)
            number = app.controller.view.event_number
            if decision is None or observation is None:
                session.others_act()
            else:
                kinds.add(type(observation.own.choice).__name__)
                await pilot.press(*keys_for(observation))
            await until(partial(_is_past, app, number))
            await pilot.pause()
        assert {"PickChoice", "GearChoice", "CardsChoice", "ReactChoice"} <= kinds
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))


@pytest.mark.parametrize("size", [SMALL, (120, 40), (200, 60)])
async def test_the_draft_shows_the_circuit_the_own_deck_and_what_each_card_is_worth(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = RaceApp(tmp_path, HeldSession(table("Ana", "Ben", "Cleo", "Dan", "Eva")))
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await turn_of(pilot, app, 0)
        drawing = app.screen.query_one(TrackMap).drawing
        assert drawing is not None
        assert all(str(corner.limit) in shown(pilot) for corner in app.controller.labels.track.corners)
        assert len(app.screen.query_one(TrackMap).cars) == 6
        panels = app.panel("garage") + "\n" + app.panel("garage-side")
        assert app.panel("garage").count("\n") < app.screen.query_one("#garage").size.height
        assert app.panel("garage-side").count("\n") < app.screen.query_one("#garage-side").size.height
        for text in ("Your deck", " 1  ×3", " 4  ×3", " Stress  ×", " Heat  ×6 in engine"):
            assert text in panels
        worths = worths_in(app.controller.labels.setup)
        for card in app.controller.view.offered:
            spaces = round(worths.spaces(card))
            verb = "gains" if spaces >= 0 else "costs"
            assert (f"{spaces:+}" if size == SMALL else f"{verb} {abs(spaces)} ") in panels
        assert all(name in panels for name in ("Ben", "Cleo", "Dan", "Eva"))
        await pilot.press("v")
        await pilot.pause()
        assert app.screen.query_one(TrackMap).size.width == size[0]


async def test_the_race_behind_the_draft_uses_all_its_room(tmp_path: Path) -> None:
    """Panels that the draft hid know their size again: no name is cut, the road fills its line."""
    app = RaceApp(tmp_path, HeldSession(table("Ana", "Ben", legends=3)))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        session = app.session
        assert isinstance(session, HeldSession)
        while app.controller.view.status == "set_up":
            number = app.controller.view.event_number
            if picker(app) == 0:
                await pilot.press("enter")
            else:
                session.others_act()
            await until(partial(_is_past, app, number))
        await until(lambda: app.controller.draft is not None and app.controller.draft.gear)
        await until(lambda: len(app.panel("road")) > 70)
        standings = app.panel("standings")
        assert all(f"Legend {number}" in standings for number in (1, 2, 3))
        assert "gap/gear/Heat" in standings
        assert "w weather" in app.panel("keys")
        assert all(len(line) <= 80 for line in app.panel("keys").split("\n"))
