"""Who is who: a client is one player, known by a secret token, over any connection.

The rooms own who has a place in them (`room.participants`); what is noted here only finds the room that a
request is for.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Final

from heat_server.net.connection import Connection
from heat_server.net.token_bucket import TokenBucket

TOKEN_BYTES: Final = 32

LINES_AT_ONCE: Final = 5
LINES_PER_SECOND: Final = 0.5
"""How much a player can write, and have announced about them."""


class ConnectedClient:
    """One player.

    Attributes:
        number: For the log.
        key: Hash of the token.
        connection: The newest; None: not there.
        room: Code of the room that the player is in now.
        rooms: Codes of all that keep a place for the player and are awake, left races too.
        talk: What the player may still write; leaving and coming back gives no more of it.
    """

    __slots__ = ("connection", "key", "number", "room", "rooms", "talk")

    def __init__(self, number: int, key: bytes) -> None:
        """Begin without connection and room."""
        self.number = number
        self.key = key
        self.connection: Connection | None = None
        self.room: str | None = None
        self.rooms: set[str] = set()
        self.talk = TokenBucket(LINES_AT_ONCE, LINES_PER_SECOND, 0.0)


class Clients:
    """All players; tokens are kept as hashes only."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._by_key: dict[bytes, ConnectedClient] = {}
        self._keys_of_room: dict[str, frozenset[bytes]] = {}
        self._numbers = 0

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[ConnectedClient]:
        return iter(self._by_key.values())

    def create(self) -> tuple[ConnectedClient, str]:
        """Make a new player and the token to know them by."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        return self.adopt(key_of(token)), token

    def adopt(self, key: bytes) -> ConnectedClient:
        """Give the player of a hashed token, a new one where there is none."""
        client = self._by_key.get(key)
        if client is None:
            self._numbers += 1
            client = self._by_key[key] = ConnectedClient(self._numbers, key)
        return client

    def find(self, token: str) -> ConnectedClient | None:
        """Find the player who has a token."""
        return self._by_key.get(key_of(token))

    def is_in_room(self, key: bytes) -> bool:
        """Tell whether the player of a hashed token is in a room now."""
        client = self._by_key.get(key)
        return client is not None and client.room is not None

    def note_room(self, code: str, people: Mapping[bytes, bool]) -> None:
        """Note who has a place in a room, in place of what was noted of it before.

        Args:
            code: Of the room.
            people: By hashed token: whether they are in this room now.
        """
        for key in self._keys_of_room.pop(code, frozenset()) - people.keys():
            client = self._by_key[key]
            client.rooms.discard(code)
            if client.room == code:
                client.room = None
            self.forget_if_idle(client)
        for key, is_here in people.items():
            client = self.adopt(key)
            client.rooms.add(code)
            if is_here:
                client.room = code
            elif client.room == code:
                client.room = None
        if people:
            self._keys_of_room[code] = frozenset(people)

    def forget_if_idle(self, client: ConnectedClient) -> None:
        """Forget a player who is not connected and has a place nowhere."""
        if client.connection is None and not client.rooms:
            self._by_key.pop(client.key, None)


def key_of(token: str) -> bytes:
    """Give what is kept of a token."""
    return sha256(token.encode()).digest()
