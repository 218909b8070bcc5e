"""What a server tells that cannot be so is refused before it is kept: fuzzed with mutated messages."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect

from heat_core.files import load_track
from heat_core.race import events as e
from heat_core.season.setup import public_season_setup
from heat_core.view.race_view import CarView, RaceView
from heat_core.wire import messages as m
from heat_core.wire.problems import message_problem
from heat_tui.client.server_link import ServerLink
from tests.patience import PATIENCE_SECONDS
from tests.tui.fake_server import DIRECT, FakeRace, fake_server
from tests.tui.nonsense import decoded, mutated, races
from tests.tui.support_season import begun, season


@cache
def told() -> list[tuple[m.Started, list[m.Update]]]:
    return list(races())


def test_honest_races_are_believed() -> None:
    for started, updates in told():
        assert message_problem(started, None) is None
        for update in updates:
            assert message_problem(same(update), started) is None
        assert updates[-1].view.status == "ended"


def same(message: m.ServerMessage) -> m.ServerMessage:
    """Give a message as it comes out at the other end."""
    message_again = decoded(msgspec.msgpack.encode(message))
    assert message_again is not None
    return message_again


def test_honest_seasons_are_believed(tmp_path: Path) -> None:
    for driven, begins in ((0, season()), (2, season("Ana", legends=2)), (3, season(year=1962, bots=2))):
        championship = begun(tmp_path / str(driven), races=driven, begins=begins)
        with closing(championship):
            cars = len(begins.setup.cars)
            told = m.SeasonUpdate(public_season_setup(begins.setup), championship.view(), (None,) * cars)
            assert message_problem(same(told), None) is None


@pytest.mark.parametrize("seed", range(40))
def test_mutated_news_is_decoded_refused_or_believed(seed: int) -> None:
    """Nothing else comes out, whatever comes in; of what can be decoded, much is noticed."""
    luck = random.Random(seed)
    started, updates = luck.choice(told())
    refused = 0
    for _ in range(150):
        message = mutated(luck.choice(updates), luck)
        refused += message is not None and message_problem(message, started) is not None
    assert refused


@pytest.mark.parametrize("seed", range(10))
def test_broken_bytes_are_decoded_refused_or_believed(seed: int) -> None:
    luck = random.Random(seed)
    started, updates = luck.choice(told())
    refused = 0
    for _ in range(150):
        payload = bytearray(msgspec.msgpack.encode(luck.choice([started, *updates, *_others()])))
        for _ in range(luck.choice((1, 2, 5))):
            payload[luck.randrange(len(payload))] = luck.randrange(256)
        message = decoded(bytes(payload))
        refused += message is None or message_problem(message, started) is not None
    assert refused


def test_each_text_list_and_number_of_a_server_has_bounds() -> None:
    """But those of the messages frozen for ever, whose texts are cut where they are shown."""
    seen: set[type] = {m.Welcome, m.Error, m.Bye}
    assert [*boundless(inspect.type_info(m.ServerMessage), "", seen)] == []
    assert {m.Update, RaceView, CarView} < seen


def boundless(kind: inspect.Type, where: str, seen: set[type]) -> Iterator[str]:
    """Name the fields that may be of any size."""
    inner: list[tuple[inspect.Type, str]] = []
    match kind:
        case inspect.Metadata(type=one):
            inner = [(one, where)]
        case inspect.UnionType(types=several):
            inner = [(one, where) for one in several]
        case inspect.StructType(cls=struct, fields=fields) if struct not in seen:
            seen.add(struct)
            inner = [(field.type, f"{struct.__name__}.{field.name}") for field in fields]
        case inspect.NamedTupleType(cls=row, fields=fields):
            inner = [(field.type, f"{row.__name__}.{field.name}") for field in fields]
        case inspect.TupleType(item_types=several):
            inner = [(one, where) for one in several]
        case inspect.VarTupleType(item_type=one, max_length=most):
            inner = [(one, where)]
            yield from [where] if most is None else []
        case inspect.DictType(key_type=key, value_type=value, max_length=most):
            inner = [(key, where), (value, where)]
            yield from [where] if most is None else []
        case inspect.IntType() | inspect.FloatType():
            has_both = {kind.ge, kind.gt} != {None} != {kind.le, kind.lt}
            yield from [] if has_both else [where]
        case inspect.StrType(max_length=None, pattern=None):
            yield where
        case inspect.AnyType() | inspect.BytesType():
            yield where
        case _:
            pass
    for one, place in inner:
        yield from boundless(one, place, seen)


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
        m.TrackDetails(1, load_track("italy")),
        m.Meanwhile(("Ana is second.",)),
        m.Waiting("The server cannot reach its database."),
        m.Said(1, "chat", 0, "Ana", "hello"),
    ]


def test_all_kinds_of_messages_are_held_against_what_can_be() -> None:
    luck, refused, undecoded = random.Random(7), set(), set()
    for message in _others():
        assert message_problem(same(message), None) is None
        for _ in range(400):
            other = mutated(message, luck)
            if other is None:
                undecoded.add(type(message))
            elif message_problem(other, None) is not None:
                refused.add(type(message))
    assert {m.LobbyView, m.Started, m.RoomList, m.TrackDetails} <= refused
    assert undecoded == {type(message) for message in _others()}


@pytest.mark.spec("APP-8")
@pytest.mark.parametrize(
    ("what", "fault"),
    [
        ("car", "the field view.cars[0].progress must be a whole number of at most 4000."),
        ("place", "a car in two places"),
        ("card", "there is no card 'joker'"),
        ("event", "there is no card 'joker'"),
        ("seat", "a seat that is not there"),
        ("track", "its spot in space"),
        ("text", "the field invitation must be a text of at most 1000 characters."),
        ("early", "a race that has not begun"),
        ("number", "the field view.cars[0].engine must be a whole number of at most 10000."),
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
        "place": (started, replace(update, view=_with_car(update, replace(first, progress=7)))),
        "card": (started, replace(update, view=_with_car(update, replace(first, played=("joker",))))),
        "event": (started, replace(update, events=(e.UpgradePicked(0, "joker"),))),
        "seat": (replace(started, seat=7),),
        "track": (replace(started, setup=replace(started.setup, track=track)),),
        "text": (replace(room, invitation="x" * 2_000),),
        "early": (update,),
        "number": (started, replace(update, view=_with_car(update, replace(first, engine=10**9)))),
    }
    async with asyncio.timeout(PATIENCE_SECONDS), fake_server() as fake:
        link = ServerLink(fake.address, DIRECT, pause=lambda attempt: 0.0)
        opening = asyncio.create_task(link.open())
        connection = await fake.accept()
        await connection.welcome()
        await opening
        connection.send(room, *lies[what])
        while link.ended is None:
            await link.wait(link.changes)
        assert link.ended.startswith("The server sent a message that cannot be right: ")
        assert fault in link.ended
        assert "\n" not in link.ended
        assert link.state == "offline"
        await link.close()


def _with_car(update: m.Update, car: CarView) -> RaceView:
    return msgspec.structs.replace(update.view, cars=(car, *update.view.cars[1:]))
