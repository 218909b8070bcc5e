"""Serving on a port: accepting connections, and what runs around that.

The way to the disk is open before the first room and after the last; connections are accepted in between.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import structlog
import trio

from heat_server.config import ServerConfig
from heat_server.fleet import keep_lease, renew_lease
from heat_server.invitation import address_for_clients
from heat_server.listening import Listening, addresses_of, open_listeners
from heat_server.local_socket import local_listener
from heat_server.net.accepting import FairListener
from heat_server.net.certificate import Certificate
from heat_server.server import Server
from heat_server.store.no_store import NoStore
from heat_server.store.worker import StoreWorker

log = structlog.get_logger()


async def _accept(
    server: Server,
    listeners: list[trio.SocketListener],
    handlers: trio.Nursery,
    task_status: trio.TaskStatus[trio.CancelScope],
) -> None:
    """Take connections until the scope that this is started with is cancelled; then close the listeners."""
    with trio.CancelScope() as scope:
        async with trio.open_nursery() as nursery:
            fair = [FairListener(one, server.incoming.queue_of) for one in listeners]
            await nursery.start(
                partial(trio.serve_listeners, server.incoming.from_port, fair, handler_nursery=handlers)
            )
            task_status.started(scope)


async def serve_doors(server: Server, path: Path, port: int) -> None:
    """Take connections of doors at a socket until cancelled; a line of the log says if it cannot be opened.

    Args:
        server: Serves them.
        path: Of the socket.
        port: Of the server, for the invitations that guests read.
    """

    async def attend(stream: trio.SocketStream) -> None:
        await server.incoming.from_door(stream, port)

    async with local_listener(path) as listener:
        if listener is not None:
            await trio.serve_listeners(attend, [listener])


async def serve(
    config: ServerConfig,
    stop: trio.Event | None = None,
    listeners: list[trio.SocketListener] | None = None,
    worker: StoreWorker | None = None,
    side_tasks: Sequence[Callable[[Server], Awaitable[None]]] = (),
    certificate: Certificate | None = None,
    task_status: trio.TaskStatus[list[tuple[str, int]]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a server until `stop` is set or it is cancelled.

    Args:
        config: All settings.
        stop: Set: clients are notified, then this returns.
        listeners: Where to take connections; None: where the settings say.
        worker: The way to the disk; None: nothing is saved.
        side_tasks: Tasks that run beside it, and are cancelled with it.
        certificate: By which the port speaks TLS; None: it does not.
        task_status: Started with the addresses and ports, once connections are taken.

    Raises:
        OSError: It cannot listen there.
        StoreFailed: The disk or the list of bans cannot be read.
    """
    stop = trio.Event() if stop is None else stop
    worker = StoreWorker(NoStore(), in_thread=False) if worker is None else worker
    listeners = await open_listeners(config) if listeners is None else listeners
    async with trio.open_nursery() as keeping:
        await keeping.start(worker.run)
        await _serve_on(listeners, stop, worker, config, side_tasks, certificate, task_status)
        keeping.cancel_scope.cancel()


async def _serve_on(
    listeners: list[trio.SocketListener],
    stop: trio.Event,
    worker: StoreWorker,
    config: ServerConfig,
    side_tasks: Sequence[Callable[[Server], Awaitable[None]]],
    certificate: Certificate | None,
    task_status: trio.TaskStatus[list[tuple[str, int]]],
) -> None:
    """Serve; the worker runs before and after."""
    async with trio.open_nursery() as nursery:
        server = Server(config, nursery, worker, certificate=certificate)
        await server.bans.refresh()
        if worker.is_shared:
            address = address_for_clients(config.announce, Listening.of(listeners, certificate))
            await renew_lease(server, address)
            nursery.start_soon(keep_lease, server, address)
            nursery.start_soon(server.drain.run, server.rooms)
        await server.rooms.bring_back()
        nursery.start_soon(server.keep_house)
        nursery.start_soon(server.admission.strain.watch)
        accepting = await nursery.start(_accept, server, listeners, nursery)
        for host, port in addresses_of(listeners):
            log.info("listening", host=host, port=port)
        for task in side_tasks:
            nursery.start_soon(task, server)
        task_status.started(addresses_of(listeners))
        await stop.wait()
        accepting.cancel()
        await server.stop()
        nursery.cancel_scope.cancel()
