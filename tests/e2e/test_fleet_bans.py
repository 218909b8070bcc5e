"""Two real servers on one database, each asked by its operator: whom one of them bans, both keep out."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import pytest
import trio

from heat_server.store.address import DatabaseUrl
from heat_server.store.contract import RENEW_SECONDS
from tests.load.server import Running, running_server
from tests.server.postgres import Cluster, started
from tests.server.support import HungUp, Player

pytestmark = [pytest.mark.trio, pytest.mark.timeout(120)]

HERE, THERE, ELSEWHERE = "127.0.0.2", "127.0.0.3", "127.0.0.4"
"""Addresses of players: all of 127.0.0.0/8 is this machine."""

BANNED = "The server's operator has banned your address."
REFUSED = "Your address is banned from this server."


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with started() as cluster:
        yield cluster


class House:
    """A server and its operator."""

    def __init__(self, url: DatabaseUrl, socket: Path, lines: AsyncExitStack) -> None:
        self._url = url
        self._lines = lines
        self._socket = socket
        self._life = ExitStack()
        self._running: Running | None = None

    async def start(self) -> None:
        server = running_server(self._url, operator_socket=self._socket)
        self._running = await trio.to_thread.run_sync(self._life.enter_context, server)

    async def stop(self) -> None:
        if self._running is not None:
            self._running.process.send_signal(signal.SIGTERM)
            await trio.to_thread.run_sync(self._running.process.wait)
        await trio.to_thread.run_sync(self._life.close)

    async def operator(self, *words: str) -> str:
        """Give what a command of the operator says."""
        command = [sys.executable, "-m", "heat_server", *words, "--socket", str(self._socket)]
        ended = await trio.run_process(command, capture_stdout=True, stderr=subprocess.STDOUT, check=False)
        return ended.stdout.decode().strip()

    async def connect(self, address: str) -> Player:
        assert self._running is not None
        stream = await trio.open_tcp_stream("127.0.0.1", self._running.port, local_address=address)
        return Player(await self._lines.enter_async_context(stream))

    async def admits(self, address: str) -> bool:
        player = await self.connect(address)
        async with player.stream:
            try:
                await player.hello()
            except HungUp:
                assert player.bye is not None
                assert player.bye.text == REFUSED
                return False
        return True

    async def soon_admits(self, address: str) -> None:
        while True:
            if await self.admits(address):
                return
            await trio.sleep(0.2)


async def hung_up_on(player: Player) -> str:
    """Wait until the server closes a connection; give what it says."""
    with pytest.raises(HungUp):
        await player.wait_for(int)
    assert player.bye is not None
    return player.bye.text


@pytest.mark.spec("FLEET-3.1")
async def test_a_ban_at_one_server_holds_at_the_other_until_it_is_lifted_at_either(
    cluster: Cluster, tmp_path: Path
) -> None:
    url = cluster.url(cluster.new_database())
    with trio.fail_after(100):
        async with AsyncExitStack() as ending:
            one, two = (House(url, tmp_path / f"{name}.sock", ending) for name in ("one", "two"))
            for house in (one, two):
                ending.push_async_callback(house.stop)
                await house.start()
            ana, ben = await two.connect(HERE), await two.connect(THERE)
            for player in (ana, ben):
                await player.hello()
            assert await one.operator("ban", HERE, "--note", "floods") == (
                f"{HERE} is banned, 0 connections closed at this server"
            )
            with trio.fail_after(RENEW_SECONDS + 3):  # the machine may be busy
                assert await hung_up_on(ana) == BANNED
            assert not await one.admits(HERE)
            assert not await two.admits(HERE)
            await ben.ping()
            assert await two.operator("bans") == f"{HERE}  floods"

            await two.stop()
            await two.start()
            assert not await two.admits(HERE)
            assert await two.operator("unban", HERE) == f"the ban of {HERE} is lifted"
            assert await two.admits(HERE)
            await one.soon_admits(HERE)

            await one.operator("ban", THERE)
            ben = await two.connect(THERE)
            assert await hung_up_on(ben) in (BANNED, REFUSED)
            cy = await one.connect(ELSEWHERE)
            await cy.hello()
            cluster.signal(signal.SIGSTOP)
            try:
                async with trio.open_nursery() as nursery:

                    async def ban() -> None:
                        text = await one.operator("ban", ELSEWHERE)
                        assert text.startswith(
                            f"{ELSEWHERE} is banned on this server until it stops; the ban"
                        )

                    nursery.start_soon(ban)
                    assert await hung_up_on(cy) == BANNED
                assert not await one.admits(ELSEWHERE)
                assert not await two.admits(THERE), "what was known holds"
            finally:
                cluster.signal(signal.SIGCONT)
            assert await two.admits(ELSEWHERE)
