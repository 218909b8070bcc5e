"""What a room keeps is the room itself: older stores open, and all that cannot be saved is undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copy
from typing import Final

import msgspec
import pytest
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.wire.messages import (
    Act,
    Join,
    LobbyView,
    Pause,
    RoomOptions,
    Said,
    Say,
    Start,
    TakeSeat,
    Update,
)
from heat_server.room import saved_room
from heat_server.room.actor import RoomActor
from heat_server.room.saved_room import Bot, Member, SavedRoom, encode_room
from heat_server.store.contract import Store
from tests.server.restarts import FailingDisk
from tests.server.stores import open_store
from tests.server.support import House, Player, server_on

pytestmark = pytest.mark.trio

OLD: Final = Path(__file__).parents[1] / "kept" / "0.2"
ROOMS: Final = json.loads((OLD / "rooms.json").read_bytes())


async def test_the_rooms_of_an_older_store_come_back_with_all_that_they_had(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    tokens = ROOMS["tokens"]
    with open_store(Path(copy(OLD / "rooms.sqlite3", tmp_path))) as store:
        async with server_on(store) as house:
            ana, ben = await house.player(tokens["ana"]), await house.player(tokens["ben"])
            lobby = await ana.wait_for(LobbyView, lambda state: state.places[0].is_connected)
            assert [place.name for place in lobby.places[:4]] == ["ana", "ben", "Steady 1", ""]
            assert (lobby.options.track, lobby.laps, lobby.host, lobby.is_private) == ("italy", 3, 0, True)
            assert lobby.watchers == ("wim",)
            await ben.wait_for(LobbyView)
            await ana.ping()
            assert any(line.text == "hello there" for line in ana.said)
            for peer, code in (("", "room/wrong_password"), ("203.0.113.7", "room/banned")):
                player = await house.player(peer=peer)
                assert await player.refused(Join(player.id(), ROOMS["lobby"], "eve")) == code
            await ana.start()

            cy, dee = await house.player(tokens["cy"]), await house.player(tokens["dee"])
            update = await cy.wait_for(Update, lambda update: update.standstill == "paused")
            assert update.view.own is not None
            assert update.view.own.chosen == c.ShiftGear(2)
            await dee.wait_for(Update)
            for player in (cy, dee):
                await player.ok(Pause(player.id(), wanted=False))
            await dee.ok(Act(dee.id(), 2, c.ShiftGear(2)))
            await cy.wait_for(Update, lambda update: update.view.phase == 2)


# --- undone ----------------------------------------------------------------------------------------------


class Grown(SavedRoom):
    """A room with a field that no other code has heard of."""

    mood: str = "calm"


def room_of(house: House) -> RoomActor:
    (room,) = house.server.rooms.values()
    return room


async def lobby_of_two(house: House) -> tuple[Player, Player]:
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.bot(2, "steady")
    watcher = await house.player()
    await watcher.watch(ana.code, "wim")
    return ana, ben


async def test_a_new_field_is_saved_and_undone_by_being_there(
    store: Store, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_room, "_DECODER", msgspec.msgpack.Decoder(Grown))
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, _ = await lobby_of_two(house)
        disk.commits_to_fail = 1
        assert await ana.refused(Say(ana.id(), "this makes a room of the new kind")) == "server/not_saved"
        grown = room_of(house).state.saved
        assert isinstance(grown, Grown)
        grown.mood = "tense"
        await ana.ok(Say(ana.id(), "this is saved, and the field with it"))
        grown.mood = "wild"
        disk.commits_to_fail = 1
        assert await ana.refused(Say(ana.id(), "this is not")) == "server/not_saved"
        undone = room_of(house).state.saved
        assert isinstance(undone, Grown)
        assert undone.mood == "tense"
    async with server_on(store) as house:
        await house.back(ana)
        restored = room_of(house).state.saved
        assert isinstance(restored, Grown)
        assert restored.mood == "tense"


CHANGES: Final[dict[str, Callable[[SavedRoom], None]]] = {
    "options": lambda room: setattr(room, "options", RoomOptions(track="italy")),
    "places": lambda room: room.places.append(Bot("steady", "Steady 9", "grey")),
    "watchers": lambda room: setattr(room.watchers[0], "name", "will"),
    "host": lambda room: setattr(room, "host", 1),
    "password": lambda room: setattr(room, "password", b"hash"),
    "banned": lambda room: room.banned.append(b"somebody"),
    "chat": lambda room: room.chat.append(Said(99, "news", None, "", "unheard of")),
    "said": lambda room: setattr(room, "said", 99),
    "is_paused": lambda room: setattr(room, "is_paused", True),
    "is_ended": lambda room: setattr(room, "is_ended", True),
    "race_places": lambda room: setattr(room, "race_places", (0, 1)),
    "banned_addresses": lambda room: room.banned_addresses.append(("203.0.113.7", None)),
}
OF_MEMBER: Final[dict[str, object]] = {
    "is_here": False,
    "name": "anna",
    "colour": "grey",
    "is_ready": True,
    "has_left": True,
    "seat": 5,
    "stand_in": "random",
    "wants_pause": True,
    "more_milliseconds": 30_000,
}


async def test_every_field_is_changed_below() -> None:
    assert {*CHANGES, "format"} == {*SavedRoom.__struct_fields__}
    assert {*OF_MEMBER, "key"} == {*Member.__struct_fields__}


@pytest.mark.parametrize("field", [*CHANGES, *OF_MEMBER])
async def test_whatever_changes_is_undone_where_it_cannot_be_saved(
    field: str, store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await lobby_of_two(house)
        room = room_of(house).state.saved
        before = encode_room(room)
        disk.commits_to_fail = 1
        if field in CHANGES:
            CHANGES[field](room)
        else:
            setattr(room.places[0], field, OF_MEMBER[field])
        assert encode_room(room) != before
        assert await ben.refused(Say(ben.id(), "something to save")) == "server/not_saved"
        assert encode_room(room_of(house).state.saved) == before
        await ana.ok(TakeSeat(ana.id(), ready=True))
        await ana.ok(Start(ana.id()))
