"""`heat-server matches` and `export` print the same of the same matches, whichever store they are in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from heat_server.__main__ import main
from heat_server.store.address import DatabaseUrl
from heat_server.store.contract import Store
from heat_server.store.opening import open_store as open_any
from heat_server.store.transfer import copy_matches
from heat_server.store.writes import CloseMatch, SaveRoom
from tests.server.postgres import Cluster
from tests.server.stores import WallClock, begun, room
from tests.server.test_store_listing import bots_race, keep_race

Place: TypeAlias = Path | DatabaseUrl

COMMANDS = [
    "matches",
    "matches --json",
    "matches --limit 3",
    "export over",
    "export two",
    "export two --race 2",
    "export two --race 3",
    "export running",
    "export lobby",
    "export nobody",
]


class Said(NamedTuple):
    """What a command printed, and how it ended."""

    code: object
    out: str
    error: str


Ask: TypeAlias = Callable[[Place, str], Said]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Give what runs a command on a store."""

    def ask(place: Place, command: str) -> Said:
        where = place.text if isinstance(place, DatabaseUrl) else str(place)
        monkeypatch.setattr(sys, "argv", ["heat-server", *command.split(), "--store", where])
        capsys.readouterr()
        with pytest.raises(SystemExit) as exited:
            main()
        out, error = capsys.readouterr()
        shown = str(place) if isinstance(place, DatabaseUrl) else where
        return Said(exited.value.code, out, error.replace(shown, "STORE"))

    return ask


def fill(store: Store, clock: WallClock) -> None:
    """Make a match of each kind, some while others run."""
    for match in ("lobby", "running", "over", "two", "closed", "faulted"):
        clock.now_ms += 61_000
        title = f"usa, 1 lap: Änne \N{CHEQUERED FLAG}, bob | {match}"
        store.write([SaveRoom(match, match.upper(), "lobby", title, b"state")])
    clock.now_ms += 61_000
    keep_race(store, "running", bots_race("running"), most_steps=9)
    for match, number in (("over", 0), ("two", 0), ("two", 1)):
        clock.now_ms += 61_000
        keep_race(store, match, bots_race(f"{match} {number}"), number)
    store.write([CloseMatch("over", "ended", "over"), CloseMatch("closed", "closed", "The host ended it.")])
    store.write([CloseMatch("faulted", "faulted", "a fault of the room")])


def copy(source: Place, target: Place) -> None:
    clock = WallClock()
    with open_any(source, clock) as store, open_any(target, clock) as other:
        assert copy_matches(store, other, lambda: None).faults == []


def check_same(ask: Ask, place: Place, other: Place) -> None:
    for command in COMMANDS:
        assert ask(place, command) == ask(other, command), command


def test_matches_and_export_print_the_same_from_a_file_and_from_a_database(
    tmp_path: Path, cluster: Cluster, ask: Ask
) -> None:
    clock = WallClock(1_780_000_000_000)
    file, url, again = tmp_path / "one.db", cluster.url(cluster.new_database()), tmp_path / "two.db"
    with open_any(file, clock) as store:
        fill(store, clock)
    copy(file, url)
    assert len(ask(url, "matches").out.splitlines()) == 7
    assert ask(url, "export over").out.count("\n") > 10
    assert ask(url, "export nobody").error == "heat-server: STORE: there is no match 'nobody'\n"
    check_same(ask, file, url)
    with open_any(file, clock) as store:  # what is replaced stays in its place
        clock.now_ms += 61_000
        store.write([room("lobby"), *begun("new")])
        keep_race(store, "running", bots_race("once more"), 1)
    copy(file, url)
    check_same(ask, file, url)
    copy(url, again)
    check_same(ask, file, again)


def test_matches_of_two_stores_in_one_are_listed_by_their_age(
    tmp_path: Path, cluster: Cluster, ask: Ask
) -> None:
    clock = WallClock(1_780_000_000_000)
    first, second, url = tmp_path / "one.db", tmp_path / "two.db", cluster.url(cluster.new_database())
    with open_any(first, clock) as store, open_any(second, clock) as other:
        for number in range(6):
            clock.now_ms += 61_000
            (store, other)[number % 2].write([room(f"m{number}")])
    copy(second, url)
    copy(first, url)
    copy(first, second)
    listed = [line.split()[0] for line in ask(url, "matches").out.splitlines()[1:]]
    assert listed == ["m5", "m4", "m3", "m2", "m1", "m0"]
    check_same(ask, second, url)
