"""The card of a party on the screen."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual.widgets import HelpPanel, OptionList

from heat_tui.browser.links import installing_line
from heat_tui.party import words
from heat_tui.party.people import Person
from heat_tui.party.qr import QrPanel
from heat_tui.party.screen import PartyScreen, way_rows
from heat_tui.qr_code import qr_rows
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.qr import QrDialog
from tests.tui.support_app import LARGE, SMALL, message, shown, until
from tests.tui.support_party import HOSTS, FakeParty, party_app, people

pytestmark = pytest.mark.asyncio


async def test_each_way_in_is_a_line_with_the_room_in_it_and_what_is_asked_for(tmp_path: Path) -> None:
    party = FakeParty(people(time.time()), racing=2)
    app = party_app(tmp_path, party)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.pause()
        told = shown(pilot)
        for text in (
            "room K7QX4",
            "3 people here, 2 racing",
            "ssh -p 2222 NAME+K7QX4@192.0.2.7",
            "password kqtm-7w3x",
            "SHA256:hDthdNZWYXJZc7vn5RUkLsctqI1M3luXdihaXB7TkyM",
            "heat-tui connect 192.0.2.7 K7QX4",
            "If 192.0.2.7 does not work, try 198.51.100.4.",
            "12 min",
        ):
            assert text in told, text
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        assert "192.0.2.20" in shown(pilot), "where there is room, each has an address"


@pytest.mark.parametrize("is_saved", [False, True])
async def test_a_card_whose_room_has_a_host_says_nothing_of_the_next_one(
    tmp_path: Path, *, is_saved: bool
) -> None:
    party = FakeParty(() if is_saved else people(time.time()))
    party.is_saved = is_saved
    app = party_app(tmp_path, party)
    async with app.run_test(size=SMALL):
        await until(lambda: isinstance(app.screen, PartyScreen))
        await until(lambda: message(app) == "p plays here, q ends everything.")


async def test_a_line_is_copied_by_its_number_and_by_a_click(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = party_app(tmp_path, FakeParty())
    copied: list[str] = []
    monkeypatch.delenv("TMUX", raising=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await until(lambda: "Whoever enters the room first is its host" in message(app))
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await pilot.press("1")
        assert copied == ["ssh -p 2222 NAME+K7QX4@192.0.2.7"]
        assert message(app) == words.COPIED.replace("{party.lines}", "l")
        row = next(y for y, line in enumerate(shown(pilot).splitlines()) if "heat-tui connect" in line)
        await pilot.click(offset=(20, row))
        await pilot.press("2", "4", "5")
        link = "http://192.0.2.7:8000/#mH1xVYpq0sD3kq2wQv9c5A+K7QX4"
        line = installing_line("http://192.0.2.7:8000/", "mH1xVYpq0sD3kq2wQv9c5A")
        assert copied[1:] == ["heat-tui connect 192.0.2.7 K7QX4", link, line], "there is no fifth way"


async def test_a_telephone_takes_the_link_from_the_card_or_from_a_page_where_there_is_no_room(
    tmp_path: Path,
) -> None:
    party = FakeParty()
    app = party_app(tmp_path, party)
    async with app.run_test(size=LARGE) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen) and bool(app.screen.query(QrPanel)))
        await until(lambda: app.screen.query_one(QrPanel).size.width > 0)
        assert app.screen.query_one(QrPanel).lines == tuple(qr_rows(party.ways[1].line))
        await pilot.resize_terminal(*SMALL)
        await until(lambda: not app.screen.query_one(QrPanel).size.width)
        await pilot.press("s")
        await until(lambda: isinstance(app.screen, QrDialog))
        await pilot.pause()
        assert all(row.strip() in shown(pilot) for row in qr_rows(party.ways[1].line)), "it is whole"
        await pilot.press("escape")
        party.doors = party.doors._replace(web_port=None)
        party.change()
        await until(lambda: "QR code" not in shown(pilot))


async def test_what_there_is_to_know_of_a_way_is_shown_whole_however_long_it_is(tmp_path: Path) -> None:
    party = FakeParty()
    ways = party.ways
    for width in (40, 60, 73):
        rows, _ = way_rows(ways, width, is_brief=False)
        assert max(row.cell_len for row in rows) <= width
        told = " ".join(" ".join(row.plain for row in rows).split())
        for note in (note for way in ways for note in way.notes if not note.startswith("host key")):
            assert note in told


async def test_a_way_that_is_closed_says_why_and_has_no_line_to_copy(tmp_path: Path) -> None:
    party = FakeParty()
    party.doors = party.doors._replace(ssh_port=None, closed=(("ssh", "Port 2222 is in use."),))
    app = party_app(tmp_path, party)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.press("1")
        assert message(app) == "There is no line to copy: ssh is not open."
        assert "Port 2222 is in use." in shown(pilot)


@pytest.mark.parametrize(
    ("key", "done", "told"),
    [
        ("r", [("remove", "Ben")], "Ben has been removed."),
        ("b", [("ban", "Ben")], "Ben has been removed, and 192.0.2.21 is banned."),
        ("n", [], ""),
    ],
)
async def test_who_is_here_is_removed_once_the_host_agrees(
    tmp_path: Path, key: str, done: list[tuple[str, str]], told: str
) -> None:
    party = FakeParty(people(time.time()))
    app = party_app(tmp_path, party)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.press("down", "x")
        await until(lambda: isinstance(app.screen, ChooseScreen))
        assert "Remove Ben, who came by browser from 192.0.2.21?" in shown(pilot)
        assert "Without a ban, Ben can come back." in " ".join(shown(pilot).split())
        await pilot.press(key)
        await until(lambda: isinstance(app.screen, PartyScreen))
        await until(lambda: party.done == done)
        if told:
            await until(lambda: message(app) == told)


async def test_nobody_is_banned_with_the_address_of_this_machine(tmp_path: Path) -> None:
    app = party_app(tmp_path, FakeParty([Person("Ana", "ssh", time.time(), "", HOSTS[0], 1, 3)]))
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.press("x")
        await until(lambda: isinstance(app.screen, ChooseScreen))
        assert "let nobody in" not in shown(pilot)
        assert "the address is this machine's own and cannot be banned" in words.remove_question(
            people(0)[0], can_ban=False
        )
        assert "cannot be banned" in shown(pilot)


async def test_the_chosen_one_stays_chosen_while_others_come_and_go(tmp_path: Path) -> None:
    party = FakeParty(people(time.time()))
    app = party_app(tmp_path, party)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.press("down", "down")
        early, *_, leo = party.people
        zoe = Person("Zoe", "ssh", early.since - 5, "", "192.0.2.30", 9, 9)
        party.people = (zoe, *party.people[:2], leo._replace(room="K7QX4"))
        party.change()
        await until(lambda: "Zoe" in shown(pilot))
        assert app.screen.query_one("#people", OptionList).highlighted == 3
        party.people = ()
        party.change()
        await until(lambda: "Nobody is here yet" in shown(pilot))
        await pilot.press("x")
        assert message(app) == "There is nobody to remove."


@pytest.mark.parametrize("racing", [0, 2])
async def test_the_party_ends_after_a_question_only_where_people_race(tmp_path: Path, racing: int) -> None:
    wishes: list[str | None] = []
    party = FakeParty(racing=racing)
    app = party_app(tmp_path, party, wishes.append)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.press("q")
        if racing:
            await until(lambda: isinstance(app.screen, ConfirmDialog))
            assert "2 people are racing. End the party?" in shown(pilot)
            await pilot.press("n")
            await until(lambda: isinstance(app.screen, PartyScreen))
            assert wishes == []
            await pilot.press("q", "y")
        await until(lambda: isinstance(app.screen, HomeScreen))
        assert wishes == ["end"]


@pytest.mark.parametrize(("key", "wish"), [("p", "play"), ("l", "lines")])
async def test_a_host_plays_and_has_the_lines_printed_by_a_key(tmp_path: Path, key: str, wish: str) -> None:
    wishes: list[str | None] = []
    app = party_app(tmp_path, FakeParty(), wishes.append)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.press(key)
        await until(lambda: wishes == [wish])


async def test_the_question_mark_shows_the_keys(tmp_path: Path) -> None:
    app = party_app(tmp_path, FakeParty())
    async with app.run_test(size=LARGE) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.press("question_mark")
        await until(lambda: bool(app.screen.query(HelpPanel)))


async def test_in_tmux_a_line_may_not_arrive_and_the_card_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    app = party_app(tmp_path, FakeParty())
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, PartyScreen))
        await pilot.press("1")
        assert "set -g set-clipboard on" in message(app)
