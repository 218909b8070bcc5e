"""The list of bans and its file."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from heat_server.net.bans import MOST_NOTE_CHARACTERS, BadBanList, BanList, ban_file_of
from heat_server.networks import parse_network


def told(bans: BanList) -> list[tuple[str, str]]:
    return [(str(network), note) for network, note in bans]


def test_bans_are_there_again_in_order_of_address(tmp_path: Path) -> None:
    path = ban_file_of(tmp_path / "races.sqlite3")
    assert path == tmp_path / "races.sqlite3.banned"
    bans = BanList(path)
    assert told(bans) == []
    assert not path.exists()
    bans.add(parse_network("2001:db8::/48"), "")
    bans.add(parse_network("192.0.2.9"), "floods")
    bans.add(parse_network("10.0.0.0/8"), "a # within")
    bans.add(parse_network("192.0.2.9"), "floods the chat")
    expected = [
        ("10.0.0.0/8", "a # within"),
        ("192.0.2.9/32", "floods the chat"),
        ("2001:db8::/48", ""),
    ]
    assert told(bans) == told(BanList(path)) == expected
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert bans.remove(parse_network("10.0.0.0/8"))
    assert not bans.remove(parse_network("10.0.0.0/8"))
    assert told(BanList(path)) == expected[1:]
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_somebody_wrote_is_read(tmp_path: Path) -> None:
    path = tmp_path / "banned"
    path.write_text(f"# friends of nobody\n\n 192.0.2.9\n10.0.0.0/8 #{'x' * 500}\n2001:db8::7#y\n")
    assert told(BanList(path)) == [
        ("10.0.0.0/8", "x" * MOST_NOTE_CHARACTERS),
        ("192.0.2.9/32", ""),
        ("2001:db8::/64", "y"),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"10.0.0.1\n10.0.0/8\n", "line 2: '10.0.0/8' is not an address"), (b"\xff", "not UTF-8 text")],
)
def test_a_damaged_file_is_refused_with_the_place(data: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "banned"
    path.write_bytes(data)
    with pytest.raises(BadBanList, match=f"{path}: {reason}"):
        BanList(path)
    with pytest.raises(BadBanList, match="directory"):
        BanList(tmp_path)


def test_a_ban_that_cannot_be_saved_holds_all_the_same(tmp_path: Path) -> None:
    bans = BanList(tmp_path / "no such folder" / "banned")
    with pytest.raises(FileNotFoundError):
        bans.add(parse_network("10.0.0.0/8"), "")
    assert bans.networks.find("10.1.2.3") is not None
    with pytest.raises(FileNotFoundError):
        bans.remove(parse_network("10.0.0.0/8"))
    assert bans.networks.find("10.1.2.3") is None
