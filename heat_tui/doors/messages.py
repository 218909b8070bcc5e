"""What the door and the fork server say to each other, over a pair of sockets on one machine.

Each message is a length of four bytes, big-endian, and so many bytes of msgpack. The terminal of a login
travels beside the length of its `Begin`.
"""

from __future__ import annotations

import socket
from typing import Final, Literal, TypeAlias

import msgspec

_LENGTH_BYTES: Final = 4


class Guest(msgspec.Struct, frozen=True):
    """Who has come in, and how.

    Attributes:
        name: The driver's, as it may be shown.
        folder: The guest's own; the door has made it.
        server: The address of the only server that is reached.
        code: Of the room to go to at once; empty: the list of rooms.
        word: Finds the guest's seat again; empty: a key does.
        environment: All the variables that say what the terminal can do.
        is_plain: Whether to play in lines.
        plain_way: How the guest starts plain mode, in words.
        way: How that server is reached, in the words of `DoorWay`; None: over the network.
        has_namesake: Whether the guest has come in as somebody new under a name that has another word.
    """

    name: str
    folder: str
    server: str
    code: str
    word: str
    environment: dict[str, str]
    is_plain: bool
    plain_way: str
    way: tuple[str, str, str] | None = None
    has_namesake: bool = False


class Begin(msgspec.Struct, tag="begin"):
    """The door: begin a login, with the terminal that comes along."""

    number: int
    guest: Guest


class Nudge(msgspec.Struct, tag="nudge"):
    """The door: warn a login that it will be ended for idling, ask it to end, or kill it."""

    number: int
    how: Literal["warn", "end", "kill"]


class Ready(msgspec.Struct, tag="ready"):
    """The fork server: everything is loaded."""


class Ended(msgspec.Struct, tag="ended"):
    """The fork server: a login has ended.

    Attributes:
        code: Its exit code; of one that a signal ended minus the signal's number.
    """

    number: int
    code: int


Message: TypeAlias = Begin | Nudge | Ready | Ended

_DECODER: Final = msgspec.msgpack.Decoder(Message)


class Line:
    """One end of the line between the door and the fork server."""

    def __init__(self, end: socket.socket) -> None:
        """Speak over a socket, whose other end the other process has."""
        self.socket = end

    def send(self, message: Message, terminal: int | None = None) -> None:
        """Say something, and wait until it is on its way.

        Args:
            terminal: The descriptor that goes along.

        Raises:
            OSError: The other process is gone.
        """
        data = msgspec.msgpack.encode(message)
        length = len(data).to_bytes(_LENGTH_BYTES, "big")
        if terminal is None:
            self.socket.sendall(length + data)
        else:
            socket.send_fds(self.socket, [length], [terminal])
            self.socket.sendall(data)

    def receive(self) -> tuple[Message, int | None]:
        """Wait for something, and give the descriptor that came along.

        Raises:
            EOFError: The other process is gone.
        """
        length, terminals, _, _ = socket.recv_fds(self.socket, _LENGTH_BYTES, 1)
        length += self._exactly(_LENGTH_BYTES - len(length)) if length else b""
        data = self._exactly(int.from_bytes(length, "big")) if length else b""
        if not data:
            raise EOFError
        return _DECODER.decode(data), terminals[0] if terminals else None

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            if not (more := self.socket.recv(count - len(data))):
                raise EOFError
            data += more
        return data
