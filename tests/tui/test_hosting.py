"""A server started from the client."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heat_core.address import Address
from heat_core.files import TRACKS_VARIABLE
from heat_tui.hosting import start_server
from heat_tui.visit import Visit
from tests.tui.support_app import folders_in

pytestmark = pytest.mark.asyncio


async def test_a_server_started_here_has_the_players_own_tracks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my tracks"
    monkeypatch.setenv(TRACKS_VARIABLE, str(folder))
    for own in ([], ["oval"]):
        if own:
            folder.mkdir()
            oval = Path(__file__).parents[2] / "examples" / "oval.json"
            (folder / "mine.json").write_bytes(oval.read_bytes())
        server = await asyncio.to_thread(start_server, tmp_path / "state")
        try:
            visit = await Visit.begin(folders_in(tmp_path), Address("127.0.0.1", server.address.port))
            assert [track.id for track in await visit.tracks()][8:] == own
            await visit.close()
        finally:
            await asyncio.to_thread(server.stop)
