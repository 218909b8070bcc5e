"""The way into a room without any screen: what is asked on it, and what a refusal leads to."""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from heat_core.files import load_track
from heat_core.race.commands import GiveUp
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.connect_failed import Notice
from heat_tui.client.connection import ConnectionLost, RequestRefused
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from heat_tui.flow.joining import JoinController, Player, RoomLine
from tests.tui.support_app import folders_in, until

pytestmark = pytest.mark.asyncio

BEN = Player("Ben", "red")
Given = TypeVar("Given")


class Answers:
    """Somebody who was told what to answer.

    Attributes:
        said: All sentences, and all questions.
        closed: Stays in whose place others came.
    """

    def __init__(self, *, agrees: bool = False, passwords: str = "", names: str = "") -> None:
        self.said: list[str] = []
        self.closed: list[ServerStay] = []
        self._agrees = agrees
        self._passwords = passwords.split()
        self._names = names.split()

    def say(self, text: str) -> None:
        self.said.append(text)

    async def answered(self, asking: Coroutine[Any, Any, Given]) -> Given:
        return await asking

    async def agrees(self, question: str) -> bool:
        self.said.append(question)
        return self._agrees

    async def password(self, told: str) -> str:
        self.said.append(told)
        return self._passwords.pop(0) if self._passwords else ""

    async def other_name(self, told: str) -> str:
        self.said.append(told)
        return self._names.pop(0) if self._names else ""

    async def warn(self, notice: Notice) -> None:
        self.said += notice.lines

    async def hang_up(self, stay: ServerStay) -> None:
        self.closed.append(stay)
        await stay.close()


async def room_of_ana(path: Path, address: Address, cars: int = 3) -> tuple[ServerStay, str]:
    ana = await ServerStay.begin(folders_in(path / "ana"), address)
    await ana.create("Ana", "red", m.RoomOptions(cars=cars))
    await until(lambda: ana.link.room)
    assert ana.link.room is not None
    return ana, ana.link.room.code


async def connected(path: Path, address: Address, asker: Answers) -> JoinController:
    joining = JoinController(folders_in(path / "ben"), asker)
    assert await joining.connect(str(address)) == ""
    return joining


async def end_a_race(ana: ServerStay) -> None:
    await ana.link.request(m.PlaceBot(0, 1, "legend:easy"))
    await ana.link.request(m.Start(0))
    await until(lambda: RemoteSession.is_ready(ana.link))
    session = ana.race_session()
    await session.submit(0, None, GiveUp())
    await until(lambda: session.view(0).status == "ended")


async def test_an_address_that_leads_nowhere_leaves_nothing_open(tmp_path: Path, address: Address) -> None:
    asker = Answers()
    joining = await connected(tmp_path, address, asker)
    first = joining.here
    assert "HOST:PORT" in await joining.connect("")
    assert joining.here is first, "what is no address changes nothing"
    assert "Nothing listens" in await joining.connect("127.0.0.1:1")
    assert joining.stay is None
    assert asker.closed == [first]


async def test_a_password_and_a_free_name_are_asked_for_until_they_do(
    tmp_path: Path, address: Address
) -> None:
    ana, code = await room_of_ana(tmp_path, address)
    await ana.link.request(m.Lock(0, "lemon"))
    asker = Answers(passwords="apple lemon lemon", names="ana Ben")
    joining = await connected(tmp_path, address, asker)
    assert await joining.enter(code.lower(), Player("ANA", "red"))
    await until(lambda: joining.here.link.room)
    assert joining.here.link.room is not None
    assert joining.here.link.room.own.name == "Ben"
    assert joining.here.link.room.own.colour != "red", "Ana drives that one"
    told = [text for text in asker.said if "password" in text]
    assert told == ["This room needs a password.", "The password is wrong."]
    await joining.here.leave()
    await ana.leave()


@pytest.mark.spec("LOBBY-2")
@pytest.mark.parametrize("what", ["code", "unknown", "full", "password", "name", "ended"])
async def test_what_cannot_be_is_one_sentence_and_one_is_not_in(
    tmp_path: Path, address: Address, what: str
) -> None:
    ana, code = await room_of_ana(tmp_path, address, cars=2)
    if what == "full":
        await ana.link.request(m.PlaceBot(0, 1, "steady"))
    if what == "password":
        await ana.link.request(m.Lock(0, "lemon"))
    if what == "ended":
        await end_a_race(ana)
    asker = Answers()
    joining = await connected(tmp_path, address, asker)
    code = {"code": "a-b", "unknown": "NOPE"}.get(what, code)
    assert not await joining.enter(code, Player("Ana", "blue") if what == "name" else BEN)
    (_, sentence) = asker.said
    assert {
        "code": "letters and digits only",
        "unknown": "No room has this code.",
        "full": "All places of this room are taken.",
        "password": "This room needs a password.",
        "name": "that name",
        "ended": "That race has finished.",
    }[what] in sentence
    assert joining.here.link.state == "connected"
    await joining.here.close()
    await ana.leave()


@pytest.mark.spec("LOBBY-2")
@pytest.mark.parametrize("agrees", [False, True])
async def test_a_race_that_has_begun_may_be_watched_instead(
    tmp_path: Path, address: Address, *, agrees: bool
) -> None:
    ana, code = await room_of_ana(tmp_path, address)
    await ana.link.request(m.PlaceBot(0, 1, "steady"))
    await ana.link.request(m.Start(0))
    await until(lambda: RemoteSession.is_ready(ana.link))
    asker = Answers(agrees=agrees)
    joining = await connected(tmp_path, address, asker)
    assert await joining.enter(code, BEN) is agrees
    refusal = [] if agrees else ["That race has already started; you can watch it."]
    assert asker.said[1:] == ["That race has started. Watch it?", *refusal]
    await joining.here.close()
    await ana.leave()


async def test_the_own_seat_is_offered_first_and_taken_in_place_of_the_connection(
    tmp_path: Path, address: Address
) -> None:
    ana, code = await room_of_ana(tmp_path, address)
    ben = await connected(tmp_path, address, Answers())
    assert await ben.enter(code, BEN)
    await ben.here.close()
    no = await connected(tmp_path, address, Answers())
    assert not await no.go_back()
    await no.here.close()
    asker = Answers(agrees=True)
    joining = await connected(tmp_path, address, asker)
    first = joining.here
    assert await joining.enter(code.lower(), Player("Bob", "blue")), "under another name, too"
    assert joining.here is not first
    assert asker.closed == [first]
    assert f"Go back to room {code} as Ben?" in asker.said
    await ana.leave()
    await joining.here.leave()
    assert saved_sessions(folders_in(tmp_path / "ben")) == []


async def test_a_seat_that_is_gone_is_said_and_forgotten(tmp_path: Path, address: Address) -> None:
    ana, code = await room_of_ana(tmp_path, address)
    ben = await connected(tmp_path, address, Answers())
    assert await ben.enter(code, BEN)
    await ben.here.close()
    await ana.link.request(m.Kick(0, "Ben", False))
    asker = Answers(agrees=True)
    joining = await connected(tmp_path, address, asker)
    assert not await joining.go_back()
    assert asker.said[-1].endswith(".")
    assert saved_sessions(folders_in(tmp_path / "ben")) == []
    await joining.here.close()
    await ana.leave()


async def test_rooms_are_listed_with_what_becomes_of_somebody_who_joins(
    tmp_path: Path, address: Address
) -> None:
    ana, code = await room_of_ana(tmp_path, address, cars=2)
    joining = await connected(tmp_path, address, Answers())

    async def line() -> RoomLine:
        return next(room for room in await joining.rooms() if room.code == code)

    assert await line() == RoomLine(code, "USA", load_track("usa"), 2, 1, 2, "open", True, False, "Ana")
    await ana.link.request(m.PlaceBot(0, 1, "steady"))
    assert (await line()).state == "full"
    await ana.link.request(m.Start(0))
    assert (await line()).state == "racing"
    await ana.leave()
    await joining.here.close()
    with pytest.raises((ConnectionLost, RequestRefused)):
        await joining.rooms()
