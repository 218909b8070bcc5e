"""A little of HTTP/1.1, for programs that ask a server how it does: h11 speaks it, trio carries it.

Theory of operation. Each connection brings one request and is closed after the answer, so that nothing that
is kept open counts against the few connections there may be. A request has no body that anybody reads. The
whole of it, from the first byte to the end of the answer, has a few seconds; who takes longer or sends too
much is hung up on. Where there are too many connections, the oldest is evicted: whoever asks at once is
answered, however many hold connections open and say nothing. Whoever comes too often is told so, unheard;
each address counts for itself, so that a program gone wild does not hide a server from the others.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, NamedTuple, TypeAlias

import h11
import structlog
import trio

from heat_server.log import kind_of_fault, place_of_fault
from heat_server.net.admission import peer_of
from heat_server.net.buckets import Buckets
from heat_server.net.slots import Slots

MOST_CONNECTIONS: Final = 16
MOST_HEAD_BYTES: Final = 8_192
EXCHANGE_SECONDS: Final = 5.0
REQUESTS_AT_ONCE: Final = 100
REQUESTS_PER_SECOND: Final = 50.0
"""From one address. A balancer may ask for the health several times a second, for each of its own ports."""

MOST_REMEMBERED: Final = 1_000
_READ_BYTES: Final = 4_096
_MOST_UNREAD_BYTES: Final = 16 * _READ_BYTES
METHODS: Final = ("GET", "HEAD")

log = structlog.get_logger()


class Answer(NamedTuple):
    """What a request is answered.

    Attributes:
        status: Of HTTP.
        body: For the reader.
        content_type: What the body is.
    """

    status: HTTPStatus
    body: bytes
    content_type: str = "text/plain; charset=utf-8"


Respond: TypeAlias = Callable[[str], Answer | None]
"""Gives the answer to a path; None: there is none."""


class HttpServer:
    """Answers requests of the methods GET and HEAD."""

    def __init__(self, respond: Respond) -> None:
        """Begin without connections."""
        self._respond = respond
        self._open = Slots()
        self._requests = Buckets(REQUESTS_AT_ONCE, REQUESTS_PER_SECOND, MOST_REMEMBERED)

    async def serve(self, stream: trio.abc.HalfCloseableStream) -> None:
        """Answer one request, and close the stream. Raises nothing but cancellation."""
        try:
            with (
                self._open.take(EXCHANGE_SECONDS, MOST_CONNECTIONS),
                contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError),
            ):
                if self._may_ask(peer_of(stream), trio.current_time()):
                    await self._exchange(stream)
                else:
                    await _send_last(stream, TOO_OFTEN)
        except Exception as error:
            log.error("monitoring crashed", fault=kind_of_fault(error), at=place_of_fault(error))
        finally:
            await trio.aclose_forcefully(stream)

    async def _exchange(self, stream: trio.abc.HalfCloseableStream) -> None:
        connection = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD_BYTES)
        method = ""
        try:
            request = await _read_request(stream, connection)
            if request is None:
                return
            method, answer = request.method.decode("ascii"), self._answer(request)
        except h11.RemoteProtocolError as error:
            answer = _plain(HTTPStatus(error.error_status_hint))
        await _send_last(stream, _written(connection, answer, head_only=method == "HEAD"))

    def _may_ask(self, peer: str, now: float) -> bool:
        """Count a request of an address; tell whether it may have one more now."""
        requests = self._requests.of(peer, now)
        return requests is None or requests.take(now)  # from everywhere at once: pages cost little then

    def _answer(self, request: h11.Request) -> Answer:
        if request.method.decode("ascii") not in METHODS:
            return _plain(HTTPStatus.METHOD_NOT_ALLOWED)
        path = request.target.partition(b"?")[0].decode("ascii")
        return self._respond(path) or _plain(HTTPStatus.NOT_FOUND)


async def _read_request(
    stream: trio.abc.HalfCloseableStream, connection: h11.Connection
) -> h11.Request | None:
    """Read up to the end of a request's head.

    Returns:
        None where the peer hangs up before it asks.

    Raises:
        h11.RemoteProtocolError: That is no request, or too much for one.
    """
    while True:
        match connection.next_event():
            case h11.Request() as request:
                return request
            case h11.NEED_DATA:
                connection.receive_data(bytes(await stream.receive_some(_READ_BYTES)))
            case _:
                return None


async def _send_last(stream: trio.abc.HalfCloseableStream, data: bytes) -> None:
    """Send an answer, and read what else comes, up to a limit."""
    await stream.send_all(data)
    # A stream that is closed with something unread takes with it what the peer has not read either.
    await stream.send_eof()
    unread = _MOST_UNREAD_BYTES
    while unread > 0 and (rest := await stream.receive_some(_READ_BYTES)):
        unread -= len(rest)


def _plain(status: HTTPStatus) -> Answer:
    return Answer(status, f"{status.phrase}\n".encode())


def _written(connection: h11.Connection, answer: Answer, *, head_only: bool) -> bytes:
    """Write an answer as it is sent."""
    headers = [
        ("Content-Type", answer.content_type),
        ("Content-Length", str(len(answer.body))),
        ("Connection", "close"),
    ]
    if answer.status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers.append(("Allow", ", ".join(METHODS)))
    written = connection.send(
        h11.Response(status_code=answer.status, reason=answer.status.phrase, headers=headers)
    )
    if not head_only:
        written += connection.send(h11.Data(answer.body))
    return written


TOO_OFTEN: Final = _written(h11.Connection(h11.SERVER), _plain(HTTPStatus.TOO_MANY_REQUESTS), head_only=False)
"""Sent to whoever comes too often, whatever they ask; written once, as there may be thousands."""
