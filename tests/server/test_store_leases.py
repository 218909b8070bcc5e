"""Several servers on one database: each room has one owner, and who lost it can write no more."""

from __future__ import annotations

import random
import threading
import time

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from heat_core.race.rules_version import RULES_VERSION
from heat_server.store.errors import MatchesMoved, StoreFailed, StoreUnreachable
from heat_server.store.ownership import Owner, Peer, Release
from heat_server.store.postgres import leases
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.postgres.writing import apply_writes
from heat_server.store.worker import StoreWorker
from heat_server.store.writes import AddEvents, CloseMatch, SaveClocks, SaveSessions, Write
from tests.patience import PATIENCE_SECONDS
from tests.server.fleets import LOAD, Fleet
from tests.server.stores import begun, room


def made(match: str) -> list[Write]:
    """Make a match with a race, whose code is its name in capitals."""
    return [room(match, code=match.upper()), *begun(match)[1:]]


def claimed(store: PostgresStore) -> list[str]:
    return [title.match for title in store.claim()]


def step(match: str, first: int) -> list[AddEvents | SaveClocks]:
    return [AddEvents(match, 0, first, 1, b"event"), SaveClocks(match, str(first).encode())]


def test_who_makes_a_room_owns_it_and_nobody_else_writes_to_it(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write(made("m1"))
    one.write(step("m1", 4))
    for writes in (step("m1", 5), [room("m1")], [SaveSessions("m1", ())], [CloseMatch("m1", "closed", "x")]):
        with pytest.raises(MatchesMoved, match="another server owns 'm1'") as refused:
            two.write([*made("m2"), *writes])
        assert refused.value.matches == {"m1"}
    assert [title.match for title in two.open_matches()] == ["m1"]
    assert claimed(two) == claimed(one) == []
    one.write(step("m1", 5))
    assert fleet.epoch("m1") == 1


def test_a_lease_that_ran_out_lets_others_take_the_room_and_refuses_the_old_owner(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2")])
    fleet.expire(one)
    one.write(step("m1", 4))  # nobody has taken it: it is still its own
    assert claimed(two) == ["m1", "m2"]
    assert (fleet.epoch("m1"), fleet.epoch("m2")) == (2, 2)
    two.write(step("m1", 5))
    before = two.races("m1")
    with pytest.raises(MatchesMoved):
        one.write(step("m1", 6))
    with pytest.raises(MatchesMoved):
        one.load("m2")
    assert one.renew(LOAD) == [], "of both it knows already"
    assert one.renew(LOAD) == []
    assert claimed(one) == []
    assert two.races("m1") == before
    assert two.renew(LOAD) == []


def test_an_owner_that_renews_in_time_is_left_alone_and_one_that_renews_late_keeps_what_is_left(
    fleet: Fleet,
) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2")])
    fleet.expire(one)
    assert one.renew(LOAD) == []
    assert claimed(two) == []
    fleet.expire(one)
    one.write([CloseMatch("m2", "ended", "over")])
    assert claimed(two) == ["m1"], "what is over is nobody's any more"
    one.write(made("m3"))
    assert one.renew(LOAD) == ["m1"]
    one.write(step("m3", 4))


def test_a_server_that_lost_a_room_and_does_not_know_it_does_not_take_it_back_unawares(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write(made("m1"))
    fleet.expire(one)
    assert claimed(two) == ["m1"]
    two.close()
    assert claimed(one) == [], "its room in memory is an older one"
    with pytest.raises(MatchesMoved):
        one.write(step("m1", 4))
    assert claimed(one) == ["m1"]
    assert fleet.epoch("m1") == 3
    one.write(step("m1", 4))


def test_a_server_that_stops_hands_its_rooms_on_at_once(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2")])
    one.close()
    assert claimed(two) == ["m1", "m2"]


def test_each_server_reads_what_the_others_have_and_whether_they_are_drained(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    assert one.peers() == [Peer("a.example:7777", 5, b"", 3, RULES_VERSION, is_draining=False)]
    two.renew(LOAD._replace(is_draining=True, rooms=0))
    assert one.peers() == [Peer("a.example:7777", 5, b"", 0, RULES_VERSION, is_draining=True)]
    fleet.expire(two)
    assert [peer.is_up for peer in one.peers()] == [False]
    fleet.execute("UPDATE heat.servers SET renewed_at = now() - interval '61 s'")
    assert one.peers() == []


def test_rooms_are_found_by_code_and_by_token_wherever_they_are(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), SaveSessions("m1", (b"key",))])
    for store, is_self in ((one, True), (two, False)):
        owner = Owner("m1", "a.example:7777", True, is_self)
        assert store.owners_of_codes(["M1", "KKKKK"]) == {"M1": owner}
        assert store.owners_of_keys([b"nobody", b"key"]) == {b"key": owner}
    fleet.expire(one)
    assert two.owners_of_codes(["M1"])["M1"] == Owner("m1", "a.example:7777", False, False)
    one.write([CloseMatch("m1", "ended", "over")])
    assert not two.owners_of_codes(["M1"])
    assert not two.owners_of_keys([b"key"])


def test_a_code_that_another_servers_room_has_is_not_given_twice(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([room("m1", code="FHKMR")])
    with pytest.raises(StoreFailed, match="the code of a new room belongs to another one"):
        two.write([room("m2", code="FHKMR")])
    one.write([CloseMatch("m1", "ended", "over")])
    two.write([room("m2", code="FHKMR")])


def test_after_a_restart_of_the_database_owners_have_time_to_renew(fleet: Fleet) -> None:
    """Whoever has just been connected takes only what nobody owns."""
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1")])
    fleet.expire(one)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leases, "SETTLING_SECONDS", 60.0)
        assert claimed(two) == []
    assert claimed(two) == ["m1"]


def test_a_server_that_was_taken_for_dead_is_on_the_list_again_when_it_renews(fleet: Fleet) -> None:
    """One at its address has stopped, and those that seemed to have died there left the list with it."""
    one, two = fleet.join(), fleet.join()
    one.renew(LOAD._replace(listed=b"rooms"))
    fleet.execute("DELETE FROM heat.servers")
    one.renew(LOAD._replace(listed=b"rooms"))
    one.write(made("m1"))
    assert [peer.listed for peer in two.peers()] == [b"rooms"]
    assert fleet.owners() == {"m1": one._leases.server}


def test_what_a_server_lists_is_written_and_read_only_when_it_changes(fleet: Fleet) -> None:
    one, two, three = (fleet.join() for _ in range(3))

    def lists(store: PostgresStore) -> list[bytes]:
        return [peer.listed for peer in store.peers()]

    one.renew(LOAD._replace(listed=b"first"))
    two.renew(LOAD._replace(listed=b"second"))
    assert (lists(two), lists(three)) == ([b"first", b""], [b"first", b"second"])
    fleet.execute("UPDATE heat.servers SET listed = 'written by nobody' WHERE listed <> ''")
    for _ in range(2):
        one.renew(LOAD._replace(listed=b"first"))
        assert (lists(two), lists(three)) == ([b"first", b""], [b"first", b"second"])
    one.renew(LOAD._replace(listed=b"third"))
    assert (lists(two), lists(three)) == ([b"third", b""], [b"third", b"second"])
    one.close()
    assert lists(fleet.join()) == [b"written by nobody", b""]


def test_a_list_that_was_written_unawares_is_not_taken_for_the_next_one(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = fleet.join(), fleet.join()

    def lose_answer(*_: object) -> None:
        raise StoreUnreachable("the answer to the commit is lost")

    with monkeypatch.context() as patch:
        patch.setattr(one._leases, "note_renewed", lose_answer)
        with pytest.raises(StoreUnreachable):
            one.renew(LOAD._replace(listed=b"first"))
    assert [peer.listed for peer in two.peers()] == [b"first"]
    one.renew(LOAD._replace(listed=b"second"))
    assert [peer.listed for peer in two.peers()] == [b"second"]


def claim_into(store: PostgresStore, taken: list[str]) -> None:
    taken.extend(claimed(store))


def test_two_that_claim_at_once_share_the_rooms(fleet: Fleet) -> None:
    maker = fleet.join()
    for number in range(40):
        maker.write(made(f"m{number}"))
    maker.close()
    for _ in range(6):
        stores = [fleet.join() for _ in range(4)]
        taken: list[str] = []
        threads = [threading.Thread(target=claim_into, args=(store, taken)) for store in stores]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(taken) == sorted(f"m{number}" for number in range(40))
        for store in stores:
            store.close()


def test_a_take_over_waits_for_a_batch_that_has_begun(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    one.write([*made("m1"), *made("m2")])
    fleet.expire(one)
    in_between, goes_on = threading.Event(), threading.Event()

    def slowly(*arguments: object) -> None:
        in_between.set()
        assert goes_on.wait(PATIENCE_SECONDS)
        apply_writes(*arguments)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heat_server.store.postgres.store.apply_writes", slowly)
        writer = threading.Thread(target=one.write, args=(step("m1", 4),))
        writer.start()
        assert in_between.wait(PATIENCE_SECONDS)
    assert claimed(two) == ["m2"], "the other row is held by who writes"
    goes_on.set()
    writer.join()
    assert claimed(two) == ["m1"]
    assert len(two.races("m1")[0].steps) == 2


@pytest.mark.trio
async def test_a_stale_room_drops_out_of_its_batch_and_the_rest_is_one_commit(fleet: Fleet) -> None:
    one, two = fleet.join(), fleet.join()
    for number in range(10):
        one.write(made(f"m{number}"))
    fleet.expire(one)
    fleet.execute("UPDATE heat.leases SET server = NULL WHERE match IN (3, 5)")
    fleet.execute("UPDATE heat.servers SET lease_until = now() + interval '1 hour'")
    assert claimed(two) == ["m2", "m4"]
    worker, moved = StoreWorker(one), set[str]()

    async def commit(match: str) -> None:
        try:
            await worker.commit(step(match, 4))
        except MatchesMoved:
            moved.add(match)

    async with trio.open_nursery() as running:
        async with trio.open_nursery() as rooms:
            for number in range(10):
                rooms.start_soon(commit, f"m{number}")
            await wait_all_tasks_blocked()
            await running.start(worker.run)
        running.cancel_scope.cancel()
    assert moved == {"m2", "m4"}
    assert worker.figures.commits == 2, "the refused one, and all that was left"
    steps = {number: len(one.races(f"m{number}")[0].steps) for number in range(10)}
    assert steps == {number: 1 if number in (2, 4) else 2 for number in range(10)}


def test_whatever_comes_when_each_room_has_one_owner_whose_epoch_rises(fleet: Fleet) -> None:
    """Servers freeze, renew, claim, write, release, stop and start at random; what they hear is so."""
    for seed in range(3):
        dice = random.Random(seed)
        loads = [LOAD._replace(address=f"{number}.example:7777") for number in range(3)]
        stores = [fleet.join(load) for load in loads]
        matches = [f"{seed}-{number}" for number in range(4)]
        believed: dict[str, dict[int, int]] = {match: {} for match in matches}
        last, epochs = dict.fromkeys(matches, 3), dict.fromkeys(matches, 1)
        for match in matches:
            stores[0].write(made(match))
            believed[match][0] = 1
        for _ in range(120):
            who, match = dice.randrange(3), dice.choice(matches)
            store = stores[who]
            match dice.randrange(9):
                case 0:
                    fleet.expire(store)
                case 1:
                    for lost in store.renew(loads[who]._replace(is_draining=dice.random() < 0.2)):
                        believed[lost].pop(who, None)
                case 2:
                    for taken in claimed(store):
                        assert fleet.epoch(taken) > epochs[taken]
                        epochs[taken] = fleet.epoch(taken)
                        believed[taken][who] = epochs[taken]
                case 3 if dice.random() < 0.2:
                    store.close()
                    stores[who] = fleet.join(loads[who])
                    for owners in believed.values():
                        owners.pop(who, None)
                case 4:
                    store.release([Release(match, dice.choice(loads).address)])
                    if believed[match].pop(who, None) == epochs[match]:
                        epochs[match] = fleet.epoch(match)
                    assert fleet.epoch(match) == epochs[match], "who does not own it lets nothing go"
                case 5:
                    fleet.execute("UPDATE heat.leases SET given_at = given_at - interval '1 s'")
                case 6:
                    for one in store.claim_one(match):
                        assert fleet.epoch(one.match) > epochs[one.match]
                        epochs[one.match] = fleet.epoch(one.match)
                        believed[one.match][who] = epochs[one.match]
                case _:
                    try:
                        store.write(step(match, last[match] + 1))
                    except MatchesMoved:
                        assert believed[match].get(who) != epochs[match]
                        believed[match].pop(who, None)
                    else:
                        assert believed[match][who] == epochs[match] == fleet.epoch(match)
                        last[match] += 1
        for match in matches:
            assert len(stores[0].races(match)[0].steps) == last[match] - 2
        for store in stores:
            store.close()
        fleet.execute("DELETE FROM heat.matches")


ONLY_THE_OWNER = """
    CREATE FUNCTION heat.only_the_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT 1 FROM heat.races JOIN heat.leases ON leases.match = races.match
            WHERE races.number = NEW.race
                AND current_setting('application_name') = 'heat-server ' || left(leases.server, 12)
        ) THEN RAISE EXCEPTION 'who writes is not the owner'; END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER only_the_owner BEFORE INSERT ON heat.steps
        FOR EACH ROW EXECUTE FUNCTION heat.only_the_owner()
"""


def test_servers_that_write_and_claim_at_the_same_time_never_write_to_the_same_room(fleet: Fleet) -> None:
    """The database itself looks at each step whether the server that writes it owns the room."""
    stores, matches = [fleet.join() for _ in range(3)], ["m1", "m2", "m3"]
    stores[0].write([write for match in matches for write in made(match)])
    fleet.execute(ONLY_THE_OWNER)
    is_over, faults, counts = threading.Event(), list[Exception](), dict.fromkeys(("written", "moved"), 0)
    tries = threading.Semaphore(0)

    def live(number: int) -> None:
        dice, store = random.Random(number), stores[number]
        while not is_over.is_set():
            try:
                if dice.random() < 0.2:
                    store.renew(LOAD)
                    store.claim()
                match = dice.choice(matches)
                race = store.load(match).race
                assert race is not None
                store.write(step(match, 3 + len(race.steps)))
                counts["written"] += 1
            except MatchesMoved:
                counts["moved"] += 1
            except Exception as error:
                faults.append(error)
                return
            finally:
                tries.release()

    threads = [threading.Thread(target=live, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    dice, until = random.Random(7), time.monotonic() + 60
    while min(counts.values()) <= 20 and time.monotonic() < until and not faults:
        for _ in range(5):
            tries.acquire(timeout=5)
        fleet.expire(dice.choice(stores))
    is_over.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert counts["written"] > 20
    assert counts["moved"] > 20
    steps = [len(stores[0].races(match)[0].steps) for match in matches]
    assert sum(steps) == counts["written"] + len(matches)
