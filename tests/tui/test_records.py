"""Every finished race is kept as a record by itself: here, in championships, and at a server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot

from heat_core.game_files import read_record
from heat_core.options.table_options import LocalOptions
from heat_core.race import events as e
from heat_core.race.setup import COLOURS
from heat_core.record.record import BadRecord, Record, encode_record, verify_record
from heat_core.record.summary import summarise_record
from heat_core.rng import seed_commitment
from heat_core.table import Table
from heat_core.wire import messages as m
from heat_tui.app import HeatApp
from heat_tui.client.records import records_of
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.table_factory import make_table
from heat_tui.saved.championship import SeasonSession
from heat_tui.saved.records import MOST_KEPT, keep_record, look_at_records, record_files, record_folder
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.season import SeasonScreen
from heat_tui.state import Settings, save_settings
from tests.tui.support_app import SMALL, folders_in, server_process, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, table_at
from tests.tui.support_season import begun, race_once, season, season_app
from tests.tui.test_race_results import driven, to_results

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def record_of(table: Table) -> Record:
    return Record(table.setup, tuple(table.log))


def rounds_of(events: Sequence[e.Event]) -> list[int]:
    return [event.round for event in events if isinstance(event, e.RoundStarted)]


@pytest.fixture(scope="module")
def record() -> Record:
    return record_of(driven())


# --- the files ---------------------------------------------------------------------------------------------


def test_a_kept_record_is_listed_with_its_moment_and_reads_back(tmp_path: Path, record: Record) -> None:
    folders = folders_in(tmp_path)
    path = keep_record(folders, record, NOON)
    assert path is not None
    assert read_record(path) == record
    verify_record(read_record(path))
    (kept,) = look_at_records(folders)
    assert (kept.path, kept.moment, kept.fault) == (path, NOON, "")
    assert kept.summary is not None
    assert kept.summary.end is not None
    assert kept.summary.setup == record.setup
    assert kept.summary.end == record.events[-1]
    assert kept.summary.winner == kept.summary.end.standings[0].car
    assert kept.summary.rounds == rounds_of(record.events)[-1]


def test_the_same_race_is_kept_once(tmp_path: Path, record: Record) -> None:
    folders = folders_in(tmp_path)
    first = keep_record(folders, record, NOON)
    assert keep_record(folders, record, NOON + timedelta(hours=1)) == first
    assert len(record_files(folders)) == 1


def test_only_the_newest_are_kept_and_what_others_put_there_stays(tmp_path: Path, record: Record) -> None:
    folders = folders_in(tmp_path)
    record_folder(folders).mkdir(parents=True)
    foreign = record_folder(folders) / "mine.jsonl"
    foreign.write_bytes(b"mine\n")
    made = []
    for number in range(MOST_KEPT + 3):
        # Many races without racing them: each a little shorter than the one before.
        part = Record(record.setup, record.events[: len(record.events) - number])
        made.append(keep_record(folders, part, NOON + timedelta(minutes=number)))
    left = {path for _, path in record_files(folders)}
    assert left == {foreign, *made[3:]}
    assert [path for _, path in record_files(folders) if path != foreign] == made[:2:-1]


def test_damaged_foreign_and_newer_files_are_one_line_each_and_the_list_goes_on(
    tmp_path: Path, record: Record
) -> None:
    folders = folders_in(tmp_path)
    folder = record_folder(folders)
    good = keep_record(folders, record, NOON)
    assert good is not None
    whole = good.read_bytes()
    head, rest = whole.split(b"\n", 1)
    newer = json.dumps(json.loads(head) | {"format": 99}).encode()
    other_rules = json.loads(head)
    other_rules["setup"]["rules_version"] = 99
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "noise.jsonl").write_bytes(bytes(range(256)) * 40)
    (folder / "newer.jsonl").write_bytes(newer + b"\n" + rest)
    (folder / "rules.jsonl").write_bytes(json.dumps(other_rules).encode() + b"\n" + rest)
    (folder / "cut.jsonl").write_bytes(whole[:-20])
    (folder / "folder.jsonl").mkdir()
    (folder / "2026-99-99_999999_usa_0123456789ab.jsonl").write_bytes(b"{}\n")
    found = {kept.path.name: kept for kept in look_at_records(folders)}
    assert len(found) == 8
    assert found.pop(good.name).summary is not None
    for kept in found.values():
        assert kept.summary is None
        assert kept.fault
        assert "\n" not in kept.fault
    assert "format 99; this version reads 2" in found["newer.jsonl"].fault
    assert "version 99 of the rules" in found["rules.jsonl"].fault


def test_where_nothing_can_be_written_nothing_is_kept_and_nobody_is_stopped(
    tmp_path: Path, record: Record
) -> None:
    (tmp_path / "data").write_text("a file")
    folders = folders_in(tmp_path)
    assert keep_record(folders, record, NOON) is None
    assert list(look_at_records(folders)) == []


@pytest.mark.parametrize("events", [0, 1, 2, 40, 200])
def test_a_summary_is_that_of_the_whole_record_wherever_it_stops(record: Record, events: int) -> None:
    part = record.events[:events]
    summary = summarise_record(encode_record(record.setup, part, "0"))
    rounds = rounds_of(part)
    assert (summary.rounds, summary.end, summary.winner) == (rounds[-1] if rounds else 0, None, None)


def test_a_last_line_that_is_out_of_order_is_told(record: Record) -> None:
    data = encode_record(record.setup, record.events, "0")
    lines = data.split(b"\n")
    with pytest.raises(BadRecord, match=r"^line \d+: event \d+ where \d+ should be$"):
        summarise_record(b"\n".join([*lines[:20], lines[-2], b""]))


# --- races here --------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_race_at_this_keyboard_is_kept_when_it_ends(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await to_results(pilot)
        ((_, path),) = record_files(app.folders)
        assert read_record(path) == record_of(table)


@pytest.mark.asyncio
async def test_it_is_kept_too_by_who_leaves_at_its_end(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, RaceScreen))
        await pilot.pause()
        await pilot.press("g", "y")
        await until(
            lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.view.status == "ended"
        )
        await pilot.press("q")
        await until(lambda: len(app.screen_stack) == 1)
        assert len(record_files(app.folders)) == 1


@pytest.mark.asyncio
async def test_a_race_that_is_left_before_its_end_is_not_kept(tmp_path: Path) -> None:
    cars = {"Ana": f"lap 1 space 14 {DRAW}", "Leg": "lap 1 space 30 legend medium"}
    app = RaceApp(tmp_path, HeldSession(table_at(cars)))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("q", "y")
        await until(lambda: len(app.screen_stack) == 1)
        assert record_files(app.folders) == []


@pytest.mark.asyncio
async def test_the_setting_keeps_none(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), replays=False))
    table = make_table(LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="5"))
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.race_here(table), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await to_results(pilot)
        assert record_files(app.folders) == []


# --- championships -----------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_races_of_a_championship_are_told_when_it_is_over_and_not_before(tmp_path: Path) -> None:
    championship = begun(tmp_path, races=0, begins=season("Ana", bots=1, legends=1))
    raced = []
    for _ in championship.season.setup.races:
        session = SeasonSession(championship)
        assert await session.records() == ()
        table = championship.race()
        race_once(championship)
        raced.append(record_of(table))
    told = await session.records()
    assert [record.events for record in told] == [record.events for record in raced]
    for record in told:
        verify_record(record)
    championship.close()


@pytest.mark.asyncio
async def test_they_are_kept_once_the_last_table_is_seen_over_breaks_too(tmp_path: Path) -> None:
    championship = begun(tmp_path, races=3)
    races = len(championship.season.setup.races)
    championship.close()
    app = season_app(tmp_path)
    async with app.run_test(size=SMALL):
        await until(lambda: isinstance(app.screen, SeasonScreen))
        await until(lambda: len(record_files(app.folders)) == races)
    for _, path in record_files(app.folders):
        verify_record(read_record(path))


# --- at a server -------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_race_at_a_server_is_asked_for_when_it_is_over(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    with server_process() as address:
        async with app.run_test(size=SMALL) as pilot:
            stay = await ServerStay.begin(app.folders, address)
            options = m.RoomOptions(track="italy", laps=1, legends=1)
            await stay.create("Ana", COLOURS[0], options)
            await stay.link.request(m.Start(0))
            await until(lambda: stay.link.race is not None and stay.link.race.update is not None)
            assert await records_of(stay.link) == (), "not while it runs"
            app.race_there(stay)
            await _to_the_end(pilot)
            await until(lambda: record_files(app.folders))
            ((_, path),) = record_files(app.folders)
            record = read_record(path)
            verify_record(record)
            assert record.setup.seed is not None
            assert isinstance(record.events[0], e.RaceSetUp)
            assert seed_commitment(record.setup.seed) == record.events[0].seed_commitment
            await pilot.press("enter")
            await until(lambda: isinstance(app.screen, ResultsScreen))
            await stay.close()


async def _to_the_end(pilot: Pilot[None]) -> None:
    app = pilot.app
    await until(lambda: isinstance(app.screen, RaceScreen))
    await pilot.pause()
    await pilot.press("g", "y")
    await until(lambda: isinstance(app.screen, RaceScreen) and app.screen.controller.view.status == "ended")
