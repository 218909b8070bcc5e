"""What a server can be set to; the defaults suit an evening among friends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from heat_core.wire.messages import DEFAULT_PORT


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """All settings of a server. Times are in seconds.

    Attributes:
        host: The address to listen on; None: all, IPv4 and IPv6.
        port: 0: any free one, the same for both.
        track_folder: Where tracks lie besides those of the box; None: nowhere.
        announce: HOST:PORT for the line that players pass on; None: the address they came in by.
        turn_seconds: How long a decision may take where the room does not say.
        grace_seconds: How long the others wait for somebody whose connection is gone.
        hello_seconds: How long a new connection may stay silent.
        send_seconds: How long a peer may take to read what is sent to it.
        empty_lobby_seconds: How long a lobby is kept in which nobody is connected.
        idle_lobby_seconds: How long a lobby is kept in which nobody does anything.
        deserted_seconds: How long a race stands still for the return of anybody.
        ended_seconds: How long the results can be looked at.
        most_connections: At a time.
        most_rooms: At a time.
        messages_per_second: What one connection may send in the long run; more is read later.
        messages_at_once: What it may send at once before that.
        most_errors: How many wrong messages a connection may send in all.
        most_waiting_frames: How many frames may wait for a peer that reads slowly.
        most_waiting_bytes: The same in bytes.
    """

    host: str | None = None
    port: int = DEFAULT_PORT
    track_folder: Path | None = None
    announce: str | None = None
    turn_seconds: float = 60.0
    grace_seconds: float = 20.0
    hello_seconds: float = 10.0
    send_seconds: float = 10.0
    empty_lobby_seconds: float = 120.0
    idle_lobby_seconds: float = 3600.0
    deserted_seconds: float = 1800.0
    ended_seconds: float = 900.0
    most_connections: int = 1000
    most_rooms: int = 200
    messages_per_second: float = 50.0
    messages_at_once: int = 100
    most_errors: int = 20
    most_waiting_frames: int = 256
    most_waiting_bytes: int = 4 * 1024 * 1024
