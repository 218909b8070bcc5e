"""A client of this version comes back to a race that release 0.1 began, at a server of this version."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copy

import pytest

from heat_core.wire.address import Address
from heat_tui.client.connection import RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, create_session_file, saved_sessions
from heat_tui.state import Folders
from tests.tui.support_app import folders_in, server_process

pytestmark = pytest.mark.asyncio

KEPT = Path(__file__).parents[1] / "kept" / "0.1"


ROOMS = json.loads((KEPT / "rooms.json").read_bytes())


def saved_seat(folders: Folders, room: str, address: Address) -> SavedSession:
    """Save a seat in a room of that release, as its client did."""
    saved = SavedSession(str(address), ROOMS[room]["tokens"][0], ROOMS[room]["code"], "ana")
    file = create_session_file(folders)
    file.save(saved)
    file.close()
    return saved


async def test_whoever_rejoins_reads_why_the_race_cannot_be_continued(tmp_path: Path) -> None:
    folders = folders_in(tmp_path / "ana")
    with server_process("--store", copy(KEPT / "rooms.sqlite3", str(tmp_path))) as address:
        saved = saved_seat(folders, "racing", address)
        with pytest.raises(RequestRefused, match="begun by version 1 of the rules, in which") as refused:
            await ServerStay.rejoin(folders, saved)
        assert refused.value.text.startswith("The race cannot be continued: ")
        assert saved_sessions(folders) == [], "there is nothing to come back to"
        stay = await ServerStay.rejoin(folders, saved_seat(folders, "between", address))
        assert stay.link.room is not None
        assert stay.link.room.phase == "between"
        await stay.close()
