"""The terminal that all tests of screens believe in, whatever the one is that they run in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from textual import constants

from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from tests.tui.parsed import parse_once
from tests.tui.quiet import wait_quietly
from tests.tui.support_app import server_process


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak UTF-8 in true colour."""
    for name in ("LC_ALL", "LC_CTYPE", "NO_COLOR", "COLORFGBG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")


@pytest.fixture(autouse=True)
def _enter_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Enter act on a new screen at once: tests press faster than people; see `test_enter.py`."""
    monkeypatch.setattr(HeatApp, "enter_gap_seconds", 0.0)


@pytest.fixture(autouse=True)
def _wait_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_quietly(monkeypatch)


@pytest.fixture(autouse=True)
def _parse_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parse_once(monkeypatch)


@pytest.fixture(autouse=True)
def _hear_of_no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open no sockets to the local network: one that is still being closed when a test ends fails the next.

    What looks around for real is tested in tests/e2e/test_lan.py.
    """

    async def wait(on_change: object, interfaces: object = ()) -> None:
        await asyncio.Event().wait()

    for module in ("heat_tui.nearby", "heat_tui.screens.join"):
        monkeypatch.setattr(f"{module}.watch_nearby", wait)


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    """A real server for all tests of a module."""
    with server_process() as address:
        yield address
