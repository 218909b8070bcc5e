"""The way back to a saved seat, by whatever leads to its server or room: the invitation line above all."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from heat_tui.flow.joining import Entrance
from heat_tui.flow.way_back import seats_at
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from tests.tui.support_app import SMALL, GridApp, folders_in, server_process, shown, until

pytestmark = pytest.mark.asyncio

SECRET = "sesame"


async def locked_race(
    path: Path, address: Address, *, begun: bool = True
) -> tuple[ServerStay, ServerStay, str]:
    """Sit two people down in a room with a password; the second one's folder is that of the tests."""
    ana = await ServerStay.begin(folders_in(path / "ana"), address)
    await ana.create("Ana", "red", m.RoomOptions(cars=3, legends=1))
    await until(lambda: ana.link.room)
    assert ana.link.room is not None
    code = ana.link.room.code
    await ana.link.request(m.Lock(0, SECRET))
    ben = await ServerStay.begin(folders_in(path / "ben"), address)
    await ben.join(code, "Ben", "blue", SECRET)
    await ben.link.request(m.TakeSeat(0, ready=True))
    if begun:
        await ana.link.request(m.Start(0))
        await until(lambda: RemoteSession.is_ready(ben.link))
    return ana, ben, code


async def kill(stay: ServerStay) -> None:
    """End a client as kill -9 does: nothing is said to the server, and the lock of the file is gone."""
    await stay.link.close()
    stay._file.close()


async def invited(path: Path, address: Address, code: str, entrance: Entrance = "join") -> GridApp:
    """Make the client that `heat-tui connect ADDRESS CODE` shows, or one with `--watch`."""
    app = GridApp(path / "ben", name="Ben")
    stay = await ServerStay.begin(app.folders, address)
    app._opening = lambda app: app.show_join(stay, code, "", entrance if code else None)
    return app


@pytest.mark.spec("LOBBY-5")
@pytest.mark.parametrize("typed", ["code", "no code", "to watch"])
async def test_the_invitation_line_leads_back_to_the_own_seat_without_a_password(
    tmp_path: Path, typed: str
) -> None:
    with server_process() as address:
        ana, ben, code = await locked_race(tmp_path, address)
        await kill(ben)
        given = "" if typed == "no code" else code
        app = await invited(tmp_path, address, given, "watch" if typed == "to watch" else "join")
        async with app.run_test(size=SMALL) as pilot:
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.pause()
            assert f"Go back to room {code} as Ben?" in shown(pilot)
            await pilot.press("y")
            await until(lambda: app.raced_at)
            assert app.raced_at[0].race_session().seats == (1,)
            assert list(app.stays) == app.raced_at, "the connection of somebody new is gone"
        await ana.leave()


async def test_who_does_not_want_the_seat_comes_as_somebody_new_and_may_have_it_later(
    tmp_path: Path,
) -> None:
    with server_process() as address:
        ana, ben, code = await locked_race(tmp_path, address)
        await kill(ben)
        app = await invited(tmp_path, address, code)
        async with app.run_test(size=SMALL) as pilot:
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.press("n")
            await until(lambda: isinstance(app.screen, JoinScreen) is False or "password" in shown(pilot))
            assert [seat.name for seat in saved_sessions(app.folders)] == ["Ben"]
        await ana.leave()


async def test_a_seat_that_another_window_has_is_not_offered(tmp_path: Path) -> None:
    with server_process() as address:
        ana, ben, code = await locked_race(tmp_path, address, begun=False)
        assert await seats_at(folders_in(tmp_path / "ben"), address, code) == []
        await kill(ben)
        assert len(await seats_at(folders_in(tmp_path / "ben"), address, code)) == 1
        await ana.leave()


async def test_a_server_has_its_seats_under_every_name_of_its_machine(tmp_path: Path) -> None:
    with server_process() as address:
        ana, ben, code = await locked_race(tmp_path, address, begun=False)
        await kill(ben)
        folders = folders_in(tmp_path / "ben")
        other = Address("localhost" if address.host != "localhost" else "127.0.0.1", address.port)
        assert len(await seats_at(folders, other, code)) == 1
        assert await seats_at(folders, Address(address.host, address.port + 1)) == []
        assert await seats_at(folders, Address("no.such.host.invalid", address.port)) == []
        assert await seats_at(folders, address, "OTHER") == []
        await ana.leave()


async def test_a_seat_is_kept_under_the_newest_name_of_its_driver(tmp_path: Path) -> None:
    with server_process() as address:
        ana, ben, code = await locked_race(tmp_path, address, begun=False)
        await ben.link.request(m.TakeSeat(0, name="Benedict"))
        await until(lambda: ben.link.room is not None and ben.link.room.own.name == "Benedict")
        await kill(ben)
        (seat,) = saved_sessions(folders_in(tmp_path / "ben"))
        assert (seat.name, seat.code) == ("Benedict", code)
        app = await invited(tmp_path, address, code)
        async with app.run_test(size=SMALL) as pilot:
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.pause()
            assert f"Go back to room {code} as Benedict?" in shown(pilot)
            await pilot.press("y")
            await until(lambda: isinstance(app.screen, LobbyScreen))
        await ana.leave()


async def test_connecting_by_the_form_offers_the_seat_too(tmp_path: Path) -> None:
    with server_process() as address:
        ana, ben, code = await locked_race(tmp_path, address)
        await kill(ben)
        app = GridApp(tmp_path / "ben", name="Ben")
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("j", *str(address), "enter")
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.press("n")
            await until(lambda: isinstance(app.screen, JoinScreen))
            app.screen.query_one("#code").focus()
            await pilot.press(*code, "enter")
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            await pilot.press("y")
            await until(lambda: app.raced_at)
            assert app.raced_at[0].race_session().seats == (1,)
        await ana.leave()


async def test_home_offers_a_seat_as_soon_as_its_connection_has_ended(tmp_path: Path) -> None:
    """The connection ends in the background; until then the seat's file is locked."""
    with server_process() as address:
        ana, ben, code = await locked_race(tmp_path, address)
        app = GridApp(tmp_path / "ben", name="Ben")
        async with app.run_test(size=SMALL) as pilot:
            app.stays.keep(ben)
            await pilot.press("p")
            await until(lambda: not isinstance(app.screen, HomeScreen))
            await pilot.press("escape")
            await until(lambda: isinstance(app.screen, HomeScreen) and not app.stays)
            await pilot.pause()
            assert [seat.code for seat in app.home.seats] == [code]
            assert f"room {code}" in shown(pilot)
        await ana.leave()
