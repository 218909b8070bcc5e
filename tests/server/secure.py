"""A server that speaks TLS on a port of this machine, and clients that come to it by sockets."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import trio

from heat_server.config import ServerConfig
from heat_server.listening import addresses_of, open_listeners
from heat_server.net.certificate import Certificate, certificate_of
from heat_server.server import Server
from heat_server.store.no_store import NoStore
from heat_server.store.worker import StoreWorker
from tests.server.support import Player


class SecureHouse:
    """A server with TLS."""

    def __init__(self, server: Server, certificate: Certificate, port: int, streams: AsyncExitStack) -> None:
        self.server = server
        self.certificate = certificate
        self.port = port
        self._streams = streams

    async def socket(self, data: bytes = b"") -> trio.SocketStream:
        """Connect without TLS, and send something."""
        stream = await trio.open_tcp_stream("127.0.0.1", self.port)
        await stream.send_all(data)
        return await self._streams.enter_async_context(stream)

    async def player(
        self, header: bytes = b"", way: Callable[[trio.SocketStream], trio.abc.Stream] = lambda stream: stream
    ) -> Player:
        """Come by TLS; the handshake is done.

        Args:
            header: Is sent first, in the clear.
            way: Makes of the socket what TLS goes by.
        """
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        stream = trio.SSLStream(way(await self.socket(header)), context)
        await stream.do_handshake()
        return Player(stream)


@asynccontextmanager
async def secure_house(folder: Path, config: ServerConfig | None = None) -> AsyncIterator[SecureHouse]:
    """Run a server with the certificate of the settings, or else with its own, which stays in a folder."""
    config = replace(config or ServerConfig(), host="127.0.0.1", port=0)
    if config.tls_certificate is None:
        config = replace(config, tls=True, tls_certificate=folder / "certificate.pem")
    certificate = certificate_of(config)
    assert certificate is not None
    async with trio.open_nursery() as nursery, AsyncExitStack() as streams:
        worker = StoreWorker(NoStore(), in_thread=False)
        server = Server(config, nursery, worker, certificate=certificate)
        listeners = await open_listeners(config)
        nursery.start_soon(trio.serve_listeners, server.incoming.from_port, listeners)
        ((_, port),) = addresses_of(listeners)
        yield SecureHouse(server, certificate, port, streams)
        nursery.cancel_scope.cancel()
