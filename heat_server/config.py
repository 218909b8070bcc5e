"""All settings of a server; the defaults suit an evening among friends.

This is the one table of settings: each entry has name, range and meaning (see `settings`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

import click

from heat_core.files import default_door_socket
from heat_core.wire.address import LOOPBACK, Address, parse_address, parse_listening
from heat_core.wire.messages import DEFAULT_PORT, MOST_TURN_MILLISECONDS, AwayDriver
from heat_server.default_paths import default_socket, default_store, default_track_folder
from heat_server.networks import parse_address_limits, parse_networks
from heat_server.settings import CheckedText, Group, Number, SettingOption, StorePlace, UserPath, setting
from heat_server.store.address import DatabaseUrl

LEAST_SECONDS: Final = 0.05
MOST_SECONDS: Final = MOST_TURN_MILLISECONDS / 1000
DAY_SECONDS: Final = 86_400.0

_SECONDS: Final = Number(float, LEAST_SECONDS, MOST_SECONDS, "seconds")
_LONG_SECONDS: Final = Number(float, LEAST_SECONDS, 366 * DAY_SECONDS, "seconds")
_COUNT: Final = Number(int, 1, 100_000)
_RATE: Final = Number(float, 0.1, 1_000_000)


def parse_metrics_address(text: str) -> Address:
    """Read where metrics and health are answered.

    Raises:
        BadAddress: It is no address.
    """
    return parse_listening(text, LOOPBACK)


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """All settings of a server; what each means is beside it. Times are in seconds."""

    host: str | None = setting(
        None,
        "host",
        Group.LISTENING,
        "Listen on this address only; by default on all, IPv4 and IPv6.",
        CheckedText(),
        metavar="ADDRESS",
    )
    port: int = setting(
        DEFAULT_PORT,
        "port",
        Group.LISTENING,
        "Listen on this port; 0 takes any free one.",
        Number(int, 0, 65535),
        metavar="PORT",
    )
    announce: str | None = setting(
        None,
        "announce",
        Group.LISTENING,
        "The address that players type, shown in lobbies. Without a port it gets the server's; by "
        "default it is the address by which they connected.",
        CheckedText(parse_address),
        metavar="HOST[:PORT]",
    )
    invite: str | None = setting(
        None,
        "invite",
        Group.LISTENING,
        "The address in the lines for friends, if it is another one: behind a balancer the one that leads "
        "to all servers of the fleet. By default it is that of --announce.",
        CheckedText(parse_address),
        metavar="HOST[:PORT]",
    )
    proxies: str | None = setting(
        None,
        "proxies",
        Group.LISTENING,
        "Proxies whose PROXY header (version 1 or 2) names the player's address, separated by commas. "
        "Each connection from them must begin with such a header.",
        CheckedText(parse_networks),
        metavar="NETWORK,...",
    )
    tls: bool = setting(
        False,
        "tls",
        Group.LISTENING,
        "Encrypt (TLS), by a certificate that the server makes once and keeps, in the file of --tls-cert "
        "if that is given. Invitations show its fingerprint, by which clients know the server.",
        click.BOOL,
    )
    tls_certificate: Path | None = setting(
        None,
        "tls-cert",
        Group.LISTENING,
        "Encrypt by the certificate in this file (PEM, followed by those of its authorities), which "
        "clients check by the authorities that their system trusts.",
        UserPath(),
    )
    tls_key: Path | None = setting(
        None,
        "tls-key",
        Group.LISTENING,
        "The file with the key of --tls-cert, if it is not in the same file.",
        UserPath(),
    )
    door_socket: Path | None = setting(
        None,
        "door-socket",
        Group.LISTENING,
        "The local socket for doors such as `heat-tui serve --ssh`: they name the address of each guest. "
        "Only this user can open it.",
        UserPath(),
        program_default=default_door_socket,
        off=SettingOption(
            "no-door-socket", Group.LISTENING, is_flag=True, default=False, help="Do not open this socket."
        ),
    )
    lan: bool = setting(
        False,
        "lan",
        Group.LISTENING,
        "Announce the server on the local network, where clients list it.",
        click.BOOL,
        program_default=lambda: True,
    )

    track_folder: Path | None = setting(
        None,
        "tracks",
        Group.RACES,
        "Folder with tracks of your own, besides the boards of the game; read at the start.",
        UserPath(is_folder=True),
        program_default=default_track_folder,
    )
    turn_seconds: float = setting(
        60.0, "turn-time", Group.RACES, "Time for a decision, if the room does not set its own.", _SECONDS
    )
    grace_seconds: float = setting(
        20.0, "grace", Group.RACES, "How long the others wait for a player who lost the connection.", _SECONDS
    )
    bot_seconds: float = setting(
        1.0,
        "bot-time",
        Group.RACES,
        "Average time of a bot's secret choice; each takes half as long to half as much again, at "
        "random. A forced choice is shown after such a time too; with 0, its timing reveals it. A bot's "
        "other choices take a quarter of it.",
        Number(float, 0, 10, "seconds"),
    )
    away_driver: AwayDriver = setting(
        "defaults",
        "away-driver",
        Group.RACES,
        "Who drives for absent players, if the room does not choose: the simplest choices (defaults) or "
        "a bot.",
        click.Choice(get_args(AwayDriver)),
    )
    empty_lobby_seconds: float = setting(
        120.0, "empty-lobby", Group.RACES, "How long a lobby that everyone has left is kept.", _SECONDS
    )
    idle_lobby_seconds: float = setting(
        3600.0,
        "idle-lobby",
        Group.RACES,
        "How long a lobby in which nobody does anything is kept; in a room without a clock, the time "
        "for a decision.",
        _SECONDS,
    )
    deserted_seconds: float = setting(
        DAY_SECONDS, "deserted", Group.RACES, "How long a race that everyone has left is kept.", _LONG_SECONDS
    )
    paused_seconds: float = setting(
        14 * DAY_SECONDS,
        "paused",
        Group.RACES,
        "How long a paused race, or a championship between two races, is kept.",
        _LONG_SECONDS,
    )
    sleep_seconds: float = setting(
        60.0,
        "sleep",
        Group.RACES,
        "How long after everyone has left a race goes to sleep: it is on disk only.",
        _SECONDS,
    )
    ended_seconds: float = setting(
        900.0, "results", Group.RACES, "How long the results of a race are shown.", _SECONDS
    )

    most_connections: int = setting(
        1000, "connections", Group.LIMITS, "The most connections at a time.", _COUNT
    )
    address_limits: str | None = setting(
        None,
        "address-limits",
        Group.LIMITS,
        "Addresses and networks with other limits: 192.0.2.7=5 allows each address there 5 times as "
        "much, 10.0.0.0/8=off removes the limits.",
        CheckedText(parse_address_limits),
        metavar="NETWORK=FACTOR,...",
    )
    connections_per_address: int = setting(
        100,
        "connections-per-address",
        Group.LIMITS,
        "The most connections from one address at a time. This and the other limits of an address apply"
        " to an IPv6 /64 network too, twice as much to a /56, four times as much to a /48.",
        _COUNT,
    )
    hellos_per_minute: int = setting(
        120,
        "hellos-per-minute",
        Group.LIMITS,
        "The most new connections from one address in a minute.",
        _COUNT,
    )
    most_rooms: int = setting(200, "rooms", Group.LIMITS, "The most rooms at a time.", _COUNT)
    most_sleeping_rooms: int = setting(
        5000, "sleeping-rooms", Group.LIMITS, "The most races and championships asleep on disk.", _COUNT
    )
    rooms_per_address: int = setting(
        20,
        "rooms-per-address",
        Group.LIMITS,
        "The most rooms from one address, while somebody races in them or their lobby is open.",
        _COUNT,
    )
    left_rooms_per_address: int = setting(
        250,
        "left-rooms-per-address",
        Group.LIMITS,
        "The most saved races from one address that everybody has left.",
        _COUNT,
    )
    most_watchers: int = setting(
        50,
        "spectators",
        Group.LIMITS,
        "The most spectators of one room; 0 allows none.",
        Number(int, 0, 100_000),
    )
    hello_seconds: float = setting(
        10.0, "hello-time", Group.LIMITS, "How long a new connection can be silent.", _SECONDS
    )
    idle_seconds: float = setting(
        1800.0, "idle", Group.LIMITS, "How long a connection in no room can be silent.", _SECONDS
    )
    send_seconds: float = setting(
        10.0, "send-time", Group.LIMITS, "How long a client can take to read what is sent to it.", _SECONDS
    )
    messages_per_second: float = setting(
        20.0,
        "messages-per-second",
        Group.LIMITS,
        "The most messages a second that one connection can send; more are read later.",
        _RATE,
    )
    messages_per_address: float = setting(
        200.0,
        "messages-per-address",
        Group.LIMITS,
        "The most messages a second that all connections from one address can send together.",
        _RATE,
    )
    messages_at_once: int = setting(
        100,
        "messages-at-once",
        Group.LIMITS,
        "The most messages that a connection can send at once before these limits apply.",
        Number(int, 1, 1_000_000),
    )
    most_errors: int = setting(
        20, "errors", Group.LIMITS, "The most wrong messages that a connection can send in total.", _COUNT
    )
    most_waiting_frames: int = setting(
        256,
        "waiting-frames",
        Group.LIMITS,
        "The most frames that can wait for a client that reads slowly.",
        Number(int, 8, 100_000),
    )
    most_waiting_bytes: int = setting(
        4 * 1024 * 1024,
        "waiting-bytes",
        Group.LIMITS,
        "The most bytes that can wait for a client that reads slowly.",
        Number(int, 1024 * 1024, 1024 * 1024 * 1024),
    )

    store: Path | DatabaseUrl | None = setting(
        None,
        "store",
        Group.STORE,
        "Save matches in this file, or in the PostgreSQL database of this URL "
        "(postgresql://USER@HOST/DATABASE), so that they continue after a restart.",
        StorePlace(),
        program_default=default_store,
        off=SettingOption(
            "no-store",
            Group.STORE,
            is_flag=True,
            default=False,
            help="Save nothing; matches end with the server.",
        ),
    )
    store_password: Path | None = setting(
        None,
        "store-password",
        Group.STORE,
        "The password of the store's database is the first line of this file; by default it is taken from "
        "PGPASSWORD or ~/.pgpass.",
        UserPath(),
    )
    keep_days: float = setting(
        90.0,
        "keep-days",
        Group.STORE,
        "How long finished matches stay in the store.",
        Number(float, 0, 36_500, "days"),
    )
    keep_mebibytes: int = setting(
        4096,
        "keep-mebibytes",
        Group.STORE,
        "How large the store can be before the oldest finished matches leave it sooner.",
        Number(int, 1, 1024 * 1024),
    )

    log_level: Literal["debug", "info", "warning", "error"] = setting(
        "info",
        "log-level",
        Group.LOG,
        "The least important events to log.",
        click.Choice(["debug", "info", "warning", "error"]),
    )
    log_format: Literal["text", "json"] = setting(
        "text",
        "log-format",
        Group.LOG,
        "One event a line, as key='value' or as a JSON object.",
        click.Choice(["text", "json"]),
    )
    log_file: Path | None = setting(
        None,
        "log-file",
        Group.LOG,
        "Write the log to this file instead of stderr; it stays below 4 MiB.",
        UserPath(),
    )
    status_socket: Path | None = setting(
        None,
        "socket",
        Group.LOG,
        "The local socket for `status` and the other commands that ask the server; only this user can "
        "open it.",
        UserPath(),
        program_default=default_socket,
        off=SettingOption(
            "no-socket", Group.LOG, is_flag=True, default=False, help="Do not open this socket."
        ),
    )
    metrics: str | None = setting(
        None,
        "metrics",
        Group.LOG,
        "Answer Prometheus (/metrics) and health checks (/health/live, /health/ready) by HTTP on this port; "
        "without HOST to this machine only. By default nothing listens for them.",
        CheckedText(parse_metrics_address),
        metavar="[HOST:]PORT",
    )

    @property
    def shared_address(self) -> str | None:
        """What friends are to type; None: nobody has said, so what somebody has typed."""
        return self.invite or self.announce
