"""`heat-server fleet`: the servers that share a database, as an operator sees them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import TypeAlias

import msgspec
import pytest

from heat_core.race.rules_version import RULES_VERSION
from heat_core.version import program_version
from heat_server.__main__ import main
from heat_server.operator.fleet import ONE_SERVER, fleet_text
from heat_server.store.fleet_status import FleetServer, FleetStatus
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.writes import CloseMatch
from tests.server.fleets import LOAD, Fleet
from tests.server.stores import open_store, room

ONE, TWO, THREE = "one.example:7777", "two.example:7777", "three.example:7777"

Told: TypeAlias = Callable[..., tuple[object, str, str]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Told:
    """Run `heat-server fleet`: exit status, output, errors."""

    def run(store: object, *words: str) -> tuple[object, str, str]:
        capfd.readouterr()  # what was logged before
        monkeypatch.setattr(sys, "argv", ["heat-server", "--store", str(store), "fleet", *words])
        with pytest.raises(SystemExit) as exited:
            main()
        return exited.value.code, *capfd.readouterr()

    return run


def joined(fleet: Fleet, address: str) -> PostgresStore:
    store = fleet.join()
    store.renew(LOAD._replace(address=address))
    return store


def silence(fleet: Fleet, address: str, seconds: int) -> None:
    """Let a server's last renewal be so old."""
    fleet.execute(
        f"UPDATE heat.servers SET renewed_at = now() - interval '{seconds} s',"
        f" lease_until = now() - interval '{seconds - 6} s' WHERE address = '{address}'"
    )


def seen(store: PostgresStore) -> FleetStatus:
    status = store.fleet_status()
    assert status is not None
    return status


def test_each_server_is_listed_with_its_open_rooms_and_what_nobody_owns_is_counted(fleet: Fleet) -> None:
    one, two = joined(fleet, ONE), joined(fleet, TWO)
    one.write([room("m1", code="AAAAA"), room("m2", code="BBBBB"), room("m3", code="CCCCC")])
    one.write([CloseMatch("m3", "ended", "done")])
    two.write([room("m4", code="DDDDD")])
    status = seen(one)
    assert [(server.address, server.rooms, server.connections) for server in status.servers] == [
        (ONE, 2, 5),
        (TWO, 1, 5),
    ]
    assert {(server.version, server.rules, server.state) for server in status.servers} == {
        (program_version(), RULES_VERSION, "running")
    }
    assert all(0 <= server.renewed_seconds_ago < 60 for server in status.servers)
    assert (status.running, status.rooms, status.rooms_without_owner, status.connections) == (2, 3, 0, 10)
    two.close()  # as one that is stopped does
    status = seen(one)
    assert [server.address for server in status.servers] == [ONE]
    assert (status.running, status.rooms, status.rooms_without_owner, status.connections) == (1, 3, 1, 5)
    one.claim()
    assert (seen(one).servers[0].rooms, seen(one).rooms_without_owner) == (3, 0)


def test_a_silent_server_is_gone_after_a_minute_and_forgotten_when_it_starts_again(fleet: Fleet) -> None:
    one, two = joined(fleet, ONE), joined(fleet, TWO)
    two.write([room("m1")])
    silence(fleet, TWO, 40)
    status = seen(one)
    assert [server.state for server in status.servers] == ["running", "silent"]
    assert 40 <= status.servers[1].renewed_seconds_ago < 50
    assert (status.running, status.rooms_without_owner, status.connections) == (1, 1, 5)
    silence(fleet, TWO, 61)
    assert [server.state for server in seen(one).servers] == ["running", "gone"]
    fleet.join()  # it has no address of its own before its first renewal
    fleet.execute("UPDATE heat.servers SET address = '' WHERE address = 'a.example:7777'")
    assert len(seen(one).servers) == 2
    joined(fleet, TWO)
    assert [(server.state, server.rooms) for server in seen(one).servers] == [("running", 0)] * 2
    assert seen(one).rooms_without_owner == 1, "until one of them takes it"


def test_who_died_is_not_listed_again_when_its_successor_stops(fleet: Fleet) -> None:
    dead, watching = joined(fleet, ONE), joined(fleet, TWO)
    dead.write([room("m1")])
    silence(fleet, ONE, 70)
    successor = joined(fleet, ONE)
    successor.write([room("m2", code="BBBBB")])
    successor.close()
    status = seen(watching)
    assert [(server.address, server.rooms) for server in status.servers] == [(ONE, 1), (TWO, 0)]
    assert watching.claim(), "who still has rooms stays until they are taken over"
    assert [server.rooms for server in seen(watching).servers] == [0, 2]
    joined(fleet, ONE).close()
    assert [server.address for server in seen(watching).servers] == [TWO]


def test_a_server_that_is_drained_runs_and_takes_no_rooms(fleet: Fleet, told: Told) -> None:
    one, two = joined(fleet, ONE), joined(fleet, TWO)
    one.write([room("m1")])
    one.renew(LOAD._replace(address=ONE, is_draining=True))
    status = seen(two)
    assert [(server.state, server.rooms) for server in status.servers] == [("draining", 1), ("running", 0)]
    assert (status.running, status.draining, status.rooms_without_owner, status.connections) == (1, 1, 0, 10)
    code, output, _ = told(fleet.url.text)
    assert code == 0
    assert output.splitlines()[1].endswith("draining")
    assert "running   1 of 2 servers, 1 draining\n" in output
    silence(fleet, ONE, 10)
    silence(fleet, TWO, 10)
    assert [server.state for server in seen(one).servers] == ["silent"] * 2
    two.renew(LOAD._replace(address=TWO, is_draining=True))
    assert told(fleet.url.text)[0] == 0, "it runs"


def test_the_table_has_a_line_for_each_server_and_the_totals() -> None:
    noon_ms = 1_778_328_000_000
    servers = [
        FleetServer(ONE, "0.3.0", 2, 1204, 61, noon_ms, 1.25, "running"),
        FleetServer(TWO, "0.3.0", 2, 3, 7, noon_ms, 9.6, "silent"),
    ]
    lines = fleet_text(FleetStatus(servers, 1, 0, 1209, 5, 61), UTC).splitlines()
    assert " ".join(lines[0].split()) == "server version rules rooms connections since renewed state"
    assert lines[1:3] == [
        "one.example:7777  0.3.0    2      1,204  61           2026-05-09 12:00  1.2 s ago  running",
        "two.example:7777  0.3.0    2      3      -            2026-05-09 12:00  9.6 s ago  silent for 10 s",
    ]
    assert lines[3:] == [
        "",
        "running   1 of 2 servers",
        "rooms     1,209, 5 without an owner",
        "network   61 connections",
    ]
    gone = FleetServer("\x1b[2Jx:1", "0.3.0", 2, 0, 7, noon_ms, 90_061.0, "gone")
    line = fleet_text(FleetStatus([gone], 0, 0, 0, 0, 0), UTC).splitlines()[1]
    assert line.endswith("1 day 1:01:01 ago  gone")
    assert "\x1b" not in line


def test_an_address_of_two_servers_is_named_unless_one_of_them_has_died(fleet: Fleet) -> None:
    joined(fleet, ONE)
    two = joined(fleet, ONE)
    trouble = f"trouble   2 servers have the address {ONE}; give each its own (--announce)"
    assert fleet_text(seen(two)).splitlines()[-1] == trouble
    fleet.execute("UPDATE heat.servers SET renewed_at = now() - interval '4 s'")
    two.renew(LOAD._replace(address=ONE))
    assert "trouble" not in fleet_text(seen(two))


def test_the_command_reads_the_database_beside_its_servers_without_codes(fleet: Fleet, told: Told) -> None:
    one = joined(fleet, ONE)
    one.write([room("m1", code="AAAAA")])
    code, output, errors = told(fleet.url.text)
    assert (code, errors) == (0, "")
    assert output.splitlines()[1].split()[:5] == [ONE, program_version(), str(RULES_VERSION), "1", "5"]
    assert output.splitlines()[3:] == fleet_text(seen(one)).splitlines()[3:]
    code, listed, errors = told(fleet.url.text, "--json")
    assert (code, errors) == (0, "")
    assert msgspec.json.decode(listed, type=FleetStatus).servers[0].address == ONE
    for secret in ("AAAAA", "m1", one._leases.server, "heat@"):
        assert secret not in output + listed


def test_the_exit_status_is_1_without_a_running_server_or_a_database(
    fleet: Fleet, told: Told, tmp_path: Path
) -> None:
    none = "heat-server: no server runs: none has renewed its lease in time\n"
    joined(fleet, ONE)
    silence(fleet, ONE, 30)
    code, output, errors = told(fleet.url.text)
    assert (code, errors) == (1, none)
    assert "silent for 3" in output
    fleet.execute("DELETE FROM heat.servers")
    assert told(fleet.url.text) == (
        1,
        "running   0 of 0 servers\nrooms     0, 0 without an owner\nnetwork   0 connections\n",
        none,
    )
    code, output, errors = told(f"postgresql://heat@/heat?host={tmp_path}")
    assert (code, output) == (1, "")
    assert errors == "heat-server: postgresql://heat@/heat: nothing answers at its socket\n"


def test_a_store_in_a_file_has_one_server(tmp_path: Path, told: Told) -> None:
    path = tmp_path / "store.db"
    with open_store(path):
        assert told(path) == (0, f"{ONE_SERVER}\n", "")
        assert told(path, "--json") == (0, "null\n", "")
