"""What `heat-server matches` and `export` tell, and what they keep to themselves while somebody plays."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from heat_core.drivers import BotName
from heat_core.record.record import decode_record, verify_record
from heat_core.season.setup import PlannedRace, make_season
from heat_core.season.state import Season
from heat_core.table import Table
from heat_server.__main__ import main
from heat_server.store.contract import ListedMatch, Store
from heat_server.store.encoding import decode_events, decode_setup, encode_events, encode_setup
from heat_server.store.errors import NoSuchMatch, StoreFailed
from heat_server.store.listing import NotExported, export_race, matches_text
from heat_server.store.writes import AddEvents, BeginRace, CloseMatch, EndRace, SaveRoom
from tests.core.support import setup_of, track_facts
from tests.server.stores import WallClock, begun, open_store, raw, room

NOON = round(datetime(2026, 5, 9, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def keep_race(store: Store, match: str, table: Table, number: int = 0, *, most_steps: int = 100_000) -> None:
    """Let bots race, and keep each step as a room would."""
    store.write([BeginRace(match, number, encode_setup(table.setup), b"")])
    last = 0
    while last < len(table.log):
        events = table.log[last:]
        store.write([AddEvents(match, number, last + 1, len(events), encode_events(events))])
        last, most_steps = len(table.log), most_steps - 1
        if most_steps > 0:
            table.step_bot()
    if table.is_over:
        store.write([EndRace(match, number, "finished", "ana won")])


def bots_race(seed: str) -> Table:
    setup = setup_of("usa", seats=2, laps=1, seed=seed)
    drivers: dict[int, BotName] = {0: "steady", 1: "random"}
    return Table(setup, drivers)


# --- records --------------------------------------------------------------------------------------------


def test_a_race_that_is_over_is_exported_as_a_record_that_verifies(path: Path) -> None:
    table = bots_race("told")
    with open_store(path) as store:
        store.write([room("m1")])
        keep_race(store, "m1", table)
        for number in (None, 1):
            record = decode_record(export_race(store, "m1", number, "1.2"))
            assert list(record.events) == table.log
            assert record.setup == table.setup
            assert verify_record(record).end == "finished"


def test_a_running_race_is_not_exported_until_its_match_is_closed(path: Path) -> None:
    with open_store(path) as store:
        store.write([room("m1")])
        keep_race(store, "m1", bots_race("hidden"), most_steps=5)
        with pytest.raises(NotExported, match="the race is still running"):
            export_race(store, "m1", None, "1")
        store.write([CloseMatch("m1", "faulted", "broken")])
        record = decode_record(export_race(store, "m1", None, "1"))
        assert verify_record(record).end is None


def test_a_race_of_a_season_is_not_exported_before_the_season_is_over(path: Path) -> None:
    races = tuple(PlannedRace(track_facts("usa"), 1) for _ in range(3))
    season = Season(make_season(races, setup_of(seats=2).cars, seed="all races"), {0: "steady", 1: "random"})
    with open_store(path) as store:
        store.write([room("m1", phase="between")])
        season.next_race()
        keep_race(store, "m1", Table(season.race_setup(0), season.drivers))
        for phase in ("between", "racing", "paused"):
            store.write([room("m1", phase=phase)])
            with pytest.raises(NotExported, match="championship is still running"):
                export_race(store, "m1", 1, "1")
        store.write([room("m1", phase="ended")])
        assert verify_record(decode_record(export_race(store, "m1", 1, "1"))).end == "finished"
        store.write([room("m1", phase="between"), CloseMatch("m1", "closed", "everyone has gone")])
        assert verify_record(decode_record(export_race(store, "m1", 1, "1"))).end == "finished"


def test_which_race_is_meant_must_be_clear(path: Path) -> None:
    with open_store(path) as store:
        store.write([room("m1"), room("m2")])
        keep_race(store, "m1", bots_race("a"), 4)
        keep_race(store, "m1", bots_race("b"), 7)
        for number, seed in ((1, "a"), (2, "b")):
            assert decode_record(export_race(store, "m1", number, "1")).setup.seed == seed
        with pytest.raises(NotExported, match="2 races; choose one with --race 1 to 2"):
            export_race(store, "m1", None, "1")
        for number in (0, 3):
            with pytest.raises(NotExported, match=f"no race {number}; its races are 1 to 2"):
                export_race(store, "m1", number, "1")
        with pytest.raises(NotExported, match="'m2' has no race"):
            export_race(store, "m2", None, "1")
        with pytest.raises(NoSuchMatch, match="m3"):
            export_race(store, "m3", None, "1")


def test_what_is_kept_of_another_version_is_told(path: Path) -> None:
    with open_store(path) as store:
        store.write([*begun("m1"), EndRace("m1", 0, "finished", "")])
        with pytest.raises(StoreFailed, match="saved set-up is damaged or from another version"):
            export_race(store, "m1", None, "1")
        setup = encode_setup(setup_of(seats=2))
        store.write([room("m2"), BeginRace("m2", 0, setup, b""), AddEvents("m2", 0, 1, 1, b"?")])
        store.write([EndRace("m2", 0, "finished", "")])
        with pytest.raises(StoreFailed, match="saved events are damaged or from another version"):
            export_race(store, "m2", None, "1")
        store.write([room("m3"), BeginRace("m3", 0, setup, b"")])
        store.write([AddEvents("m3", 0, 1, 2, encode_events([])), EndRace("m3", 0, "finished", "")])
        with pytest.raises(StoreFailed, match="number of its events is wrong"):
            export_race(store, "m3", None, "1")


def test_set_ups_and_events_come_back_from_their_bytes() -> None:
    table = bots_race("bytes")
    while table.step_bot():
        pass
    assert decode_setup(encode_setup(table.setup)) == table.setup
    assert decode_events(encode_events(table.log)) == table.log
    decoders: list[Callable[[bytes], object]] = [decode_setup, decode_events]
    for decode in decoders:
        for data in (b"", b"\xc1", b"\x91" * 100_000, encode_events(table.log)[:-1], b"\x80"):
            with pytest.raises(StoreFailed):
                decode(data)


# --- the list -------------------------------------------------------------------------------------------


def test_matches_are_told_in_a_line_each() -> None:
    matches = [
        ListedMatch("0f3a", "FHKMR", "racing", "usa: ana, 小明", NOON, NOON, None, None, None),
        ListedMatch("77b1", "WXY34", "ended", "italy: ben", NOON, NOON, "ended", "over", "1 ben, 2 cy"),
        ListedMatch("9c", "HHHHH", "racing", "gb: dee", NOON, NOON, "faulted", "KeyError: 3", "1 dee"),
        ListedMatch("9d", "KKKKK", "lobby", "gb: \x1b[31m", 10**17, NOON, "closed", "nobody came", None),
    ]
    assert matches_text(matches, UTC).splitlines() == [
        "match  code   started           state    details",
        "0f3a   FHKMR  2026-05-09 12:00  racing   usa: ana, 小明",
        "77b1   WXY34  2026-05-09 12:00  ended    italy: ben | 1 ben, 2 cy",
        "9c     HHHHH  2026-05-09 12:00  faulted  gb: dee | 1 dee | KeyError: 3",
        r"9d     KKKKK  ?                 closed   gb: \x1b[31m | nobody came",
    ]


def test_a_store_without_matches_says_so() -> None:
    assert matches_text([]) == "No match has been saved yet."


def test_a_damaged_line_of_the_list_is_told(path: Path) -> None:
    with open_store(path) as store:
        store.write(begun("m1"))
    with raw(path) as connection:
        connection.execute("UPDATE matches SET begun_at_ms = 'yesterday'")
    with open_store(path) as store, pytest.raises(StoreFailed, match=r"store\.db: the store is damaged"):
        store.list_matches(9)


# --- the commands ---------------------------------------------------------------------------------------


@pytest.fixture
def told(
    path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., tuple[object, bytes, str]]:
    """Run the program: exit code, output, errors."""

    def run(*words: str, store: Path | None = path) -> tuple[object, bytes, str]:
        options = ["--no-store"] if store is None else ["--store", str(store)]
        monkeypatch.setattr(sys, "argv", ["heat-server", *options, *words])
        with pytest.raises(SystemExit) as exited:
            main()
        output, errors = capfdbinary.readouterr()
        return exited.value.code, output, errors.decode()

    return run


Told = Callable[..., tuple[object, bytes, str]]


def test_the_commands_read_beside_a_running_server(path: Path, told: Told) -> None:
    with open_store(path, WallClock(NOON)) as store:
        store.write([SaveRoom("m1", "FHKMR", "ended", "usa: ana", b"")])
        keep_race(store, "m1", bots_race("told"))
        code, output, errors = told("export", "m1")
        assert (code, errors) == (0, "")
        assert output == export_race(
            store, "m1", None, msgspec.json.decode(output.split(b"\n")[0])["version"]
        )
        assert told("export", "m1", "--race", "1") == (0, output, "")
        store.write([room("m2")])
        code, output, errors = told("matches", "--limit", "1")
        assert (code, errors) == (0, "")
        assert output.startswith(b"match  code")
        assert b"m2     m2    2026-05-09 " in output
        assert output.count(b"\n") == 2
        code, output, errors = told("matches", "--json")
        assert (code, errors) == (0, "")
        assert [(found["match"], found["result"]) for found in msgspec.json.decode(output)] == [
            ("m2", None),
            ("m1", "ana won"),
        ]


def test_what_the_commands_cannot_do_is_one_line(path: Path, tmp_path: Path, told: Told) -> None:
    assert told("matches") == (1, b"", f"heat-server: {path}: the file does not exist\n")
    assert list(tmp_path.iterdir()) == []
    with open_store(path) as store:
        store.write(begun("m1"))
    assert told("export", "m9") == (1, b"", f"heat-server: {path}: there is no match 'm9'\n")
    assert told("export", "m1", "--race", "0")[0] == 2
    path.write_bytes(b"no store" * 100)
    for words in (["matches"], ["export", "m1"]):
        code, output, errors = told(*words)
        assert (code, output) == (1, b"")
        assert errors == f"heat-server: {path}: the file is not a store, or its first bytes are damaged\n"
    assert told("matches", store=None) == (
        2,
        b"",
        "heat-server: --no-store turns off the store that this command needs; leave it out\n",
    )
