"""What all rooms of a server share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from heat_core.track_facts import TrackFacts
from heat_server.config import ServerConfig
from heat_server.net.clients import Clients
from heat_server.room.bot_scheduler import BotScheduler
from heat_server.store.worker import StoreWorker


class RoomContext(NamedTuple):
    """What all rooms of a server share.

    Attributes:
        tracks: What can be raced on, by identifier.
        config: The server's settings.
        worker: The way to the disk.
        clients: Who is who.
        bots: Gives turns to bots.
    """

    tracks: Mapping[str, TrackFacts]
    config: ServerConfig
    worker: StoreWorker
    clients: Clients
    bots: BotScheduler
