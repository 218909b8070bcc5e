"""What cannot be so is refused at one place, and what is taken can be shown: fuzzed with mutated messages."""

from __future__ import annotations

import asyncio
import random
from contextlib import closing
from functools import cache
from pathlib import Path

import msgspec
import pytest

from heat_core.files import load_track
from heat_core.season_setup import public_season_setup
from heat_core.view import CarView, RaceView
from heat_core.wire import messages as m
from heat_tui.lobby_client import Link
from heat_tui.sense import Nonsense, Sense
from tests.tui.fake_server import FakeRace, fake_server
from tests.tui.nonsense import mutated, races
from tests.tui.support_season import begun, season


@cache
def told() -> list[tuple[m.Started, list[m.Update]]]:
    return list(races())


def sense_of(started: m.Started) -> Sense:
    sense = Sense()
    sense.check(started)
    return sense


def test_honest_races_make_sense() -> None:
    for started, updates in told():
        sense = sense_of(started)
        for update in updates:
            sense.check(update)
        assert updates[-1].view.status == "ended"


def test_honest_seasons_make_sense(tmp_path: Path) -> None:
    for driven, begins in ((0, season()), (2, season("Ana", legends=2)), (3, season(year=1962, bots=2))):
        championship = begun(tmp_path / str(driven), races=driven, begins=begins)
        with closing(championship):
            cars = len(begins.setup.cars)
            told = m.SeasonTold(public_season_setup(begins.setup), championship.view(), (None,) * cars)
            Sense().check(told)


@pytest.mark.parametrize("seed", range(40))
def test_mutated_news_is_refused_or_can_be_shown(seed: int) -> None:
    """Nothing but `Nonsense` comes out, whatever comes in; most mutations are noticed."""
    luck = random.Random(seed)
    started, updates = luck.choice(told())
    refused = 0
    for _ in range(150):
        message = mutated(luck.choice(updates), luck)
        if message is None:
            continue
        try:
            sense_of(started).check(message)  # type: ignore[arg-type]  # of the same type as before
        except Nonsense:
            refused += 1
    assert refused


def _others() -> list[m.ServerMessage]:
    """Give messages of every kind that needs no race before it."""
    fake, (started, _) = FakeRace(), told()[1]
    ana = m.PlaceState("human", "Ana", "red", True, True)
    options = m.RoomOptions(settings={"hand_size": "8"}, season=m.SeasonOptions(1961))
    room = m.LobbyView("KXFRM", "lobby", 0, 1, options, 1, 60_000, (ana, ana), "heat-tui connect x", ("Cy",))
    summary = m.RoomSummary("KXFRM", "racing", "usa", 2, 6, 3, False, "Ana", True)
    return [
        fake.room(),
        room,
        started,
        m.RoomList(1, (summary, summary)),
        m.TrackList(1, (m.TrackSummary("usa", "USA"),)),
        m.TrackTold(1, load_track("italy")),
        m.Meanwhile(("Ana is second.",)),
        m.Said(1, "chat", 0, "Ana", "hello"),
    ]


def test_all_kinds_of_messages_are_held_against_what_can_be() -> None:
    luck, refused = random.Random(7), set()
    for message in _others():
        Sense().check(message)
        for _ in range(400):
            other = mutated(message, luck)
            try:
                if other is not None:
                    Sense().check(other)  # type: ignore[arg-type]  # of the same type as before
            except Nonsense:
                refused.add(type(message))
    assert {m.LobbyView, m.Started, m.RoomList, m.TrackTold, m.Said, m.Meanwhile} <= refused


@pytest.mark.spec("APP-8")
@pytest.mark.parametrize(
    ("what", "fault"),
    [
        ("car", "a car off the world"),
        ("seat", "a seat that is not there"),
        ("track", "a track that is none"),
        ("text", "longer than any text"),
        ("early", "a race that has not begun"),
        ("number", "out of all range"),
    ],
)
@pytest.mark.asyncio
async def test_nonsense_ends_the_link_for_good_with_one_line(what: str, fault: str) -> None:
    race = FakeRace()
    room, started, update = race.room(), race.started(), race.update()
    replace = msgspec.structs.replace
    first = update.view.cars[0]
    track = replace(started.setup.track, grid=started.setup.track.grid[:1] * 2)
    lies: dict[str, tuple[m.ServerMessage, ...]] = {
        "car": (started, replace(update, view=_with_car(update, replace(first, progress=50_000)))),
        "seat": (replace(started, seat=7),),
        "track": (replace(started, setup=replace(started.setup, track=track)),),
        "text": (replace(room, invitation="x" * 2_000),),
        "early": (update,),
        "number": (started, replace(update, view=_with_car(update, replace(first, engine=10**9)))),
    }
    async with asyncio.timeout(10), fake_server() as fake:
        link = Link(fake.address, pause=lambda attempt: 0.0)
        opening = asyncio.create_task(link.open())
        connection = await fake.accept()
        await connection.welcome()
        await opening
        connection.send(room, *lies[what])
        while link.ended is None:
            await link.wait(link.changes)
        assert link.ended.startswith("The server talks nonsense: ")
        assert fault in link.ended
        assert "\n" not in link.ended
        assert link.state == "offline"
        await link.close()


def _with_car(update: m.Update, car: CarView) -> RaceView:
    return msgspec.structs.replace(update.view, cars=(car, *update.view.cars[1:]))
