"""What browsers get before anybody is inside: files, headers, and limits for strangers."""

from __future__ import annotations

import asyncio
import gc
import re
import socket
import stat
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import segno

from heat_tui.browser import site
from heat_tui.browser.picture import Picture
from heat_tui.browser.proxies import origin_number
from heat_tui.browser.secret import BadSecret, link_secret, new_secret
from heat_tui.browser.site import page_files
from heat_tui.qr_code import QUIET, qr_rows
from tests.browser.support import SECRET, come, inside, open_door
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import until


@pytest.mark.asyncio
async def test_the_page_loads_nothing_from_elsewhere_and_is_kept_by_nobody(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        async with door.session.get(f"{door.address}/") as answer:
            page = await answer.text()
            headers = answer.headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "default-src 'none'; script-src 'self';" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert SECRET not in page
        assert not re.search(r"https?://", page)
        names = re.findall(r'(?:href|src)="([^":,]+)"', page)
        async with door.session.get(f"{door.address}/page.mjs") as answer:
            script = await answer.text()
            assert answer.content_type == "text/javascript"
        names += [name.removeprefix("./") for name in re.findall(r'from "(.+)"', script)]
        assert len(names) == 7
        for name in names:
            async with door.session.get(f"{door.address}/{name}") as answer:
                assert answer.status == 200
                assert await answer.read()
                is_kept = name.startswith("xterm-")
                assert ("immutable" in answer.headers["Cache-Control"]) == is_kept
        async with door.session.get(
            f"{door.address}/{names[-1]}", headers={"Accept-Encoding": "identity"}
        ) as answer:
            assert "Content-Encoding" not in answer.headers
            assert b"Terminal" in await answer.read()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "path", ["/nothing", "/../door.py", "/%2e%2e/door.py", "/page.html", "/%1b", "/LICENSE"]
)
async def test_nothing_else_is_given_out(tmp_path: Path, path: str) -> None:
    async with open_door(tmp_path) as door, door.session.get(f"{door.address}{path}") as answer:
        assert answer.status == 404
        assert await answer.text() == "There is no such page."


@pytest.mark.asyncio
async def test_only_the_page_itself_opens_a_websocket(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        for headers in (
            {"Origin": "http://elsewhere.example"},
            {"Origin": "http://elsewhere.example", "Host": "elsewhere.example"},
            {"Origin": "null"},
            {"Origin": "http://["},
        ):
            page = await come(door, headers=headers)
            assert "exactly as your host gave it" in (await page.bye())["text"]
        assert door.news == []
        await inside(door, headers={"Origin": door.address})
        async with door.session.post(f"{door.address}/ws") as answer:
            assert answer.status == 405
        async with door.session.get(f"{door.address}/ws") as answer:
            assert answer.status == 400


@pytest.mark.asyncio
async def test_a_named_proxy_is_believed_and_nobody_else(tmp_path: Path) -> None:
    origin = {"Origin": "https://races.example"}
    headers = {"X-Forwarded-For": "6.6.6.6, 203.0.113.9", "X-Forwarded-Proto": "https"}
    async with open_door(tmp_path, proxies=["127.0.0.0/8"], announced="https://races.example/heat/") as door:
        assert door.door.link("K7QX4") == f"https://races.example/heat/#{SECRET}+K7QX4"
        await inside(door, headers=headers | origin)
        assert [guest.address for guest in door.house.guests] == ["203.0.113.9"]
        for foreign in ({"Origin": "http://races.example"}, origin | {"X-Forwarded-Proto": "http"}):
            page = await come(door, headers=headers | foreign)
            assert "exactly as your host gave it" in (await page.bye())["text"]
    async with open_door(tmp_path) as door:
        await inside(door, headers=headers)  # of nobody who is named
        assert [guest.address for guest in door.house.guests] == ["127.0.0.1"]


@pytest.mark.asyncio
async def test_the_server_hears_where_a_guest_is(tmp_path: Path) -> None:
    path = tmp_path / "doors.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        headers = {"X-Forwarded-For": "203.0.113.9"}
        async with open_door(tmp_path, proxies=["127.0.0.1"], door_socket=path) as door:
            page = await inside(door, headers=headers)
            assert page.facts["way"] == [str(path), "203.0.113.9", "127.0.0.1"]


@pytest.mark.parametrize(
    ("peer", "forwarded", "number"),
    [
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["1.1.1.1", "203.0.113.9, 10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9, nonsense"], "10.0.0.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("::ffff:10.0.0.1", ["2001:db8::1"], "2001:db8::1"),
        ("192.0.2.1", ["203.0.113.9"], "192.0.2.1"),
    ],
)
def test_the_last_whom_a_named_proxy_has_seen_counts(peer: str, forwarded: list[str], number: str) -> None:
    assert origin_number(peer, forwarded, [ip_network("10.0.0.0/8")]) == number


@pytest.mark.asyncio
async def test_strangers_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "REQUEST_SECONDS", 0.5)
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, fault: faults.append(fault))
    async with open_door(tmp_path, most_from_address=2) as door:
        raw = [await asyncio.open_connection("127.0.0.1", door.door.port) for _ in range(60)]
        for number, (_, writer) in enumerate(raw):
            writer.write((b"\x16\x03\x01\x02\x00\x01", b"GET / HT", b"\xff\xf4\x06", b"")[number % 4])
        ends = await asyncio.gather(*(_ends(reader) for reader, _ in raw))
        assert all(ends)
        for _, writer in raw:
            writer.close()
        await until(lambda: not door.door.entrance._connections)
        await inside(door)
        assert [news.kind for news in door.news] == ["came"]
        gc.collect()
        assert not faults, "each would be a traceback in the host's terminal"


@pytest.mark.asyncio
async def test_who_does_not_read_an_answer_is_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "ANSWER_SECONDS", 0.3)
    async with open_door(tmp_path) as door:
        stuck = socket.create_connection(("127.0.0.1", door.door.port))
        with stuck:
            stuck.sendall(b"GET /xterm-6.0.0/xterm.mjs HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
            await until(lambda: door.door.entrance._connections.total() == 1)
            await until(lambda: not door.door.entrance._connections)
        page = await inside(door)
        await asyncio.sleep(0.6)
        await page.press("hello\r")  # who plays may stay
        await page.shows("heard 'hello'")


async def _ends(reader: asyncio.StreamReader) -> bool:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await reader.read(4096):
                pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


@pytest.mark.spec("DOOR-2")
def test_the_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    secret = link_secret(tmp_path / "state")
    assert len(secret) == 22
    assert secret != new_secret()
    path = tmp_path / "state" / "browser_secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert link_secret(tmp_path / "state") == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("short")
    with pytest.raises(BadSecret, match=r"not the secret of a link\. Remove the file"):
        link_secret(tmp_path / "state")


@pytest.mark.spec("DOOR-2")
@pytest.mark.parametrize(
    "link", [f"http://192.0.2.7:8000/#{'k' * 22}", f"https://races.example/heat/#{'k' * 60}"]
)
def test_a_link_is_drawn_as_a_code_with_paper_around_it(link: str) -> None:
    rows = qr_rows(link)
    drawn = [[sign in signs for sign in row] for row in rows for signs in ("▀█", "▄█")]
    modules = [
        [bool(module) for module in row] for row in segno.make(link, error="l").matrix_iter(border=QUIET)
    ]
    assert drawn[: len(modules)] == modules
    assert not any(map(any, drawn[len(modules) :]))
    assert (len(rows), len(rows[0])) <= (25, 49)


def test_a_picture_keeps_its_end() -> None:
    picture = Picture()
    for number in range(20):
        picture.add(bytes([number]) * 100_000)
    assert picture.total == 2_000_000
    assert picture.has(2_000_000)
    assert picture.after(2_000_000, 10) == b""
    assert picture.after(1_899_995, 10) == b"\x12" * 5 + b"\x13" * 5
    assert not picture.has(2_000_001)
    assert not picture.has(0)


def test_every_file_of_the_page_has_a_type() -> None:
    files = page_files()
    assert {file.type for file in files.values()} == {"text/html", "text/css", "text/javascript"}
    assert "/" in files
