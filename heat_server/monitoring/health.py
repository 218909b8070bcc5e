"""Whether a server is fit for players."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heat_server.server import Server


def why_not_ready(server: Server) -> str:
    """Say in one word why a server should be sent no players now; "": it should.

    "stopping": it is being stopped. "draining": others take its rooms. "store": it cannot save; see
    `StoreWorker.is_writing`.
    """
    if server.is_stopping:
        return "stopping"
    if server.drain.elsewhere():
        return "draining"
    return "" if server.worker.is_writing else "store"
