"""Who may come in, and how many files the system lets us open."""

from __future__ import annotations

import resource
import subprocess
import sys
from ipaddress import ip_address

import pytest
import trio
from trio.testing import MockClock

from heat_server.config import ServerConfig
from heat_server.net import admission as admission_module
from heat_server.net.admission import Admission
from heat_server.networks import IPV6_WIDTHS, NetworkTable, parse_network, peer_name
from tests.server.support import House, HungUp


def codes(admission: Admission, peer: str, times: int, now: float = 0) -> list[str | None]:
    answers = [admission.enter(peer, now) for _ in range(times)]
    return [None if answer is None else str(answer.code) for answer in answers]


def test_one_address_may_have_so_many_connections_and_others_go_on() -> None:
    admission = Admission(ServerConfig(connections_per_address=2))
    assert codes(admission, "a", 3) == [None, None, "bye/address_full"]
    assert codes(admission, "b", 1) == [None]
    admission.leave("a")
    assert codes(admission, "a", 1) == ["bye/address_full"]
    admission.leave("a")
    admission.leave("a")
    assert codes(admission, "a", 1) == [None]


def test_one_address_may_come_so_often_in_a_minute() -> None:
    admission = Admission(ServerConfig(hellos_per_minute=60))
    for _ in range(60):
        assert admission.enter("a", 0.0) is None
        admission.leave("a")
    assert codes(admission, "a", 1) == ["bye/too_often"]
    assert codes(admission, "b", 1) == [None]
    assert codes(admission, "a", 2, now=1.0) == [None, "bye/too_often"]


def peers_within(width: int, count: int) -> list[str]:
    """Name addresses of one IPv6 network, as far from each other as the next narrower ones."""
    step = {64: 0, 56: 1, 48: 0x100}[width]
    first = int(ip_address("2001:db8:1::1"))
    return [peer_name(ip_address(first + (number * step << 64))) for number in range(count)]


@pytest.mark.parametrize(("width", "factor"), IPV6_WIDTHS.items())
@pytest.mark.parametrize(
    ("config", "code"),
    [
        (ServerConfig(connections_per_address=3), "bye/address_full"),
        (ServerConfig(hellos_per_minute=3), "bye/too_often"),
    ],
)
def test_a_wider_ipv6_network_has_limits_of_its_own(
    width: int, factor: int, config: ServerConfig, code: str
) -> None:
    """Else who has a /48, as many customers have, comes as 65,536 different ones."""
    admission = Admission(config)
    answers = [admission.enter(peer, 0) for peer in peers_within(width, 3 * factor + 1)]
    assert answers[:-1] == [None] * 3 * factor
    assert answers[-1] is not None
    assert answers[-1].code == code
    assert codes(admission, "2001:db8:2::/64", 1) == [None]


@pytest.mark.parametrize("width", IPV6_WIDTHS)
def test_a_wider_ipv6_network_may_send_so_much_together(width: int) -> None:
    admission = Admission(ServerConfig(messages_per_address=10, messages_at_once=10))
    for number, peer in enumerate(peers_within(width, 10)):
        waits = [share.owe(10, 0) for share in admission.shares_of(peer, 0)]
        assert (max(waits) > 0) is (number >= IPV6_WIDTHS[width])


@pytest.mark.parametrize(
    ("limits", "peer", "most"),
    [
        ("192.0.2.7=5", "192.0.2.7", 10),
        ("192.0.2.7=5", "192.0.2.8", 2),
        ("192.0.2.0/24=5, 192.0.2.7=2.5", "192.0.2.7", 5),
        ("192.0.2.0/24=off", "192.0.2.7", 500),
        ("2001:db8:1::/48=5", "2001:db8:1:1::/64", 10),
        ("2001:db8:1:1::9=5", "2001:db8:1:1::/64", 10),
        ("2001:db8::/32=off", "2001:db8:1:1::/64", 500),
    ],
)
def test_limits_are_raised_and_lifted_for_named_addresses(limits: str, peer: str, most: int) -> None:
    admission = Admission(ServerConfig(connections_per_address=2, address_limits=limits))
    answers = codes(admission, peer, 500)
    assert answers == [None] * most + ["bye/address_full"] * (500 - most)
    assert (admission.shares_of(peer, 0) == ()) is (most == 500)
    admission = Admission(
        ServerConfig(hellos_per_minute=2, address_limits=limits, connections_per_address=500)
    )
    assert codes(admission, peer, 500) == [None] * most + ["bye/too_often"] * (500 - most)


def test_who_is_banned_does_not_come_in() -> None:
    admission = Admission(ServerConfig(), NetworkTable([(parse_network("192.0.2.0/24"), "spam")]))
    assert codes(admission, "192.0.2.9", 1) == ["bye/banned"]
    assert codes(admission, "192.0.3.9", 1) == [None]
    assert codes(admission, "", 1) == [None]


def test_who_is_refused_again_and_again_is_soon_not_heard() -> None:
    admission = Admission(ServerConfig(hellos_per_minute=60))
    for peer, times in (("a", 180), ("b", 60), ("c", 100)):
        codes(admission, peer, times)
    assert [admission.is_unheard(peer, 0) for peer in "abcd"] == [True, False, False, False]
    assert not admission.is_unheard("a", 1.0)


def test_a_crowded_address_that_is_refused_again_and_again_is_not_heard_either() -> None:
    admission = Admission(ServerConfig(connections_per_address=2, hellos_per_minute=60))
    codes(admission, "a", 2 + 59)
    assert not admission.is_unheard("a", 0)
    codes(admission, "a", 1)
    assert admission.is_unheard("a", 0)


def test_what_is_remembered_of_addresses_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission_module, "MOST_REMEMBERED", 100)
    admission = Admission(ServerConfig())
    for number in range(1000):
        assert admission.enter(str(number), number / 10) is None
        admission.leave(str(number))
    assert len(admission._knocks) <= 100
    assert not admission._inside


@pytest.mark.trio
async def test_who_says_nothing_in_no_room_is_hung_up_on_and_who_is_in_a_room_is_not(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(idle_seconds=30, idle_lobby_seconds=100))
    silent, seated = await house.player(), await house.player()
    await seated.create()
    with pytest.raises(HungUp):
        await silent.wait_for(int)
    assert silent.bye is not None
    assert silent.bye.code == "bye/idle"
    assert trio.current_time() == pytest.approx(30, abs=0.1)
    with pytest.raises(HungUp):
        await seated.wait_for(int)  # the lobby is closed at 100, and the next look is at 120
    assert seated.bye is not None
    assert seated.bye.code == "bye/idle"
    assert trio.current_time() == pytest.approx(120, abs=0.1)


RAISE = """
import resource, sys
from heat_server.net.admission import raise_file_limit
print(raise_file_limit(int(sys.argv[1])), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "connections", "answer"),
    [(100, 300, 200, "None 300 300"), (100, 300, 1000, "236 300 300"), (40, 40, 21, "20 40 40")],
)
def test_the_limit_of_open_files_is_raised_to_what_the_system_allows(
    soft: int, hard: int, connections: int, answer: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RAISE, str(connections)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stdout.strip() == answer


def test_what_an_address_owes_is_not_paid_by_coming_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    admission = Admission(ServerConfig(messages_per_address=10, messages_at_once=5))
    admission.enter("a", 0)
    (share,) = admission.shares_of("a", 0)
    assert share.owe(105, 0) == 10
    admission.leave("a")
    admission.enter("a", 1)
    (again,) = admission.shares_of("a", 1)
    assert again.owe(0, 1) == 9
    monkeypatch.setattr(admission_module, "MOST_REMEMBERED", 100)
    for number in range(1000):
        (one,) = admission.shares_of(str(number), number / 10)
        one.owe(number % 2 * 1000, number / 10)
    assert len(admission._shares) <= 101
    assert admission.shares_of("a", 1) == (again,)  # who is inside is remembered whatever comes
