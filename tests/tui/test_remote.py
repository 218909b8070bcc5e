"""The link and the session over it, against servers that behave and servers that do not."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import msgspec
import pytest

from heat_core.race.commands import GiveUp, ShiftGear
from heat_core.race.phase import Phase
from heat_core.record.figures import race_figures
from heat_core.refusal import RefusalCode, Refused
from heat_core.wire import messages as m
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_tui.client.backoff import (
    FIRST_PAUSE_SECONDS,
    LONGEST_MOVE_SECONDS,
    LONGEST_PAUSE_SECONDS,
    growing_pause,
    move_pause,
)
from heat_tui.client.connection import ConnectionLost, RequestRefused, without_controls
from heat_tui.client.connection_state import SessionClosed
from heat_tui.client.feed import MOST_COMPARED
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_link import NO_ANSWER
from tests.tui.fake_server import TOKEN, FakeRace, fake_server
from tests.tui.support_link import SECONDS, linked, race_on, state_of, until

pytestmark = pytest.mark.asyncio


@pytest.mark.spec("RACE-7")
async def test_who_comes_back_has_all_events_before_the_race_is_shown() -> None:
    """Else figures, moments and the log would begin where they came back."""
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        race.table.set_driver(0, "steady")
        for _ in range(12):
            race.table.step_bot()
        race.table.set_driver(0, "human")
        number = race.table.event_number
        connection.send(race.room(), race.started(), race.update(since=number - 5))
        asked = await connection.expect(m.AskView)
        assert isinstance(asked, m.AskView)
        assert asked.since == 0
        assert not RemoteSession.is_ready(link)
        connection.send(m.Ok(asked.id), race.room(), race.started(), race.update())
        ping = await connection.expect(m.Ping)
        connection.send(m.Pong(ping.id))
        while not RemoteSession.is_ready(link):
            await link.wait(link.changes)
        session = RemoteSession(link)
        assert session.events_since(0, 0) == race.table.events_since(0, 0)
        figures = race_figures(session.setup, session.events_since(0, None))
        assert figures == race_figures(session.setup, race.table.log)


async def test_a_beginning_that_a_server_does_not_give_is_asked_for_once() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        connection.send(race.room(), race.started(), race.update(since=3))
        asked = await connection.expect(m.AskView)
        connection.send(m.Ok(asked.id), race.update(since=3))
        ping = await connection.expect(m.Ping)
        connection.send(m.Pong(ping.id), race.update(since=3))
        while not RemoteSession.is_ready(link):
            await link.wait(link.changes)
        assert len(RemoteSession(link).events_since(0, 0)) == race.table.event_number - 3


async def test_a_choice_that_the_server_holds_is_news_though_there_is_no_event_of_it() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        session = await race_on(link, connection, race)
        update = race.update()
        own = update.view.own
        assert own is not None
        held = msgspec.structs.replace(own, chosen=ShiftGear(2))
        view = msgspec.structs.replace(update.view, own=held)
        connection.send(msgspec.structs.replace(update, view=view, events=()))
        await session.changed(update.number)
        assert session.view(0).own == held
        waiting = asyncio.create_task(session.changed(update.number))
        connection.send(msgspec.structs.replace(update, view=view, events=()))
        await link.wait(link.changes)
        assert not waiting.done(), "it is told once"
        waiting.cancel()


async def test_requests_find_their_answers() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        first = asyncio.create_task(link.request(m.ListRooms(0)))
        asked = await connection.expect(m.ListRooms)
        second = asyncio.create_task(link.request(m.Start(0)))
        start = await connection.expect(m.Start)
        connection.send(
            m.Error(start.id, ErrorCode.IN_NO_ROOM, "You are in\x1b[31m no room."), m.RoomList(asked.id, ())
        )
        assert isinstance(await first, m.RoomList)
        with pytest.raises(RequestRefused) as caught:
            await second
        assert caught.value.code == ErrorCode.IN_NO_ROOM
        assert caught.value.text.isprintable()


async def test_a_request_in_flight_fails_when_the_line_drops() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        request = asyncio.create_task(link.request(m.Start(0)))
        await connection.expect(m.Start)
        connection.drop()
        with pytest.raises(ConnectionLost):
            await request


@pytest.mark.parametrize("end", ["drop", "garbage", "bye"])
async def test_the_link_comes_back_with_its_token_and_asks_for_what_it_missed(end: str) -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        session = await race_on(link, connection, race)
        number = session.view(0).event_number
        if end == "drop":
            connection.drop()
        elif end == "garbage":
            connection.send_bytes(b"\x00\x00\x00\x02\xc1\xc1")
        else:
            connection.send(m.Bye(ByeCode.SERVER_STOPS, "The server is being stopped."))
            await asyncio.sleep(0)
            connection.drop()
        await session.changed(number)
        assert state_of(link) == "reconnecting"
        again = await fake.accept()
        assert (await again.welcome()).token == TOKEN
        asked = await again.expect(m.AskView)
        assert isinstance(asked, m.AskView)
        assert asked.since == max(0, number - MOST_COMPARED)
        race.table.play_default(0)
        again.send(m.Ok(asked.id), *race.everything(number))
        await session.changed(number)
        assert state_of(link) == "connected"
        assert session.view(0) == race.table.view(0)
        assert session.events_since(0, 0) == race.table.events_since(0, 0)
        assert session.events_since(number, 0) == race.table.events_since(number, 0)


async def test_a_link_that_finds_no_server_says_that_it_keeps_trying() -> None:
    async with asyncio.timeout(SECONDS), AsyncExitStack() as server:
        fake = await server.enter_async_context(fake_server())
        async with linked(fake) as (link, _):
            await server.aclose()
            while link.waits_for != NO_ANSWER:
                await link.wait(link.changes)
            assert state_of(link) == "reconnecting"


async def test_an_answer_in_flight_is_sent_again_for_the_same_decision() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        session = await race_on(link, connection, race)
        own = session.view(0).own
        assert own is not None
        answer = asyncio.create_task(session.submit(0, own.decision, ShiftGear(2)))
        act = await connection.expect(m.Act)
        assert isinstance(act, m.Act)
        race.act(act)
        connection.drop()  # before the ok
        again = await fake.accept()
        await again.welcome()
        asked = await again.expect(m.AskView)
        again.send(m.Ok(asked.id))
        second = await again.expect(m.Act)
        assert isinstance(second, m.Act)
        race.act(second)
        again.send(m.Ok(second.id))
        await answer
        assert race.answers == [(own.decision, ShiftGear(2))] * 2
        assert race.table.view(0).phase is Phase.PLAY_CARDS


async def test_giving_up_twice_over_two_lines_is_giving_up_once() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        session = await race_on(link, connection, FakeRace())
        answer = asyncio.create_task(session.submit(0, None, GiveUp()))
        await connection.expect(m.Act)
        connection.drop()
        again = await fake.accept()
        await again.welcome()
        again.send(m.Ok((await again.expect(m.AskView)).id))
        second = await again.expect(m.Act)
        again.send(m.Error(second.id, RefusalCode.NOT_RACING, "You are not racing any more."))
        await answer


async def test_a_refusal_comes_through_with_code_and_sentence() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        session = await race_on(link, connection, FakeRace())
        for code, expected in [
            (RefusalCode.LATE, RefusalCode.LATE),
            (ErrorCode.IN_NO_ROOM, RefusalCode.NOTHING_TO_DECIDE),
        ]:
            answer = asyncio.create_task(session.submit(0, 1, ShiftGear(1)))
            act = await connection.expect(m.Act)
            connection.send(m.Error(act.id, code, "Too late."))
            with pytest.raises(Refused) as caught:
                await answer
            assert (caught.value.code, caught.value.text) == (expected, "Too late.")


async def test_updates_that_overlap_or_skip_events_are_taken_rightly() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        session = await race_on(link, connection, race)
        first = session.view(0).event_number
        race.table.play_default(0)
        connection.send(race.update(first - 2))
        await session.changed(first)
        assert session.events_since(0, 0) == race.table.events_since(0, 0)
        second = session.view(0).event_number
        race.table.play_default(0)
        race.table.play_default(0)
        connection.send(race.update(second + 2))
        await session.changed(second)
        assert session.events_since(second, 0) == race.table.events_since(second + 2, 0)
        assert session.view(0) == race.table.view(0)


async def test_time_left_runs_on_between_updates() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        session = await race_on(link, connection, FakeRace())
        first = session.seconds_left(0)
        await asyncio.sleep(0.02)
        second = session.seconds_left(0)
        assert first is not None
        assert second is not None
        assert 29 < second < first <= 30
        assert session.seconds_left(5) is None


@pytest.mark.parametrize(
    "last",
    [
        m.Bye(ByeCode.NEWER_CONNECTION, "You have connected again from elsewhere."),
        m.Error(None, ErrorCode.ROOM_CRASHED, "The room has broken down."),
    ],
)
async def test_what_is_final_closes_the_session_and_is_told(last: m.ServerMessage) -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        session = await race_on(link, connection, FakeRace())
        connection.send(last)
        assert isinstance(last, m.Bye | m.Error)
        await until(link, "offline")
        with pytest.raises(SessionClosed, match=last.text):
            await session.changed(session.view(0).event_number)
        with pytest.raises(SessionClosed):
            await session.submit(0, 1, ShiftGear(1))
        assert session.connection == "offline"


async def test_a_server_that_has_forgotten_the_player_ends_the_link() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        await race_on(link, connection, FakeRace())
        connection.drop()
        again = await fake.accept()
        hello = await again.expect(m.Hello)
        again.send(m.Error(hello.id, ErrorCode.UNKNOWN_TOKEN, "The server does not know this token."))
        await until(link, "offline")
        assert link.is_token_dead
        assert link.ended == "The server does not know this token."


async def test_closing_leaves_the_room() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        closed = []
        await race_on(link, connection, FakeRace())
        session = RemoteSession(link, on_close=lambda: closed.append(True))
        closing = asyncio.create_task(session.close())
        left = await connection.expect(m.Leave)
        connection.send(m.Ok(left.id))
        await closing
        await session.close()
        assert closed == [True]


async def test_pauses_grow_from_half_a_second_to_fifteen() -> None:
    for attempt in range(40):
        assert FIRST_PAUSE_SECONDS / 2 <= growing_pause(attempt) <= LONGEST_PAUSE_SECONDS
    assert growing_pause(0) <= 1.5 * FIRST_PAUSE_SECONDS
    assert growing_pause(10) >= LONGEST_PAUSE_SECONDS / 2
    moves = [move_pause() for _ in range(40)]
    assert 0 <= min(moves) < max(moves) <= LONGEST_MOVE_SECONDS, "hundreds do not come in one instant"


@pytest.mark.parametrize("attempt", [0, 1, 2, 10])
async def test_the_clients_of_a_server_that_is_gone_do_not_come_back_all_at_once(attempt: int) -> None:
    """The first pause was the same for all: the others' answers then took several times as long."""
    pauses = [growing_pause(attempt) for _ in range(200)]
    middle = sum(pauses) / len(pauses)
    assert max(pauses) - min(pauses) > middle / 2
    together = max(sum(abs(pause - other) < middle / 20 for pause in pauses) for other in pauses)
    assert together < len(pauses) / 3


async def test_what_would_drive_the_terminal_is_blanked_in_every_text_of_a_server() -> None:
    hostile = m.RoomList(1, (m.RoomSummary("KX476", "lobby", "usa", 2, 6, 1, True, "\x1b]0;x\x07 [b]\n"),))
    (room,) = without_controls(hostile).rooms
    assert room.host == " ]0;x  [b] "
    honest = m.RoomList(1, (m.RoomSummary("KX476", "lobby", "usa", 2, 6, 1, True, "Ana Ёж 中"),))
    assert without_controls(honest) == honest


async def test_leaving_says_that_the_server_plays_on() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        session = await race_on(link, connection, FakeRace())
        assert session.farewell == "Your seat is played for you until you rejoin."
