"""Who is here, from what the doors and the server say."""

from __future__ import annotations

from heat_core.wire.operator import ConnectionInfo
from heat_tui.doors.news import GuestInside
from heat_tui.party.people import NOBODY_YET, people_of

NOW = 1_000.0
ANA = GuestInside(1, "Ana", "", "192.0.2.7", "no key", 100.0, "ssh")
BEN = GuestInside(2, "Ben", "", "192.0.2.7", "browser", 200.0, "web")


def connection(number: int, peer: str, name: str = "", *, is_by_door: bool = True) -> ConnectionInfo:
    room = "K7QX4" if name else ""
    return ConnectionInfo(number, peer, 300.0, 0.0, "heat-tui 1", room, name, is_by_door)


def test_guests_of_one_address_are_told_apart_by_their_names() -> None:
    found = people_of([ANA, BEN], [connection(5, "192.0.2.7", "Ben"), connection(6, "192.0.2.7", "Ana")], NOW)
    assert [(one.name, one.way, one.room, one.connection) for one in found] == [
        ("Ana", "ssh", "K7QX4", 6),
        ("Ben", "web", "K7QX4", 5),
    ]


def test_a_guest_who_races_under_another_name_is_shown_under_it_and_only_once() -> None:
    (anna,) = people_of([ANA], [connection(5, "192.0.2.7", "Anna")], NOW)
    assert (anna.name, anna.room, anna.guest) == ("Anna", "K7QX4", 1)


def test_a_guest_without_a_connection_is_here_in_no_room() -> None:
    (ana,) = people_of([ANA], [connection(5, "192.0.2.99", "Ana")], NOW)
    assert (ana.name, ana.room, ana.connection) == ("Ana", "", None)


def test_clients_of_their_own_are_listed_by_when_they_came() -> None:
    another = connection(5, "192.0.2.7", "Ana", is_by_door=False)
    found = people_of([ANA], [another, connection(6, "192.0.2.9")], NOW)
    assert [(one.name, one.way, one.since, one.guest) for one in found] == [
        ("Ana", "ssh", 100.0, 1),
        ("Ana", "heat-tui", 700.0, None),
    ]
    (nobody,) = people_of([], [connection(7, "192.0.2.8", is_by_door=False)], NOW)
    assert (nobody.name, nobody.room) == (NOBODY_YET, "")
