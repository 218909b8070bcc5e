"""`heat-server store copy`: matches move from one store to the other and back, whole and once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.record.record import decode_record, verify_record
from heat_core.wire.messages import Act
from heat_server.__main__ import main
from heat_server.networks import parse_network
from heat_server.store.address import DatabaseUrl
from heat_server.store.bans import all_bans
from heat_server.store.contract import Store
from heat_server.store.listing import export_race
from heat_server.store.opening import open_store as open_any
from heat_server.store.transfer import Transfer, copy_matches
from heat_server.store.writes import AddEvents, CloseMatch, SaveRoom, SaveSessions
from tests.server.postgres import Cluster
from tests.server.restarts import in_race
from tests.server.stores import WallClock, fill, open_store, raw, room
from tests.server.support import server_on


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def url(cluster: Cluster) -> DatabaseUrl:
    return cluster.url(cluster.new_database())


def both(file: Path, url: DatabaseUrl) -> tuple[Store, Store]:
    return open_any(file, WallClock()), open_any(url, WallClock())


def run_copy(monkeypatch: pytest.MonkeyPatch, *places: Path | DatabaseUrl) -> object:
    words = [place.text if isinstance(place, DatabaseUrl) else str(place) for place in places]
    monkeypatch.setattr(sys, "argv", ["heat-server", "store", "copy", *words])
    with pytest.raises(SystemExit) as exited:
        main()
    return exited.value.code


def copied(source: Store, target: Store) -> Transfer:
    return copy_matches(source, target, lambda: None)


@pytest.mark.spec("FLEET-1")
@pytest.mark.trio
async def test_a_race_begun_in_a_file_goes_on_in_a_database_and_ends_in_the_file(
    file: Path,
    url: DatabaseUrl,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Which tests both kinds of store pass, `test_store_contract` says."""
    with open_store(file) as store:
        async with server_on(store) as house:
            ana, ben = await house.racing()
            await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
    assert run_copy(monkeypatch, file, url) == 0
    assert capsys.readouterr().out.endswith("bans copied: 0, already there: 0, not copied: 0\n")
    with open_any(url, WallClock()) as store:
        async with server_on(store) as house:
            ana, ben = await in_race(house, ana), await in_race(house, ben)
            async with trio.open_nursery() as playing:
                playing.start_soon(ana.race)
                playing.start_soon(ben.race)
                while ana.view.round < 2:
                    await trio.lowlevel.checkpoint()
                playing.cancel_scope.cancel()
    assert run_copy(monkeypatch, url, file) == 0
    with open_store(file) as store:
        async with server_on(store) as house:
            ana, ben = await in_race(house, ana), await in_race(house, ben)
            assert ana.view.round >= 2
            async with trio.open_nursery() as playing:
                playing.start_soon(ana.race)
                playing.start_soon(ben.race)
        (listed,) = store.list_matches(9)
        assert verify_record(decode_record(export_race(store, listed.match, 1, "test"))).end == "finished"


def test_a_token_in_two_rooms_leads_after_a_copy_to_the_one_that_its_player_has_not_left(
    file: Path, url: DatabaseUrl
) -> None:
    clock = WallClock()
    with open_store(file, clock) as source, open_any(url, clock) as target:
        source.write([room("m1"), SaveSessions("m1", (b"ana", b"ben"))])
        source.write([room("m2"), SaveSessions("m2", (b"ana", b"cy"), (b"ana",))])
        assert copied(source, target) == (2, 0, [])
        owners = target.owners_of_keys([b"ana", b"ben", b"cy"])
        assert [owners[key].match for key in (b"ana", b"ben", b"cy")] == ["m1", "m1", "m2"]
        target.claim()
        clock.now_ms += 1  # she goes from one to the other
        target.write([room("m1", state=b"x"), SaveSessions("m1", (b"ana", b"ben"), (b"ana",))])
        target.write([room("m2", state=b"x"), SaveSessions("m2", (b"ana", b"cy"))])
        assert copied(target, source) == (2, 0, [])
        assert [source.copy_out(match).left for match in ("m1", "m2")] == [[b"ana"], []]
        source.write([SaveSessions("m2", (b"ana", b"cy"), (b"cy",))])
        assert copied(source, target) == (1, 1, []), "who has left is a difference"
        assert target.copy_out("m2").left == [b"cy"]


def test_what_cannot_be_copied_is_named_and_the_rest_is_copied(file: Path, url: DatabaseUrl) -> None:
    source, target = both(file, url)
    with source, target:
        fill(source, 6)
        target.write([room("other", code="m0003")])
        with raw(file) as connection:
            connection.execute("UPDATE matches SET state = x'01' WHERE match = 'm0001'")
        done = copied(source, target)
        assert (done.copied, done.present) == (4, 0)
        damaged, taken = done.faults
        assert "match 'm0001' is not as it was written" in damaged
        assert "the code m0003 of match m0003 belongs to another open match there" in taken
        names = [listed.match for listed in target.list_matches(9)]
        assert names == ["m0005", "m0004", "m0002", "m0000", "other"]


def test_what_was_played_in_the_new_store_is_not_undone_by_copying_the_old_one_again(
    file: Path, url: DatabaseUrl
) -> None:
    clock = WallClock()
    with open_store(file) as source, open_any(url, clock) as target:
        fill(source, 12)
        assert copied(source, target).copied == 12
        assert len(target.claim()) == 4
        target.write([AddEvents("m0003", 0, 4, 1, b"four")])
        clock.now_ms += 1
        target.write([CloseMatch("m0006", "ended", "over")])
        target.write([SaveRoom("m0009", "m0009", "paused", "m0009", b"")])
        source.write([AddEvents("m0000", 0, 4, 1, b"four")])
        before = [target.copy_out(match) for match in ("m0003", "m0006", "m0009")]
        newer = [f"match {whole.match} is newer there, and stays as it is" for whole in before]
        assert copied(source, target) == (1, 8, newer)
        assert [target.copy_out(whole.match) for whole in before] == before
        assert copied(target, source) == (3, 9, [])


def test_a_code_goes_with_its_room_from_match_to_match(file: Path, url: DatabaseUrl) -> None:
    with open_store(file) as source, open_any(url, WallClock()) as target:
        source.write([room("m1", code="KKKKK")])
        assert copied(source, target).faults == []
        source.write([CloseMatch("m1", "ended", "over"), room("m2", code="KKKKK")])
        assert copied(source, target) == (2, 0, [])
        source.write([room("m3", code="KKKKK")])
        (taken,) = copied(source, target).faults
        assert "the code KKKKK of match m3 belongs to another open match there" in taken


def test_a_match_that_changes_meanwhile_is_found_out(file: Path, url: DatabaseUrl) -> None:
    source, target = both(file, url)
    with source, target:
        fill(source, 4)
        progress = iter(range(100))

        def play_on() -> None:
            if next(progress) == 3:
                source.write([AddEvents("m0000", 0, 4, 1, b"four")])

        done = copy_matches(source, target, play_on)
        assert done.faults == ["match m0000 is not the same in both stores; does a server use one of them?"]


def test_a_copy_wants_both_stores_to_itself(
    file: Path,
    url: DatabaseUrl,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    refused: Callable[..., tuple[object, str]] = lambda *places: (  # noqa: E731
        run_copy(monkeypatch, *places),
        capsys.readouterr().err,
    )
    nowhere = tmp_path / "nowhere.db"
    assert refused(nowhere, url) == (1, f"heat-server: {nowhere}: the file does not exist\n")
    assert not nowhere.exists()
    with open_store(file):
        assert refused(file, url) == (
            1,
            f"heat-server: {file}: a server uses this file; stop it first\n",
        )
        assert refused(file, DatabaseUrl("postgresql://heat:s3cret@/x"))[0] == 2
    assert "s3cret" not in capsys.readouterr().err


def test_bans_go_with_the_matches_in_either_direction(
    file: Path, url: DatabaseUrl, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = parse_network("192.0.2.7"), parse_network("2001:db8::/48")
    with open_store(file) as store:
        store.put_bans({one: "floods", other: ""})
    with open_any(url, WallClock()) as store:
        store.put_bans({other: "known there"})
    assert run_copy(monkeypatch, file, url) == 0
    assert capsys.readouterr().out.endswith(
        "matches copied: 0, already there: 0, not copied: 0\n"
        "bans copied: 1, already there: 1, not copied: 0\n"
    )
    with open_any(url, WallClock()) as store:
        assert all_bans(store) == {one: "floods", other: "known there"}
        assert store.lift_ban(other)
        store.put_bans({parse_network("10.0.0.0/8"): ""})
    assert run_copy(monkeypatch, url, file) == 0
    with open_store(file) as store:
        assert all_bans(store) == {one: "floods", other: "", parse_network("10.0.0.0/8"): ""}


def test_bans_that_have_no_place_are_left_out_and_the_matches_are_copied(
    file: Path, url: DatabaseUrl, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("heat_server.store.postgres.bans.MOST_BANS", 1)
    with open_store(file) as store:
        fill(store, 1)
        store.put_bans({parse_network("192.0.2.7"): "", parse_network("192.0.2.8"): ""})
    assert run_copy(monkeypatch, file, url) == 1
    told = capsys.readouterr()
    assert told.out.endswith(
        "matches copied: 1, already there: 0, not copied: 0\n"
        "bans copied: 0, already there: 0, not copied: 2\n"
    )
    assert "the two stores have more than 10,000 bans together: lift some, or ban wider networks" in told.err
    with open_any(url, WallClock()) as store:
        assert all_bans(store) == {}
