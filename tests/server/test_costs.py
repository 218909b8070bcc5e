"""What makes much work, or helps to guess, costs who sends it time. CASES 3 and 8 to 11."""

from __future__ import annotations

import re
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # because it has no types of its own
import pytest
import trio
from trio.testing import MockClock

from heat_core.wire.messages import Create, Error, Join, Lock
from heat_server.bucket import Bucket
from heat_server.config import ServerConfig
from heat_server.costs import (
    BYTES_OF_A_MESSAGE,
    COSTS,
    WRONG_CODE_COST,
    WRONG_MESSAGE_COST,
    WRONG_PASSWORD_COST,
)
from tests.server.support import QUICK, House

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"


@pytest.mark.trio
async def test_a_guess_costs_an_address_time_however_often_it_comes_anew(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Nobody tries many passwords, nor many codes to find and wake rooms, by opening new connections."""
    house = House(nursery, ServerConfig())
    ana = await house.player()
    code = (await ana.ok(Create(ana.id(), "ana", None, QUICK, "secret"))).code or ""
    share = Bucket(100, 200, trio.current_time())

    async def guess(code: str, times: int) -> float:
        began = trio.current_time()
        for number in range(times):
            guesser = await house.player()
            session = house.server.sessions.find(guesser.token)
            assert session is not None
            assert session.connection is not None
            session.connection.share = share  # as of one address
            await guesser.refused(Join(guesser.id(), code, "gus", None, str(number)))
            await guesser.hang_up()
        return trio.current_time() - began

    assert await guess(code, 101) >= 50  # 2 in a second
    assert await guess("FFFFF", 101) >= 20  # 5 in a second


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
    assert f"a wrong message {WRONG_MESSAGE_COST};" in text
    assert f"each whole {BYTES_OF_A_MESSAGE:,} bytes" in text
    assert f"no room has counts for {WRONG_CODE_COST} besides" in text
    assert f"a wrong password for {WRONG_PASSWORD_COST}." in text
