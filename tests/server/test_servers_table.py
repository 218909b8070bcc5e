"""What the table `servers` refuses: all servers of a fleet read it, and their clients hear of it."""

from __future__ import annotations

import psycopg
import pytest

from heat_server.config import ServerConfig
from heat_server.invitation import announced_address
from heat_server.listening import Listening
from tests.server.fleets import LOAD, Fleet


@pytest.mark.parametrize(
    "nonsense",
    [
        "address = repeat('a', 1000000)",
        "address = 'a.example b.example'",
        r"address = E'a.example\x1b[2J'",
        "rooms = 9000000000000000000",
        "rooms = -1",
        "connections = -1",
        "listed = decode(repeat('c1', 2000000), 'hex')",
        "started_at = 'infinity'",
        "renewed_at = '-infinity'",
        "lease_until = 'infinity'",
    ],
)
def test_nonsense_about_a_server_is_refused(fleet: Fleet, nonsense: str) -> None:
    """It would be in each welcome of all servers, in codes of rooms, or in `heat-server fleet`."""
    fleet.join()
    with pytest.raises(psycopg.errors.CheckViolation):
        fleet.execute(f"UPDATE heat.servers SET {nonsense}")


def test_the_longest_address_that_a_server_can_announce_is_taken(fleet: Fleet) -> None:
    announce = f"tls://{'a' * 253}:65535#{'f' * 22}"
    address = announced_address(ServerConfig(announce=announce).announce, Listening([("::", 7777)], []))
    assert address == announce
    store = fleet.join()
    store.renew(LOAD._replace(address=address))
    (peer,) = fleet.join().peers()
    assert peer.address == announce
