"""Ten rooms race while hundreds of hostile connections do their worst from many addresses."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.load.server import running_server
from tests.load.siege import OPTIONS, WAYS, Fared, besiege


def besieged(folder: Path, besiegers: int, seconds: float) -> Fared:
    """Hold a siege; the server lives, and nothing in its log is a fault of its own."""
    log = folder / "log"
    options = (*OPTIONS, "--log-file", str(log))
    with running_server(folder / "store.sqlite3", *options, roomy=False) as server:
        fared = asyncio.run(besiege(server, besiegers, seconds))
        assert server.process.poll() is None
    assert log.read_text(encoding="utf-8") == ""
    assert set(fared.visits) == {way.__name__ for way in WAYS}
    return fared


@pytest.mark.parametrize(
    ("besiegers", "seconds"),
    [
        (150, 5.0),
        pytest.param(900, 60.0, marks=[pytest.mark.soak, pytest.mark.timeout(600)]),
    ],
)
def test_ten_rooms_race_on_under_siege(besiegers: int, seconds: float, tmp_path: Path) -> None:
    fared = besieged(tmp_path, besiegers, seconds)
    assert fared.most_standing >= besiegers * 0.9
    assert fared.before.errors == fared.during.errors == {}
    assert fared.during.commands >= fared.before.commands / 2
    assert fared.during.slow_ms < 5_000, "a person waits for a moment at the most"
    assert fared.grown_bytes < (40 + besiegers / 4) * 2**20
