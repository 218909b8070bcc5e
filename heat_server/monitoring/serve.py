"""Serving metrics and health."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import structlog
import trio

from heat_core.wire.address import Address
from heat_server.monitoring.exposition import CONTENT_TYPE, Exposition
from heat_server.monitoring.health import why_not_ready
from heat_server.monitoring.http import Answer, HttpServer, Respond

if TYPE_CHECKING:
    from heat_server.server import Server

log = structlog.get_logger()


async def serve_monitoring(server: Server, address: Address) -> None:
    """Answer by HTTP until cancelled. If the port cannot be opened, a line of the log says so."""
    try:
        listeners = await trio.open_tcp_listeners(address.port, host=address.host)
    except (OSError, UnicodeError) as error:  # a host can be no name that there may be
        log.warning("no metrics", address=str(address), why=getattr(error, "strerror", None) or str(error))
        return
    for listener in listeners:
        host, port = listener.socket.getsockname()[:2]
        log.info("metrics and health", address=str(Address(host, port)))
    await trio.serve_listeners(HttpServer(pages_of(server)).serve, listeners)


def pages_of(server: Server) -> Respond:
    """Make what gives the pages of a server."""
    exposition = Exposition(server)

    def respond(path: str) -> Answer | None:
        match path:
            case "/metrics":
                return Answer(HTTPStatus.OK, exposition.written(), CONTENT_TYPE)
            case "/health/live":
                return Answer(HTTPStatus.OK, b"live\n")
            case "/health/ready":
                if why_not := why_not_ready(server):
                    return Answer(HTTPStatus.SERVICE_UNAVAILABLE, f"{why_not}\n".encode())
                return Answer(HTTPStatus.OK, b"ready\n")
            case _:
                return None

    return respond
