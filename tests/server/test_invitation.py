"""What a server tells people to type, by the addresses that its machine has."""

from __future__ import annotations

import subprocess
import sys

import pytest

from heat_server.invitation import announced_address, line_for_fleet, line_for_friends
from heat_server.listening import Listening

EVERYWHERE = [("0.0.0.0", 7790), ("::", 7790)]


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        (None, None),
        ("my.place", "my.place:7790"),
        ("my.place:80", "my.place:80"),
        ("2001:db8::1", "[2001:db8::1]:7790"),
        ("heat://my.place", "my.place:7790"),
    ],
)
def test_an_announced_address_has_the_servers_port(given: str | None, whole: str | None) -> None:
    assert announced_address(given, Listening(EVERYWHERE, [])) == whole


@pytest.mark.parametrize(
    ("hosts", "line"),
    [
        (["192.0.2.7"], "friends type: heat-tui connect 192.0.2.7:7790"),
        (
            ["192.0.2.7", "127.0.0.1", "198.51.100.2"],
            "friends type: heat-tui connect 192.0.2.7:7790 or 198.51.100.2:7790",
        ),
    ],
)
def test_friends_type_an_address_that_others_can_reach(hosts: list[str], line: str) -> None:
    assert line_for_friends(None, Listening(EVERYWHERE, hosts)) == line


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1"]])
def test_without_a_network_a_line_says_what_to_set(hosts: list[str]) -> None:
    line = line_for_friends(None, Listening(EVERYWHERE, hosts))
    assert line.startswith("friends cannot connect: this machine has no network address")
    assert "--announce" in line
    assert "HOST:" not in line
    assert (
        line_for_friends("my.place:80", Listening(EVERYWHERE, hosts))
        == "friends type: heat-tui connect my.place:80"
    )


@pytest.mark.parametrize(
    ("address", "is_announced", "end"),
    [
        ("club.example:7777", True, "club.example:7777"),
        ("127.0.0.1:7701", True, "127.0.0.1:7701"),
        ("192.0.2.7:7777", False, "; if they reach this server by another address, set --announce"),
        (
            "127.0.0.1:7777",
            False,
            ", where only this machine can connect: set --announce to the address that players reach",
        ),
        (
            "tls://[::1]:7777#mZ4kq0vWb8Yd3nT1xR6sPg",
            False,
            "set --announce to the address that players reach",
        ),
    ],
)
def test_a_server_of_a_fleet_says_where_the_others_send_players(
    address: str, is_announced: bool, end: str
) -> None:
    line = line_for_fleet(address, is_announced=is_announced)
    assert line.startswith(f"the other servers send players to {address}")
    assert line.endswith(end)


def test_an_empty_host_is_refused_in_words() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "heat_server", "--host", ""], capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 2
    assert done.stderr.startswith("heat-server: --host: it is empty: give ADDRESS")
