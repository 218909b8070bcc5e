"""The database's clock jumps: all leases seem to be over, or to run for hours."""

from __future__ import annotations

import pytest

from heat_server.store.ownership import Release
from heat_server.store.postgres import leases
from heat_server.store.postgres.store import PostgresStore
from tests.server.fleets import LOAD, Fleet
from tests.server.stores import begun

ALL_OVER = "UPDATE heat.servers SET lease_until = now() - interval '1 hour'"


def claimed(store: PostgresStore) -> list[str]:
    return [title.match for title in store.claim()]


def test_a_server_whose_own_lease_is_over_takes_nothing_of_others_before_they_could_renew(
    fleet: Fleet,
) -> None:
    """As after a jump forward: all leases are over at once, and nobody died."""
    one, two = fleet.join(), fleet.join()
    one.write(begun("m1"))
    fleet.execute(ALL_OVER)
    assert claimed(two) == [], "it has not renewed its own"
    assert two.claim_one("m1") == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leases, "SETTLING_SECONDS", 60.0)
        two.renew(LOAD)
    two.renew(LOAD)
    assert claimed(two) == [], "the others may not have renewed theirs"
    assert two.claim_one("m1") == []
    assert one.renew(LOAD) == []
    assert fleet.owners() == {"m1": one._leases.server}
    fleet.execute(ALL_OVER)
    two.renew(LOAD)
    assert claimed(two) == ["m1"], "its owner has had its time"


def test_a_released_room_is_taken_at_once_though_the_clock_jumps(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write(begun("m1"))
    one.release([Release("m1")])
    fleet.execute(ALL_OVER)
    assert claimed(two) == ["m1"]


def test_a_lease_that_would_run_for_an_hour_is_shortened_by_whoever_renews_next(fleet: Fleet) -> None:
    """As after a jump back: a server that died just before must not keep its rooms for so long."""
    one, two, three = fleet.join(), fleet.join(), fleet.join()
    one.write(begun("m1"))
    fleet.execute("UPDATE heat.servers SET renewed_at = renewed_at + interval '1 hour'")
    fleet.execute("UPDATE heat.servers SET lease_until = lease_until + interval '1 hour'")
    two.renew(LOAD)
    left = "SELECT lease_until - now() BETWEEN interval '50 s' AND interval '60 s' FROM heat.servers"
    assert fleet.rows(left) == [(True,)] * 3
    assert claimed(two) == claimed(three) == []
    assert one.renew(LOAD) == [], "who lives renews in time"
    fleet.expire(one)
    assert claimed(two) == ["m1"]
