"""`python -m tests.load.bots`: an honest race beside rooms that programs alone drive. CASES 38."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import trio

from heat_core.race.setup import COLOURS
from heat_core.view.defaults import default_command
from heat_core.wire.messages import Act, Ok, RoomOptions, Start, Update
from tests.load.server import Running, running_server
from tests.server.support import Player

BOTS = RoomOptions(track="usa", laps=4, cars=8, settings={"most_cars": "8"}, turn_milliseconds=50)
HONEST = RoomOptions(track="usa", laps=4, cars=2)
ROOMS_OF_A_CREATOR = 20


async def connect(server: Running, number: int) -> Player:
    """Connect as somebody of an address of their own."""
    stream = await trio.open_tcp_stream("127.0.0.1", server.port)
    await stream.send_all(f"PROXY TCP4 192.0.2.{number} 203.0.113.1 5000 7777\r\n".encode())
    player = Player(stream)
    await player.hello()
    return player


async def open_bot_room(server: Running, creator: int, nursery: trio.Nursery) -> None:
    """Begin a race of seven bots, and read what comes of it without a look."""
    host = await connect(server, creator)
    await host.create("host", BOTS, COLOURS[0])
    for place in range(1, 8):
        await host.bot(place, "steady")
    await host.ok(Start(host.id()))

    async def drain() -> None:
        while await host.stream.receive_some(1 << 20):
            pass

    nursery.start_soon(drain)


class Stopwatch:
    """How long the answers of the honest race took, in seconds."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def race(self, player: Player, pause_seconds: float) -> None:
        """Answer whatever is asked, after a moment each; begin anew when the race is over."""
        answered = -1
        while True:
            view = player.update.view if player.update is not None else None
            act = player.next_act(default_command) if view is not None and view.status != "ended" else None
            if act is None or act.decision is None or act.decision <= answered:
                await player.receive()
                continue
            await trio.sleep(pause_seconds)
            answered = act.decision
            began = time.perf_counter()
            got = await player.answer(Act(player.id(), act.decision, act.command))
            if isinstance(got, Ok):
                self.seconds.append(time.perf_counter() - began)

    def text(self) -> str:
        ordered = sorted(self.seconds)
        median, slow = (ordered[len(ordered) * part // 100] * 1000 for part in (50, 99))
        return f"{len(ordered)} answers: median {median:.1f} ms, 99th percentile {slow:.1f} ms"


async def measure(server: Running, rooms: int, seconds: float) -> None:
    async with trio.open_nursery() as nursery:
        for number in range(rooms):
            await open_bot_room(server, 10 + number // ROOMS_OF_A_CREATOR, nursery)
        ana, ben = await connect(server, 1), await connect(server, 2)
        code = await ana.create("ana", HONEST)
        await ben.join(code, "ben")
        await ben.seat(ready=True)
        await ana.start()
        await ben.wait_for(Update)
        watch, cpu, began = Stopwatch(), server.cpu_seconds(), time.monotonic()
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as racing:
                for player in (ana, ben):
                    racing.start_soon(watch.race, player, 0.05)
        share = (server.cpu_seconds() - cpu) / (time.monotonic() - began)
        print(f"{rooms} rooms of bots: the server takes {share:.2f} of a core; honest {watch.text()}")
        nursery.cancel_scope.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options = ("--proxies", "127.0.0.1", "--rooms-per-address", "2000")
        with running_server(Path(folder) / "store.sqlite3", *options) as server:
            trio.run(measure, server, arguments.rooms, arguments.seconds)


if __name__ == "__main__":
    main()
