"""Three servers behind a real HAProxy, configured as in the examples: races, seats, bans, a dead server."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from heat_core.race.setup import COLOURS
from heat_core.wire import messages as m
from heat_core.wire.address import Address, parse_address
from heat_core.wire.codec import NEED_DATA, encode_client_message, reader_of_client
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection_state import ConnectionState
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from tests.e2e.rooms import opened_by
from tests.e2e.test_client_race import in_race, race, start_race
from tests.load.server import Running, running_server
from tests.server.postgres import Cluster
from tests.tui.support_app import folders_in

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.timeout(120),
    pytest.mark.skipif(shutil.which("haproxy") is None, reason="HAProxy is not installed here"),
]

HERE = "127.0.0.1"
ELSEWHERE = "127.0.0.2"
"""Another address of the loop, for a player whom the servers tell apart."""

EXAMPLE = Path(__file__).parents[2] / "examples" / "fleet" / "haproxy.cfg"


class Balancer:
    """A real HAProxy, that can be started again."""

    def __init__(self, file: Path) -> None:
        self._command = ["haproxy", "-f", str(file)]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Behind(NamedTuple):
    """Servers behind a balancer.

    Attributes:
        address: The balancer's, which leads to any of them.
        own: Its addresses that lead to one server each, in their order.
        servers: What runs.
        sockets: Of their operators.
        balancer: What runs before them.
    """

    address: Address
    own: Sequence[Address]
    servers: Sequence[Running]
    sockets: Sequence[Path]
    balancer: Balancer

    def server_at(self, address: Address) -> int:
        """Tell which of them is at an address of its own."""
        return self.own.index(address)


def free_ports(count: int) -> list[int]:
    """Find ports that nobody listens at; different ones, as all are held until all are found."""
    with ExitStack() as stack:
        found = [stack.enter_context(closing(socket.socket())) for _ in range(count)]
        for one in found:
            one.bind((HERE, 0))
        return [one.getsockname()[1] for one in found]


def configured(text: str, common: int, own: list[int], games: list[int], checks: list[int]) -> str:
    """Put ports of this machine in the place of the example's machines."""
    text = (
        text.replace("bind :7777", f"bind {HERE}:{common}").replace("port 9777 ", "").replace("2s", "100ms")
    )
    for number, (door, game, check) in enumerate(zip(own, games, checks, strict=True), start=1):
        place = f"192.0.2.1{number}:7777"
        assert text.count(place) == 4  # behind the common port, and behind each server's own
        text = text.replace(f"bind :770{number}", f"bind {HERE}:{door}")
        text = text.replace(place, f"{HERE}:{game} port {check}")
    return text


@contextmanager
def balanced(cluster: Cluster, folder: Path, *, has_invite: bool = False) -> Iterator[Behind]:
    """Run all of it.

    Args:
        has_invite: Whether the servers are told the common address, for the lines to friends.
    """
    common, *ports = free_ports(7)
    own, checks = ports[:3], ports[3:]
    url = cluster.url(cluster.new_database())
    sockets = [folder / f"{number}.sock" for number in range(3)]
    with ExitStack() as stack:
        servers = [
            stack.enter_context(
                running_server(
                    url,
                    *("--announce", f"{HERE}:{door}", "--proxies", HERE),
                    *(("--invite", f"{HERE}:{common}") if has_invite else ()),
                    *("--metrics", f"{HERE}:{check}"),
                    operator_socket=path,
                )
            )
            for door, check, path in zip(own, checks, sockets, strict=True)
        ]
        file = folder / "haproxy.cfg"
        games = [server.port for server in servers]
        file.write_text(configured(EXAMPLE.read_text(encoding="utf-8"), common, own, games, checks))
        balancer = Balancer(file)
        stack.callback(balancer.kill)
        yield Behind(Address(HERE, common), [Address(HERE, door) for door in own], servers, sockets, balancer)


async def hello_from(source: str, address: Address) -> m.ServerMessage | None:
    """Say hello from an address of this machine; give the answer, None where the line is closed at once."""
    reader, writer = await asyncio.open_connection(address.host, address.port, local_addr=(source, 0))
    writer.write(encode_client_message(m.Hello(1, m.PROTOCOL, "test", "0", None, m.LEAST_PROTOCOL)))
    frames = reader_of_client()
    try:
        while (message := frames.next_message()) is NEED_DATA:
            if not (data := await reader.read(65_536)):
                return None
            frames.receive_data(data)
        return message
    except ConnectionError:
        return None
    finally:
        writer.close()


async def all_are_behind(behind: Behind) -> None:
    """Wait until each server answers through the balancer and names the two others."""
    for address in (*behind.own, behind.address):
        while True:
            assert behind.balancer.runs
            try:
                answer = await hello_from(HERE, address)
            except ConnectionError:
                answer = None
            if isinstance(answer, m.Welcome) and len(answer.servers) == 3:
                break
            await asyncio.sleep(0.1)


def operate(path: Path, *words: str) -> None:
    command = [sys.executable, "-m", "heat_server", *words, "--socket", str(path)]
    subprocess.run(command, capture_output=True, check=True, timeout=60)


async def test_people_race_through_a_balancer_and_go_on_when_their_server_dies(
    tmp_path: Path, cluster: Cluster
) -> None:
    """Whoever comes to the common address is led to the room, by the balancer's port of its server."""
    with balanced(cluster, tmp_path) as behind:
        async with asyncio.timeout(80):
            await all_are_behind(behind)
            ana = await ServerStay.begin(folders_in(tmp_path / "ana"), behind.address)
            ben = await ServerStay.begin(folders_in(tmp_path / "ben"), behind.address)
            await start_race(ana, ben, m.RoomOptions(laps=1, cars=2))
            assert ana.link.room is not None
            place = ana.link.room.invitation.split()[-2]
            owner = behind.server_at(Address(HERE, int(place.rpartition(":")[2])))
            sessions = [await in_race(ana), await in_race(ben)]
            both = asyncio.gather(*(race(session) for session in sessions))
            while sessions[0].view(None).event_number < 60:
                await ana.link.wait(ana.link.changes)
            before = sessions[0].events_since(0, 0)
            behind.servers[owner].process.kill()
            views = await both
            assert views[0].standings == views[1].standings
            assert sessions[0].events_since(0, 0)[: len(before)] == before, "nothing that was shown is lost"
            for session in sessions:
                await session.close()


async def came_to(folder: Path, address: Address) -> ServerStay:
    """Connect as somebody new, as soon as the balancer sees which servers run."""
    while True:
        try:
            return await ServerStay.begin(folders_in(folder), address)
        except ConnectFailed:
            await asyncio.sleep(0.1)


async def test_an_invitation_leads_to_the_room_when_its_server_has_stopped(
    tmp_path: Path, cluster: Cluster
) -> None:
    """The port of that server then leads to the others, and the host's client finds its seat."""
    with balanced(cluster, tmp_path) as behind:
        async with asyncio.timeout(80):
            await all_are_behind(behind)
            ana = await ServerStay.begin(folders_in(tmp_path / "ana"), behind.own[0])
            room = await opened_by(ana, m.RoomOptions(laps=1))
            code = room.code
            assert f"{behind.own[0]} {code}" in room.invitation
            behind.servers[0].process.terminate()
            await asyncio.to_thread(
                behind.servers[0].process.wait
            )  # until then it may still take connections
            ben = await came_to(tmp_path / "ben", behind.own[0])
            await ben.join(code, "Ben", "blue")
            while "Ben" not in {place.name for place in (ana.link.room or room).places}:
                await ana.link.wait(ana.link.changes)
            for stay in (ana, ben):
                await stay.close()


async def test_the_line_for_friends_has_the_common_address_and_leads_to_the_room_from_any_server(
    tmp_path: Path, cluster: Cluster
) -> None:
    with balanced(cluster, tmp_path, has_invite=True) as behind:
        async with asyncio.timeout(80):
            await all_are_behind(behind)
            ana = await ServerStay.begin(folders_in(tmp_path / "ana"), behind.own[0])
            room = await opened_by(ana, m.RoomOptions(laps=1))
            place, code = room.invitation.split()[-2:]
            assert place == str(behind.address)
            friends = [
                await ServerStay.begin(folders_in(tmp_path / name), parse_address(place))
                for name in ("ben", "cy", "dee")
            ]
            for friend, colour in zip(friends, COLOURS, strict=False):
                await friend.join(code, f"Friend {colour}", colour)
            while sum(place.kind == "human" for place in (ana.link.room or room).places) < 4:
                await ana.link.wait(ana.link.changes)
            for stay in (ana, *friends):
                await stay.close()


async def changed_to(stay: ServerStay, state: ConnectionState) -> None:
    while stay.link.state != state:
        assert stay.link.ended is None
        await stay.link.wait(stay.link.changes)


@pytest.mark.soak
async def test_a_seat_is_found_again_when_the_balancer_starts_again(tmp_path: Path, cluster: Cluster) -> None:
    """Each time the client is led there from whichever server the balancer chose for it."""
    with balanced(cluster, tmp_path) as behind:
        async with asyncio.timeout(80):
            await all_are_behind(behind)
            ana = await ServerStay.begin(folders_in(tmp_path / "ana"), behind.address)
            await opened_by(ana, m.RoomOptions(laps=1))
            for _ in range(3):
                behind.balancer.kill()
                await changed_to(ana, "reconnecting")
                behind.balancer.start()
                await changed_to(ana, "connected")
            await ana.close()
            (seat,) = saved_sessions(folders_in(tmp_path / "ana"))
            ana = await ServerStay.rejoin(folders_in(tmp_path / "ana"), seat)
            assert ana.link.room is not None
            await ana.close()


async def test_bans_behind_a_balancer_see_the_player(tmp_path: Path, cluster: Cluster) -> None:
    with balanced(cluster, tmp_path) as behind:
        async with asyncio.timeout(80):
            await all_are_behind(behind)
            operate(behind.sockets[0], "ban", ELSEWHERE)
            for address in (*behind.own, behind.address):
                while True:  # the other servers hear of the ban with their next renewal
                    answer = await hello_from(ELSEWHERE, address)
                    if not isinstance(answer, m.Welcome):
                        break
                    await asyncio.sleep(0.1)
                assert isinstance(answer, m.Bye)
                assert answer.code == "bye/banned"
                assert isinstance(await hello_from(HERE, address), m.Welcome)


@pytest.mark.soak
async def test_a_server_that_is_not_ready_gets_no_more_players(tmp_path: Path, cluster: Cluster) -> None:
    """It runs and would answer: only its health says that it takes nobody."""
    with balanced(cluster, tmp_path) as behind:
        async with asyncio.timeout(80):
            await all_are_behind(behind)
            operate(behind.sockets[0], "drain", "--no-wait")
            in_a_row = 0
            while in_a_row < 60:  # without the check about every third one would come to it
                answer = await hello_from(HERE, behind.address)
                assert isinstance(answer, m.Welcome)
                is_drained = answer.servers[0] == str(behind.own[0])
                in_a_row = 0 if is_drained else in_a_row + 1
            answer = await hello_from(HERE, behind.own[0])
            assert isinstance(answer, m.Welcome)
            assert answer.servers[0] == str(behind.own[0]), (
                "its own port still leads to it: it may have rooms"
            )
