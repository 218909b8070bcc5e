"""A way to a database that can be cut at a chosen moment: bytes are carried, not understood."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

COMMIT: Final = b"COMMIT"


class CutOff:
    """A proxy in front of a server's socket.

    Attributes:
        port: Where it listens, on 127.0.0.1.
        before: Asked about each piece from the client before it is passed on: True cuts the connection, and
            the piece is lost.
        after: Asked about each piece from the client when it has been passed on: True cuts the connection as
            soon as the server has answered, and the answer is lost.
        is_open: Whether new connections are taken.
        connections: How many there were.
    """

    def __init__(self, path: Path) -> None:
        self.before: Callable[[bytes], bool] = lambda piece: False
        self.after: Callable[[bytes], bool] = lambda piece: False
        self.is_open = True
        self.connections = 0
        self._path = path
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if not self.is_open:
                    client.close()
                    continue
                self.connections += 1
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        """Carry pieces in turns: a client of a database waits for its answer."""
        with contextlib.suppress(OSError), client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self._path))
            loses_answer = threading.Event()
            back = threading.Thread(target=self._carry_back, args=(server, client, loses_answer), daemon=True)
            back.start()
            while piece := client.recv(65_536):
                if self.before(piece):
                    break
                if self.after(piece):
                    loses_answer.set()
                server.sendall(piece)
            if not loses_answer.is_set():
                _hang_up(client)
                _hang_up(server)
            back.join()

    def _carry_back(
        self, server: socket.socket, client: socket.socket, loses_answer: threading.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while (piece := server.recv(65_536)) and not loses_answer.is_set():
                client.sendall(piece)
        _hang_up(client)
        _hang_up(server)


def _hang_up(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def cut_off(path: Path) -> Iterator[CutOff]:
    proxy = CutOff(path)
    try:
        yield proxy
    finally:
        proxy.close()


def once(word: bytes) -> Callable[[bytes], bool]:
    """Say yes to the first piece with a word in it."""
    left = [word]

    def found(piece: bytes) -> bool:
        return bool(left) and left[0] in piece and left.pop() is word

    return found
