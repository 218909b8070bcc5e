"""How others come to the room of a race: the page over the race, and the same in plain mode."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.remote import RemoteSession
from heat_tui.flow.invitation import ELSEWHERE, WayIn, invitation_to
from heat_tui.party.party import Party
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.race import PlainRace
from heat_tui.plain.talk import Talk
from heat_tui.qr_code import qr_rows
from heat_tui.screens.invitation import InvitationDialog
from heat_tui.screens.qr import QrDialog
from heat_tui.screens.race import RaceScreen
from tests.tui.fake_server import FakeRace
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_company import Told, racing
from tests.tui.support_party import HOSTS, OPEN, WISH
from tests.tui.support_plain import Terminal, by_script

pytestmark = pytest.mark.asyncio

HERE = Address("127.0.0.1", 1)
"""Where the race of these tests is."""


def party(path: Path) -> Party:
    held = Party(WISH._replace(port=HERE.port), [HERE.host, *HOSTS], path)
    held.doors = OPEN
    return held


async def opened(app: HeatApp, pilot: Pilot[None]) -> str:
    await pilot.press("f6")
    await until(lambda: isinstance(app.screen, InvitationDialog))
    await pilot.pause()
    return shown(pilot)


@pytest.mark.parametrize("keys", [("f6",), ("escape",), ("q",)])
async def test_a_key_shows_the_line_for_others_and_another_closes_it(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    async with racing(tmp_path) as (app, pilot, _):
        text = await opened(app, pilot)
        assert "Room KXFRM: with this line others come in" in text
        assert "1 heat-tui  heat-tui connect x" in text
        assert "QR code" not in text, "there is no link"
        await pilot.press(*keys)
        await until(lambda: isinstance(app.screen, RaceScreen))


@pytest.mark.parametrize("has_colours", [False, True])
async def test_the_host_of_a_party_has_its_ways_in_and_the_code_for_telephones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_colours: bool
) -> None:
    if not has_colours:
        monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("TMUX", raising=False)
    async with racing(tmp_path) as (app, pilot, _):
        app.ways_in = party(tmp_path).ways_to
        text = await opened(app, pilot)
        link = next(way.line for way in app.ways_in(HERE, "KXFRM") if way.is_link)
        for told in ("ssh -p 2222 NAME+KXFRM@127.0.0.1", "kqtm-7w3x", "heat-tui connect 127.0.0.1:1 KXFRM"):
            assert told in text
        assert link.partition("#")[0] in text
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        await pilot.press("1", "5")
        await pilot.pause()
        assert copied == ["ssh -p 2222 NAME+KXFRM@127.0.0.1"]
        assert "Sent to your terminal's clipboard" in shown(pilot)
        await pilot.press("s")
        await until(lambda: isinstance(app.screen, QrDialog))
        await pilot.pause()
        code = [row.strip() for row in qr_rows(link)]
        assert all(row in shown(pilot) for row in code) is has_colours
        assert (link in shown(pilot)) is not has_colours
        await pilot.press("escape", "escape")
        await until(lambda: isinstance(app.screen, RaceScreen))


async def test_it_is_whole_in_ascii_at_80_columns(tmp_path: Path) -> None:
    link = Told(FakeRace())
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana", ways_in=party(tmp_path).ways_to)
    screen = RaceScreen(RemoteSession(link))
    async with app.run_test(size=SMALL) as pilot:
        app.add_class("-ascii")
        await app.push_screen(screen)
        await until(lambda: screen.controller.seen > 0)
        text = await opened(app, pilot)
        for number, way in enumerate(app.ways_in(HERE, "KXFRM"), start=1):
            assert f"{number} {way.name}" in text, "all of it is there without scrolling"


async def test_at_ones_own_keyboard_nobody_can_come(tmp_path: Path) -> None:
    from tests.tui.doors import DOORS, door_app

    app = door_app(tmp_path, DOORS[RaceScreen])
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, RaceScreen))
        await pilot.pause()
        await pilot.press("f6")
        await until(lambda: "Nobody can come to this race" in shown(pilot))


def room(**changes: object) -> m.LobbyView:
    return msgspec.structs.replace(FakeRace().room(), **changes)


def none(address: Address, code: str) -> tuple[WayIn, ...]:
    return ()


async def test_what_there_is_to_know_of_an_invitation() -> None:
    line = "heat-tui connect races.example:7777 KXFRM"
    invited = invitation_to(room(invitation=line, is_private=True), HERE, none)
    assert (
        invited.heading
        == "Room KXFRM: with this line others come in to watch, and drivers return to their seats."
    )
    assert [way.line for way in invited.ways] == [line]
    assert invited.notes == ("Guests are asked for the room's password.",)
    lobby = room(phase="lobby", invitation="heat-tui connect 127.0.0.1:7777 KXFRM")
    invited = invitation_to(lobby, HERE, none)
    assert (invited.heading, invited.notes) == (
        "Room KXFRM: with this line others come in to race.",
        (ELSEWHERE,),
    )


async def test_at_another_server_the_ways_into_a_party_lead_nowhere(tmp_path: Path) -> None:
    held = party(tmp_path)
    assert len(held.ways_to(HERE, "KXFRM")) == 4
    assert held.ways_to(Address("192.0.2.9"), "KXFRM") == ()


@pytest.mark.parametrize("is_party", [False, True])
async def test_plain_mode_says_the_same(tmp_path: Path, is_party: bool) -> None:
    session, terminal = RemoteSession(Told(FakeRace())), Terminal(by_script("invite"))
    ways_in = party(tmp_path).ways_to if is_party else none
    talk = Talk(terminal.line_terminal, session.company, ways_in)
    async with asyncio.timeout(60):
        with pytest.raises(Left):
            await PlainRace(session, terminal.line_terminal, talk).run()
    if is_party:
        assert "1, ssh: ssh -p 2222 NAME+KXFRM@127.0.0.1 (password kqtm-7w3x;" in terminal.text
        assert "with any of these lines others come in" in terminal.text
    else:
        assert "with this line others come in" in terminal.text
        assert "\nheat-tui connect x\n" in terminal.text
