"""By which numbers others reach a server, as its machine says."""

from __future__ import annotations

import ifaddr
import pytest

from heat_server.listening import hosts_of


def test_a_server_with_an_address_of_its_own_is_reached_there() -> None:
    assert hosts_of([("192.0.2.7", 7777), ("fe80::1%eth0", 7777)]) == ["192.0.2.7", "fe80::1"]


def test_a_system_that_does_not_list_its_addresses_keeps_no_server_from_starting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> list[ifaddr.Adapter]:
        raise OSError("not permitted")

    monkeypatch.setattr(ifaddr, "get_adapters", refuse)
    assert hosts_of([("0.0.0.0", 7777)]) == []
