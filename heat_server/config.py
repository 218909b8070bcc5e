"""What a server can be set to; the defaults suit an evening among friends.

This is the one table of settings: each line holds name, range and meaning (see `settings`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heat_core.wire.address import parse_address
from heat_core.wire.messages import DEFAULT_PORT, MOST_TURN_MILLISECONDS
from heat_server.networks import parse_address_limits, parse_networks
from heat_server.places import usual_socket, usual_store, usual_track_folder
from heat_server.settings import Group, Setting, setting

LEAST_SECONDS = 0.05
MOST_SECONDS = MOST_TURN_MILLISECONDS / 1000


def _seconds(name: str, group: Group, text: str) -> Setting:
    return Setting(name, group, text, least=LEAST_SECONDS, most=MOST_SECONDS, shown="SECONDS")


def _rate(name: str, text: str) -> Setting:
    return Setting(name, Group.LIMITS, text, least=0.1, most=1_000_000, shown="NUMBER")


def _long_seconds(name: str, text: str) -> Setting:
    return Setting(name, Group.RACES, text, least=LEAST_SECONDS, most=366 * 86400.0, shown="SECONDS")


def _count(name: str, group: Group, text: str, *, least: int = 1, most: int = 100_000) -> Setting:
    return Setting(name, group, text, least=least, most=most, shown="NUMBER")


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """All settings of a server; what each means stands beside it. Times are in seconds."""

    host: str | None = setting(
        None,
        Setting(
            "host",
            Group.LISTENING,
            "Listen on this address only. Not given: all, IPv4 and IPv6.",
            shown="ADDRESS",
        ),
    )
    port: int = setting(
        DEFAULT_PORT,
        Setting(
            "port",
            Group.LISTENING,
            "Listen on this port; 0: any free one.",
            least=0,
            most=65535,
            shown="PORT",
        ),
    )
    announce: str | None = setting(
        None,
        Setting(
            "announce",
            Group.LISTENING,
            "The address that players type, shown in lobbies; without a port, the server's port. "
            "Not given: the address by which they connected.",
            shown="HOST[:PORT]",
            check=parse_address,
        ),
    )

    proxies: str | None = setting(
        None,
        Setting(
            "proxies",
            Group.LISTENING,
            "Proxies whose PROXY header (version 1 or 2) names the player's address, separated by commas. "
            "Each connection from them must begin with such a header.",
            shown="NETWORK,...",
            check=parse_networks,
        ),
    )

    lan: bool = setting(
        False,
        Setting(
            "lan",
            Group.LISTENING,
            "Announce the server on the local network, where clients list it.",
            usual=lambda: True,
        ),
    )

    track_folder: Path | None = setting(
        None,
        Setting(
            "tracks",
            Group.RACES,
            "Tracks of your own, besides the boards of the game; read at the start.",
            shown="FOLDER",
            is_folder=True,
            usual=usual_track_folder,
        ),
    )
    turn_seconds: float = setting(
        60.0,
        _seconds("turn-time", Group.RACES, "Time for a decision, if the room does not set its own."),
    )
    grace_seconds: float = setting(
        20.0,
        _seconds("grace", Group.RACES, "How long the others wait for a player who lost the connection."),
    )
    bot_seconds: float = setting(
        1.0,
        Setting(
            "bot-time",
            Group.RACES,
            "Average time of a bot's secret choice; each takes half as long to half as much again, at "
            "random. A forced choice is shown after such a time too; with 0, its timing reveals it.",
            least=0,
            most=10,
            shown="SECONDS",
        ),
    )
    empty_lobby_seconds: float = setting(
        120.0, _seconds("empty-lobby", Group.RACES, "How long a lobby that everyone has left is kept.")
    )
    idle_lobby_seconds: float = setting(
        3600.0, _seconds("idle-lobby", Group.RACES, "How long a lobby in which nobody does anything is kept.")
    )
    deserted_seconds: float = setting(
        86400.0,
        _long_seconds("deserted", "How long a race that everyone has left is kept."),
    )
    paused_seconds: float = setting(
        14 * 86400.0,
        _long_seconds("paused", "How long a paused race, or a championship between two races, is kept."),
    )
    sleep_seconds: float = setting(
        60.0,
        _seconds(
            "sleep", Group.RACES, "How long after everyone has gone a race leaves memory and is on disk only."
        ),
    )
    ended_seconds: float = setting(
        900.0, _seconds("results", Group.RACES, "How long the results of a race are shown.")
    )

    most_connections: int = setting(
        1000, _count("connections", Group.LIMITS, "How many connections at a time.")
    )
    address_limits: str | None = setting(
        None,
        Setting(
            "address-limits",
            Group.LIMITS,
            "Addresses and networks with other limits: 192.0.2.7=5 allows each address there "
            "5 times as much, 10.0.0.0/8=off removes the limits.",
            shown="NETWORK=FACTOR,...",
            check=parse_address_limits,
        ),
    )
    connections_per_address: int = setting(
        100,
        _count(
            "connections-per-address",
            Group.LIMITS,
            "How many connections from one address at a time. This and the other limits of an address apply "
            "to an IPv6 /64 network too, twice as much to a /56, four times as much to a /48.",
        ),
    )
    hellos_per_minute: int = setting(
        120,
        _count("hellos-per-minute", Group.LIMITS, "How many new connections from one address in a minute."),
    )
    most_rooms: int = setting(200, _count("rooms", Group.LIMITS, "How many rooms at a time."))
    most_sleeping_rooms: int = setting(
        5000, _count("sleeping-rooms", Group.LIMITS, "How many races and championships asleep on disk.")
    )
    rooms_per_address: int = setting(
        20,
        _count(
            "rooms-per-address",
            Group.LIMITS,
            "How many rooms from one address, while somebody races in them or their lobby is open.",
        ),
    )
    left_rooms_per_address: int = setting(
        250,
        _count(
            "left-rooms-per-address",
            Group.LIMITS,
            "How many saved races from one address that everybody has left.",
        ),
    )
    most_watchers: int = setting(
        50, _count("spectators", Group.LIMITS, "How many people can watch one room; 0: nobody.", least=0)
    )
    hello_seconds: float = setting(
        10.0, _seconds("hello-time", Group.LIMITS, "How long a new connection can be silent.")
    )
    idle_seconds: float = setting(
        1800.0, _seconds("idle", Group.LIMITS, "How long a connection in no room can be silent.")
    )
    send_seconds: float = setting(
        10.0, _seconds("send-time", Group.LIMITS, "How long a client can take to read what is sent to it.")
    )
    messages_per_second: float = setting(
        20.0,
        _rate(
            "messages-per-second", "How many messages a second one connection can send; more are read later."
        ),
    )
    messages_per_address: float = setting(
        200.0,
        _rate(
            "messages-per-address",
            "How many messages a second all connections from one address can send together.",
        ),
    )
    messages_at_once: int = setting(
        100,
        _count(
            "messages-at-once",
            Group.LIMITS,
            "How many messages a connection can send at once before these limits apply.",
            most=1_000_000,
        ),
    )
    most_errors: int = setting(
        20, _count("errors", Group.LIMITS, "How many wrong messages a connection can send in all.")
    )
    most_waiting_frames: int = setting(
        256,
        _count(
            "waiting-frames",
            Group.LIMITS,
            "How many frames can wait for a client that reads slowly.",
            least=8,
        ),
    )
    most_waiting_bytes: int = setting(
        4 * 1024 * 1024,
        _count(
            "waiting-bytes",
            Group.LIMITS,
            "How many bytes can wait for a client that reads slowly.",
            least=1024 * 1024,
            most=1024 * 1024 * 1024,
        ),
    )

    store: Path | None = setting(
        None,
        Setting(
            "store",
            Group.STORE,
            "Save matches in this file, so that they continue after a restart.",
            shown="FILE",
            usual=usual_store,
            off="no-store",
            off_help="Save nothing; matches end with the server.",
        ),
    )
    keep_days: float = setting(
        90.0,
        Setting(
            "keep-days",
            Group.STORE,
            "How long finished matches stay in the store.",
            least=0,
            most=36_500,
            shown="DAYS",
        ),
    )
    keep_mebibytes: int = setting(
        4096,
        _count(
            "keep-mebibytes",
            Group.STORE,
            "How large the store can be before the oldest finished matches leave it sooner.",
            most=1024 * 1024,
        ),
    )

    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info",
        Setting(
            "log-level",
            Group.LOG,
            "The least important events to log.",
            choices=("debug", "info", "warning", "error"),
        ),
    )
    log_format: Literal["text", "json"] = setting(
        "text",
        Setting(
            "log-format",
            Group.LOG,
            "One event a line, as key='value' or as a JSON object.",
            choices=("text", "json"),
        ),
    )
    log_file: Path | None = setting(
        None,
        Setting(
            "log-file",
            Group.LOG,
            "Write the log to this file instead of stderr; kept below 4 MiB.",
            shown="FILE",
        ),
    )
    status_socket: Path | None = setting(
        None,
        Setting(
            "socket",
            Group.LOG,
            "The local socket for `status` and the other commands that ask the server; only this user can "
            "open it.",
            shown="FILE",
            usual=usual_socket,
            off="no-socket",
            off_help="Have no such socket.",
        ),
    )
