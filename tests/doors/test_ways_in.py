"""Who comes in by ssh, as whom, and to what: the door with logins that repeat what they are given."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterable
from pathlib import Path

import asyncssh
import pytest

from heat_core.wire.address import Address
from heat_tui.client.session_file import SavedSession, create_session_file
from heat_tui.doors import guest_folders, visitor
from tests.doors.support import PASSWORD, Guest, KeyOrPair, OpenDoor, connected, guest, open_door
from tests.tui.support_app import folders_in, until

pytestmark = pytest.mark.asyncio

ANAS, BENS = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))


@pytest.fixture(autouse=True)
def _answer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor, "_WRONG_SECONDS", 0.0)


async def begun(who: Guest) -> Guest:
    await who.shows("facts ")
    return who


@pytest.mark.spec("DOOR-1.1")
async def test_the_login_name_is_the_drivers_and_the_room_is_behind_a_plus(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        for username, command, name, code in (
            ("ana", None, "ana", ""),
            ("ana+K7QX4", None, "ana", "K7QX4"),
            ("ana", "K7QX4", "ana", "K7QX4"),
            ("Zoë", None, "Zoë", ""),
            ("c++", None, "c++", ""),
        ):
            async with guest(door, username, command=command) as who:
                facts = (await begun(who)).facts
                assert (facts["name"], facts["code"]) == (name, code)
                assert facts["server"] == "127.0.0.1:1"
                who.press("quit 3\r")
                assert await who.ends() == 3


@pytest.mark.parametrize("password", [PASSWORD, None])
async def test_a_line_that_is_typed_as_it_stands_asks_for_the_name(
    tmp_path: Path, password: str | None
) -> None:
    given = () if password is None else (password,)
    async with open_door(tmp_path, password=password) as door:
        async with guest(door, "NAME+K7QX4", (" zoë ", *given)) as who:
            facts = (await begun(who)).facts
            assert (facts["name"], facts["code"]) == ("zoë", "K7QX4")
        async with guest(door, "NAME", ("", *given)) as who:
            assert await who.ends() == 1
            assert "Log in as NAME" in who.text
    async with open_door(tmp_path, keys=[ANAS]) as door, guest(door, "NAME+K7QX4", keys=[ANAS]) as who:
        assert await who.ends() == 1
        assert f"ssh -t -p {door.port} ana+K7QX4@127.0.0.1" in who.text


@pytest.mark.parametrize("username", ["a" * 17, "\u202eana", "ana\x1b[2J", "\x07", " ", "ana+NO CODE"])
async def test_a_name_that_cannot_be_shown_is_refused_in_words_without_it(
    tmp_path: Path, username: str
) -> None:
    async with open_door(tmp_path) as door:
        try:
            async with guest(door, username) as who:
                assert await who.ends() == 1
        except (asyncssh.Error, ValueError):
            pass  # SSH's own rule for names refused it before
        else:
            assert "Log in as NAME" in who.text
            assert username == " " or username not in who.text
        assert not any("came in" in line for line in door.told)
        assert all(line.isprintable() for line in door.told)


async def test_without_a_terminal_the_line_to_type_is_the_answer(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        for username, command, line in (
            ("ana", None, f"ssh -t -p {door.port} ana@127.0.0.1"),
            ("ana+K7QX4", None, f"ssh -t -p {door.port} ana+K7QX4@127.0.0.1"),
            ("ana", "K7QX4", f"ssh -t -p {door.port} ana+K7QX4@127.0.0.1"),
            ("ana b", "K7QX4", f"ssh -t -p {door.port} 'ana b+K7QX4'@127.0.0.1"),
            ("ana", "rm -rf /; \x1b[2J", f"ssh -t -p {door.port} NAME@127.0.0.1"),
        ):
            async with connected(door, username) as (connection, _):
                answer = await connection.run(command, stdin=asyncssh.DEVNULL, encoding="utf-8")
                assert answer.exit_status == 1
                assert answer.stdout == f"heat-tui: this needs a terminal. Type: {line}\r\n"


@pytest.mark.spec("DOOR-1.2")
async def test_there_is_no_shell_no_file_and_no_forwarding(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, connected(door, "ana") as (connection, _):
        with pytest.raises(asyncssh.Error):
            await connection.start_sftp_client()
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection("127.0.0.1", door.port)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_unix_connection("/tmp/x")
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_port("", 0, "127.0.0.1", 1)
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_path(str(tmp_path / "socket"), str(tmp_path / "other"))
        assert "socket" not in os.listdir(tmp_path)
    async with open_door(tmp_path) as door, connected(door, "ana") as (connection, _):
        copied = await connection.run("scp -t /tmp", stdin=asyncssh.DEVNULL, encoding="utf-8")
        assert copied.exit_status == 1
    async with open_door(tmp_path) as door, guest(door, "ana", command="/bin/sh") as who:
        assert await who.ends() == 1
        assert "letters and digits only" in who.text


async def test_a_connection_has_one_login(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door, connected(door, "ana") as (connection, _):
        await connection.create_process(term_type="xterm", encoding=None)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process(term_type="xterm", encoding=None)


async def test_a_login_takes_nothing_of_the_host_along(tmp_path: Path) -> None:
    asked = {
        "LANG": "de_DE.UTF-8", "LC_ALL": "\x1b[2J", "COLORTERM": "truecolor", "NO_COLOR": "1",
        "PATH": "/tmp", "LD_PRELOAD": "/tmp/x.so", "TEXTUAL_DRIVER": "os:system", "HEAT_TRACKS": "/etc",
        "PYTHONPATH": "/tmp", "HEAT_TUI_PLAIN": "1", "HOME": "/root",
    }  # fmt: skip
    async with open_door(tmp_path) as door:
        async with guest(door, "ana", environment=asked) as who:
            facts = (await begun(who)).facts
            assert facts["environment"] == {
                "TERM": "xterm-256color", "LANG": "de_DE.UTF-8", "COLORTERM": "truecolor", "NO_COLOR": "1",
                "HOME": facts["folder"], "HEAT_TRACKS": "tracks", "USER": "ana",
                "LOGNAME": "ana",
            }  # fmt: skip
            assert Path(facts["folder"]).parent == tmp_path / "guests"
            assert stat.S_IMODE(os.stat(facts["folder"]).st_mode) == 0o700
            assert facts["open"] == ["0", "1", "2", "3"]  # the last lists the others
            assert facts["leads"]
            assert facts["core"] == 0
        async with guest(door, "ana", (PASSWORD, ""), term="\x1b]0;x\x07") as who:
            assert (await begun(who)).facts["environment"]["TERM"] == "dumb"


async def test_who_has_no_cursor_or_reads_by_ear_plays_in_lines(tmp_path: Path) -> None:
    async with open_door(tmp_path, password=None) as door:
        for term, environment, is_plain in (
            ("xterm", {}, False),
            ("dumb", {}, True),
            ("xterm", {"ACCESSIBLE": "1"}, True),
            ("xterm", {"ACCESSIBLE": "0"}, False),
        ):
            async with guest(door, "ana", ("",), term=term, environment=environment) as who:
                assert (await begun(who)).facts["plain"] is is_plain


async def test_a_wrong_password_does_not_come_in_and_many_turn_the_address_away(tmp_path: Path) -> None:
    async with open_door(tmp_path, keys=[ANAS]) as door:
        for answers in ((), ("",), ("no",), (PASSWORD + "x",), (PASSWORD.upper(),)):
            with pytest.raises(asyncssh.Error):
                await _come_in(door, "ana", answers)
        with pytest.raises(asyncssh.Error):
            await _come_in(door, "ana", (), password="no")
        with pytest.raises(asyncssh.Error):
            await _come_in(door, "ana", (), keys=[BENS])
        await _come_in(door, "ana", (), password=PASSWORD)
        await _come_in(door, "ana", (), keys=[ANAS])
        await _come_in(door, "ben", (PASSWORD,))
        for _ in range(20):
            with pytest.raises((asyncssh.Error, OSError)):
                await _come_in(door, "ana", ("no",))
        with pytest.raises((asyncssh.Error, OSError)):
            await _come_in(door, "ben", (PASSWORD,))
        refused = [news.text for news in door.news if news.kind == "refused"]
        assert refused == ["127.0.0.1 is turned away for a while: too many wrong passwords."]


async def _come_in(
    door: OpenDoor,
    username: str,
    answers: tuple[str, ...],
    *,
    keys: Iterable[KeyOrPair] = (),
    password: str | None = None,
) -> dict[str, object]:
    async with guest(door, username, answers, keys=keys, password=password) as who:
        facts = (await begun(who)).facts
    await until(lambda: not door.house._inside)
    return facts


@pytest.mark.parametrize("password", [PASSWORD, None])
async def test_a_word_of_four_letters_finds_the_seat_again(tmp_path: Path, password: str | None) -> None:
    given = () if password is None else (password,)
    async with open_door(tmp_path, password=password) as door:
        first = await _come_in(door, "ana", given)
        word = str(first["word"])
        assert len(word) == 4
        again = await _come_in(door, "ana", (*given, word.upper()))
        assert again == first | {"open": ["0", "1", "2", "3"], "process": again["process"]}
        for name, typed in (("ana", ""), ("ben", word), ("ben", "")):
            other = await _come_in(door, name, (*given, typed))
            assert other["folder"] != first["folder"]
            assert other["word"] != word
            assert other["has_namesake"] is (typed == "")
    async with open_door(tmp_path, password=password) as door:  # the door was closed meanwhile
        assert (await _come_in(door, "ana", (*given, word)))["folder"] == first["folder"]


async def test_who_comes_in_as_somebody_new_reads_where_the_seat_may_be(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = Address(*silent.getsockname())
        async with open_door(tmp_path, server=server, with_client=True) as door:
            async with guest(door, "ana", term="dumb") as who:
                await who.shows("Your word is ")
                word = who.text.split("Your word is ")[1][:4]
                assert "has been here before" not in who.text
            await until(lambda: not door.house._inside)
            async with connected(door, "ana", (PASSWORD, "")) as (_, client):
                assert client.asked[-1].startswith("Word of ana")
                assert "a seat that you had is kept under them" in client.told[-1]
            for typed, is_told in (("", True), (word, False)):
                async with guest(door, "ana", (PASSWORD, typed), term="dumb") as who:
                    await who.shows(
                        "log in again and give it.\r\n" if is_told else "have your seat again.\r\n"
                    )
                await until(lambda: not door.house._inside)


async def test_words_cannot_be_found_by_trying(tmp_path: Path) -> None:
    async with open_door(tmp_path, password=None) as door:
        word = str((await _come_in(door, "ana", ()))["word"])
        for _ in range(20):
            with pytest.raises(asyncssh.Error):
                await _come_in(door, "ana", ("no",))
        with pytest.raises(asyncssh.Error):
            await _come_in(door, "ana", (word,))


async def test_a_key_finds_its_folder_again_under_any_name(tmp_path: Path) -> None:
    """Where the host's list has it or the door is open it is enough; else the password goes with it."""
    for number, (keys, password, with_key) in enumerate(
        (
            ([ANAS, BENS], PASSWORD, ()),
            (None, None, ()),
            (None, PASSWORD, (PASSWORD,)),
            ([], PASSWORD, (PASSWORD,)),
        )
    ):
        async with open_door(tmp_path / str(number), keys=keys, password=password) as door:
            first = await _come_in(door, "ana", with_key, keys=[ANAS])
            assert first["word"] == ""
            assert (await _come_in(door, "Ana 2", with_key, keys=[ANAS]))["folder"] == first["folder"]
            assert (await _come_in(door, "ana", with_key, keys=[BENS]))["folder"] != first["folder"]
            given = () if password is None else (password,)
            assert (await _come_in(door, "ana", given))["folder"] != first["folder"]
            if with_key:
                by_password = await _come_in(door, "ana", (), keys=[ANAS], password=PASSWORD)
                assert by_password["folder"] == first["folder"]
                with pytest.raises(asyncssh.PermissionDenied):
                    await _come_in(door, "ana", ("no",), keys=[ANAS])


async def test_a_guest_offers_a_bounded_number_of_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "_MOST_KEYS", 1)  # it is offered, and then signed with
    async with open_door(tmp_path) as door:
        assert (await _come_in(door, "ana", (PASSWORD,), keys=[ANAS]))["word"]


async def test_a_key_comes_in_only_from_where_its_line_allows(tmp_path: Path) -> None:
    for address, comes_in in (("127.0.0.1", True), ("192.0.2.7", False)):
        line = f'from="{address}" {ANAS.export_public_key().decode()}'
        async with open_door(tmp_path, authorized=line) as door:
            try:
                await _come_in(door, "ana", (), keys=[ANAS])
            except asyncssh.PermissionDenied:
                assert not comes_in
            else:
                assert comes_in


@pytest.mark.parametrize("password", [None, PASSWORD])
@pytest.mark.parametrize("method", ["keyboard-interactive", "publickey"])
async def test_a_public_key_that_is_only_named_finds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, password: str | None
) -> None:
    """A thief names Ana's key, which anybody can know, signs wrongly, and comes in by another way."""
    anas, bens = asyncssh.load_keypairs([ANAS, BENS])
    monkeypatch.setattr(anas, "sign", bens.sign)
    given = () if password is None else (password,)
    async with open_door(tmp_path, password=password) as door:
        first = await _come_in(door, "ana", given, keys=[ANAS])
        keys = [anas, bens] if method == "publickey" else [anas]
        stolen = await _come_in(door, "ana", given, keys=keys)
        assert stolen["folder"] != first["folder"]
        assert bool(stolen["word"]) is (method == "keyboard-interactive")


async def test_the_newer_login_of_a_guest_plays_and_the_older_hears_why(tmp_path: Path) -> None:
    async with open_door(tmp_path, keys=[ANAS]) as door:
        async with guest(door, "ana", keys=[ANAS]) as older:
            await begun(older)
            async with guest(door, "ana", keys=[ANAS]) as newer:
                await begun(newer)
                assert await older.ends() == 129
                assert "You have logged in elsewhere." in older.text
                newer.press("hello\r")
                await newer.shows("heard 'hello'")


@pytest.mark.spec("DOOR-4.2")
async def test_a_full_door_says_so_and_an_address_has_its_share(tmp_path: Path) -> None:
    async with open_door(tmp_path, most_logins=2) as door:
        async with guest(door, "ana") as ana, guest(door, "ben") as ben, guest(door, "cy") as cy:
            await begun(ana)
            await begun(ben)
            assert await cy.ends() == 1
            assert "This door has room for 2 players, and all places are taken. Try again later." in cy.text
            ana.press("quit 0\r")
            await ana.ends()
            await until(lambda: "ana left; now 1 guest." in door.told)
            async with guest(door, "cy") as again:
                await begun(again)
    async with open_door(tmp_path, most_from_address=1) as door:
        async with guest(door, "ana", (PASSWORD, "")) as ana, guest(door, "ben", (PASSWORD, "")) as ben:
            await begun(ana)
            assert await ben.ends() == 1
            assert "This door lets in 1 player from one address at a time." in ben.text


async def test_guests_are_bounded_and_one_with_a_fresh_seat_is_never_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_folders, "MOST_GUESTS", 3)
    async with open_door(tmp_path, password=None) as door:
        with_seat = Path(str((await _come_in(door, "ana", ()))["folder"]))
        create_session_file(folders_in(with_seat)).save(SavedSession("127.0.0.1:1", "token", "K7QX4", "ana"))
        others = [Path(str((await _come_in(door, "ben", ("",)))["folder"])) for _ in range(4)]
        left = {str(tmp_path / "guests" / name) for name in os.listdir(tmp_path / "guests")}
        assert left == {str(with_seat), *(str(folder) for folder in others[-2:])}


async def test_a_full_door_makes_no_folder_for_a_new_key(tmp_path: Path) -> None:
    """So that nobody pushes the folders of real guests out with keys made for that."""
    async with open_door(tmp_path, password=None, most_logins=1) as door, guest(door, "ana") as ana:
        await begun(ana)
        async with guest(door, "ben", keys=[BENS]) as ben:
            assert await ben.ends() == 1
        assert os.listdir(tmp_path / "guests") == [Path(ana.facts["folder"]).name]


@pytest.mark.spec("DOOR-5")
async def test_a_guest_with_too_many_records_loses_the_oldest_and_keeps_the_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_folders, "MOST_BYTES", 2_500)
    async with open_door(tmp_path) as door, guest(door, "ana") as ana:
        folder = Path((await begun(ana)).facts["folder"])
        kept = [folder / "config" / "settings.json", folder / "data" / "finished.jsonl"]
        records = [folder / "data" / "records" / f"{number}.json" for number in range(4)]
        for moment, path in enumerate([*kept, *records]):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x" * (100 if path in kept else 1_000))
            os.utime(path, (moment, moment))
        create_session_file(folders_in(folder)).save(SavedSession("127.0.0.1:1", "token", "K7QX4", "ana"))
        for path in (folder / "state" / "sessions").iterdir():
            os.utime(path, (0, 0))
        ana.press("quit 0\r")
        await until(lambda: "ana left; now 0 guests." in door.told)
        assert [path for path in (*kept, *records) if path.exists()] == [*kept, *records[2:]]
        assert guest_folders._has_seat(folder)


async def test_the_log_says_who_came_and_left(tmp_path: Path) -> None:
    async with open_door(tmp_path, keys=[ANAS]) as door:
        await _come_in(door, "ana", (), keys=[ANAS])
        word = str((await _come_in(door, "ben", (PASSWORD,)))["word"])
        await _come_in(door, "ben", (PASSWORD, word))
        await until(lambda: len(door.told) == 6)
        fingerprint = ANAS.get_fingerprint()
        assert door.told == [
            f"ana came in from 127.0.0.1 (key {fingerprint}); now 1 guest.",
            "ana left; now 0 guests.",
            "ben came in from 127.0.0.1 (no key); now 1 guest.",
            "ben left; now 0 guests.",
            "ben came in from 127.0.0.1 (word); now 1 guest.",
            "ben left; now 0 guests.",
        ]
