"""What every store must do: what is written comes back, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_server.store.contract import (
    ListedMatch,
    OpenMatch,
    RecordedRace,
    SavedMatch,
    SavedRace,
    SavedStep,
    Store,
)
from heat_server.store.errors import BadWrites, NoSuchMatch, StoreFailed
from heat_server.store.writes import (
    AddEvents,
    BeginRace,
    CloseMatch,
    EndRace,
    Outcome,
    SaveClocks,
    SaveRoom,
    SaveSeason,
    SaveSessions,
    Write,
)
from tests.server.stores import Opener, WallClock, begun, open_store, postgres, room, sqlite


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """Give what opens a store of each kind, again and again the same one."""
    if request.param == "sqlite":
        return sqlite(tmp_path)
    return postgres(request.getfixturevalue("cluster"))


def test_a_room_comes_back_as_it_was_last_kept(opened: Opener) -> None:
    clock = WallClock(5)
    with opened(clock) as store:
        store.write([SaveRoom("m1", "FHKMR", "lobby", "usa: ana", b"old")])
        clock.now_ms = 9
        store.write([SaveRoom("m1", "FHKMR", "racing", "usa: ana, bob", b"new")])
    with opened() as store:
        assert store.open_matches() == [OpenMatch("m1", "FHKMR", "racing")]
        assert (store.find("m1").title, store.find("m1").changed_at_ms) == ("usa: ana, bob", 9)
        assert store.load("m1") == SavedMatch("m1", "FHKMR", b"new", None, None, None)


def test_everything_that_a_room_needs_comes_back_with_it(opened: Opener) -> None:
    with opened() as store:
        store.write([*begun("m1"), SaveClocks("m1", b"60 s"), SaveSeason("m1", b"standings")])
        store.write([AddEvents("m1", 0, 4, 2, b"four five"), SaveClocks("m1", b"59 s")])
        store.write([SaveSeason("m1", b"standings, later"), AddEvents("m1", 0, 6, 1, b"six")])
    with opened() as store:
        steps = [b"one two three", b"four five", b"six"]
        race = SavedRace(0, b"set-up", b"drivers", steps)
        assert store.load("m1") == SavedMatch("m1", "FHKMR", b"state", b"59 s", b"standings, later", race)


def test_a_race_that_has_only_been_begun_has_no_events_yet(opened: Opener) -> None:
    with opened() as store:
        store.write([room("m1"), BeginRace("m1", 0, b"set-up", b"drivers")])
        assert store.load("m1").race == SavedRace(0, b"set-up", b"drivers", [])


def test_the_newest_race_comes_back_and_the_earlier_ones_stay_in_the_record(opened: Opener) -> None:
    clock = WallClock(10)
    with opened(clock) as store:
        store.write([*begun("m1"), EndRace("m1", 0, "finished", "ana won")])
        clock.now_ms = 20
        store.write([BeginRace("m1", 1, b"second", b"others"), AddEvents("m1", 1, 1, 1, b"one")])
        assert store.load("m1").race == SavedRace(1, b"second", b"others", [b"one"])
        assert store.races("m1") == [
            RecordedRace(0, b"set-up", "finished", "ana won", [SavedStep(1, 3, 10, b"one two three")]),
            RecordedRace(1, b"second", None, None, [SavedStep(1, 1, 20, b"one")]),
        ]


def test_each_step_carries_the_servers_time(opened: Opener) -> None:
    clock = WallClock(1_700_000_000_000)
    with opened(clock) as store:
        store.write(begun("m1"))
        clock.now_ms += 250
        store.write([AddEvents("m1", 0, 4, 1, b"four")])
        clock.now_ms -= 3_600_000  # somebody sets the clock: steps keep their order
        store.write([AddEvents("m1", 0, 5, 1, b"five")])
        (race,) = store.races("m1")
        assert [(step.first, step.at_ms - 1_700_000_000_000) for step in race.steps] == [
            (1, 0),
            (4, 250),
            (5, 250 - 3_600_000),
        ]


def test_tokens_belong_to_matches_and_are_replaced(opened: Opener) -> None:
    with opened() as store:
        store.write(
            [room("m1"), room("m2"), SaveSessions("m1", (b"a", b"b")), SaveSessions("m2", (b"b", b"b"))]
        )
        assert store.sessions() == [(b"a", "m1"), (b"b", "m1"), (b"b", "m2")]
        store.write([SaveSessions("m1", (b"c",))])
        assert store.sessions() == [(b"c", "m1"), (b"b", "m2")]
        store.write([SaveSessions("m1", ())])
        assert store.sessions() == [(b"b", "m2")]


@pytest.mark.parametrize("outcome", ["ended", "closed", "faulted"])
def test_a_closed_match_is_not_brought_back_and_keeps_its_record(opened: Opener, outcome: Outcome) -> None:
    clock = WallClock(10)
    with opened(clock) as store:
        store.write([*begun("m1"), SaveClocks("m1", b"60 s"), SaveSessions("m1", (b"a",)), *begun("m2")])
        clock.now_ms = 20
        store.write([CloseMatch("m1", outcome, "because")])
        store.write([CloseMatch("m1", "closed", "once more")])  # it stays as it was closed
    with opened() as store:
        assert [title.match for title in store.open_matches()] == ["m2"]
        assert store.sessions() == []
        with pytest.raises(NoSuchMatch, match="m1"):
            store.load("m1")
        (race,) = store.races("m1")
        assert race == RecordedRace(0, b"set-up", None, None, [SavedStep(1, 3, 10, b"one two three")])
        assert store.list_matches(9) == [
            ListedMatch("m2", "m2", "racing", "usa, 1 lap: m2", 10, 10, None, None, None),
            ListedMatch("m1", "FHKMR", "racing", "usa, 1 lap: m1", 10, 20, outcome, "because", None),
        ]


def test_the_list_has_the_newest_first_with_the_last_result(opened: Opener) -> None:
    with opened() as store:
        for number in range(5):
            store.write(begun(f"m{number}"))
        store.write([EndRace("m4", 0, "finished", "ana won"), BeginRace("m4", 1, b"second", b"")])
        assert [(match.match, match.result) for match in store.list_matches(2)] == [
            ("m4", "ana won"),
            ("m3", None),
        ]


def test_closed_matches_are_deleted_when_they_are_old(opened: Opener) -> None:
    clock = WallClock(0)
    with opened(clock) as store:
        for number in range(5):
            clock.now_ms = number
            store.write([*begun(f"m{number}"), SaveSeason(f"m{number}", b"standings")])
            if number != 1:
                store.write([CloseMatch(f"m{number}", "ended", "over")])
        assert store.prune(3, most=1) == 1
        assert [match.match for match in store.list_matches(9)] == ["m4", "m3", "m2", "m1"]
        assert store.prune(3) == 1
        assert store.prune(3) == 0
        assert [match.match for match in store.list_matches(9)] == ["m4", "m3", "m1"]
        with pytest.raises(NoSuchMatch):
            store.races("m0")


def test_closed_matches_are_deleted_sooner_where_all_are_too_large(opened: Opener) -> None:
    clock = WallClock(0)
    with opened(clock) as store:
        store.write([*begun("open"), AddEvents("open", 0, 4, 1, bytes(300_000))])
        for number in range(6):
            clock.now_ms = number
            step = AddEvents(f"m{number}", 0, 4, 1, bytes(300_000))
            store.write([*begun(f"m{number}"), step, CloseMatch(f"m{number}", "ended", "over")])
        assert store.prune(0, 10_000_000) == 0
        assert store.prune(0, 1_400_000, most=2) == 2
        assert store.prune(0, 1_400_000) == 1
        assert [match.match for match in store.list_matches(9)] == ["m5", "m4", "m3", "open"]
        assert store.prune(0, 0) == 3
        assert [match.match for match in store.list_matches(9)] == ["open"]


def test_a_match_that_is_not_there_cannot_be_loaded(opened: Opener) -> None:
    with opened() as store:
        with pytest.raises(NoSuchMatch, match="there is no open match 'nowhere'") as refused:
            store.load("nowhere")
        assert str(refused.value).startswith(f"{store.name}: ")
        with pytest.raises(StoreFailed):
            store.races("nowhere")


MISFITS: dict[str, list[Write]] = {
    "events of an unknown match": [AddEvents("m9", 0, 1, 1, b"")],
    "events of an unknown race": [AddEvents("m1", 7, 1, 1, b"")],
    "events of a race that is over": [EndRace("m1", 0, "finished", ""), AddEvents("m1", 0, 4, 1, b"")],
    "events of an earlier race": [BeginRace("m1", 1, b"", b""), AddEvents("m1", 0, 4, 1, b"")],
    "the same events again": [AddEvents("m1", 0, 1, 3, b"")],
    "events that overlap": [AddEvents("m1", 0, 3, 2, b"")],
    "events behind a gap": [AddEvents("m1", 0, 5, 1, b"")],
    "no events": [AddEvents("m1", 0, 4, 0, b"")],
    "the same race again": [BeginRace("m1", 0, b"", b"")],
    "a race of an unknown match": [BeginRace("m9", 0, b"", b"")],
    "a race that ends twice": [EndRace("m1", 0, "finished", ""), EndRace("m1", 0, "finished", "")],
    "clocks of an unknown match": [SaveClocks("m9", b"")],
    "tokens of an unknown match": [SaveSessions("m9", ())],
    "a season of an unknown match": [SaveSeason("m9", b"")],
    "an unknown match closed": [CloseMatch("m9", "ended", "")],
    "a room that is closed": [CloseMatch("m1", "ended", ""), room("m1")],
    "clocks of a closed match": [CloseMatch("m1", "ended", ""), SaveClocks("m1", b"")],
    "tokens of a closed match": [CloseMatch("m1", "ended", ""), SaveSessions("m1", (b"a",))],
    "a season of a closed match": [CloseMatch("m1", "ended", ""), SaveSeason("m1", b"")],
    "a race of a closed match": [CloseMatch("m1", "ended", ""), BeginRace("m1", 1, b"", b"")],
    "events of a closed match": [CloseMatch("m1", "ended", ""), AddEvents("m1", 0, 4, 1, b"")],
}


@pytest.mark.parametrize("misfit", MISFITS)
def test_writes_that_do_not_fit_leave_nothing_of_their_batch(opened: Opener, misfit: str) -> None:
    with opened() as store:
        store.write([*begun("m1"), SaveClocks("m1", b"60 s"), SaveSessions("m1", (b"a",))])
        before = everything(store)
        with pytest.raises(BadWrites, match=r"'m[19]'"):
            store.write([room("m2"), room("m1", state=b"new"), *MISFITS[misfit]])
        assert everything(store) == before
        store.write([AddEvents("m1", 0, 4, 1, b"four")])  # and the store goes on
    with opened() as store:
        race = store.load("m1").race
        assert race is not None
        assert race.steps == [b"one two three", b"four"]


def test_a_value_of_a_wrong_kind_leaves_nothing_either(opened: Opener) -> None:
    with opened() as store:
        store.write(begun("m1"))
        before = everything(store)
        with pytest.raises((TypeError, StoreFailed)):
            store.write([room("m2"), SaveClocks("m1", object())])  # type: ignore[arg-type]
        assert everything(store) == before


def test_a_match_is_copied_whole_and_in_place_of_an_older_copy(opened: Opener, tmp_path: Path) -> None:
    clock = WallClock(10)
    with opened(clock) as store, open_store(tmp_path / "other.db") as other:
        store.write([*begun("m1"), SaveClocks("m1", b"60 s"), SaveSeason("m1", b"standings")])
        clock.now_ms = 20
        store.write([SaveSessions("m1", (b"b", b"a"), (b"b",)), EndRace("m1", 0, "finished", "ana won")])
        store.write(
            [BeginRace("m1", 1, b"second", b"others"), *begun("m2"), CloseMatch("m2", "ended", "over")]
        )
        before = everything(store)
        for one, two in ((store, other), (other, store)):
            for match in ("m1", "m2"):
                two.copy_in(one.copy_out(match))
                assert two.copy_out(match) == one.copy_out(match)
        assert (other.copy_out("m1").keys, other.copy_out("m1").left) == ([b"a", b"b"], [b"b"])
        assert everything(other) == everything(store) == before
        other.write([AddEvents("m1", 1, 1, 1, b"one")])  # a copy goes on where the match was
        assert other.copy_out("m1") != store.copy_out("m1")
        store.copy_in(other.copy_out("m1"))
        assert store.load("m1") == other.load("m1")
        assert len(store.list_matches(9)) == 2
        with pytest.raises(NoSuchMatch, match="m3"):
            store.copy_out("m3")


def everything(store: Store) -> list[object]:
    """Read all that a store gives back."""
    matches = store.list_matches(100)
    open_ones = [store.load(title.match) for title in store.open_matches()]
    return [matches, open_ones, [store.races(match.match) for match in matches], store.sessions()]
