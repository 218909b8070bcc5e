"""What a server knows of the others of its fleet: their lists of rooms, and which of them takes a room."""

from __future__ import annotations

import msgspec

from heat_core.race.rules_version import RULES_VERSION
from heat_core.wire.messages import RoomSummary
from heat_server.peers import Peers
from heat_server.store.ownership import Peer


def peer(address: str, connections: int, listed: bytes = b"") -> Peer:
    return Peer(address, connections, listed, 0, RULES_VERSION, is_draining=False)


def lobby(number: int) -> RoomSummary:
    return RoomSummary(f"R{number}", "lobby", "usa", 2, 6, 1, has_place=True, host="ana")


def test_what_another_version_lists_is_left_out() -> None:
    peers = Peers()
    peers.note("a.example", [peer("b.example", 7, b"\xc1"), peer("c.example", 5, b"\x91\x01"), peer("", 0)])
    assert peers.with_theirs(()) == ()
    assert (peers.addresses, peers.quietest) == (("a.example", "b.example", "c.example"), "c.example")


def test_the_more_servers_there_are_the_fewer_rooms_each_lists_for_the_others() -> None:
    own = tuple(map(lobby, range(300)))
    lengths = []
    for others in (0, 1, 3, 9, 49):
        peers = Peers()
        peers.note("a.example", [peer(f"{number}.example", 0) for number in range(others)])
        lengths.append(len(msgspec.msgpack.decode(peers.encode_listed(own))))
    assert lengths == [100, 100, 100, 40, 10]


def test_a_list_of_rooms_changes_with_that_of_one_server() -> None:
    peers, there = Peers(), Peers()
    first, second = (there.encode_listed((lobby(number),)) for number in (1, 2))
    for lists, codes in (([first], ["R1"]), ([first, second], ["R1", "R2"]), ([second], ["R2"]), ([], [])):
        peers.note("a.example", [peer(f"{listed!r}.example", 0, listed) for listed in lists])
        assert sorted(room.code for room in peers.with_theirs(())) == codes


def test_rooms_go_to_the_quietest_server_that_can_take_them_and_count_there_at_once() -> None:
    others = Peers()
    assert (others.quietest, others.quietest_for_new, others.much_quieter(1_000)) == ("", "", "")
    peers_ = [peer("b.example", 5), peer("c.example", 7)]
    peers_.append(peer("d.example", 0)._replace(rules=RULES_VERSION + 1))
    peers_.append(peer("e.example", 0)._replace(is_draining=True))
    peers_.append(peer("f.example", 0)._replace(is_up=False))
    others.note("a.example", peers_)
    assert others.addresses == ("a.example", "b.example", "c.example", "d.example", "e.example")
    assert (others.others, others.draining, others.silent) == (4, 1, 1)
    assert (others.quietest_for_new, others.quietest_of_newer_rules) == (
        "d.example",
        ("d.example", RULES_VERSION + 1),
    )
    sent = [others.count_sent(3, others.quietest) for _ in range(3)]
    assert sent == ["b.example", "c.example", "b.example"]
    assert others.much_quieter(40) == ""
    assert others.much_quieter(41) == "c.example"
