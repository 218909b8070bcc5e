"""What counts as one address, and how failures are counted."""

from __future__ import annotations

import pytest

from heat_core.wire.ip_numbers import number_of
from heat_tui.doors.entrance import address_of
from heat_tui.doors.tries import Tries


@pytest.mark.parametrize(
    ("host", "number", "address"),
    [
        ("192.0.2.7", "192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::1", "fe80::/64"),
        ("::1", "::1", "::/64"),
    ],
)
def test_a_household_is_one_address(host: str, number: str, address: str) -> None:
    assert str(number_of(host)) == number
    assert address_of(host) == address


def test_failures_count_for_a_while_and_for_their_own_only() -> None:
    now = 0.0
    tries = Tries(3, 60.0, clock=lambda: now)
    for moment in (0.0, 20.0):
        now = moment
        tries.note("ana")
    assert not tries.are_too_many("ana")
    tries.note("ana")
    assert tries.are_too_many("ana")
    assert not tries.are_too_many("ben")
    now = 60.5  # the first is forgotten
    assert not tries.are_too_many("ana")
    tries.note("ana")
    assert tries.are_too_many("ana")


def test_a_flood_of_names_takes_no_memory() -> None:
    tries = Tries(3, 60.0)
    for number in range(20_000):
        tries.note(str(number))
    assert len(tries._failed) == 10_000
