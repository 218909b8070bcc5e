"""The program itself, for guests who want to keep it: behind a word that only the link makes."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

import pytest

from heat_tui.browser.links import installing_line, program_path
from heat_tui.own_wheel import NoWheel, WheelOffer, make_wheel
from tests.browser.support import SECRET, open_door
from tests.installed import install, run

pytestmark = pytest.mark.asyncio


async def test_the_line_that_the_door_prints_names_the_wheel_of_this_program(tmp_path: Path) -> None:
    own = make_wheel()
    async with open_door(tmp_path) as door:
        line = installing_line(f"{door.address}/", SECRET)
        found = re.fullmatch(r"uv tool install 'heat-tui-race @ (\S+)'", line)
        assert found
        assert found[1].startswith(f"{door.address}/get/")
        assert SECRET not in line
        async with door.session.get(found[1]) as answer:
            assert answer.status == 200
            assert answer.headers["Cache-Control"] == "no-store"
            data = await answer.read()
        async with door.session.head(found[1]) as answer:
            assert int(answer.headers["Content-Length"]) == len(data)
    assert data == own.data
    file = tmp_path / own.name
    file.write_bytes(data)
    await asyncio.to_thread(install, tmp_path / "venv", file)
    told = await asyncio.to_thread(run, tmp_path / "venv" / "bin" / "heat-tui", "--version", cwd=tmp_path)
    assert told.startswith("heat-tui ")


async def test_the_page_lists_lines_that_check_what_comes(tmp_path: Path) -> None:
    own = make_wheel()
    async with open_door(tmp_path) as door:
        async with door.session.get(door.door.offer.address()) as answer:
            assert answer.content_type == "text/html"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            page = await answer.text()
    for tool in ("uv tool install", "uvx --from", "pipx install", "pip install"):
        assert f"{tool} &#x27;heat-tui-race @ {door.door.offer.address()}/{own.name}" in page
    assert page.count(f"#sha256={hashlib.sha256(own.data).hexdigest()}") == 2
    assert SECRET not in page


@pytest.mark.parametrize(
    "path", ["/get", "/get/", "/get/x", "/get/{}x", "/get/{}/other.whl", "/x/get/{}", "/{}"]
)
async def test_without_the_word_there_is_nothing(tmp_path: Path, path: str) -> None:
    async with open_door(tmp_path) as door:
        word = door.door.offer.address().rpartition("/")[2]
        async with door.session.get(f"{door.address}{path.format(word)}") as answer:
            assert answer.status == 404
            assert await answer.text() == "There is no such page."


async def test_an_open_door_gives_it_to_anybody_at_the_public_address(tmp_path: Path) -> None:
    async with open_door(tmp_path, secret=None, announced="https://races.example/heat/") as door:
        assert door.door.offer.address() == "https://races.example/heat/get"
        async with door.session.get(f"{door.address}/get") as answer:
            assert answer.status == 200


async def test_another_secret_has_another_word() -> None:
    assert len({program_path(secret) for secret in ("a" * 22, "b" * 22, None)}) == 3


async def test_where_there_is_no_wheel_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(self: WheelOffer) -> None:
        raise NoWheel("The program is not installed here.")

    monkeypatch.setattr(WheelOffer, "wheel", lost)
    async with open_door(tmp_path) as door, door.session.get(door.door.offer.address()) as answer:
        assert (answer.status, await answer.text()) == (404, "The program is not installed here.")
