"""What all rooms of a server share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from heat_core.track import TrackFacts
from heat_server.config import ServerConfig
from heat_server.net.clients import Sessions
from heat_server.room.bot_yard import BotYard
from heat_server.store.worker import Keeper


class Premises(NamedTuple):
    """What all rooms of a server share.

    Attributes:
        tracks: What can be raced on, by identifier.
        config: The server's settings.
        keeper: The way to the disk.
        sessions: Who is who.
        bots: Gives turns to bots.
    """

    tracks: Mapping[str, TrackFacts]
    config: ServerConfig
    keeper: Keeper
    sessions: Sessions
    bots: BotYard
