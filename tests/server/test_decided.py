"""What a host, or all, have decided is still true after a kill, a sleep, a commit that failed (OPS-1)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import pytest
import trio
from trio.testing import MockClock

from heat_core.wire.messages import (
    Error,
    GiveTime,
    Join,
    Kick,
    Lock,
    Ok,
    Pause,
    RoomOptions,
    Say,
    TakeSeat,
    Update,
    Watch,
)
from heat_server.store.contract import Store
from tests.server.restarts import FailingDisk
from tests.server.support import House, Player, server_on

pytestmark = pytest.mark.trio

HOST, FRIEND, TROLL, FLAT = "192.0.2.1", "192.0.2.2", "192.0.2.9", "192.0.2.77"


class Scene(NamedTuple):
    """A room with a host, a friend, a troll, and one of a flat whose people share an address."""

    code: str
    ana: Player
    ben: Player
    troll: Player
    flatmate: Player


async def seated(house: House, *, is_racing: bool) -> Scene:
    ana = await house.player(peer=HOST)
    code = await ana.create("ana")
    ben = await house.player(peer=FRIEND)
    troll = await house.player(peer=TROLL)
    flatmate = await house.player(peer=FLAT)
    for player, name in ((ben, "ben"), (troll, "troll"), (flatmate, "flat")):
        await player.join(code, name)
        await player.seat(ready=True)
    if is_racing:
        await ana.start()
        for player in (ben, troll, flatmate):
            await player.wait_for(Update)
    return Scene(code, ana, ben, troll, flatmate)


async def answer_to(house: House, peer: str, message: Join | Watch) -> str | None:
    """Say what somebody new from an address is answered; None: ok, and gone again."""
    stranger = await house.player(peer=peer)
    got = await stranger.answer(message)
    if isinstance(got, Ok):
        await stranger.leave()
    else:
        assert isinstance(got, Error)
    await stranger.hang_up()
    return got.code if isinstance(got, Error) else None


Deed = Callable[[Scene], Awaitable[object]]
Check = Callable[[House, Scene], Awaitable[None]]


async def ban(scene: Scene) -> None:
    await scene.ana.ok(Kick(scene.ana.id(), "troll", True))


async def is_banned(house: House, scene: Scene) -> None:
    assert await answer_to(house, TROLL, Watch(9, scene.code, "anew")) == "room/banned"
    assert await answer_to(house, FRIEND, Watch(9, scene.code, "anew")) is None


async def ban_in_a_flat(scene: Scene) -> None:
    """A machine that others in the room come from keeps its door: the name is banned."""
    await scene.ana.ok(Kick(scene.ana.id(), "flat", True))


async def name_is_banned(house: House, scene: Scene) -> None:
    assert await answer_to(house, FLAT, Watch(9, scene.code, " FLAT")) == "room/banned"
    assert await answer_to(house, FLAT, Watch(9, scene.code, "sister")) is None


async def kick(scene: Scene) -> None:
    await scene.ana.ok(Kick(scene.ana.id(), "troll"))


async def is_out(house: House, scene: Scene) -> None:
    host = await house.back(scene.ana)
    assert host.room is not None
    places = {place.name: place.is_connected for place in host.room.places if place.kind == "human"}
    assert not places.get("troll")
    if host.room.phase == "lobby":
        assert "troll" not in places
    else:
        again = await house.player(scene.troll.token)
        await again.ping()
        assert again.room is None, "nobody puts them in again unasked"


async def lock(scene: Scene) -> None:
    await scene.ana.ok(Lock(scene.ana.id(), "sesame"))


async def is_locked(house: House, scene: Scene) -> None:
    assert await answer_to(house, FRIEND, Watch(9, scene.code, "x")) == "room/wrong_password"
    assert await answer_to(house, FRIEND, Watch(9, scene.code, "x", "sesame")) is None


async def pause(scene: Scene) -> None:
    for player in scene[1:]:
        assert isinstance(player, Player)
        await player.ok(Pause(player.id(), True))


async def is_paused(house: House, scene: Scene) -> None:
    host = await house.back(scene.ana)
    assert (await host.look()).standstill == "paused"


async def rename(scene: Scene) -> None:
    await scene.ben.ok(TakeSeat(scene.ben.id(), "benedict", "purple"))


async def is_renamed(house: House, scene: Scene) -> None:
    host = await house.back(scene.ana)
    assert host.room is not None
    assert ("benedict", "purple") in [(place.name, place.colour) for place in host.room.places]


async def change_settings(scene: Scene) -> None:
    await scene.ana.configure(RoomOptions(track="italy", laps=3, turn_milliseconds=7_000))


async def has_settings(house: House, scene: Scene) -> None:
    host = await house.back(scene.ana)
    assert host.room is not None
    assert (host.room.options.track, host.room.laps, host.room.turn_milliseconds) == ("italy", 3, 7_000)


async def give_time(scene: Scene) -> None:
    await scene.ana.ok(GiveTime(scene.ana.id(), 1, 30_000))


async def has_more_time(house: House, scene: Scene) -> None:
    host = await house.back(scene.ana)
    assert host.room is not None
    assert host.room.places[1].more_milliseconds == 30_000


async def hand_on(scene: Scene) -> None:
    await scene.ana.leave()


async def has_new_host(house: House, scene: Scene) -> None:
    ben = await house.back(scene.ben)
    assert ben.room is not None
    assert ben.room.host == ben.room.place


DECIDED: list[tuple[Deed, Check, str]] = [
    (ban, is_banned, "lobby"),
    (ban, is_banned, "race"),
    (ban_in_a_flat, name_is_banned, "lobby"),
    (ban_in_a_flat, name_is_banned, "race"),
    (kick, is_out, "lobby"),
    (kick, is_out, "race"),
    (lock, is_locked, "lobby"),
    (lock, is_locked, "race"),
    (pause, is_paused, "race"),
    (rename, is_renamed, "lobby"),
    (change_settings, has_settings, "lobby"),
    (give_time, has_more_time, "lobby"),
    (give_time, has_more_time, "race"),
    (hand_on, has_new_host, "lobby"),
    (hand_on, has_new_host, "race"),
]


@asynccontextmanager
async def after(disaster: str, store: Store, deed: Deed, where: str) -> AsyncIterator[tuple[House, Scene]]:
    """Decide something, then let something happen; give the server after it."""
    disk = FailingDisk(store)
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(server_on(store, worker=disk))
        scene = await seated(house, is_racing=where == "race")
        if deed is ban_in_a_flat:
            brother = await house.player(peer=FLAT)
            await brother.watch(scene.code, "brother")
        await deed(scene)
        if disaster == "a failed commit":
            disk.commits_to_fail = 1
            assert await scene.ben.refused(Say(scene.ben.id(), "hm")) == "server/not_saved"
        elif disaster == "sleep":
            for player in scene[1:]:
                assert isinstance(player, Player)
                await player.hang_up()
            if deed is ban_in_a_flat:
                await brother.hang_up()
            await trio.sleep(600)
            assert scene.code in house.server.rooms.sleeping
        else:
            await stack.aclose()
            house = await stack.enter_async_context(server_on(store))
        yield house, scene


DISASTERS = ["a kill", "sleep", "a failed commit"]


@pytest.mark.parametrize(
    ("deed", "check", "where", "disaster"),
    [
        (*decided, disaster)
        for decided in DECIDED
        for disaster in DISASTERS
        if (decided[2], disaster) != ("lobby", "sleep")  # a lobby that nobody is at does not sleep: it ends
    ],
)
async def test_it_is_still_true(
    store: Store, autojump_clock: MockClock, deed: Deed, check: Check, where: str, disaster: str
) -> None:
    async with after(disaster, store, deed, where) as (house, scene):
        await check(house, scene)
