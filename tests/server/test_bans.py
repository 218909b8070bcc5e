"""The list of bans in each kind of store, and one server's copy of it."""

from __future__ import annotations

import stat
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv4Network
from pathlib import Path

import pytest
import trio

from heat_server.net.bans import MOST_AT_ONCE, Bans
from heat_server.networks import Network, parse_network
from heat_server.store.bans import MOST_BANS, MOST_NOTE_CHARACTERS, BanListFull, StoredBans
from heat_server.store.contract import Store
from heat_server.store.errors import StoreDamaged, StoreFailed
from heat_server.store.no_store import NoStore
from heat_server.store.postgres import bans as postgres_bans
from heat_server.store.sqlite import ban_file
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.worker import StoreWorker
from tests.server.stores import Opener, open_store, postgres, sqlite

TEN, NINE, SIX = parse_network("10.0.0.0/8"), parse_network("192.0.2.9"), parse_network("2001:db8::/48")


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """Give what opens a store of each kind, again and again the same one."""
    if request.param == "sqlite":
        return sqlite(tmp_path)
    return postgres(request.getfixturevalue("cluster"))


@pytest.fixture
def at_most_three(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (postgres_bans, ban_file):
        monkeypatch.setattr(module, "MOST_BANS", 3)
    monkeypatch.setattr("heat_server.net.bans.MOST_BANS", 3)


def read(store: Store) -> StoredBans:
    bans = store.bans()
    assert bans is not None
    return bans


def test_bans_come_back_with_their_notes(opened: Opener) -> None:
    with opened() as store:
        assert read(store).notes == {}
        store.put_bans({SIX: "", NINE: "floods"})
        store.put_bans({TEN: "a # within", NINE: "floods the chat"})
    with opened() as store:
        assert read(store).notes == {TEN: "a # within", NINE: "floods the chat", SIX: ""}
        assert store.lift_ban(TEN)
        assert not store.lift_ban(TEN)
        assert not store.lift_ban(parse_network("192.0.2.0/24")), "only the very network"
        assert read(store).notes == {NINE: "floods the chat", SIX: ""}


def test_a_list_is_read_again_after_a_change_only(opened: Opener) -> None:
    with opened() as store:
        seen = [read(store).version]
        assert store.bans(seen[0]) is None
        for change in ({NINE: ""}, {NINE: "a note"}, {SIX: ""}):
            store.put_bans(change)
            again = store.bans(seen[-1])
            assert again is not None
            assert store.bans(again.version) is None
            seen.append(again.version)
        assert len(set(seen)) == 4


@pytest.mark.usefixtures("at_most_three")
def test_a_full_list_takes_no_more_but_other_notes(opened: Opener) -> None:
    with opened() as store:
        store.put_bans({SIX: "", NINE: "", TEN: ""})
        before = read(store)
        more = parse_network("198.51.100.1")
        with pytest.raises(BanListFull):
            store.put_bans({more: "", NINE: "changed"})
        assert read(store) == before, "nothing of it is there"
        store.put_bans({NINE: "changed"})
        assert store.lift_ban(TEN)
        store.put_bans({more: ""})
        assert read(store).notes == {NINE: "changed", SIX: "", more: ""}


def test_ten_thousand_bans_fit(opened: Opener) -> None:
    networks = [parse_network(f"10.{number >> 8}.{number & 255}.1") for number in range(MOST_BANS)]
    with opened() as store:
        store.put_bans(dict.fromkeys(networks, "floods"))
        assert len(read(store).notes) == MOST_BANS == 10_000
        with pytest.raises(BanListFull):
            store.put_bans({NINE: ""})


def test_the_file_is_beside_the_store_in_order_of_address(tmp_path: Path) -> None:
    with open_store(tmp_path / "races.sqlite3") as store:
        path = tmp_path / "races.sqlite3.banned"
        assert not path.exists()
        store.put_bans({SIX: "", NINE: "floods", TEN: ""})
        assert path.read_text() == "10.0.0.0/8\n192.0.2.9  # floods\n2001:db8::/48\n"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.glob("*banned*")) == [path]


def test_a_file_that_somebody_wrote_is_read(tmp_path: Path) -> None:
    path = tmp_path / "races.sqlite3.banned"
    path.write_text(f"# friends of nobody\n\n 192.0.2.9\n10.0.0.0/8 #{'x' * 500}\n2001:db8::7#y\n")
    with open_store(tmp_path / "races.sqlite3") as store:
        expected = {TEN: "x" * MOST_NOTE_CHARACTERS, NINE: "", parse_network("2001:db8::/64"): "y"}
        assert read(store).notes == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"10.0.0.1\n10.0.0/8\n", "line 2: '10.0.0/8' is not an address"), (b"\xff", "not UTF-8 text")],
)
def test_a_damaged_file_is_refused_with_the_place(data: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "races.sqlite3.banned"
    path.write_bytes(data)
    with open_store(tmp_path / "races.sqlite3") as store:
        for use in (store.bans, lambda: store.put_bans({NINE: ""}), lambda: store.lift_ban(NINE)):
            with pytest.raises(StoreDamaged, match=f"{path}: {reason}"):
                use()
    assert path.read_bytes() == data


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    path = tmp_path / "races.sqlite3.banned"
    path.mkdir()
    with open_store(tmp_path / "races.sqlite3") as store:
        for use in (store.bans, lambda: store.put_bans({NINE: ""})):
            with pytest.raises(StoreFailed, match=f"{path}: Is a directory"):
                use()


def test_a_server_that_saves_nothing_has_no_list() -> None:
    store = NoStore()
    store.put_bans({NINE: ""})
    assert read(store).notes == {}
    assert store.bans(read(store).version) is None


# --- a server's copy ------------------------------------------------------------------------------------


class Failing(SqliteStore):
    """A store whose list of bans can be taken away."""

    is_away = False

    def bans(self, known: str | None = None) -> StoredBans | None:
        self._check()
        return super().bans(known)

    def put_bans(self, notes: Mapping[Network, str]) -> None:
        self._check()
        super().put_bans(notes)

    def lift_ban(self, network: Network) -> bool:
        self._check()
        return super().lift_ban(network)

    def _check(self) -> None:
        if self.is_away:
            raise StoreFailed("the list is away")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Failing]:
    with Failing.open(tmp_path / "races.sqlite3", lambda: 0) as opened:
        yield opened


def copy_of(store: Store) -> Bans:
    return Bans(StoreWorker(store, in_thread=False))


def held(bans: Bans) -> list[tuple[str, str]]:
    return [(str(network), note) for network, note in bans]


async def ban(bans: Bans, network: Network, note: str = "") -> None:
    bans.hold(network, note)
    await bans.save(network, note)


@pytest.mark.trio
async def test_each_servers_copy_follows_the_others(store: Failing) -> None:
    one, other = copy_of(store), copy_of(store)
    await ban(one, NINE, "floods")
    await ban(one, TEN)
    assert held(other) == []
    assert sorted(await other.refresh(), key=str) == [TEN, NINE]
    assert held(other) == held(one) == [("10.0.0.0/8", ""), ("192.0.2.9/32", "floods")]
    assert await other.lift(TEN)
    assert not await other.lift(TEN)
    await ban(other, NINE, "floods the chat")
    assert await one.refresh() == [], "another note bans nobody anew"
    assert held(other) == held(one) == [("192.0.2.9/32", "floods the chat")]
    assert await other.refresh() == [], "what a server has done itself is nothing new"


@pytest.mark.trio
async def test_what_another_server_has_just_banned_can_be_lifted(store: Failing) -> None:
    one, other = copy_of(store), copy_of(store)
    await ban(one, NINE)
    assert await other.lift(NINE)
    await one.refresh()
    assert held(one) == held(other) == []


@pytest.mark.trio
async def test_what_cannot_be_saved_holds_here_all_the_same(store: Failing) -> None:
    one, other = copy_of(store), copy_of(store)
    await ban(one, TEN)
    await other.refresh()
    store.is_away = True
    with pytest.raises(StoreFailed):
        await ban(one, NINE, "here")
    with pytest.raises(StoreFailed):
        await one.lift(TEN)
    for bans in (one, other):
        with pytest.raises(StoreFailed):
            await bans.refresh()
    assert held(one) == [("192.0.2.9/32", "here")]
    assert held(other) == [("10.0.0.0/8", "")], "what was known holds"
    store.is_away = False
    await ban(other, SIX)
    await one.refresh()
    await other.refresh()
    assert held(one) == [("192.0.2.9/32", "here"), ("2001:db8::/48", "")]
    assert held(other) == [("10.0.0.0/8", ""), ("2001:db8::/48", "")]


@pytest.mark.trio
async def test_what_could_not_be_saved_gives_way_to_what_another_server_says_of_it(store: Failing) -> None:
    one, other = copy_of(store), copy_of(store)
    await ban(one, TEN)
    store.is_away = True
    for network in (NINE, SIX):
        with pytest.raises(StoreFailed):
            await ban(one, network, "here")
    with pytest.raises(StoreFailed):
        await one.lift(TEN)
    store.is_away = False
    await ban(other, NINE, "everywhere")
    await ban(other, TEN, "again")
    assert await one.refresh() == [TEN]
    assert held(one) == [("10.0.0.0/8", "again"), ("192.0.2.9/32", "everywhere"), ("2001:db8::/48", "here")]
    await ban(one, SIX, "everywhere")
    await other.refresh()
    assert held(other) == [(str(network), note) for network, note in read(store).notes.items()]
    assert await other.lift(SIX)
    await one.refresh()
    assert held(one) == held(other)


@pytest.mark.trio
@pytest.mark.usefixtures("at_most_three")
async def test_the_list_of_all_servers_together_is_full(store: Failing) -> None:
    one, other = copy_of(store), copy_of(store)
    more = parse_network("198.51.100.1")
    for network in (TEN, NINE, SIX):
        await ban(one, network)
    with pytest.raises(BanListFull):
        one.hold(more, "")
    other.hold(more, "")
    with pytest.raises(BanListFull):
        await other.save(more, "")
    assert held(other) == []
    one.hold(SIX, "another note")


@pytest.mark.trio
async def test_a_ban_that_is_lifted_while_it_is_saved_is_lifted() -> None:
    """The commands of two operators at once: the later one counts."""
    gate, store = trio.Event(), NoStore()

    class Slow(StoreWorker):
        async def put_bans(self, notes: Mapping[Network, str]) -> None:
            await gate.wait()
            await super().put_bans(notes)

    bans = Bans(Slow(store, in_thread=False))
    async with trio.open_nursery() as nursery:
        bans.hold(NINE, "")
        nursery.start_soon(bans.save, NINE, "")
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(bans.lift, NINE)
        await trio.testing.wait_all_tasks_blocked()
        assert held(bans) == []
        gate.set()
    assert held(bans) == []


class Counted(IPv4Network):
    """A network that counts how often this process's main thread looks at it."""

    looks = 0

    def __hash__(self) -> int:
        Counted.looks += threading.current_thread() is threading.main_thread()
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        Counted.looks += threading.current_thread() is threading.main_thread()
        return super().__eq__(other)


class Long(NoStore):
    """A store with a long list of bans."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def bans(self, known: str | None = None) -> StoredBans | None:
        networks = [Counted(f"10.{number >> 8}.{number & 255}.1/32") for number in range(self.length)]
        return StoredBans(str(self.length), dict.fromkeys(networks, ""))


@pytest.mark.trio
async def test_players_do_not_wait_while_a_long_list_is_compared() -> None:
    store = Long(2_000)
    bans = Bans(StoreWorker(store, in_thread=True))
    await bans.refresh()
    store.length += 1
    Counted.looks = 0
    assert len(await bans.refresh()) == 1
    assert Counted.looks < 20, "only what has changed"
    assert len(bans.networks) == 2_001


@pytest.mark.trio
async def test_players_have_their_turns_while_many_changes_are_noted() -> None:
    bans, turns = Bans(StoreWorker(Long(2_000), in_thread=False)), 0
    async with trio.open_nursery() as nursery:

        async def take_turns() -> None:
            nonlocal turns
            while True:
                await trio.lowlevel.checkpoint()
                turns += 1

        nursery.start_soon(take_turns)
        assert len(await bans.refresh()) == 2_000
        nursery.cancel_scope.cancel()
    assert turns >= 2_000 // MOST_AT_ONCE


@pytest.mark.trio
async def test_a_ban_holds_from_its_first_moment_on(store: Failing) -> None:
    bans = copy_of(store)
    bans.hold(NINE, "")
    assert bans.networks.find("192.0.2.9") is not None
    with trio.CancelScope() as scope, suppress(trio.Cancelled):
        scope.cancel()
        await bans.save(NINE, "")
    assert bans.networks.find("192.0.2.9") is not None, "who asked has hung up"
    await bans.refresh()
    assert bans.networks.find("192.0.2.9") is not None
