"""Chat, reactions and the room's news: cleaned, bounded, kept (NET-16)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import events as e
from heat_core.wire.messages import Error, Ok, React, Said, Say
from heat_server.config import ServerConfig
from heat_server.log import open_log
from heat_server.net.clients import LINES_AT_ONCE, LINES_PER_SECOND
from heat_server.room.state import MOST_CHAT_LINES
from heat_server.store.contract import Store
from tests.server.support import House, Player, server_on

pytestmark = pytest.mark.trio

SECONDS_FOR_A_LINE = 1 / LINES_PER_SECOND


async def said_by_all(*players: Player) -> None:
    """Read what has been sent until now."""
    for player in players:
        await player.ping()


@pytest.mark.spec("NET-16")
async def test_lines_and_reactions_reach_all_in_the_room_cleaned_and_no_one_else(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    watcher, (stranger,) = await house.player(), await house.full_lobby(["cy"])
    await watcher.watch(ana.code, "wim")
    for text, shown in [
        ("[bold]hi[/] [@click=app.quit]x[/] \\[", "[bold]hi[/] [@click=app.quit]x[/] \\["),
        ("\x1b[2J\x07one\r\ntwo\u202e", "[2Jone two"),
        ("  z\u0301" + "\u0301" * 300, "\u017a\u0301\u0301\u0301"),
    ]:
        await ana.say(text)
        line = await ben.wait_for(Said, lambda line: line.kind == "chat")
        assert (line.place, line.name, line.text) == (0, "ana", shown)
    await watcher.ok(React(watcher.id(), "bravo"))
    line = await ben.wait_for(Said, lambda line: line.kind == "reaction")
    assert (line.place, line.name, line.text) == (None, "wim", "bravo")
    for nothing in ("", " \t ", "\u200b", "\x1b\x07", "\u0301"):
        assert await ana.refused(Say(ana.id(), nothing)) in ("say/empty", "wire/bad_message")
    await said_by_all(ana, ben, watcher, stranger)
    assert ana.lines == ben.lines == watcher.lines
    assert stranger.lines == []
    for player in (ana, ben, watcher):
        numbers = [line.number for line in player.said]
        assert numbers == sorted(set(numbers))


async def test_a_flood_is_refused_in_a_sentence_and_the_room_plays_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """100 lines a second, for ten seconds."""
    house = House(nursery)
    ana, ben = await house.racing()
    answers = []
    for _ in range(10):
        for _ in range(100):
            answers.append(await ana.answer(Say(ana.id(), "spam")))
        await trio.sleep(1)
    refused = [answer for answer in answers if isinstance(answer, Error)]
    assert {error.code for error in refused} == {"say/too_much"}
    assert len(answers) - len(refused) == LINES_AT_ONCE + 9 * LINES_PER_SECOND // 1
    async with trio.open_nursery() as playing:
        playing.start_soon(ana.race)
        playing.start_soon(ben.race)
    assert isinstance(ben.updates[-1].events[-1], e.RaceEnded)
    await trio.sleep(SECONDS_FOR_A_LINE)
    await ana.say("good race")


async def test_leaving_and_coming_back_gives_no_more_lines_and_no_flood_of_news(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, _ = await house.full_lobby(["ana", "ben"])
    await ana.say("keep this")
    flooder = await house.player()
    accepted = 0
    for _ in range(100):
        await flooder.watch(ana.code, "flo")
        accepted += isinstance(await flooder.answer(Say(flooder.id(), "spam")), Ok)
        await flooder.leave()
    await said_by_all(ana)
    assert accepted + sum("flo" in text for text in ana.news) == LINES_AT_ONCE
    late = await house.player()
    await late.watch(ana.code, "lea")
    await late.ping()
    assert "keep this" in late.lines


async def test_a_line_of_10_kb_is_refused_and_told_so(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    for text in ("x" * 10_000, "x" * 401, "\u6f22" * 10_000):
        answer = await ana.answer(Say(ana.id(), text))
        assert isinstance(answer, Error)
        assert answer.code == "wire/bad_message"
        assert answer.text == "The field text must be a text of at most 400 characters."
    await ana.say("x" * 400)
    await ana.say("\U0001f468" * 400)
    await said_by_all(ben)
    assert ben.lines == ["x" * 200, "\U0001f468" * 100]


async def test_who_comes_gets_the_last_lines_in_order(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.start()
    await ben.hang_up()
    for number in range(MOST_CHAT_LINES + 20):
        await trio.sleep(SECONDS_FOR_A_LINE)
        await ana.say(f"line {number}")
    again = await house.back(ben)
    await said_by_all(ana, again)
    assert again.lines == [f"line {number}" for number in range(20, MOST_CHAT_LINES + 20)]
    assert [line.number for line in again.said] == [line.number for line in ana.said[-MOST_CHAT_LINES:]]


async def test_lines_and_their_numbers_survive_restarts(store: Store, autojump_clock: MockClock) -> None:
    numbers: list[int] = []
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"])
        await ana.start()
        await ana.say("one")
        numbers += [line.number for line in ana.said]
    for text in ("two", "three"):
        async with server_on(store) as house:
            ana, ben = await house.back(ana), await house.back(ben)
            await ana.say(text)
            await ben.wait_for(Said, lambda line, text=text: line.text == text)  # type: ignore[misc]
            assert [line.number for line in ben.said][: len(numbers)] == numbers
            numbers = [line.number for line in ben.said]
    assert ben.lines == ["one", "two", "three"]
    assert numbers == sorted(set(numbers))


async def test_the_log_holds_nothing_of_what_people_write(
    nursery: trio.Nursery, autojump_clock: MockClock, tmp_path: Path
) -> None:
    path = tmp_path / "log"
    with open_log(ServerConfig(log_level="debug", log_format="json", log_file=path)):
        house = House(nursery)
        ana, _ = await house.full_lobby(["ana", "ben"])
        await ana.say("meet me at noon")
        await ana.answer(Say(ana.id(), "meet me at noon" * 1000))
        await ana.answer(Say(ana.id(), "meet me at noon" * 30))
        await ana.hang_up()
        await trio.sleep(30)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line for line in lines if line["event"] == "joined"]
    assert "noon" not in path.read_text()
    assert ana.token not in path.read_text()
