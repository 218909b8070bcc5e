"""What a party says has happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_core.wire.lan import Doors
from heat_core.wire.operator import AnnounceDoors, NotDone, OperatorAnswer, OperatorRequest, RoomInfo
from heat_core.wire.operator import Done as OperatorDone
from heat_tui.doors.news import GuestInside, News
from heat_tui.party.party import Party
from heat_tui.party.people import Person
from heat_tui.party.wish import DoorsOpen
from tests.tui.support_party import HOSTS, OPEN, WISH

pytestmark = pytest.mark.asyncio


async def test_who_was_removed_has_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    party = Party(WISH, HOSTS, tmp_path)

    async def answer(_: OperatorRequest) -> OperatorAnswer:
        return OperatorDone("")

    monkeypatch.setattr(party, "_ask", answer)
    cara = GuestInside(1, "Cara", "", "192.0.2.20", "no key", 0.0, "ssh")
    dora = GuestInside(2, "Dora", "", "192.0.2.20", "no key", 0.0, "ssh")
    leo = Person("Leo", "heat-tui", 0.0, "K7QX4", "192.0.2.9", None, 5)
    party._note_people((leo,))
    await party.remove(Person("Cara", "ssh", 0.0, "K7QX4", "192.0.2.20", 1, 3))
    await party.remove(leo)
    party._hear_doors(OPEN, News("left", "", cara))
    party._hear_doors(OPEN, News("left", "", dora))
    party._note_people(())
    told = [one.text for one in party.happened]
    assert told[-3:] == ["Cara was removed.", "Dora has left.", "Leo was removed."]


async def test_a_race_that_slept_while_the_server_was_away_has_not_begun_anew(tmp_path: Path) -> None:
    party = Party(WISH, HOSTS, tmp_path)
    racing = RoomInfo("K7QX4", "racing", "usa", 2, 0, "Ana")
    for rooms in ((racing,), (), (racing,)):
        party._note_rooms(rooms)
    assert [one.text for one in party.happened] == ["A race has begun in room K7QX4."]


async def test_news_of_the_doors_announces_them_no_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = Party(WISH, HOSTS, tmp_path)
    asked: list[OperatorRequest] = []

    async def answer(request: OperatorRequest) -> OperatorAnswer:
        asked.append(request)
        return OperatorDone("")

    monkeypatch.setattr(party, "_ask", answer)
    for _ in range(2):
        party._hear_doors(OPEN, News("warning", "a page could not be served."))
        await party._announce_doors()
    assert asked == [AnnounceDoors(Doors(OPEN.ssh_port, OPEN.web_port))]


async def test_who_could_not_be_removed_has_left_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = Party(WISH, HOSTS, tmp_path)

    async def answer(_: OperatorRequest) -> OperatorAnswer:
        return NotDone("no such connection is open")

    monkeypatch.setattr(party, "_ask", answer)
    leo = Person("Leo", "heat-tui", 0.0, "K7QX4", "192.0.2.9", None, 5)
    party._note_people((leo,))
    assert await party.remove(leo) == "That cannot be done: no such connection is open."
    party._note_people(())
    assert party.happened[-1].text == "Leo has left."


async def test_numbers_of_doors_that_were_lost_are_given_to_others(tmp_path: Path) -> None:
    party = Party(WISH, HOSTS, tmp_path)
    await party.remove(Person("Cara", "ssh", 0.0, "K7QX4", "192.0.2.20", 1, 3))
    for stands in (OPEN, DoorsOpen(), OPEN):
        party._hear_doors(stands, None)
    dora = GuestInside(1, "Dora", "", "192.0.2.20", "no key", 0.0, "ssh")
    party._hear_doors(OPEN, News("left", "", dora))
    assert party.happened[-1].text == "Dora has left."
