"""Addresses, the networks that limits count by, and lists of them as people write them."""

from __future__ import annotations

from ipaddress import ip_address
from math import inf

import pytest

from heat_server.networks import (
    BadNetwork,
    Home,
    NetworkTable,
    homes_of,
    is_within,
    parse_address_limits,
    parse_network,
    parse_networks,
    peer_name,
)


@pytest.mark.parametrize(
    ("address", "peer"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("::1", "::/64"),
    ],
)
def test_a_peer_is_an_ipv4_address_or_a_64_network(address: str, peer: str) -> None:
    assert peer_name(ip_address(address)) == peer


def test_a_list_of_networks_has_an_ipv6_address_for_itself_alone() -> None:
    """Whom a server trusts: the neighbours of a proxy in its /64 can be anybody."""
    table = parse_networks("2001:db8:1:2::9, 192.0.2.7, ::ffff:192.0.2.8, 2001:db8:2::/48")
    for address in ("2001:db8:1:2::9", "192.0.2.7", "192.0.2.8", "2001:db8:2:3::4"):
        assert table.find(address), address
    for address in ("2001:db8:1:2::8", "2001:db8:1:2::/64", "192.0.2.9", "2001:db8:3::1"):
        assert not table.find(address), address


def test_a_peer_is_counted_in_its_networks() -> None:
    assert homes_of("192.0.2.7") == (Home("192.0.2.7", 1),)
    assert homes_of("2001:db8:1:234::/64") == (
        Home("2001:db8:1:234::/64", 1),
        Home("2001:db8:1:200::/56", 2),
        Home("2001:db8:1::/48", 4),
    )
    assert homes_of("some test") == (Home("some test", 1),)
    assert homes_of("") == ()
    assert is_within("2001:db8:1:299::/64", homes_of("2001:db8:1:234::/64")[1])
    assert not is_within("2001:db8:1:299::/64", homes_of("2001:db8:1:234::/64")[0])
    assert not is_within("", Home("192.0.2.7", 1))


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        (" 10.0.0.0/8 ", "10.0.0.0/8"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
        ("::ffff:0:0/96", "0.0.0.0/0"),
        ("2001:db8::/48", "2001:db8::/48"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::1", "::/64"),
    ],
)
def test_networks_are_read(text: str, network: str) -> None:
    assert str(parse_network(text)) == network


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not an address or network"),
        ("router.example", "not an address or network"),
        ("192.0.2.7:7777", "not an address or network"),
        ("192.0.2.300", "not an address or network"),
        ("192.0.2.7/24", "192.0.2.0/24 is the whole network"),
        ("fe80::1%eth0/64", "not an address or network|whole network"),
    ],
)
def test_what_is_no_network_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadNetwork, match=reason):
        parse_network(text)
    with pytest.raises(BadNetwork):
        parse_networks(f"192.0.2.1, {text}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("192.0.2.7", "not a limit such as"),
        ("192.0.2.7=", "from 1 to 1000, or off"),
        ("192.0.2.7=0.5", "from 1 to 1000, or off"),
        ("192.0.2.7=nan", "from 1 to 1000, or off"),
        ("192.0.2.7=-1", "from 1 to 1000, or off"),
        ("x=5", "not an address or network"),
        ("192.0.2.7=5,", "not a limit such as"),
    ],
)
def test_what_is_no_limit_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadNetwork, match=reason):
        parse_address_limits(text)


def test_the_narrowest_network_counts() -> None:
    limits = parse_address_limits("0.0.0.0/0=2, 10.0.0.0/8=off, 10.1.0.0/16=3, 2001:db8::/32=4")
    for peer, factor in {
        "192.0.2.7": 2,
        "10.9.9.9": inf,
        "10.1.9.9": 3,
        "2001:db8:1:2::/64": 4,
        "2001:db9::/64": None,
        "": None,
        "some test": None,
    }.items():
        assert limits.find(peer) == factor


def test_a_table_forgets_what_is_removed() -> None:
    table = NetworkTable([(parse_network("10.0.0.0/8"), "why")])
    assert table.find("10.1.1.1") == "why"
    assert not table.remove(parse_network("10.1.0.0/16"))
    assert table.remove(parse_network("10.0.0.0/8"))
    assert table.find("10.1.1.1") is None
    assert list(table) == []
