"""News that fit together and cannot be shown all the same: one sentence, Home, and no way back by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from heat_core.race import events as e
from heat_core.wire import messages as m
from heat_core.wire.problems import message_problem
from heat_tui.app import HeatApp
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.plain.server import play_there
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.race import RaceScreen
from heat_tui.state import Folders
from tests.tui.fake_server import FakeConnection, FakeRace, FakeServer, fake_server
from tests.tui.support_app import SMALL, folders_in, message, until
from tests.tui.support_plain import SILENCE, Terminal

pytestmark = pytest.mark.asyncio

SENTENCE = "The server sent what cannot be shown (IndexError), so you have left it: the details are in"


def broken(race: FakeRace) -> m.Update:
    """Give news that fit the race, with a car that does not race in a list of an event."""
    honest = race.update(race.table.event_number)
    number = honest.number + 1
    view = msgspec.structs.replace(honest.view, event_number=number)
    event = e.GridDrawn((7, 0))
    update = msgspec.structs.replace(honest, number=number, events=(event,), view=view)
    assert message_problem(update, race.started()) is None
    return update


@asynccontextmanager
async def visiting(
    folders: Folders, race: FakeRace
) -> AsyncIterator[tuple[FakeServer, FakeConnection, ServerStay]]:
    async with asyncio.timeout(60), fake_server() as fake:
        beginning = asyncio.create_task(ServerStay.begin(folders, fake.address))
        connection = await fake.accept()
        await connection.welcome()
        stay = await beginning
        connection.send(*race.everything())
        await until(lambda: RemoteSession.is_ready(stay.link))
        yield fake, connection, stay


async def test_a_screen_that_news_break_gives_way_to_home_and_nothing_connects_again(tmp_path: Path) -> None:
    folders, race = folders_in(tmp_path), FakeRace()
    async with visiting(folders, race) as (fake, connection, stay):
        app = HeatApp(folders, animate=False, player_name="Ana")
        async with app.run_test(size=SMALL) as pilot:
            app.stays.keep(stay)
            app.race_there(stay)
            await until(lambda: isinstance(app.screen, RaceScreen))
            await pilot.pause()
            connection.send(broken(race))
            await until(lambda: isinstance(app.screen, HomeScreen))
            await until(lambda: stay.link.ended)
            await pilot.pause()
            assert message(app).startswith(SENTENCE)
            assert fake.connections.empty()
            details = (folders.state / "crash.txt").read_text()
            assert details.endswith("IndexError: tuple index out of range\n")
            await pilot.press("question_mark", "escape")
            assert isinstance(app.screen, HomeScreen)
        assert app.return_code is None


async def test_a_screen_that_reads_no_more_messages_gives_way_too(tmp_path: Path) -> None:
    folders, race = folders_in(tmp_path), FakeRace()
    async with visiting(folders, race) as (fake, _, stay):
        app = HeatApp(folders, animate=False, player_name="Ana")
        async with app.run_test(size=SMALL) as pilot:
            app.stays.keep(stay)
            app.race_there(stay)
            await until(lambda: isinstance(app.screen, RaceScreen))
            app.screen.call_later(break_down)
            await until(lambda: isinstance(app.screen, HomeScreen))
            await until(lambda: stay.link.ended)
            await pilot.press("question_mark", "escape")
            assert isinstance(app.screen, HomeScreen)
            assert fake.connections.empty()
        assert app.return_code is None


def break_down() -> None:
    raise KeyError("own fault")


async def test_what_breaks_where_no_server_is_ends_the_program(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    with pytest.raises(KeyError, match="own fault"):
        await broken_at_home(app)
    assert app.return_code == 1


async def broken_at_home(app: HeatApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        app.screen.call_later(break_down)
        await pilot.pause()


async def test_plain_mode_says_one_sentence_and_leaves_the_server(tmp_path: Path) -> None:
    folders, race = folders_in(tmp_path), FakeRace()
    async with visiting(folders, race) as (fake, connection, stay):
        terminal = Terminal(lambda prompt: SILENCE)
        playing = asyncio.create_task(
            play_there(terminal.line_terminal, folders, stay, name="Ana", colour="red")
        )
        asked = await connection.expect(m.ListTracks)
        assert isinstance(asked, m.ListTracks)
        connection.send(m.TrackList(asked.id, ()))
        await until(lambda: terminal.prompts)
        connection.send(broken(race))
        await playing
        assert SENTENCE in terminal.text
        assert stay.link.ended
        assert fake.connections.empty()
