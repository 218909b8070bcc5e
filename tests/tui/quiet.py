"""Waiting for a screen to come to rest, by what is left to do rather than by how busy the processor is.

Textual's pilot waits until the process uses hardly any processor time: at least 40 ms for each key, and up to
two seconds where two clients share the process. What it waits for is that all messages have been handled:
then nothing is left that the event loop could run at once; what comes next waits for a timer or the network.

Drawing is nearly half of what a client does, sixty times a second, and nobody sees it. It is left for the
pauses of a test: what a test stops to look at is drawn in full, as on a terminal too slow for the rest.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from textual import app, pilot
from textual.screen import Screen

FRAME_SECONDS = 1 / 60
"""How long a screen collects what has changed before it draws, and calls what waits for that."""

_STEPS_AT_REST = 3
"""So many times in a row nothing must be left: a task that has just ended wakes another one."""

_waiting: list[object] = []
"""The event loop of each that waits now; what a test that failed left waiting is of another loop."""

_undrawn: list[Screen[Any]] = []
"""Screens with changes that are not drawn yet."""

_draw_now = Screen._compositor_refresh


async def handle_all(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Let the event loop run until it has nothing to do at once.

    Args:
        max_sleep: For at most so many seconds of this process's own work, whatever else the machine does.
    """
    loop: Any = asyncio.get_running_loop()
    end = time.process_time() + max_sleep
    at_rest = 0
    _waiting.append(loop)
    try:
        while at_rest < _STEPS_AT_REST and time.process_time() < end:
            await asyncio.sleep(0)
            others = _waiting.count(loop) - 1  # two clients wait at once: each is in the other's way
            at_rest = 0 if len(loop._ready) > others else at_rest + 1
    finally:
        _waiting.remove(loop)


async def draw_all(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Handle all there is, draw, and handle what waited for the drawing."""
    await handle_all(max_sleep=max_sleep)
    await asyncio.sleep(FRAME_SECONDS)
    await handle_all(max_sleep=max_sleep)
    while _undrawn:
        screen = _undrawn.pop()
        screen.call_next(_draw_now, screen)  # within the app, which minds what goes wrong there
    await handle_all(max_sleep=max_sleep)


def _draw_later(screen: Screen[Any]) -> None:
    """Do what a drawing does besides, and remember that it has yet to be done."""
    if not screen.app.is_headless or screen is not screen.app.screen:
        _draw_now(screen)
        return
    if screen not in _undrawn:
        _undrawn.append(screen)
    screen._dirty_widgets.clear()
    screen.app._update_mouse_over(screen)


def wait_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the pilot wait so: after each key for what it does, in a pause for the drawing too."""
    monkeypatch.setattr(app, "wait_for_idle", handle_all)
    monkeypatch.setattr(pilot, "wait_for_idle", draw_all)
    monkeypatch.setattr(Screen, "_compositor_refresh", _draw_later)
    _undrawn.clear()
