"""What makes much work, or helps to guess, costs who sends it time."""

from __future__ import annotations

import re
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # because it has no types of its own
import pytest
import trio
from trio.testing import MockClock

from heat_core.race.commands import GiveUp
from heat_core.race.events import ChoiceMade
from heat_core.wire.messages import (
    PROTOCOL,
    Act,
    Create,
    Error,
    Hello,
    Join,
    LobbyView,
    Lock,
    Rematch,
    RoomOptions,
)
from heat_server.config import ServerConfig
from heat_server.net.costs import (
    BYTES_OF_A_MESSAGE,
    CONNECTION_COST,
    COSTS,
    WRONG_CODE_COST,
    WRONG_MESSAGE_COST,
    WRONG_PASSWORD_COST,
    WRONG_TOKEN_COST,
)
from heat_server.net.token_bucket import TokenBucket
from heat_server.room.bot_scheduler import PLAYED_AT_ONCE, PLAYED_PER_SECOND
from tests.server.support import QUICK, UNHURRIED, House

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"


@pytest.mark.trio
async def test_a_guess_costs_an_address_time_however_often_it_comes_anew(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Nobody tries many passwords, nor many codes to find and wake rooms, by opening new connections."""
    house = House(nursery, ServerConfig())
    ana = await house.player()
    code = (await ana.ok(Create(ana.id(), "ana", None, QUICK, "secret"))).code or ""
    share = TokenBucket(100, 200, trio.current_time())

    async def guess(code: str, times: int) -> float:
        began = trio.current_time()
        for number in range(times):
            guesser = await house.player()
            session = house.server.clients.find(guesser.token)
            assert session is not None
            assert session.connection is not None
            session.connection.shares = (share,)  # as of one address
            await guesser.refused(Join(guesser.id(), code, "gus", None, str(number)))
            await guesser.hang_up()
        return trio.current_time() - began

    assert await guess(code, 101) >= 50  # 2 in a second
    assert await guess("FFFFF", 101) >= 20  # 5 in a second


@pytest.mark.trio
async def test_many_who_connect_from_one_address_are_welcomed_one_after_another(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """A greeting is work; and who says hello and hangs up again and again leaves time for the others."""
    house = House(nursery, ServerConfig())
    began = trio.current_time()
    for _ in range(15):
        await (await house.player(peer="192.0.2.1")).hang_up()
    assert trio.current_time() == began
    for _ in range(100):
        await (await house.player(peer="192.0.2.1")).hang_up()
    assert 2 <= trio.current_time() - began <= 4  # 40 in a second, and a hello each
    began = trio.current_time()
    await house.player(peer="192.0.2.2")
    assert trio.current_time() == began


@pytest.mark.trio
async def test_tokens_are_not_guessed_faster_than_codes_of_rooms_are_found(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """In a fleet the database looks for each, and players who come back would wait behind them."""
    house = House(nursery, ServerConfig(most_errors=1_000, hello_seconds=1_000))
    guesser = house.connect()
    began = trio.current_time()
    for number in range(50):
        hello = Hello(guesser.id(), PROTOCOL, token=str(number))
        assert await guesser.refused(hello) == "hello/unknown_token"
    assert trio.current_time() - began >= 45  # five at once, then one a second


@pytest.mark.trio
async def test_ready_marks_and_whatever_else_goes_to_all_in_a_room_are_throttled(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """400 ready marks, each saved and told to everybody, take time: no honest answer has to wait for them."""
    house = House(nursery, ServerConfig())
    ana = await house.player()
    await ana.create()
    began = trio.current_time()
    for number in range(400):
        await ana.seat(ready=number % 2 == 0)
    assert trio.current_time() - began >= 90  # 20 at once, then 4 a second
    ben = await house.player()
    began = trio.current_time()
    await ben.create("ben")
    await ben.seat(ready=True)
    assert trio.current_time() == began


@pytest.mark.trio
async def test_locking_and_long_frames_count_for_the_work_that_they_make(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(messages_per_second=10, messages_at_once=10))
    ana = await house.player()
    await ana.create()
    began = trio.current_time()
    for number in range(10):
        await ana.ok(Lock(ana.id(), str(number)))
    assert trio.current_time() - began >= 9
    began = trio.current_time()
    payload = msgpack.packb({"type": "say", "id": 1, "text": [[[0] * 64] * 64] * 15})
    for _ in range(3):
        await ana.stream.send_all(len(payload).to_bytes(4, "big") + payload)
        await ana.wait_for(Error)
    assert trio.current_time() - began >= 3 * (len(payload) // 1024) / 10


def test_the_document_tells_what_counts_for_how_much() -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split("## Limits")[1].split())
    told: dict[str | int | None, int] = {}
    for names, cost in re.findall(r"((?:`[a-z]+`(?:, | and )?)+) (\d+)", text):
        told |= dict.fromkeys(re.findall("[a-z]+(?=`)", names), int(cost))
    assert told == {kind.__struct_config__.tag: cost for kind, cost in COSTS.items()}
    assert f"a wrong message {WRONG_MESSAGE_COST}." in text
    assert f"each whole {BYTES_OF_A_MESSAGE:,} bytes" in text
    assert f"no room has counts for {WRONG_CODE_COST} more" in text
    assert f"an unknown token for {WRONG_TOKEN_COST}," in text
    assert f"A new connection counts for {CONNECTION_COST} at its address," in text
    assert f"a wrong password for {WRONG_PASSWORD_COST}." in text


@pytest.mark.trio
async def test_a_race_that_only_programs_drive_has_its_pace_over_rematches_too(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Else one client, who gives up and asks for a rematch, keeps the server and its disk busy for ever."""
    house = House(nursery, UNHURRIED)
    ana = await house.player()
    await ana.create(options=RoomOptions(track="usa", laps=4, cars=6))
    for place in range(1, 6):
        await ana.bot(place, "steady")
    began, decisions = trio.current_time(), 0
    for _ in range(2):
        await ana.start()
        await ana.ok(Act(ana.id(), None, GiveUp()))
        await ana.wait_for(LobbyView, lambda room: room.phase == "ended")
        log = house.server.rooms[ana.code].state.race_log(0)
        assert log is not None
        decisions += sum(isinstance(event, ChoiceMade) for event in log[1])
        await ana.ok(Rematch(ana.id()))
        await ana.wait_for(LobbyView, lambda room: room.phase == "lobby")
        ana.update = None
    expected = (decisions - PLAYED_AT_ONCE) / PLAYED_PER_SECOND
    assert trio.current_time() - began == pytest.approx(expected, abs=3)


@pytest.mark.trio
async def test_who_has_left_is_driven_for_at_the_same_pace(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, UNHURRIED)
    ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"], RoomOptions(track="usa", laps=4))
    await ana.start()
    await ana.ok(Act(ana.id(), None, GiveUp()))
    allowance = house.server.rooms[ana.code].pace._allowance
    while allowance.take(trio.current_time()):
        pass
    began = trio.current_time()
    await ben.leave()
    await cy.leave()
    await ana.wait_for(LobbyView, lambda room: room.phase == "ended")
    log = house.server.rooms[ana.code].state.race_log(0)
    assert log is not None
    decisions = sum(isinstance(event, ChoiceMade) for event in log[1])
    assert trio.current_time() - began == pytest.approx(decisions / PLAYED_PER_SECOND, abs=3)
