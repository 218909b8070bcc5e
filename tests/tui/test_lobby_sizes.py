"""Finding a room and waiting in it: all of it at 80x24, and more where there is more room."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from rich.style import Style
from rich.text import Text
from textual.widgets import OptionList

from heat_core.options.table_options import change
from heat_tui.app import HeatApp
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.lobby_places import PlaceList
from heat_tui.screens.new_race import NewRaceScreen
from heat_tui.screens.rows import ActionRow, ChoiceRow, MessageLine
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.theme.paints import Paint, colour
from tests.tui.doors import DOORS, AnyScreen, door_app, go_through
from tests.tui.scenes import SCENES, settled
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until

HUGE = (200, 60)

pytestmark = pytest.mark.asyncio


async def seen(path: Path, screen: type[AnyScreen], size: tuple[int, int]) -> tuple[str, int]:
    """Show a screen; gives it as text, and the lines that its list of rooms has."""
    app = door_app(path, DOORS[screen])
    async with app.run_test(size=size) as pilot:
        await go_through(pilot, DOORS[screen])
        await until(lambda: type(app.screen) is screen)
        await pilot.pause()
        width, height = size
        for row in app.screen.query("ChoiceRow, ActionRow, MessageLine, Input"):
            assert isinstance(row, ChoiceRow | ActionRow | MessageLine) or row.can_focus
            if row.display and all(above.display for above in row.ancestors if above is not app):
                region = row.region
                assert region.area, row
                assert region.right <= width, row
                assert region.bottom <= height, row
        rooms = app.screen.query(OptionList).filter("#rooms")
        return shown(pilot), rooms.first().size.height if rooms else 0


@pytest.mark.spec("LOBBY-7")
async def test_the_waiting_room_is_whole_at_80x24_and_draws_the_track_where_there_is_room(
    tmp_path: Path,
) -> None:
    small, _ = await seen(tmp_path, LobbyScreen, SMALL)
    large, _ = await seen(tmp_path, LobbyScreen, LARGE)
    for word in (
        "KXFRM",
        "heat-tui connect",
        "Ana",
        "Ben",
        "Legend 1",
        "free",
        "Nina",
        "Track",
        "Away driver",
    ):
        assert word in small
        assert word in large
    for key in ("Leave", "Ready", "Start", "Name", "Car", "+Bot", "+Legend", "Clear"):
        assert key in small.splitlines()[-1]
    blocks = [sum("▀" <= sign <= "▟" for sign in text) for text in (small, large)]
    assert blocks[0] < 20
    assert blocks[1] > 100


async def test_the_picture_of_the_track_tells_the_laps_that_are_chosen(tmp_path: Path) -> None:
    app = door_app(tmp_path, DOORS[NewRaceScreen])
    async with app.run_test(size=LARGE) as pilot:
        await go_through(pilot, DOORS[NewRaceScreen])
        await until(lambda: isinstance(app.screen, NewRaceScreen))
        laps = app.screen.query_one("#laps", ChoiceRow)
        laps.focus()
        for _ in range(4):
            await pilot.press("right")
            await pilot.pause()
            facts = app.screen.query_one(TrackPicture).facts
            assert facts is not None
            told = f"{laps.value or facts.laps} lap"
            assert told in app.screen.query_one(TrackPicture).render().plain
    app = door_app(tmp_path, DOORS[LobbyScreen])
    async with app.run_test(size=LARGE) as pilot:
        await go_through(pilot, DOORS[LobbyScreen])
        await until(lambda: isinstance(app.screen, LobbyScreen))
        await pilot.pause()
        lobby = app.screen
        assert isinstance(lobby, LobbyScreen)
        lobby._change_options(partial(change, field="laps", value=1))
        await until(lambda: "1 lap of 69 spaces" in shown(pilot))


async def test_a_long_question_is_read_whole_at_80x24(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    question = "The password is wrong. Once more: the password of this private room"
    async with app.run_test(size=SMALL) as pilot:
        await app.push_screen(AskScreen(question, is_secret=True))
        await pilot.pause()
        assert question in " ".join(shown(pilot).replace("│", " ").split())


@pytest.mark.spec("LOBBY-7")
async def test_the_list_of_rooms_grows_with_the_terminal(tmp_path: Path) -> None:
    small, few = await seen(tmp_path, JoinScreen, SMALL)
    _, many = await seen(tmp_path, JoinScreen, LARGE)
    for word in ("Server", "Your name", "Your car", "Connect", "Rooms", "Code", "Open a new room"):
        assert word in small
    assert 4 <= few < many


async def test_large_lobbies_show_cars_who_is_ready_and_what_a_free_place_may_become(tmp_path: Path) -> None:
    (lobby,) = (scene for scene in SCENES if scene.name == "lobby-host")
    app = lobby.app(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await lobby.act(pilot)
        await settled(pilot, lobby.screen)
        text = shown(pilot)
        for words in ("✓ ready", "… not ready", "3 of 5 ready", "waiting for Ben and Nina", "b adds a bot"):
            assert words in text
        assert "Starting places" not in text
        assert car_grounds(app) == ["raised", *["ground"] * 4]
        await pilot.press("down")
        await pilot.pause()
        assert car_grounds(app) == ["ground", "raised", *["ground"] * 3], "a car is on the ground of its line"
        await pilot.resize_terminal(*HUGE)
        await settled(pilot, lobby.screen)
        assert "Starting places are drawn when the race starts." in shown(pilot)
        await pilot.resize_terminal(*SMALL)
        await settled(pilot, lobby.screen)
        assert "you, READY" in shown(pilot)
        assert "3 of 5 ready" not in shown(pilot)


def car_grounds(app: HeatApp) -> list[Paint]:
    """Name the paint behind the car of each place that is taken, in the order of the list."""
    places, grounds = app.screen.query_one(PlaceList), []
    for number in range(5):
        prompt = places.get_option_at_index(number).prompt
        assert isinstance(prompt, Text)
        behind = {span.style.bgcolor for span in prompt.spans if isinstance(span.style, Style)}
        wanted: tuple[Paint, ...] = ("ground", "raised")
        grounds += [paint for paint in wanted if colour("night", paint) in behind]
    return grounds
