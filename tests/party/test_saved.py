"""A party that ended during its race is continued with the same room and ways in."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import click
import msgspec
import pytest

from heat_core.wire.address import LOOPBACK
from heat_core.wire.messages import RoomOptions, RoomPhase
from heat_core.wire.operator import (
    AskConnections,
    AskRooms,
    ConnectionList,
    Done,
    OpenRoom,
    OperatorAnswer,
    OperatorRequest,
    RoomInfo,
    Rooms,
)
from heat_tui import own_ports
from heat_tui.commands.party import _to_continue, _wish
from heat_tui.party.party import Party
from heat_tui.party.saved import KEPT_SECONDS, SavedParty, save_party, saved_parties
from tests.tui.support_party import HOSTS, WISH

SAVED = SavedParty(7778, "RXH39", 2223, 8001, "kqtm-7w3x", "mH1xVYpq0sD3kq2wQv9c5A", "", True)
DOORS = {"ssh": None, "no_ssh": False, "web": None, "no_web": False, "open_": False, "password_file": None}


@pytest.mark.asyncio
async def test_a_party_is_saved_for_as_long_as_its_race_is_not_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    phases: list[RoomPhase | None] = [None, "lobby", "racing", None, "between", "ended"]
    saved = []
    party = Party(WISH._replace(port=7778, code="RXH39"), HOSTS, tmp_path)

    async def answer(request: OperatorRequest) -> OperatorAnswer:
        match request:
            case AskRooms():
                rooms = [RoomInfo("RXH39", phase, "usa", 1, 0, "Ana") for phase in phases[:1] if phase]
                return Rooms(tuple(rooms))
            case AskConnections():
                return ConnectionList(())
            case OpenRoom(code):
                return Done(code)
            case _:
                return Done("")

    monkeypatch.setattr(party, "_ask", answer)
    while phases:
        await party._look()
        saved.append([one.code for one in saved_parties(tmp_path)])
        phases.pop(0)
    assert saved == [[], [], ["RXH39"], ["RXH39"], ["RXH39"], []], "a room that sleeps has its race still"


@pytest.mark.parametrize(
    ("port", "is_free", "agrees", "found"),
    [
        (None, True, True, SAVED),
        (None, True, False, None),
        (None, False, True, None),
        (7778, True, True, SAVED),
        (7790, True, True, None),
    ],
)
def test_the_party_that_does_not_run_is_offered(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    port: int | None,
    is_free: bool,
    agrees: bool,
    found: SavedParty | None,
) -> None:
    save_party(tmp_path, SAVED)
    (tmp_path / "party-1.json").write_text("no party")
    monkeypatch.setattr(own_ports, "is_free", lambda port, host: is_free)
    monkeypatch.setattr(click, "confirm", lambda *_, **__: agrees)
    assert _to_continue(tmp_path, port, "", can_ask=True) == found


@pytest.mark.parametrize(
    "saved",
    [
        SAVED,
        msgspec.structs.replace(SAVED, ssh=None),
        msgspec.structs.replace(SAVED, web=None),
        msgspec.structs.replace(SAVED, password=None, secret=None),
        msgspec.structs.replace(SAVED, host=LOOPBACK, is_announced=False),
    ],
)
def test_a_continued_party_opens_what_it_had_open_and_no_more(
    monkeypatch: pytest.MonkeyPatch, saved: SavedParty
) -> None:
    monkeypatch.setattr(own_ports, "is_free", lambda port, host: True)
    wish = _wish("", None, DOORS, RoomOptions(), saved, is_announced=True)
    had = (wish.port, wish.code, wish.ssh, wish.web, wish.password, wish.secret, wish.host, wish.is_announced)
    assert had == msgspec.structs.astuple(saved)


def test_options_differ_from_what_a_continued_party_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_ports, "is_free", lambda port, host: True)
    closed = msgspec.structs.replace(SAVED, ssh=None)
    doors = DOORS | {"ssh": 2300, "no_web": True, "open_": True}
    wish = _wish(LOOPBACK, None, doors, RoomOptions(), closed, is_announced=False)
    assert wish[:7] == (LOOPBACK, SAVED.port, 2300, None, None, None, False)


def test_only_its_host_can_read_a_saved_party_and_not_for_ever(tmp_path: Path) -> None:
    save_party(tmp_path, SAVED)
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    old = path.stat().st_mtime - KEPT_SECONDS - 1
    os.utime(path, (old, old))
    assert saved_parties(tmp_path) == []
    assert not path.exists(), "a password and a secret are in it"
