"""Asking a server for its metrics and its health, as a program that watches it does."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import trio
import trio.testing
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from heat_server.monitoring.http import HttpServer
from heat_server.monitoring.serve import pages_of
from tests.patience import PATIENCE_SECONDS
from tests.server.support import House

QUESTION = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def exchange(server: HttpServer, data: bytes) -> bytes:
    """Send bytes to a server, and read all that it answers."""
    ours, theirs = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, theirs)
        with_answer = await _send_and_read(ours, data)
        await ours.aclose()
    return with_answer


async def _send_and_read(stream: trio.abc.HalfCloseableStream, data: bytes) -> bytes:
    answer = b""
    try:
        await stream.send_all(data)
        while piece := await stream.receive_some():
            answer += piece
    except trio.BrokenResourceError:
        pass
    return answer


async def ask(server: HttpServer, path: str) -> tuple[int, str]:
    """Ask for a page; give status and body."""
    head, _, body = (await exchange(server, QUESTION % path.encode())).partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode()


async def scrape(house: House) -> str:
    status, text = await ask(HttpServer(pages_of(house.server)), "/metrics")
    assert status == HTTPStatus.OK
    return text


def samples_of(text: str) -> Iterator[Sample]:
    for family in text_string_to_metric_families(text):
        yield from family.samples


def values_of(text: str) -> dict[str, float]:
    """List the samples without labels, and those with one by its value: `heat_server_rooms racing`."""
    return {" ".join([one.name, *one.labels.values()]): one.value for one in samples_of(text)}


async def address_in(log: Path) -> str:
    """Wait until a log says where metrics and health are, and give that."""
    while True:
        for line in map(json.loads, (await trio.Path(log).read_text()).splitlines()):
            if line["event"] == "metrics and health":
                return str(line["address"])
        await trio.sleep(0.02)


def get(address: str, path: str) -> str:
    with urllib.request.urlopen(f"http://{address}{path}", timeout=PATIENCE_SECONDS) as answer:
        text: str = answer.read().decode()
    return text
