"""Who is who: a session is one player, known by a secret token, whatever connection they use."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from heat_server.bucket import Bucket

if TYPE_CHECKING:
    from heat_server.connection import Connection
    from heat_server.room import Room

TOKEN_BYTES: Final = 32

LINES_AT_ONCE: Final = 5
LINES_PER_SECOND: Final = 0.5
"""How much a player may write, and make the room tell of them."""


class Session:
    """One player.

    Attributes:
        number: For the log.
        key: Hash of the token.
        connection: The newest; None: not there.
        room: The room that the player is in now.
        rooms: All rooms that keep a place for the player, left races too.
        talk: What the player may still write; leaving and coming back gives no more of it.
    """

    def __init__(self, number: int, key: bytes) -> None:
        """Begin without connection and room."""
        self.number = number
        self.key = key
        self.connection: Connection | None = None
        self.room: Room | None = None
        self.rooms: set[Room] = set()
        self.talk = Bucket(LINES_AT_ONCE, LINES_PER_SECOND, 0.0)

    @property
    def is_connected(self) -> bool:
        """Tell whether the player can be reached."""
        return self.connection is not None and self.connection.is_open


class Sessions:
    """All players; tokens are kept as hashes only."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._by_key: dict[bytes, Session] = {}
        self._numbers = 0

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._by_key.values())

    def create(self) -> tuple[Session, str]:
        """Make a new player and the token to know them by."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        return self.adopt(key_of(token)), token

    def adopt(self, key: bytes) -> Session:
        """Give the player of a hashed token, a new one where there is none."""
        session = self._by_key.get(key)
        if session is None:
            self._numbers += 1
            session = self._by_key[key] = Session(self._numbers, key)
        return session

    def find(self, token: str) -> Session | None:
        """Find the player who has a token."""
        return self._by_key.get(key_of(token))

    def forget_if_idle(self, session: Session) -> None:
        """Forget a player who is not connected and has a place nowhere."""
        if session.connection is None and not session.rooms:
            self._by_key.pop(session.key, None)

    def forget_idle(self) -> None:
        """Forget all such players: rooms let go of people who are not there."""
        for session in list(self._by_key.values()):
            self.forget_if_idle(session)


def key_of(token: str) -> bytes:
    """Give what is kept of a token."""
    return sha256(token.encode()).digest()
