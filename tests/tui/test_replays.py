"""The list of the races that are kept: from Home to a replay and back, damaged files, deleting."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from heat_core.record.playback import Playback
from heat_core.record.record import Record
from heat_tui.app import HeatApp
from heat_tui.saved.records import keep_record, record_folder
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.replays import ReplaysScreen
from tests.core.support import stopped
from tests.tui.support_app import LARGE, SMALL, folders_in, message, until
from tests.tui.support_replay import at_replay, raced


@pytest.fixture(scope="module")
def record() -> Record:
    return raced()


NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def kept_in(path: Path, *records: Record) -> None:
    for record in records:
        assert keep_record(folders_in(path), record, NOON) is not None


async def at_list(pilot: Pilot[None], races: str) -> ReplaysScreen:
    app = pilot.app
    await until(lambda: isinstance(app.screen, ReplaysScreen))
    await pilot.pause()
    assert isinstance(app, HeatApp)
    await until(lambda: races in message(app))
    await pilot.pause()
    assert isinstance(app.screen, ReplaysScreen)
    return app.screen


def rows(screen: ReplaysScreen) -> Sequence[str]:
    options = screen.query_one(OptionList)
    return [str(options.get_option_at_index(number).prompt) for number in range(options.option_count)]


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_home_leads_to_the_list_and_the_list_to_a_race_and_back(
    tmp_path: Path, record: Record, size: tuple[int, int]
) -> None:
    kept_in(tmp_path, record)
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    async with app.run_test(size=size) as pilot:
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        await pilot.press("r")
        listed = await at_list(pilot, "1 race in")
        (row,) = rows(listed)
        playback = Playback(record)
        winner = record.setup.cars[playback.final.standings[0].car].name
        assert row.split() == [
            *f"{NOON.astimezone():%Y-%m-%d %H:%M}".split(),
            "USA",
            "6",
            *winner.split(),
            str(playback.rounds[-1]),
        ]
        await pilot.press("enter")
        screen = await at_replay(pilot)
        assert screen.replay.playback.record == record
        await pilot.press("q")
        await until(lambda: app.screen is listed)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))


@pytest.mark.asyncio
async def test_no_records_is_said_with_the_folder(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.show_replays(), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await at_list(pilot, "There are none yet")
        await pilot.press("enter", "x")
        await pilot.pause()
        assert isinstance(app.screen, ReplaysScreen)


@pytest.mark.asyncio
async def test_a_damaged_record_is_a_line_and_refused_in_a_sentence_and_the_others_open(
    tmp_path: Path, record: Record
) -> None:
    kept_in(tmp_path, record)
    folder = record_folder(folders_in(tmp_path))
    (good,) = folder.iterdir()
    lines = good.read_bytes().split(b"\n")
    (folder / "noise.jsonl").write_text("noise\n")
    # Its first and last lines are whole: the fault is met only when it is opened.
    middle = [*lines[:100], b"{", *lines[101:]]
    (folder / "middle.jsonl").write_bytes(b"\n".join(middle))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.show_replays(), animate=False)
    async with app.run_test(size=LARGE) as pilot:
        listed = await at_list(pilot, "3 races in")
        told = rows(listed)
        at = {name: next(n for n, row in enumerate(told) if name in row) for name in ("noise", "USA")}
        assert "noise.jsonl: line 1: " in told[at["noise"]]
        options = listed.query_one(OptionList)
        for number, row in enumerate(told):
            options.highlighted = number
            await pilot.press("enter")
            if "noise" in row:
                await until(lambda: "line 1: " in message(app))
            elif "2026-05-01" not in row:
                await until(lambda: "middle.jsonl: line 101: " in message(app))
            else:
                await at_replay(pilot)
                await pilot.press("q")
                await until(lambda: app.screen is listed)


@pytest.mark.asyncio
async def test_a_record_is_deleted_once_one_has_said_yes(tmp_path: Path, record: Record) -> None:
    kept_in(tmp_path, record, stopped(record, 300))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.show_replays(), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        listed = await at_list(pilot, "2 races in")
        await pilot.press("x", "n")
        await until(lambda: app.screen is listed)
        assert len(rows(listed)) == 2
        await pilot.press("x", "y")
        await until(lambda: app.screen is listed and len(rows(listed)) == 1)
        assert len(list(record_folder(folders_in(tmp_path)).iterdir())) == 1
        await pilot.press("x", "y")
        await until(lambda: app.screen is listed and not rows(listed))
        assert not list(record_folder(folders_in(tmp_path)).iterdir())
