"""The waiting room, two clients at the real server."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from heat_core.options.table_options import USUAL_BOT
from heat_core.wire.address import Address
from heat_tui.client.session_file import saved_sessions
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.rows import ChoiceRow
from tests.tui.support_app import LARGE, SMALL, GridApp, message, shown, until
from tests.tui.support_lobby import client, host, host_and_guest, in_lobby, join, room_of

pytestmark = pytest.mark.asyncio


@pytest.mark.spec("LOBBY-2")
async def test_two_meet_choose_and_start(tmp_path: Path, address: Address) -> None:
    async with (
        host(tmp_path, address) as (ana, at_ana, code),
        client(tmp_path, address, "Ben") as (ben, at_ben),
    ):
        await join(ben, at_ben, code.lower())
        await until(lambda: room_of(ana).places[1].name == "Ben")
        await at_ana.pause()
        text = shown(at_ana)
        assert f"heat-tui connect 127.0.0.1:{address.port} {code}" in text
        for word in ("Ana", "Ben", "host, you", "not ready", "red", "blue"):
            assert word in text

        await at_ben.press("r")
        await until(lambda: room_of(ana).places[1].is_ready)
        await at_ana.press("r")
        await until(lambda: room_of(ben).places[0].is_ready)
        await at_ben.pause()
        assert "host, READY" in shown(at_ben)
        await at_ana.pause()
        (row,) = [line for line in shown(at_ana).split("\n") if "Ana" in line and "red" in line]
        assert "you, READY" in row, "on one line"
        ana.screen.query_one("#laps", ChoiceRow).focus()
        await at_ana.press("right")
        await until(lambda: room_of(ben).options.laps == 1)
        assert not room_of(ben).places[1].is_ready, "changed settings clear the marks"
        await at_ana.press("l")
        await until(lambda: room_of(ben).places[2].kind == "legend:medium")
        await at_ana.press("b")
        await until(lambda: room_of(ben).places[3].kind == USUAL_BOT)
        ana.screen.query_one("#places", OptionList).highlighted = 3
        await at_ana.press("x")
        await until(lambda: room_of(ben).places[3].kind is None)

        await at_ana.press("s")
        await until(lambda: "Not ready: Ben" in message(ana))
        await at_ana.press("s")
        await until(lambda: ana.raced_at and ben.raced_at)
        assert ben.raced_at[0].race_session().seats == (1,)


async def test_who_is_not_host_cannot_change_or_start(tmp_path: Path, address: Address) -> None:
    async with host_and_guest(tmp_path, address) as (ana, _, ben, at_ben):
        for key, what in (("s", "start"), ("l", "add"), ("b", "add"), ("x", "add"), ("k", "remove people")):
            await at_ben.press(key)
            assert message(ben).startswith(f"Only the host can {what}")
        assert all(row.is_locked for row in ben.screen.query(ChoiceRow))
        assert not ben.screen.query_one("#start").display
        await at_ben.click("#laps", offset=(16, 0))
        await at_ben.pause()
        assert room_of(ben).options.laps is None
        assert not ana.raced_at


async def test_names_and_cars_are_changed_in_place_and_refused_in_place(
    tmp_path: Path, address: Address
) -> None:
    async with host_and_guest(tmp_path, address) as (ana, _, ben, at_ben):
        await at_ben.press("n", *["backspace"] * 3, *"ANA", "enter")
        await until(lambda: "that name" in message(ben))
        await at_ben.press("n", *["backspace"] * 3, *"[/b]", "enter")
        await until(lambda: room_of(ana).places[1].name == "[/b]")
        await at_ben.pause()
        assert "[/b]" in shown(at_ben)
        before = room_of(ben).places[1].colour
        await at_ben.press("c")
        await until(lambda: room_of(ben).places[1].colour not in (before, room_of(ben).places[0].colour))


async def test_leaving_hands_the_room_on_and_leads_home(tmp_path: Path, address: Address) -> None:
    async with host_and_guest(tmp_path, address) as (ana, at_ana, ben, _):
        await at_ana.press("escape")
        await until(lambda: isinstance(ana.screen, HomeScreen))
        await until(lambda: room_of(ben).host == room_of(ben).place)
        assert saved_sessions(ana.folders) == []
        await until(lambda: ben.screen.query_one("#start").display)


async def test_a_dropped_line_in_the_lobby_mends_itself(tmp_path: Path, address: Address) -> None:
    async with host(tmp_path, address) as (ana, at_ana, code):
        assert isinstance(ana.screen, LobbyScreen)
        connection = ana.screen._stay.link._connection
        assert connection is not None
        connection._abort()
        await until(lambda: "trying again" in message(ana))
        await until(lambda: message(ana) == "Connected again.")
        await at_ana.press("l")
        await until(lambda: room_of(ana).places[1].kind is not None)
        assert room_of(ana).code == code


@pytest.mark.spec("LOBBY-2")
async def test_the_list_of_rooms_shows_and_joins(tmp_path: Path, address: Address) -> None:
    async with (
        host(tmp_path, address, "[b]Ana") as (_, __, code),
        client(tmp_path, address, "Ben", LARGE) as (
            ben,
            at_ben,
        ),
    ):
        rooms = ben.screen.query_one("#rooms", OptionList)
        await until(lambda: rooms.option_count)
        await at_ben.pause()
        assert "[b]Ana" in shown(at_ben)
        rooms.highlighted = rooms.get_option_index(code)
        rooms.focus()
        await at_ben.press("enter")
        await until(lambda: in_lobby(ben))
        assert room_of(ben).code == code


async def test_wrong_codes_are_told_in_one_sentence(tmp_path: Path, address: Address) -> None:
    async with client(tmp_path, address, "Ben") as (ben, at_ben):
        ben.screen.query_one("#code", Input).focus()
        await at_ben.press(*"NOPE", "enter")
        await until(lambda: message(ben) == "No room has this code.")
        assert isinstance(ben.screen, JoinScreen)
        ben.screen.query_one("#name", Input).value = "  "
        await at_ben.press("f2")
        await until(lambda: "at least one letter" in message(ben))


async def test_rejoining_from_home_leads_back_to_the_room(tmp_path: Path, address: Address) -> None:
    async with host(tmp_path, address, "Cy") as (cy, _, code):
        pass
    assert [saved.code for saved in saved_sessions(cy.folders)] == [code]
    app = GridApp(tmp_path / "Cy", name="Cy")
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("b")
        await until(lambda: in_lobby(app))
        assert room_of(app).code == code
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
    assert saved_sessions(app.folders) == []
