"""Races in which a hand leaves nothing to choose, and a stopwatch on what others are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import trio

from heat_core.decisions import only_command
from heat_core.drivers import DriverName
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race.presets import PRESETS
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.table import Table
from heat_core.view.race_view import OwnView
from heat_core.wire.messages import Act, Update
from heat_server.config import ServerConfig
from heat_server.room.broadcast import broadcast_started
from heat_server.room.race_clock import RaceClock
from heat_server.room.requests import News
from tests.core.support import roomy, track_facts
from tests.server.support import House, Player

TIMED = ServerConfig(messages_at_once=1_000_000)
"""Bots, and what a hand forces, take their time."""

AT_ONCE = 0.005
"""What a program takes for an answer that needs no thought."""

FREE = "hand 1 1 2 2 3 4 4"
HANDS = {
    "cluttered": "hand heat heat heat heat heat stress 3",
    "three that can be played": "hand 3 3 3 heat heat heat heat",
}


async def race_from(
    house: House,
    people: int,
    hands: Sequence[str],
    *,
    gear: int = 3,
    engine: int = 2,
    modules: Modules = BASE_GAME,
) -> list[Player]:
    """Sit down around a race that stands in phase 2 of a round, each seat behind the one before.

    Args:
        people: How many seats they have, the first ones; bots have the others.
        hands: In words, by seat.
        gear: Of every car.
        engine: Its Heat.
    """
    players = await house.full_lobby([f"driver {seat}" for seat in range(people)])
    if people == 1:
        await players[0].bot(1, "steady")
    await players[0].start()
    (room,) = house.server.rooms.values()
    draw = "draw 1 2 4"
    cars = {
        f"driver {seat}": f"lap 1 space {33 - 5 * seat} gear {gear} engine {engine} {hand} {draw}"
        for seat, hand in enumerate(hands)
    }
    rules = roomy(PRESETS["standard"], len(cars))
    setup = make_position(track_facts("usa"), cars, phase="play", rules=rules, modules=modules)
    drivers: dict[int, DriverName] = {
        seat: "human" if seat < people else "steady" for seat in range(len(hands))
    }
    state, now = room.state, trio.current_time()
    state.saved.race_places = tuple(range(len(hands)))
    state.race = RaceClock(Table(setup, drivers), state.saved, state.people, state.timing, now, state.pace)
    for _, presence in state.people.here():
        presence.sent = presence.heard = 0
    broadcast_started(state)
    room.inbox.put_first(News.PRESENCE)
    for player in players:
        await player.wait_for(Update, lambda update: update.view.phase == 2)
    return players


def own_of(player: Player) -> OwnView:
    own = player.view.own
    assert own is not None
    return own


def answer_of(player: Player, command: c.Command | None = None) -> Act:
    """Answer with a command, or with the one that there is."""
    own = own_of(player)
    assert own.choice is not None
    command = command or only_command(own.choice)
    assert command is not None
    return Act(player.id(), own.decision, command)


class Heard(NamedTuple):
    """A message, and when it came."""

    at: float
    payload: bytes


async def listen(player: Player, heard: list[Heard]) -> None:
    """Note every byte that somebody is sent, with the time."""
    while True:
        before = len(player.raw)
        await player.receive()
        if len(player.raw) > before:
            heard.append(Heard(trio.current_time(), bytes(player.raw[before:])))


THREE = c.PlayCards(("1", "1", "2"))
