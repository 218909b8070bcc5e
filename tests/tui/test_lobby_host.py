"""What a host decides about the people in a room: a password, who goes; spectators stand in the list."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from textual.widgets import Input

from heat_core.options.table_options import USUAL_BOT
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from heat_tui.flow.room_rows import room_rows
from heat_tui.screens.ask import AskScreen, ChooseScreen
from heat_tui.screens.dialogs import PageDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.lobby_places import PlaceList
from tests.tui.support_app import message, shown, until
from tests.tui.support_lobby import host, host_and_guest, in_lobby, room_of

pytestmark = pytest.mark.asyncio


async def test_a_password_is_set_shown_as_private_and_taken_away(tmp_path: Path, address: Address) -> None:
    async with host_and_guest(tmp_path, address) as (ana, at_ana, ben, at_ben):
        await at_ben.press("p")
        assert in_lobby(ben), "only the host locks"
        await at_ana.click("#lock")
        await until(lambda: isinstance(ana.screen, AskScreen))
        await at_ana.pause()
        await at_ana.pause()
        assert "Confirm" in shown(at_ana), "the line's own Enter does not hide the key"
        await at_ana.press(*"sesame", "enter")
        await until(lambda: room_of(ben).is_private)
        await at_ben.pause()
        assert f"Room {room_of(ana).code}   private" in shown(at_ben)
        await until(lambda: "private now" in message(ana))
        await at_ana.press("p")
        await until(lambda: isinstance(ana.screen, AskScreen))
        await at_ana.press("escape")
        await at_ana.pause()
        assert room_of(ana).is_private, "thinking better of it changes nothing"
        await at_ana.press("p")
        await until(lambda: isinstance(ana.screen, AskScreen))
        await at_ana.press("enter")
        await until(lambda: not room_of(ben).is_private)


@pytest.mark.parametrize(("key", "is_banned"), [("y", False), ("b", True)])
async def test_the_host_asks_first_and_puts_a_person_out(
    tmp_path: Path, address: Address, key: str, is_banned: bool
) -> None:
    async with host_and_guest(tmp_path, address, "[b]Ben") as (ana, at_ana, ben, at_ben):
        await until(lambda: room_of(ana).places[1].kind)
        await at_ana.pause()
        ana.screen.query_one(PlaceList).highlighted = 0
        await at_ana.press("k")
        assert message(ana) == "You cannot remove yourself. Leave the room instead."
        ana.screen.query_one(PlaceList).highlighted = 2
        await at_ana.press("k")
        assert message(ana).startswith("Choose a person")
        ana.screen.query_one(PlaceList).highlighted = 1
        await at_ana.click("#kick")
        await until(lambda: isinstance(ana.screen, ChooseScreen))
        await at_ana.pause()
        assert "Remove [b]Ben from the room?" in shown(at_ana)
        assert "A banned player" in shown(at_ana), "a ban alone stops nobody who comes as somebody else"
        await at_ana.press("enter")
        await until(lambda: in_lobby(ana))
        assert room_of(ana).places[1].kind, "Enter alone removes nobody"
        assert not message(ana).startswith("Choose a person"), "what answered an earlier key is gone"
        await at_ana.press("k")
        await until(lambda: isinstance(ana.screen, ChooseScreen))
        await at_ana.press(key)
        await until(lambda: in_lobby(ana) and room_of(ana).places[1].kind is None)
        await until(lambda: isinstance(ben.screen, PageDialog))
        await at_ben.pause()
        assert ("banned you from the room" in shown(at_ben)) is is_banned
        await at_ben.press("enter")
        await until(lambda: isinstance(ben.screen, HomeScreen))
        assert saved_sessions(ben.folders) == []


async def test_the_host_gives_a_driver_more_time_by_a_key(tmp_path: Path, address: Address) -> None:
    async with host_and_guest(tmp_path, address) as (ana, at_ana, ben, at_ben):
        await until(lambda: room_of(ana).places[1].kind)
        await at_ana.pause()
        ana.screen.query_one(PlaceList).highlighted = 2
        await at_ana.press("o")
        assert message(ana) == "Choose a driver first."
        ana.screen.query_one(PlaceList).highlighted = 1
        for seconds, told in ((30, " +30s"), (60, " +1m"), (120, " +2m"), (300, " +5m"), (0, "")):
            await at_ana.press("o")
            given = 1000 * seconds
            await until(partial(lambda given: room_of(ana).places[1].more_milliseconds == given, given))
            await at_ana.pause()
            assert room_rows(room_of(ana))[1].more_seconds == seconds
            assert told in shown(at_ana)
        await at_ben.press("o")
        await until(lambda: message(ben) == "Only the host can give more time.")


async def test_spectators_are_listed_and_can_be_put_out(tmp_path: Path, address: Address) -> None:
    async with host(tmp_path, address) as (ana, at_ana, code):
        stay = await ServerStay.begin(ana.folders._replace(state=tmp_path / "other"), address)
        try:
            await stay.link.request(m.Watch(0, code, "[/b]Cy"))
            await until(lambda: room_of(ana).watchers == ("[/b]Cy",))
            await at_ana.pause()
            assert "-  [/b]Cy  watching" in shown(at_ana)
            places = ana.screen.query_one(PlaceList)
            places.highlighted = places.option_count - 1
            await at_ana.press("b")
            await until(lambda: room_of(ana).places[1].kind == USUAL_BOT)
            await at_ana.press("x", "k")
            await until(lambda: isinstance(ana.screen, ChooseScreen))
            await at_ana.press("y")
            await until(lambda: in_lobby(ana) and not room_of(ana).watchers)
            await until(lambda: stay.link.ended is not None)
        finally:
            await stay.close()


async def test_the_dialogs_take_what_is_typed(tmp_path: Path, address: Address) -> None:
    async with host(tmp_path, address) as (ana, at_ana, _):
        await at_ana.press("p")
        await until(lambda: isinstance(ana.screen, AskScreen))
        await at_ana.press(*"[/b]")
        assert ana.screen.query_one(Input).value == "[/b]"
        await at_ana.press("enter")
        await until(lambda: in_lobby(ana) and room_of(ana).is_private)
