"""A server of a shared store lets matches go: to whichever takes them, or to one that it names."""

from __future__ import annotations

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from heat_server.store.errors import MatchesMoved, StoreFailed
from heat_server.store.ownership import Owner, Release
from heat_server.store.worker import StoreWorker
from tests.server.fleets import LOAD, Fleet
from tests.server.test_store_leases import claimed, made, step

HEIR = LOAD._replace(address="heir.example:7777")


def test_a_server_releases_single_rooms_to_the_others_and_writes_no_more_to_them(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2"), *made("m3")])
    two.write(made("m4"))
    one.release([Release("m1"), Release("m2"), Release("m4")])
    with pytest.raises(MatchesMoved):
        one.write(step("m1", 4))
    assert two.owners_of_codes(["M1"])["M1"] == Owner("m1", "", False, False)
    assert claimed(two) == ["m1", "m2"]
    one.release([Release("m1")])
    two.write([*step("m1", 4), *step("m4", 4)])
    one.write(step("m3", 4))
    assert [fleet.epoch(match) for match in ("m1", "m2", "m3", "m4")] == [2, 2, 1, 1]
    two.release([Release("m1")])
    assert claimed(one) == ["m1"]
    one.write(step("m1", 5))
    assert fleet.epoch("m1") == 3


def test_a_room_that_is_let_go_to_a_server_is_that_ones_at_once_and_it_alone_takes_it(fleet: Fleet) -> None:
    one, heir, third = fleet.join(), fleet.join(HEIR), fleet.join()
    one.write([*made("m1"), *made("m2"), *made("m3")])
    one.release([Release("m1", HEIR.address), Release("m2", HEIR.address), Release("m3")])
    assert third.owners_of_codes(["M1"])["M1"] == Owner("m1", HEIR.address, True, False)
    assert heir.owners_of_codes(["M1"])["M1"] == Owner("m1", HEIR.address, True, True)
    assert third.claim_one("m1") == []
    assert claimed(third) == ["m3"]
    for store in (one, heir, third):
        with pytest.raises(MatchesMoved):
            store.write(step("m1", 4))
    assert claimed(heir) == ["m1", "m2"], "all of it at once"
    heir.write(step("m1", 4))
    assert [fleet.epoch(match) for match in ("m1", "m2", "m3")] == [3, 3, 2]


@pytest.mark.parametrize(
    "change",
    [
        "draining = TRUE",
        "rules = rules + 1",
        "renewed_at = now() - interval '3 s'",
        "lease_until = now() - interval '1 ms'",
        "address = ''",
    ],
)
def test_a_room_is_nobodys_if_the_server_that_was_to_have_it_may_not_take_it(
    change: str, fleet: Fleet
) -> None:
    one, _, third = fleet.join(), fleet.join(HEIR), fleet.join()
    one.write(made("m1"))
    fleet.execute(f"UPDATE heat.servers SET {change} WHERE address = 'heir.example:7777'")
    one.release([Release("m1", HEIR.address)])
    assert fleet.owners() == {"m1": None}
    assert claimed(third) == ["m1"]
    assert fleet.epoch("m1") == 2


def test_a_room_goes_to_the_newest_server_at_an_address_and_is_free_when_that_ends(fleet: Fleet) -> None:
    one, before, heir = fleet.join(), fleet.join(HEIR), fleet.join(HEIR)
    one.write(made("m1"))
    one.release([Release("m1", HEIR.address)])
    assert fleet.owners() == {"m1": heir._leases.server}
    heir.close()
    assert claimed(before) == ["m1"]


LATER = "UPDATE heat.leases SET given_at = given_at - interval '1 s'"
"""As if a second had gone by since rooms were given to servers that have not claimed them."""


def test_a_room_that_its_heir_has_not_claimed_within_a_second_is_taken_by_who_is_asked_for_it(
    fleet: Fleet,
) -> None:
    """The heir died just before it was given the room, or stands still."""
    one, heir, third = fleet.join(), fleet.join(HEIR), fleet.join()
    one.write([*made("m1"), *made("m2")])
    one.release([Release("m1", HEIR.address), Release("m2", HEIR.address)])
    assert third.claim_one("m1") == []
    fleet.execute(LATER)
    assert third.owners_of_codes(["M1"])["M1"] == Owner("m1", HEIR.address, False, False)
    assert claimed(third) == [], "nobody has asked for them"
    assert [taken.match for taken in third.claim_one("m1")] == ["m1"]
    third.write(step("m1", 4))
    assert heir.owners_of_codes(["M1"])["M1"] == Owner("m1", LOAD.address, True, False)
    assert claimed(heir) == ["m2"]
    for store in (one, heir):
        with pytest.raises(MatchesMoved):
            store.write(step("m1", 5))
    assert [fleet.epoch(match) for match in ("m1", "m2")] == [3, 3]


def test_a_room_that_its_heir_has_claimed_is_the_heirs_for_as_long_as_its_lease_runs(fleet: Fleet) -> None:
    one, heir, third = fleet.join(), fleet.join(HEIR), fleet.join()
    one.write(made("m1"))
    one.release([Release("m1", HEIR.address)])
    assert claimed(heir) == ["m1"]
    fleet.execute(LATER)
    assert third.owners_of_codes(["M1"])["M1"] == Owner("m1", HEIR.address, True, False)
    assert third.claim_one("m1") == []
    heir.write(step("m1", 4))


def test_a_server_that_takes_no_more_rooms_gives_back_what_it_has_not_claimed(fleet: Fleet) -> None:
    """It is drained, or stopped, while another one gives it rooms."""
    one, heir, third = fleet.join(), fleet.join(HEIR), fleet.join()
    one.write([*made("m1"), *made("m2")])
    one.release([Release("m1", HEIR.address)])
    assert claimed(heir) == ["m1"]
    one.release([Release("m2", HEIR.address)])
    heir.renew(HEIR._replace(is_draining=True))
    assert fleet.owners() == {"m1": heir._leases.server, "m2": None}
    assert claimed(third) == ["m2"]
    heir.write(step("m1", 4))
    assert [fleet.epoch(match) for match in ("m1", "m2")] == [3, 3]


@pytest.mark.trio
async def test_all_rooms_that_leave_at_the_same_moment_share_one_transaction(
    fleet: Fleet,
) -> None:
    one, heir = fleet.join(), fleet.join(HEIR)
    matches = [f"m{number}" for number in range(10)]
    one.write([write for match in matches for write in made(match)])
    worker, before = StoreWorker(one), one._link._batches.newest
    async with trio.open_nursery() as running:
        async with trio.open_nursery() as rooms:
            for match in matches:
                rooms.start_soon(worker.release, [Release(match, HEIR.address)])
            await wait_all_tasks_blocked()
            await running.start(worker.run)
        assert one._link._batches.newest == before + 1
        assert claimed(heir) == matches
        running.cancel_scope.cancel()
    with pytest.raises(StoreFailed, match="the store is closed"):
        await worker.release([Release("m1")])


@pytest.mark.trio
async def test_each_who_lets_go_reads_that_it_failed(fleet: Fleet) -> None:
    one = fleet.join()
    one.write([*made("m1"), *made("m2")])
    fleet.execute("ALTER TABLE heat.leases ADD CONSTRAINT kept CHECK (server IS NOT NULL)")
    worker, failed = StoreWorker(one), list[str]()

    async def release(match: str) -> None:
        try:
            await worker.release([Release(match)])
        except StoreFailed:
            failed.append(match)

    async with trio.open_nursery() as running:
        await running.start(worker.run)
        async with trio.open_nursery() as rooms:
            rooms.start_soon(release, "m1")
            rooms.start_soon(release, "m2")
        await worker.commit([*step("m1", 4), *step("m2", 4)])
        running.cancel_scope.cancel()
    assert sorted(failed) == ["m1", "m2"]
