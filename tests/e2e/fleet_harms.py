"""Servers of a fleet are killed, stopped and frozen while rooms race; how long do the rooms then wait?

Theory of operation. One harm comes after the other as soon as all rooms race again; every third time two come
together. It comes at random, more often to a server that has more rooms. A room races again once both its
riders are in it by a connection on which something came after the harm. What was acknowledged is not looked
at here.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Sequence
from math import inf
from statistics import median
from typing import Final, Literal, NamedTuple, TypeAlias

import trio

from tests.e2e.fleet_servers import HERE, FleetServers
from tests.server.riders import Rider, Track

Kind: TypeAlias = Literal["kill", "stop", "freeze"]

SHORT_FREEZE_SECONDS: Final = (1.0, 4.0)
"""Shorter than a lease: the server keeps its rooms."""

LONG_FREEZE_SECONDS: Final = (7.0, 14.0)
"""Longer than a lease, and at most longer than clients wait for an answer."""

MOST_SECONDS: Final = 300.0
"""All rooms race again after so long, however busy the machine is."""

_LOOK_SECONDS: Final = 0.02


class Harm(NamedTuple):
    """What was done to the servers at one time, and when the rooms raced again.

    Attributes:
        kinds: One, or two at once.
        racing: Rooms in which a race was on when it began.
        hit: Rooms whose servers were harmed.
        seconds: From its beginning until every room raced again.
    """

    kinds: tuple[Kind, ...]
    racing: int
    hit: int
    seconds: float


class Harmer:
    """Harms servers, and knows who is in a room since."""

    def __init__(self, servers: FleetServers) -> None:
        self.servers = servers
        self._is_frozen = [False for _ in servers.places]
        self._harmed_at = [0.0 for _ in servers.places]
        self._dice = random.Random(5)

    async def connect(self) -> trio.abc.Stream:
        """Connect to any server, as clients do: which ones are dead or frozen cannot be seen."""
        return await trio.open_tcp_stream(HERE, self._dice.choice(self.servers.running).port)

    def place_of(self, rider: Rider) -> int | None:
        """Say which server a rider is in a room at, by what it sent since it was last harmed."""
        line = rider.line
        if line is None or line.state is None:
            return None
        assert isinstance(line.stream, trio.SocketStream)
        try:
            place = self.servers.place_at(line.stream.socket.getpeername()[1])
        except OSError:  # it has just been lost
            return None
        is_heard = not self._is_frozen[place] and line.heard_at > self._harmed_at[place]
        return place if is_heard else None

    async def harm(self, place: int, kind: Kind) -> None:
        """Do one harm to one server, after which it runs."""
        if kind == "freeze":
            await self._freeze(place)
            return
        number = signal.SIGKILL if kind == "kill" else signal.SIGTERM
        self._harmed_at[place] = inf
        await trio.to_thread.run_sync(self.servers.end, place, number)
        self._harmed_at[place] = trio.current_time()
        await trio.to_thread.run_sync(self.servers.start_again, place)

    async def _freeze(self, place: int) -> None:
        self._is_frozen[place] = True
        self.servers.send(place, signal.SIGSTOP)
        lengths = self._dice.choice((SHORT_FREEZE_SECONDS, LONG_FREEZE_SECONDS, LONG_FREEZE_SECONDS))
        await trio.sleep(self._dice.uniform(*lengths))
        self.servers.send(place, signal.SIGCONT)
        self._harmed_at[place] = trio.current_time()
        self._is_frozen[place] = False


class Misfortune:
    """A list of harms that come to servers in any order while rooms race.

    Attributes:
        harms: Those so far.
        is_over: Whether all have been.
    """

    def __init__(self, harmer: Harmer, teams: Sequence[tuple[Track, list[Rider]]], kinds: list[Kind]) -> None:
        self.harms: list[Harm] = []
        self.is_over = False
        self._harmer = harmer
        self._teams = teams
        self._dice = random.Random(7)
        self._coming = self._dice.sample(kinds, len(kinds))

    async def come(self) -> None:
        """Let all of it come, once every room races."""
        await self._all_race()
        while self._coming:
            await trio.sleep(self._dice.uniform(0.2, 1.5))
            together = 2 if len(self._coming) > 1 and self._dice.random() < 1 / 3 else 1
            kinds = tuple(self._coming.pop() for _ in range(together))
            rooms = self._rooms_by_place()
            places = self._draw_places(rooms, together)
            racing, began = self.count_racing(), trio.current_time()
            async with trio.open_nursery() as harming:
                for place, kind in zip(places, kinds, strict=True):
                    harming.start_soon(self._harmer.harm, place, kind)
                    await trio.sleep(self._dice.uniform(0.05, 1.5) if together > 1 else 0.05)
                await self._all_race()
                seconds = trio.current_time() - began
            harm = Harm(kinds, racing, sum(rooms[place] for place in places), seconds)
            self.harms.append(harm)
            print(f"{harm}, {len(self._coming)} to come", flush=True)
            await self._all_race()
        self.is_over = True

    def _rooms_by_place(self) -> list[int]:
        at = [self._harmer.place_of(riders[0]) for _, riders in self._teams]
        return [at.count(place) for place in self._harmer.servers.places]

    def _draw_places(self, rooms: list[int], number: int) -> list[int]:
        left, drawn = list(self._harmer.servers.places), []
        for _ in range(number):
            (place,) = self._dice.choices(left, [1 + rooms[place] for place in left])
            left.remove(place)
            drawn.append(place)
        return drawn

    def count_racing(self) -> int:
        """Count the rooms in which a race is on and both riders are."""
        return sum(all(_is_racing(rider) for rider in riders) for _, riders in self._teams)

    async def _all_race(self) -> None:
        """Wait until all riders are in their rooms.

        Raises:
            AssertionError: That takes too long.
        """
        riders = [rider for _, team in self._teams for rider in team]
        deadline = trio.current_time() + MOST_SECONDS
        while missing := [rider.name for rider in riders if self._harmer.place_of(rider) is None]:
            assert trio.current_time() < deadline, f"not in their rooms again: {missing}"
            await trio.sleep(_LOOK_SECONDS)

    def table(self) -> str:
        """Show for each kind of harm how long it took until all rooms raced again."""
        by_kind: dict[str, list[Harm]] = {}
        for harm in self.harms:
            if harm.hit:
                by_kind.setdefault(harm.kinds[0] if len(harm.kinds) == 1 else "two at once", []).append(harm)
        lines = [f"{'harm':12}{'times':>6}{'rooms hit':>11}{'median':>10}{'worst':>10}"]
        for kind, harms in sorted(by_kind.items()):
            hit, seconds = median(harm.hit for harm in harms), [harm.seconds for harm in harms]
            lines.append(f"{kind:12}{len(harms):6}{hit:11g}{median(seconds):8.1f} s{max(seconds):8.1f} s")
        racing = [harm.racing for harm in self.harms]
        spared = sum(not harm.hit for harm in self.harms)
        lines.append(f"{spared} more came to servers without rooms")
        lines.append(f"rooms racing when a harm began: {median(racing):g} median, {min(racing)} at least")
        return "\n".join(lines)


def _is_racing(rider: Rider) -> bool:
    state = rider.line.state if rider.line is not None else None
    return state is not None and state.phase == "racing"
