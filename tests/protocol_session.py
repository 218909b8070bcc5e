"""A session with the server for docs/protocol.md: every message of both sides, the same each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import structlog
import trio
from trio.testing import MockClock

from heat_core.race.commands import GiveUp
from heat_core.wire.messages import (
    Act,
    AskLegal,
    ClientMessage,
    Create,
    Leave,
    LobbyView,
    PlaceBot,
    RoomOptions,
    ServerMessage,
    Start,
    Update,
    Welcome,
)
from heat_server.config import ServerConfig
from tests.server.support import House, Player

TRACKS: Final = Path(__file__).resolve().parent.parent / "examples"
OPTIONS: Final = RoomOptions(track="oval", laps=1, cars=2)
CODE: Final = "FHK34"
TOKEN: Final = "the-secret-by-which-a-client-comes-back"


class Recorder(Player):
    """A client that writes down what both sides say.

    Attributes:
        steps: The messages in order, each as a map with who sends it.
    """

    def __init__(self, player: Player) -> None:
        super().__init__(player.stream)
        self.steps: list[dict[str, Any]] = []

    async def send(self, message: ClientMessage) -> None:
        """Write a message down and send it."""
        self.steps.append({"from": "client", "message": message})
        await super().send(message)

    async def receive(self) -> ServerMessage:
        """Write down what comes; what differs each time is put in words."""
        message = await super().receive()
        told = message
        if isinstance(told, Welcome):
            told = msgspec.structs.replace(told, version="0", token=TOKEN)
        self.steps.append({"from": "server", "message": told})
        return message


def session() -> list[dict[str, Any]]:
    """Race a round against a Legend, then give up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heat_server.room.handlers.lobby.new_seed", lambda: "a session")
        with structlog.testing.capture_logs():
            recorder = trio.run(_race_a_round, clock=MockClock(autojump_threshold=0))
    text = msgspec.json.encode(recorder.steps).decode().replace(recorder.code, CODE)
    steps: list[dict[str, Any]] = json.loads(text)
    return steps


async def _race_a_round() -> Recorder:
    async with trio.open_nursery() as nursery:
        house = House(nursery, ServerConfig(track_folder=TRACKS, bot_seconds=0))
        ana = Recorder(house.connect())
        await ana.hello()
        await ana.answer(Create(ana.id(), "ana", options=OPTIONS))
        await ana.wait_for(LobbyView)
        await ana.ok(PlaceBot(ana.id(), 1, "legend:easy"))
        await ana.ok(Start(ana.id()))
        await ana.wait_for(Update)
        while ana.view.round == 1:
            own = ana.view.own
            assert own is not None
            if own.is_asked and own.decision is not None and own.default is not None:
                await ana.answer(AskLegal(ana.id(), own.decision, 3))
                await ana.ok(Act(ana.id(), own.decision, own.default))
            await ana.wait_for(Update)
        await ana.ok(Act(ana.id(), None, GiveUp()))
        await ana.wait_for(LobbyView, lambda room: room.phase == "ended")
        await ana.ok(Leave(ana.id()))
        nursery.cancel_scope.cancel()
    return ana
