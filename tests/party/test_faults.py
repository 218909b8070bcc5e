"""What a fault of the card or a missing library does to a party: as little as can be."""

from __future__ import annotations

import asyncio
import os
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

import msgspec
import pytest

from heat_tui import installation
from heat_tui.doors.guest_folders import GuestFolders
from heat_tui.doors.house import House
from heat_tui.doors.news import News, Way
from heat_tui.doors.running import PortInUse
from heat_tui.hosting import HostedServer, HostingFailed
from heat_tui.party import card, doors, doors_process
from heat_tui.party import party as party_module
from heat_tui.party.messages import FromDoors, NotOpen, OpenDoors, SshOpen
from heat_tui.party.party import Party
from heat_tui.party.screen import CardWish
from heat_tui.party.wish import DoorsOpen
from tests.tui.support_app import folders_in, until
from tests.tui.support_party import HOSTS, OPEN, WISH

pytestmark = pytest.mark.asyncio

FAULT: Final = "The doors have closed because of a fault; they are opened again."


async def play() -> bool:
    return True


@pytest.mark.parametrize(
    ("wishes", "is_ended", "faults"),
    [
        ([None, "play", "end"], True, 1),
        ([None, None, "end"], True, 2),
        ([None, None, None], False, 3),
    ],
)
async def test_a_card_that_fails_is_shown_anew_until_that_is_of_no_use(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wishes: list[CardWish | None],
    is_ended: bool,
    faults: int,
) -> None:
    party = Party(WISH, HOSTS, tmp_path)

    async def show(*_: object) -> CardWish | None:
        return wishes.pop(0)

    monkeypatch.setattr(card, "_show_card", show)
    assert await card.show_cards(party, play, folders=folders_in(tmp_path), animate=False) is is_ended
    told = [one.text for one in party.happened]
    assert told == ["The card had a fault and is shown again; no race was affected."] * faults
    assert not wishes


async def test_the_lines_are_printed_whole_and_unboxed_until_enter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    party = Party(WISH, HOSTS, tmp_path)
    party.doors, party.code = OPEN, "K7QX4"
    wishes: list[CardWish] = ["lines", "end"]

    async def show(*_: object) -> CardWish | None:
        return wishes.pop(0)

    monkeypatch.setattr(card, "_show_card", show)
    reading, writing = os.pipe()
    os.write(writing, b"\n")
    os.close(writing)
    with os.fdopen(reading) as typed:
        monkeypatch.setattr("sys.stdin", typed)
        assert await card.show_cards(party, play, folders=folders_in(tmp_path), animate=False)
    printed = capsys.readouterr().out.splitlines()
    assert all(way.line in printed for way in party.ways)
    assert any(line.startswith("ssh: password kqtm-7w3x; ") for line in printed)
    assert any("without uv, type pip install" in line for line in printed)


async def test_a_signal_that_ends_the_hosts_client_ends_the_party(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def show(*_: object) -> CardWish | None:
        return "play"

    async def ended() -> bool:
        return False

    monkeypatch.setattr(card, "_show_card", show)
    party = Party(WISH, HOSTS, tmp_path)
    assert await card.show_cards(party, ended, folders=folders_in(tmp_path), animate=False)


async def test_doors_that_never_open_are_given_up_and_the_file_that_says_why_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "RESTART_SECONDS", 0)
    told: list[str] = []
    stands: list[DoorsOpen] = []

    def hear(open_: DoorsOpen, news: News | None) -> None:
        stands.append(open_)
        told.append("" if news is None else news.text)

    output = tmp_path / "doors.out"
    process = doors.PartyDoors(output, hear, "heat_tui.no_such_module")
    process.start(OpenDoors("127.0.0.1", "127.0.0.1:1", "no.sock", (1,), (1,), None, None))
    await process.ready()
    await process.end()
    assert "No module named heat_tui.no_such_module" in output.read_text()
    assert [text for text in told if text] == [FAULT, told[-1]], "the same fault again is no news"
    assert told[-1] == f"The doors do not open; {output} says why."
    assert stands[-1].closed == (("ssh", told[-1]), ("web", told[-1]))


async def test_doors_that_cannot_be_started_are_tried_again_and_given_up_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "RESTART_SECONDS", 0)
    monkeypatch.setattr(doors, "READY_SECONDS", 2)
    told: list[str] = []
    process = doors.PartyDoors(
        tmp_path / "no folder" / "doors.out", lambda stands, news: told.append(news.text if news else "")
    )
    process.start(OpenDoors("127.0.0.1", "127.0.0.1:1", "no.sock", (1,), (1,), None, None))
    await process.ready()
    await process.end()
    assert told == [FAULT, "", "", "The doors do not open: No such file or directory."]


async def test_a_server_that_cannot_be_started_again_is_told_of_once_and_tried_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seconds in ("LOOK_SECONDS", "RESTART_SECONDS"):
        monkeypatch.setattr(party_module, seconds, 0)
    party = Party(WISH, HOSTS, tmp_path)
    party._server = cast(HostedServer, SimpleNamespace(has_ended=lambda: True, socket=tmp_path / "no.sock"))
    faults = [OSError("no memory"), OSError("no memory"), HostingFailed("no port"), OSError("no memory")]

    async def start() -> None:
        if faults:
            raise faults.pop(0)
        party._server = cast(
            HostedServer, SimpleNamespace(has_ended=lambda: False, socket=tmp_path / "no.sock")
        )

    monkeypatch.setattr(party, "_start_server", start)
    following = asyncio.create_task(party._follow())
    await until(lambda: following.done() or (party.happened and "is back" in party.happened[-1].text))
    following.cancel()
    told = [one.text for one in party.happened]
    assert told[1:-1] == ["no memory", "no port", "no memory"]


async def test_a_server_that_never_answers_its_operator_ends_the_party_with_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(party_module, "SOCKET_SECONDS", 0.1, raising=False)
    party = Party(WISH._replace(ssh=None, web=None), HOSTS, tmp_path)
    socket = tmp_path / ("x" * 120) / "server.sock"

    async def start() -> None:
        party._server = cast(HostedServer, SimpleNamespace(has_ended=lambda: False, socket=socket))

    monkeypatch.setattr(party, "_start_server", start)
    with pytest.raises(HostingFailed, match=f"does not answer at {socket}"):
        await asyncio.wait_for(party.open(), 2)


async def test_a_file_in_the_hosts_folder_is_no_part_of_the_doors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `http.py` in the folder where the host typed the line would be run, with the host's rights."""
    monkeypatch.setattr(doors, "RESTART_SECONDS", 0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stray.py").write_text("print('was run')")
    output = tmp_path / "doors.out"
    process = doors.PartyDoors(output, lambda stands, news: None, "stray")
    process.start(OpenDoors("127.0.0.1", "127.0.0.1:1", "no.sock", (1,), (1,), None, None))
    await process.ready()
    await process.end()
    assert "No module named stray" in output.read_text()


@pytest.mark.parametrize(("way", "library"), [("ssh", "asyncssh"), ("web", "aiohttp")])
async def test_a_door_whose_library_is_missing_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, library: str
) -> None:
    """The other door opens all the same: each says for itself why it does not."""
    said: list[FromDoors] = []
    monkeypatch.setattr(doors_process, "_say", said.append)
    monkeypatch.setattr(installation, "find_spec", lambda name: None if name == library else find_spec(name))
    opening = {"ssh": doors_process._open_ssh, "web": doors_process._open_web}[way]
    wish = OpenDoors("127.0.0.1", "127.0.0.1:1", str(tmp_path / "no.sock"), (1,), (1,), None, None)
    house = House(doors_process.house_settings(wish), GuestFolders(tmp_path), lambda news: None)
    door: Way = "ssh" if way == "ssh" else "web"
    await doors_process._open(door, (1, 2), lambda port: opening(house, wish, port, []))
    (told,) = said
    assert isinstance(told, NotOpen)
    assert told.way == way
    assert f"needs {library}, which is not installed. To install it: " in told.why


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        ((), SshOpen(2222, "")),
        ((2222, 2223), SshOpen(2224, "")),
        (
            (2222, 2223, 2224),
            NotOpen("ssh", "The ports 2222 to 2224 are all in use. Choose another with --ssh."),
        ),
    ],
)
async def test_a_door_opens_at_the_first_port_that_is_free(
    monkeypatch: pytest.MonkeyPatch, taken: tuple[int, ...], said: FromDoors
) -> None:
    """It is known only when the door opens: the host may have thought for a while about what to open."""
    told: list[FromDoors] = []
    monkeypatch.setattr(doors_process, "_say", told.append)

    async def opening(port: int) -> FromDoors:
        if port in taken:
            raise PortInUse(f"Port {port} is in use.")
        return SshOpen(port, "")

    await doors_process._open("ssh", (2222, 2223, 2224), opening)
    assert told == [said]


async def test_doors_that_are_opened_again_keep_their_ports() -> None:
    process = doors.PartyDoors(Path("no.out"), lambda stands, news: None)
    process._stands = DoorsOpen(ssh_port=2224, web_port=None)
    wish = OpenDoors("", "127.0.0.1:1", "no.sock", (2222, 2223, 2224), (8000, 8001), None, None)
    assert process._as_open(wish) == msgspec.structs.replace(wish, ssh=(2224,))
