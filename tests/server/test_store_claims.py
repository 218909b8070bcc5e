"""Which open matches a server of a shared store can claim, and how many of them at once."""

from __future__ import annotations

import pytest

from heat_server.store.errors import MatchesMoved
from heat_server.store.ownership import Claimed, Release
from heat_server.store.postgres import leases
from heat_server.store.writes import CloseMatch, SaveSessions
from tests.server.fleets import LOAD, Fleet
from tests.server.test_store_leases import claimed, made, step


def test_what_a_server_owns_without_knowing_is_found_again(fleet: Fleet) -> None:
    """As after a claim, or a new room, whose commit was in doubt for longer than anybody waited."""
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2")])
    one._leases.note_lost(["m1"])
    assert claimed(two) == []
    assert claimed(one) == ["m1"]
    one.write([*step("m1", 4), *step("m2", 4)])
    assert (fleet.epoch("m1"), fleet.epoch("m2")) == (2, 1)


def test_who_reads_a_room_that_is_nobodys_learns_so_and_can_claim_it(fleet: Fleet) -> None:
    """As after a release whose answer was lost, or a failover that lost the claim."""
    one = fleet.join()
    one.write([*made("m1"), *made("m2")])
    fleet.execute("UPDATE heat.leases SET server = NULL")
    assert one.claim_one("m1") == [], "it believes to have it"
    for match in ("m1", "m2"):
        with pytest.raises(MatchesMoved):
            one.load(match)
    assert [title.match for title in one.claim_one("m1")] == ["m1"]
    assert claimed(one) == ["m2"]
    one.write([*step("m1", 4), *step("m2", 4)])


def test_a_server_knows_how_many_rooms_nobody_owned_when_it_last_looked(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2"), *made("m3")])
    assert one.unowned == two.unowned == 0
    monkeypatch.setattr(leases, "MOST_CLAIMED_AT_ONCE", 2)
    fleet.expire(one)
    assert len(two.claim()) == 2
    assert two.unowned == 1
    assert len(two.claim()) == 1
    assert two.unowned == 0


def test_a_server_claims_its_share_and_the_others_find_theirs(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LEAST_SHARE", 2)
    dead = fleet.join()
    stores = [fleet.join() for _ in range(3)]
    for number in range(30):
        dead.write(made(f"m{number}"))
    for number in range(12):
        stores[2].write(made(f"n{number}"))
    for store, rooms in zip(stores, (0, 0, 12), strict=True):
        store.renew(LOAD._replace(rooms=rooms))
    fleet.expire(dead)
    assert [len(claimed(store)) for store in stores] == [14, 14, 2]
    assert [len(claimed(store)) for store in stores] == [0, 0, 0]


def test_a_server_that_has_more_rooms_than_others_still_claims_a_few_at_a_time(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who should take them may be frozen, or may be leaving."""
    monkeypatch.setattr(leases, "LEAST_SHARE", 2)
    dead, idle, busy = (fleet.join() for _ in range(3))
    idle.renew(LOAD._replace(rooms=0))
    dead.write([*made("m1"), *made("m2"), *made("m3")])
    for number in range(9):
        busy.write(made(f"n{number}"))
    dead.close()
    assert claimed(busy) == ["m1", "m2"]
    assert claimed(busy) == ["m3"]


def test_many_rooms_are_claimed_in_several_transactions(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "MOST_CLAIMED_AT_ONCE", 25)
    dead, alone = fleet.join(), fleet.join()
    for number in range(60):
        dead.write(made(f"m{number}"))
    fleet.expire(dead)
    assert [len(claimed(alone)) for _ in range(4)] == [25, 25, 10, 0]


def test_one_room_is_claimed_for_who_comes_to_it_and_no_other(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2"), *made("m3"), SaveSessions("m2", (b"b", b"a"))])
    assert two.claim_one("m2") == [], "its owner is there"
    fleet.expire(one)
    assert two.claim_one("m2") == [Claimed("m2", "M2", "racing", (b"a", b"b"))]
    assert two.claim_one("m2") == two.claim_one("m9") == []
    assert [fleet.epoch(match) for match in ("m1", "m2", "m3")] == [1, 2, 1]
    two.write(step("m2", 4))
    assert claimed(two) == ["m1", "m3"]


def test_a_server_that_is_forgotten_leaves_its_rooms_to_others(fleet: Fleet) -> None:
    one = fleet.join()
    one.write(made("m1"))
    fleet.execute("UPDATE heat.servers SET lease_until = now() - interval '31 days'")
    two = fleet.join()
    assert fleet.owners() == {"m1": None}
    assert claimed(two) == ["m1"]


def test_a_room_that_is_over_has_no_lease(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2")])
    one.write([*made("m3"), CloseMatch("m1", "ended", "over"), CloseMatch("m3", "closed", "over")])
    one.write([CloseMatch("m1", "ended", "over")])
    assert list(fleet.owners()) == ["m2"]
    fleet.expire(one)
    assert claimed(two) == ["m2"]


def test_rooms_of_other_rules_wait_for_a_server_that_plays_by_them(fleet: Fleet) -> None:
    one = fleet.join()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heat_server.store.postgres.store.RULES_VERSION", 1000)
        newer, other = fleet.join(), fleet.join()
    same = fleet.join()
    one.write(made("m1"))
    newer.write(made("m2"))
    one.close()
    newer.close()
    assert claimed(other) == ["m2"], "somebody plays by the rules of the other"
    assert claimed(same) == ["m1"]
    same.close()
    assert claimed(other) == ["m1"], "nobody does: who takes it says so to its drivers"


def test_a_room_that_is_released_to_other_rules_is_taken_by_a_server_that_plays_by_them(fleet: Fleet) -> None:
    one, same = fleet.join(), fleet.join()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heat_server.store.postgres.store.RULES_VERSION", 1000)
        newer = fleet.join()
    one.write([*made("m1"), *made("m2"), *made("m3")])
    one.release([Release("m1", rules=1000), Release("m2", rules=1000), Release("m3")])
    assert (claimed(same), claimed(one)) == (["m3"], [])
    assert [match.match for match in newer.claim_one("m1")] == ["m1"]
    newer.close()
    assert claimed(same) == ["m1", "m2"], "nobody plays by the others any more"
