"""Floods of requests that ask the database: others must not wait behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_core.wire.messages import PROTOCOL, Create, Error, Hello
from heat_server.returning_players import LONGEST_SECONDS
from heat_server.room import rooms
from heat_server.room.denied import Denied
from heat_server.store.ownership import Claimed, Owner
from tests.server.fleets import Fleet
from tests.server.support import UNHURRIED, server_on

pytestmark = pytest.mark.trio


async def test_many_who_open_rooms_share_questions_and_ask_nothing_where_there_is_no_space(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, store = replace(UNHURRIED, most_rooms=8), fleet.join()
    async with server_on(store, config) as house:
        owners_of_codes, questions = store.owners_of_codes, list[int]()

        def ask(codes: Sequence[str]) -> dict[str, Owner]:
            questions.append(len(codes))
            return owners_of_codes(codes)

        monkeypatch.setattr(store, "owners_of_codes", ask)
        players = [await house.player() for _ in range(8)]
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.create)
        assert (sum(questions), len(house.server.rooms)) == (8, 8)
        assert len(questions) <= 2
        late = await house.player()
        assert await late.refused(Create(late.id(), "ana")) == "room/too_many"
        assert sum(questions) == 8


async def test_many_who_ask_for_rooms_of_other_servers_share_questions(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or those who change servers would wait behind hundreds of unknown tokens, as would commits."""
    store = fleet.join()
    async with server_on(store) as house:
        owners_of_keys, questions = store.owners_of_keys, list[int]()

        def ask(keys: Sequence[bytes]) -> dict[bytes, Owner]:
            questions.append(len(keys))
            return owners_of_keys(keys)

        monkeypatch.setattr(store, "owners_of_keys", ask)
        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(house.server.rooms.take_over_seat, b"%d" % number)
        assert sum(questions) == 20
        assert len(questions) <= 2


async def test_a_take_over_of_many_rooms_waits_for_a_few_who_come_for_one_each(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or they would wait for each other, one commit after another, while one commit would give them all."""
    store = fleet.join()
    async with server_on(store) as house:
        claims = list[str]()

        def ask(keys: Sequence[bytes]) -> dict[bytes, Owner]:
            return {key: Owner(key.decode(), "", False, False) for key in keys}

        async def claim(match: str = "all") -> list[Claimed]:
            claims.append(match)
            await trio.sleep(1)
            return []

        async def come(key: bytes) -> None:
            with pytest.raises(Denied):
                await house.server.rooms.take_over_seat(key)

        monkeypatch.setattr(store, "owners_of_keys", ask)
        monkeypatch.setattr(house.server.worker, "claim_one", claim)
        monkeypatch.setattr(house.server.worker, "claim", claim)
        async with trio.open_nursery() as nursery:
            for number in range(20):
                nursery.start_soon(come, b"m%d" % number)
            await wait_all_tasks_blocked(0.1)
            await house.server.rooms.take_over()
        assert claims.index("all") <= rooms.MOST_SINGLE_TAKE_OVERS
        assert len(claims) == 21


async def test_who_comes_back_while_the_server_has_much_to_do_is_asked_to_try_again(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were hung up on for saying nothing, though it was the server that had no time to answer."""
    async with server_on(fleet.join()) as house:
        ana, _ = await house.racing()

        async def busy(key: bytes) -> None:
            await trio.sleep(60)

        monkeypatch.setattr(house.server.worker, "owner_of_key", busy)
        player = house.connect()
        answer = await player.answer(Hello(player.id(), PROTOCOL, token="of another server"))
        assert isinstance(answer, Error)
        assert answer.code == "server/not_read"
        assert trio.current_time() == pytest.approx(LONGEST_SECONDS)
        monkeypatch.undo()
        await player.hello(ana.token)
