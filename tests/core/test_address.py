"""Addresses as people type them."""

import pytest

from heat_core.wire.address import Address, BadAddress, parse_address


@pytest.mark.parametrize(
    ("typed", "host", "port"),
    [
        ("host", "host", 7777),
        ("host:80", "host", 80),
        (" host:7778 ", "host", 7778),
        ("192.168.1.20", "192.168.1.20", 7777),
        ("a-b.example.org:65535", "a-b.example.org", 65535),
        ("[::1]:7777", "::1", 7777),
        ("[::1]", "::1", 7777),
        ("::1", "::1", 7777),
        ("fe80::1:2", "fe80::1:2", 7777),
        ("[fe80::1%eth0.1]:80", "fe80::1%eth0.1", 80),
        ("heat://host:7778", "host", 7778),
        (" HEAT://host:7778/ ", "host", 7778),
        ("heat://host", "host", 7777),
        ("heat://[::1]:7778", "::1", 7778),
    ],
)
def test_addresses(typed: str, host: str, port: int) -> None:
    address = parse_address(typed)
    assert address == Address(host, port)
    assert parse_address(str(address)) == address


FINGERPRINT = "Abc-_123456789012345xY"


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("tls://host", Address("host", is_tls=True)),
        (" TLS://host:80/ ", Address("host", 80, is_tls=True)),
        ("tls://[::1]:80", Address("::1", 80, is_tls=True)),
        (f"tls://host:80#{FINGERPRINT}", Address("host", 80, is_tls=True, fingerprint=FINGERPRINT)),
        (f"tls://::1#{FINGERPRINT}", Address("::1", 7777, is_tls=True, fingerprint=FINGERPRINT)),
    ],
)
def test_addresses_of_servers_that_encrypt(typed: str, address: Address) -> None:
    assert parse_address(typed) == address
    assert parse_address(address.invitation) == address
    assert parse_address(str(address)) == address._replace(fingerprint="")
    assert FINGERPRINT not in str(address)


@pytest.mark.parametrize(
    ("typed", "port"),
    [("host", 8000), ("host:80", 80), ("[::1]", 8000), ("::1", 8000), ("heat://host", 8000)],
)
def test_the_port_that_an_address_lacks_can_be_another_than_the_usual_one(typed: str, port: int) -> None:
    assert parse_address(typed, 8000).port == port


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "host:",
        "host:99999",
        "host:0",
        "host:-1",
        "host:abc",
        "host:7.5",
        ":7777",
        "[::1",
        "[::1]x",
        "[::1]:",
        "[host]:7777",
        "[]:7777",
        ":::1",
        "a b",
        "a..b",
        "http://host",
        "heat://",
        "tls://",
        "tls://#Abc-_123456789012345xY",
        "tls://host#",
        "tls://host#short",
        "tls://host#Abc-_123456789012345x\n",
        "tls://host#Abc-_123456789012345xY K7QX4",
        "tls://heat://host",
        "host#Abc-_123456789012345xY",
        "heat:///",
        "heat://heat://host",
        "heat://host/room",
        "host/",
        "user@host",
        "ho\x1bst",
        "host:٣",
        "::1%",
        "[fe80::1%\x1b[2J]:7777",
        "fe80::1%eth0\nhost",
        "fe80::1%\u202eeth0",
        "fe80::1%eth0 -x",
        "x" * 300,
    ],
)
def test_what_is_no_address_is_told_in_one_harmless_line(typed: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(typed)
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 130
