"""The HTTP of metrics and health: one answer to each request, whatever the bytes, and nobody holds it up."""

from __future__ import annotations

from http import HTTPStatus

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from heat_server.monitoring import http
from heat_server.monitoring.http import (
    EXCHANGE_SECONDS,
    MOST_CONNECTIONS,
    MOST_HEAD_BYTES,
    REQUESTS_AT_ONCE,
    REQUESTS_PER_SECOND,
    Answer,
    HttpServer,
)
from tests.server.scraping import QUESTION, exchange

LINES = [b"GET /page HTTP/1.1\r\n", b"Host: x\r\n", b"\r\n"]


def page_of(path: str) -> Answer | None:
    return Answer(HTTPStatus.OK, b"here it is") if path == "/page" else None


@pytest.mark.trio
@pytest.mark.parametrize(
    ("data", "first", "body"),
    [
        (QUESTION % b"/page", "200 OK", b"here it is"),
        (QUESTION % b"/page?x=1", "200 OK", b"here it is"),
        (b"GET /page HTTP/1.0\r\n\r\n", "200 OK", b"here it is"),
        (b"HEAD /page HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK", b""),
        (QUESTION % b"/page" * 40, "200 OK", b"here it is"),
        (QUESTION % b"/other", "404 Not Found", b"Not Found\n"),
        (QUESTION % b"http://elsewhere/page", "404 Not Found", b"Not Found\n"),
        (b"POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx", "405 ", b"Method Not Allowed\n"),
        (b"GET /page HTTP/1.1\r\n\r\n", "400 Bad Request", b"Bad Request\n"),
        (b"\x16\x03\x01\x00\xa5" + bytes(200), "400 Bad Request", b"Bad Request\n"),
        (b"GET /page HTTP/1.1\r\nHost: x\r\nX: " + b"x" * MOST_HEAD_BYTES, "431 ", None),
        (b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", "431 ", None),
        (b"GET /page HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 5_000, "431 ", None),
    ],
)
async def test_each_request_gets_one_answer(
    data: bytes, first: str, body: bytes | None, autojump_clock: MockClock
) -> None:
    answer = await exchange(HttpServer(page_of), data)
    head, _, rest = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 " + first.encode())
    assert b"\r\nConnection: close" in head
    assert (b"\r\nAllow: GET, HEAD" in head) == first.startswith("405")
    assert body is None or rest == body


@pytest.mark.trio
async def test_who_is_slow_is_hung_up_on_and_sooner_where_others_come(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    server, slow = HttpServer(page_of), []
    began = trio.current_time()
    for _ in range(MOST_CONNECTIONS):
        ours, theirs = trio.testing.memory_stream_pair()
        nursery.start_soon(server.serve, theirs)
        await ours.send_all(b"GET /page HTTP/1.1\r\nHost:")
        slow.append(ours)
    await trio.testing.wait_all_tasks_blocked()
    assert (await exchange(server, QUESTION % b"/page")).startswith(b"HTTP/1.1 200 ")
    assert await slow[0].receive_some() == b""
    assert trio.current_time() == began
    for ours in slow:
        assert await ours.receive_some() == b""
    assert trio.current_time() - began == pytest.approx(EXCHANGE_SECONDS)
    assert (await exchange(server, QUESTION % b"/page")).startswith(b"HTTP/1.1 200 ")


@pytest.mark.trio
async def test_who_does_not_read_is_hung_up_on(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ours, theirs = trio.testing.lockstep_stream_pair()
    began = trio.current_time()
    nursery.start_soon(ours.send_all, QUESTION % b"/page")
    await HttpServer(page_of).serve(theirs)
    assert trio.current_time() - began == pytest.approx(EXCHANGE_SECONDS)


@pytest.mark.trio
async def test_a_fault_of_a_page_hurts_nobody(autojump_clock: MockClock) -> None:
    def broken(path: str) -> Answer | None:
        raise ZeroDivisionError(path)

    assert await exchange(HttpServer(broken), QUESTION % b"/page") == b""


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(LINES))))
def test_no_bytes_hurt(pieces: list[bytes]) -> None:
    async def try_them() -> None:
        server = HttpServer(page_of)
        for data in (b"".join(pieces), b"".join(pieces)[:-1]):
            assert (await exchange(server, data))[:9] in (b"", b"HTTP/1.1 ")
        assert (await exchange(server, QUESTION % b"/page")).endswith(b"here it is")

    trio.run(try_them, clock=MockClock(autojump_threshold=0))


@pytest.mark.trio
async def test_who_asks_too_often_is_told_so_and_others_are_answered(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "REQUESTS_AT_ONCE", 5)
    monkeypatch.setattr(http, "REQUESTS_PER_SECOND", 0.01)
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    nursery.start_soon(trio.serve_listeners, HttpServer(page_of).serve, listeners)
    port = listeners[0].socket.getsockname()[1]

    async def ask_from(address: str) -> bytes:
        async with await trio.open_tcp_stream("127.0.0.1", port, local_address=address) as stream:
            await stream.send_all(QUESTION % b"/page")
            return b"".join([piece async for piece in stream])

    answers = [await ask_from("127.0.0.1") for _ in range(6)]
    assert [answer[9:12] for answer in answers] == [b"200"] * 5 + [b"429"]
    assert (await ask_from("127.0.0.2")).startswith(b"HTTP/1.1 200 ")
    nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_who_waits_may_ask_again(autojump_clock: MockClock) -> None:
    server, question = HttpServer(page_of), QUESTION % b"/page"
    statuses = [(await exchange(server, question))[9:12] for _ in range(REQUESTS_AT_ONCE + 1)]
    assert statuses == [b"200"] * REQUESTS_AT_ONCE + [b"429"]
    await trio.sleep(1 / REQUESTS_PER_SECOND)
    assert (await exchange(server, question))[9:12] == b"200"
