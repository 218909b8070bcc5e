"""A championship at the real server: two clients from the lobby to the final table, one away in between."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from heat_core.wire.address import Address
from heat_core.wire.messages import PlaceState, RoomOptions, SeasonOptions
from heat_tui.app import HeatApp
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.lobby import ALL_READY
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.room_season import RoomSeasonScreen
from heat_tui.screens.rows import ActionRow, ChoiceRow
from heat_tui.screens.table_rules import TableRulesScreen
from tests.tui.scenes import SCENES
from tests.tui.support_app import SMALL, folders_in, message, shown, until

pytestmark = pytest.mark.asyncio

SHORT = RoomOptions(laps=1, cars=3, legends=1, season=SeasonOptions(year=1961))


@asynccontextmanager
async def in_lobby(
    path: Path,
    address: Address,
    name: str,
    code: str = "",
    options: RoomOptions = SHORT,
    *,
    watches: bool = False,
) -> AsyncIterator[tuple[HeatApp, Pilot[None], ServerStay]]:
    """Run a client that stands in a lobby: in a new room, or with a code in that one."""
    folders = folders_in(path / name)
    stay = await ServerStay.begin(folders, address)
    if watches:
        await stay.watch(code, name)
    elif code:
        await stay.join(code, name, "blue")
    else:
        await stay.create(name, "red", options)
    app = HeatApp(folders, opening=lambda app: app.enter_lobby(stay), animate=False, player_name=name)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, LobbyScreen))
        await pilot.pause()
        yield app, pilot, stay


def code_of(stay: ServerStay) -> str:
    assert stay.link.room is not None
    return stay.link.room.code


async def give_up(*pilots: Pilot[None]) -> None:
    """Let everybody give the race up, and go on from the results to the season."""
    for pilot in pilots:
        await to(pilot, RaceScreen)
        await pilot.press("g", "y")
        await pilot.pause()
    for pilot in pilots:
        screen = pilot.app.screen
        assert isinstance(screen, RaceScreen)
        await until(partial(_has_ended, screen))
        await pilot.pause()
        await pilot.press("enter")
        await to(pilot, ResultsScreen)
        await pilot.press("enter")
        await to(pilot, RoomSeasonScreen)


def _has_ended(screen: RaceScreen) -> bool:
    return screen.controller.view.status == "ended"


async def to(pilot: Pilot[None], screen: type[object]) -> None:
    """Wait until a screen stands."""
    await until(partial(_stands, pilot, screen))
    await pilot.pause()
    await pilot.pause()


def _stands(pilot: Pilot[None], screen: type[object]) -> bool:
    return isinstance(pilot.app.screen, screen)


async def test_three_races_from_the_lobby_to_the_final_table(tmp_path: Path, address: Address) -> None:
    async with (
        in_lobby(tmp_path, address, "Ana") as (ana_app, ana, stay),
        in_lobby(tmp_path, address, "Ben", code_of(stay)) as (_, ben, _),
    ):
        assert "Championship 1961" in shown(ben)
        await ben.press("r")
        await until(lambda: "READY" in shown(ana))
        await ana.press("s")
        for number in (1, 2):
            await give_up(ana, ben)
            for pilot in (ana, ben):
                assert f"Championship 1961: after race {number} of 3" in shown(pilot)
                assert f"Race {number + 1} of 3:" in shown(pilot)
            assert "Ben: not ready yet" in shown(ana)
            await ana.press("s")
            await until(lambda: message(ana_app).startswith("Not ready: Ben."))
            await ben.press("r")
            await until(lambda: "Ben: ready" in shown(ana) and message(ana_app) == ALL_READY)
            await until(lambda: "[ Not ready ]" in shown(ben))
            await ana.press("s")
        await give_up(ana, ben)
        for pilot in (ana, ben):
            assert "Championship 1961: the final table" in shown(pilot)
            assert "Legend 1 is champion with" in shown(pilot)
            assert "Its hash is the one shown at the start" in shown(pilot)
            await pilot.press("escape")
            await to(pilot, HomeScreen)
            assert "Rejoin" not in shown(pilot)


async def test_the_way_on_is_in_sight_and_reached_by_arrows_however_long_the_table_is(tmp_path: Path) -> None:
    people = [PlaceState("human", f"Driver {number}", "red", False, True) for number in range(1, 7)]
    for scene in SCENES:
        if scene.screen is RoomSeasonScreen:
            app = scene.app(tmp_path / scene.name)
            async with app.run_test(size=(80, 24)) as pilot:
                await to(pilot, RoomSeasonScreen)
                screen = pilot.app.screen
                assert isinstance(screen, RoomSeasonScreen)
                link = screen._stay.link
                assert link.room is not None
                link.mirror.room = replace(link.room, places=tuple(people))
                screen._show()
                await pilot.pause()
                rows = [row for row in screen.query(ActionRow) if row.display]
                assert screen.focused is rows[0]
                assert (screen.query_one("#form").max_scroll_y > 0) == (link.room.phase == "between")
                for row in rows:
                    assert row.region.height == 1
                    assert screen.region.contains_region(row.region)
                await pilot.press("right")
                assert screen.focused is rows[-1]
                await pilot.press("left", "pagedown")
                assert screen.focused is rows[0]


async def test_who_went_home_between_races_comes_back_and_a_bot_drives_meanwhile(
    tmp_path: Path, address: Address
) -> None:
    async with (
        in_lobby(tmp_path, address, "Ana") as (ana_app, ana, stay),
        in_lobby(tmp_path, address, "Ben", code_of(stay)) as (_, ben, _),
    ):
        await ana.press("s", "s")
        await give_up(ana, ben)
        await ana.press("b")
        await until(lambda: message(ana_app) == "Nobody is away.")
        await ben.press("escape")
        await until(lambda: isinstance(ben.app.screen, HomeScreen))
        await until(lambda: "Ben: away" in shown(ana))
        await ana.press("b")
        await until(lambda: "Ben: a bot drives" in shown(ana))
        await until(lambda: "Rejoin" in shown(ben))
        await ben.press("b")
        await to(ben, RoomSeasonScreen)
        assert "after race 1 of 3" in shown(ben)
        assert "Ben: a bot drives, until the next race" in shown(ben)
        await ana.press("s")
        await give_up(ana, ben)
        assert "after race 2 of 3" in shown(ben)


async def test_who_looks_on_is_taken_along_to_the_next_race_from_wherever_they_stand(
    tmp_path: Path, address: Address
) -> None:
    async with (
        in_lobby(tmp_path, address, "Ana") as (_, ana, stay),
        in_lobby(tmp_path, address, "Cy", code_of(stay), watches=True) as (cy_app, cy, _),
        in_lobby(tmp_path, address, "Dee", code_of(stay), watches=True) as (dee_app, dee, _),
    ):
        await ana.press("s")
        await to(cy, RaceScreen)
        await to(dee, RaceScreen)
        first = cy_app.screen, dee_app.screen
        await give_up(ana)
        await until(lambda: isinstance(first[0], RaceScreen) and _has_ended(first[0]))
        await cy.pause()
        await cy.press("enter")
        await to(cy, ResultsScreen)
        await until(lambda: message(cy_app).startswith("The host starts the next race;"))
        await ana.press("s")
        await to(ana, RaceScreen)
        for app, before in zip((cy_app, dee_app), first, strict=True):
            await until(partial(_is_elsewhere, app, before))
            assert isinstance(app.screen, RaceScreen)
            assert not _has_ended(app.screen)


def _is_elsewhere(app: HeatApp, before: object) -> bool:
    return isinstance(app.screen, RaceScreen) and app.screen is not before


async def test_the_host_makes_a_championship_of_the_room(tmp_path: Path, address: Address) -> None:
    async with in_lobby(tmp_path, address, "Ana", options=RoomOptions()) as (app, ana, stay):

        def season() -> SeasonOptions | None:
            assert stay.link.room is not None
            return stay.link.room.options.season

        def settings() -> Mapping[str, str]:
            assert stay.link.room is not None
            return stay.link.room.options.settings

        app.screen.query_one("#season").focus()
        await ana.press("right")
        await until(lambda: season() == SeasonOptions(year=1961))
        await ana.pause()
        assert not app.screen.query_one("#track").display
        await ana.press("left", "left")
        await until(lambda: season() == SeasonOptions(tracks=("usa", "gb", "italy"), events=True))
        await ana.pause()
        app.screen.query_one("#race4").focus()
        await ana.press("right")
        await until(lambda: (found := season()) is not None and len(found.tracks) == 4)
        app.screen.query_one("#sponsorships").focus()
        await ana.press("right")
        await until(lambda: (found := season()) is not None and found.sponsorships)
        app.screen.query_one("#events").focus()
        await ana.press("right")
        await until(lambda: (found := season()) is not None and not found.events)
        await ana.press("f3")
        await until(lambda: isinstance(app.screen, TableRulesScreen))
        await ana.pause()
        app.screen.query_one("#points").focus()
        await ana.press("right", "escape")
        await until(lambda: settings() == {"points": "printed"})
        await until(lambda: "Points: 9, 6, 4, 3, 2, 1" in shown(ana))
        row = app.screen.query_one("#season", ChoiceRow)
        row.focus()
        await ana.press("right")
        await until(lambda: season() is None)
        await ana.pause()
        assert app.screen.query_one("#track").display


async def test_who_did_not_see_the_end_of_a_race_goes_on_to_the_next_one(
    tmp_path: Path, address: Address
) -> None:
    async with (
        in_lobby(tmp_path, address, "Ana") as (_, ana, stay),
        in_lobby(tmp_path, address, "Ben", code_of(stay)) as (_, ben, benvisit),
    ):
        await ana.press("s", "s")
        for pilot in (ana, ben):
            await to(pilot, RaceScreen)
        first = ben.app.screen
        assert isinstance(first, RaceScreen)
        feed = benvisit.link.race
        assert feed is not None
        feed.receive = lambda update: None  # type: ignore[method-assign]  # as if the line were dead
        await ben.press("g", "y")
        await give_up(ana)
        await ana.press("s", "s")
        await until(lambda: benvisit.link.race is not feed)
        await until(lambda: "the next one has begun" in shown(ben))
        await ben.press("enter")
        await until(lambda: isinstance(ben.app.screen, RaceScreen) and ben.app.screen is not first)
