"""Records without a seed in which one value was changed: refused, or watched on the screen and in lines."""

from __future__ import annotations

import contextlib
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from heat_core.record.playback import Playback
from heat_core.record.record import BadRecord
from heat_tui.app import HeatApp
from heat_tui.flow.exports import race_text
from heat_tui.flow.replay_start import ReplayStart
from heat_tui.plain.replay import PlainReplay
from heat_tui.screens.replay import ReplayScreen
from tests.core.changed_records import Changed, changed_records
from tests.core.test_fuzzed_records import records
from tests.tui.support_app import SMALL, folders_in
from tests.tui.support_plain import Terminal, by_script
from tests.tui.support_replay import at_replay

RECORD: Final = "rulebook season, race 2, no seed"
"""With garage, weather, Sponsorships, an event card and a Legend: nearly every kind of event is in it."""
LOOKS: Final = ("where", "hand", "cars", "piles", "cards", "road", "weather", "log", "places")
ONE_IN_DRAWN: Final = 8
"""Screens take long: this part of what holds is drawn, all of it is told."""


FEW_OR_ALL = pytest.mark.parametrize("one_in", [4, pytest.param(1, marks=pytest.mark.soak)])
"""Of all changes; playing a record back takes long."""


@cache
def changes(one_in: int) -> tuple[Changed, ...]:
    return tuple(changed_records(records()[RECORD], one_in))


@cache
def held(one_in: int) -> tuple[tuple[str, Playback, int], ...]:
    """Give what was changed in each record that holds, the playback, and the moment that has the change."""
    found = []
    for changed in changes(one_in):
        with contextlib.suppress(BadRecord):
            playback = Playback(changed.record)
            assert not playback.is_verified
            moments = enumerate(playback.moments)
            place = next((n for n, moment in moments if moment.last >= changed.number), playback.last)
            found.append((changed.what, playback, place))
    return tuple(found)


@FEW_OR_ALL
def test_most_of_what_was_changed_is_refused_and_what_is_not_can_still_be_made_up(one_in: int) -> None:
    assert len(changes(one_in)) > 400 / one_in
    assert 0 < len(held(one_in)) < len(changes(one_in)) / 2


@pytest.mark.asyncio
@FEW_OR_ALL
async def test_what_holds_is_told_in_lines_as_everybody_sees_it(tmp_path: Path, one_in: int) -> None:
    for what, playback, place in held(one_in):
        drivers = [car.name for car in playback.record.setup.cars if not car.legend]
        eyes = [
            line for name in ("open", drivers[0], drivers[-1], "none") for line in (f"seat {name}", *LOOKS)
        ]
        typed = ("", *eyes, "turn", "end", *LOOKS, "results", "quit")
        terminal = Terminal(by_script(*typed))
        await PlainReplay(playback, terminal.line_terminal, folders_in(tmp_path), max(0, place - 1)).run()
        assert len(terminal.prompts) == len(typed), what
        assert race_text(playback).isprintable() is False, what


@pytest.mark.asyncio
@FEW_OR_ALL
async def test_what_holds_is_drawn_as_everybody_sees_it(tmp_path: Path, one_in: int) -> None:
    drawn = held(one_in)[::ONE_IN_DRAWN]
    _, first, at = drawn[0]
    folders = folders_in(tmp_path)
    app = HeatApp(folders, opening=lambda app: app.show_replay(first, ReplayStart(at)), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        for what, playback, place in drawn:
            app.show_replay(playback, ReplayStart(place))
            screen = await at_replay(pilot)
            assert screen.replay.playback is playback
            await pilot.press("right", "1", "0", "9", "p", "end", "p", "1", "0", "home")
            await pilot.pause()
            assert isinstance(app.screen, ReplayScreen), what
            app.pop_screen()
            await pilot.pause()
