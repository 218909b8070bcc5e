"""A guest, who came in by a door: one server, the own folder, and nothing else of the host's machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Static

from heat_core.options.table_options import LocalOptions
from heat_core.positions.seen import NoPosition
from heat_core.record.playback import Playback
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.local import LocalSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, saved_sessions
from heat_tui.flow.beginnings import Beginnings
from heat_tui.flow.exports import NotExported, export_path, typed_path
from heat_tui.flow.home import HomeController
from heat_tui.flow.race import RaceController
from heat_tui.flow.table_factory import make_table
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.settings import SettingsScreen
from heat_tui.state import CRASH_FILE, GUESTS_WRITE_NOTHING, Folders, keep_crash
from heat_tui.words.plain_way import WAY_BY_BROWSER, WAY_BY_SSH
from tests.tui.support_app import SMALL, folders_in, message, save_seat, server_process, shown, until
from tests.tui.support_replay import raced

ELSEWHERE = Address("192.0.2.7", 7777)


def guest_folders(path: Path, server: Address) -> Folders:
    return folders_in(path)._replace(guest_of=server)


@pytest.mark.spec("DOOR-1.2")
@pytest.mark.asyncio
async def test_no_other_server_is_reached_by_address_or_by_a_saved_seat(tmp_path: Path) -> None:
    folders = guest_folders(tmp_path, Address("127.0.0.1", 1))
    with pytest.raises(ConnectFailed, match="can use only that server"):
        await ServerStay.begin(folders, ELSEWHERE)
    seat = SavedSession(str(ELSEWHERE), "token", "K7QX4", "Ana")
    save_seat(folders, seat)
    with pytest.raises(ConnectFailed, match="can use only that server"):
        await ServerStay.rejoin(folders, seat)
    assert saved_sessions(folders) == [seat]


def test_no_path_is_typed_and_nothing_is_exported(tmp_path: Path) -> None:
    folders = guest_folders(tmp_path, ELSEWHERE)
    record = raced()
    session = LocalSession(make_table(LocalOptions(names=("Ana",), track="usa", laps=1, legends=2, seed="5")))
    with pytest.raises(NotExported, match="Guests"):
        typed_path(folders, "/etc/passwd")
    with pytest.raises(NotExported, match="Guests"):
        export_path(folders, Playback(record), ".txt")
    beginnings = Beginnings(RaceController(session))
    beginnings.remember()
    with pytest.raises(NoPosition, match="Guests"):
        beginnings.write(folders, "F8")
    assert not list(tmp_path.iterdir())


def test_a_fault_shows_a_guest_nothing_of_the_hosts_files(tmp_path: Path) -> None:
    folders = guest_folders(tmp_path, ELSEWHERE)
    assert keep_crash(folders, ValueError("x")) == "the host of this door can read the details"
    assert "ValueError: x" in (folders.state / CRASH_FILE).read_text()
    (tmp_path / "file").write_text("in the way")
    blocked = folders._replace(state=tmp_path / "file" / "state")
    assert keep_crash(blocked, ValueError("x")) == "its details could not be written down"


def test_home_has_the_one_server_and_what_is_the_guests_own(tmp_path: Path) -> None:
    folders = guest_folders(tmp_path, ELSEWHERE)
    home = HomeController(folders, pytest.fail)
    save_seat(folders, SavedSession(str(ELSEWHERE), "token", "K7QX4", "Ana"))
    home.refresh()
    assert home.lines[0].about == "room K7QX4 as Ana", "the address of the only server says nothing"
    names = [line.entry.name for line in home.lines]
    assert names == ["rejoin", "join", "replays", "career", "how_to_play", "settings", "quit"]


@pytest.mark.spec("EAR-6")
@pytest.mark.asyncio
@pytest.mark.parametrize("way", [WAY_BY_SSH, WAY_BY_BROWSER])
async def test_nothing_names_a_command_line_that_a_guest_does_not_have(tmp_path: Path, way: str) -> None:
    app = HeatApp(guest_folders(tmp_path, ELSEWHERE)._replace(plain_way=way), animate=False)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert f"For screen readers and braille: {way}" in app.home.plain_mode
        app.push_screen(SettingsScreen())
        await until(lambda: app.screen.query("#name"))
        assert not app.screen.query("#plain_line")
        app.pop_screen()
        app.race_here(make_table(LocalOptions(names=("Ana",), track="usa", laps=1, legends=2, seed="5")))
        await until(lambda: app.screen.query("#too-small"))
        told = str(app.screen.query_one("#too-small", Static).render())
        assert told == f"This needs a terminal of 80 columns and 24 lines. At any size: {way}"


@pytest.mark.asyncio
async def test_join_asks_for_no_address_and_no_key_leads_elsewhere(tmp_path: Path) -> None:
    with server_process() as address:
        app = HeatApp(guest_folders(tmp_path, address), animate=False, player_name="Ana")
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pilot.press("o", "n", "h", "c", "d", "z", "l")
            assert isinstance(app.screen, HomeScreen)
            assert not app.home.server.is_running
            await pilot.press("j")
            await until(lambda: isinstance(app.screen, JoinScreen) and len(app.stays) == 1)
            await until(lambda: "Open a room" in message(app))
            assert not app.screen.query_one("#server-row").display
            assert "Server" not in shown(pilot).split("Your name")[0]
            app.screen.query_one("#server", Input).value = str(ELSEWHERE)
            await pilot.press("f2")
            await until(lambda: isinstance(app.screen, LobbyScreen))


@pytest.mark.asyncio
async def test_a_server_that_is_down_can_be_tried_again(tmp_path: Path) -> None:
    app = HeatApp(guest_folders(tmp_path, Address("127.0.0.1", 1)), animate=False, player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("j")
        await until(lambda: "Nothing listens" in message(app))
        await pilot.press("f2")
        assert message(app) == "There is no connection: choose Connect to try again."
        app.screen.query_one("#connect").focus()
        await pilot.press("enter")
        await until(lambda: "Nothing listens" in message(app))


@pytest.mark.asyncio
async def test_a_replay_is_watched_and_not_exported(tmp_path: Path) -> None:
    app = HeatApp(guest_folders(tmp_path, ELSEWHERE), animate=False, player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        app.show_replay(Playback(raced()))
        await pilot.pause()
        await pilot.press("x")
        await until(lambda: GUESTS_WRITE_NOTHING in shown(pilot))
