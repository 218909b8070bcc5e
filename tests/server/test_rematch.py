"""A rematch, and the records of what is over (OPS-1)."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_core.race.events import Event
from heat_core.race.setup import RaceSetup
from heat_core.record.record import decode_record
from heat_core.wire.messages import (
    AskRecord,
    Error,
    LobbyView,
    Record,
    Rematch,
    RoomOptions,
    SeasonOptions,
    Start,
    UnknownEvent,
    Update,
)
from heat_server.room.handlers import race as race_handlers
from heat_server.store.contract import Store
from heat_server.store.errors import StoreFailed
from heat_server.store.listing import export_race
from tests.server.support import QUICK, House, Player, server_on
from tests.server.test_spectators import looking_on, race, room_of

pytestmark = [pytest.mark.trio, pytest.mark.usefixtures("seed")]

SEASON = RoomOptions(
    laps=1, cars=3, garage="mixed", season=SeasonOptions(None, ("usa", "italy", "gb"), True, True)
)


async def raced(house: House, options: RoomOptions = QUICK) -> tuple[Player, Player]:
    """Bring two people and a bot to the end of what the options name."""
    ana, ben = await house.full_lobby(["ana", "ben"], options)
    await ana.bot(2, "steady")
    races = 1 if options.season is None else len(options.season.tracks)
    for _ in range(races):
        await ben.seat(ready=True)
        await ana.start()
        await race(ana, ben)
    assert room_of(ana).phase == "ended"
    return ana, ben


async def record_of(player: Player, number: int = 0) -> tuple[RaceSetup, list[Event]]:
    """Ask for a record until it is whole."""
    events: list[Event] = []
    while True:
        part = await player.answer(AskRecord(player.id(), number, len(events)))
        assert isinstance(part, Record)
        assert part.first == len(events) + 1
        assert part.events
        events += [event for event in part.events if not isinstance(event, UnknownEvent)]
        if len(events) == part.last:
            return part.setup, events


@pytest.mark.parametrize("options", [QUICK, SEASON], ids=["race", "season"])
async def test_a_rematch_has_the_same_seats_and_is_a_match_of_its_own(
    options: RoomOptions, store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await raced(house, options)
        watcher = await looking_on(house, ana)
        before = room_of(ana)
        (first,) = store.list_matches(9)
        assert await ben.refused(Rematch(ben.id())) == "room/not_host"
        await ana.ok(Rematch(ana.id()))
        state = await ben.wait_for(LobbyView, lambda state: state.phase == "lobby")
        assert [(place.name, place.colour, place.kind) for place in state.places] == [
            (place.name, place.colour, place.kind) for place in before.places
        ]
        assert not any(place.is_ready for place in state.places[:2])
        assert (state.options, state.host, state.code) == (before.options, 0, before.code)
        old, new = sorted(store.list_matches(9), key=lambda match: match.match != first.match)
        assert (old.match, old.outcome, old.reason) == (first.match, "ended", "The race has ended.")
        assert (new.outcome, new.phase, new.code) == (None, "lobby", before.code)
        assert decode_record(export_race(store, old.match, 1, "0")).setup.seed
    async with server_on(store) as house:
        assert len(house.server.rooms.sleeping) == 1
        ana, ben, watcher = [await house.back(player) for player in (ana, ben, watcher)]
        assert room_of(watcher).phase == "lobby"
        await ana.start()
        await race(ana, ben, watcher)
        races = 1 if options.season is None else len(options.season.tracks)
        assert room_of(ana).phase == ("ended" if races == 1 else "between")
        assert ana.started is not None
        assert ana.updates[0].events
        assert ana.updates[0].number == len(ana.updates[0].events), "numbered anew"


async def test_who_has_left_gives_the_place_up_and_who_stays_may_ask_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"], RoomOptions(laps=1, cars=5, legends=1))
    await ana.bot(3, "legend:hard")
    await ana.start()
    assert await ana.refused(Rematch(ana.id())) == "room/not_over"
    await race(ana, ben, cy)
    await ben.leave()
    await ana.ok(Rematch(ana.id()))
    state = await cy.wait_for(LobbyView, lambda state: state.phase == "lobby")
    kinds = [place.kind for place in state.places]
    assert kinds == ["human", None, "human", "legend:hard", None]
    assert await ana.refused(Rematch(ana.id())) == "room/not_over"
    dee = await house.player()
    assert await dee.join(ana.code, "dee") == 1
    await ana.start()
    await dee.wait_for(Update)
    assert dee.started is not None
    assert [car.name for car in dee.started.setup.cars] == ["ana", "dee", "cy", "Legend 1", "Legend 2"]
    assert dee.started.seat == 1
    await race(ana, cy, dee)


async def test_a_rematch_that_cannot_be_saved_leaves_the_race_ended(
    store: Store, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server_on(store) as house:
        ana, _ = await raced(house)
        matches = [match.match for match in store.list_matches(9)]
        with monkeypatch.context() as broken:
            broken.setattr(type(store), "write", _fail)
            assert await ana.refused(Rematch(ana.id())) == "server/not_saved"
        await ana.wait_for(LobbyView, lambda state: state.phase == "ended")
        assert [match.match for match in store.list_matches(9)] == matches
        await trio.sleep(60)
        await ana.ok(Rematch(ana.id()))
        assert len(store.list_matches(9)) == 2


def _fail(*_: object) -> None:
    raise StoreFailed("no space left")


async def test_records_of_a_season_are_told_in_parts_when_all_is_over(
    store: Store, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(race_handlers, "MOST_RECORD_EVENTS", 100)
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"], SEASON)
        watcher = await looking_on(house, ana)
        await ana.bot(2, "steady")
        for number in range(3):
            await ben.seat(ready=True)
            for player in (ana, ben, watcher):
                for asked in range(3):
                    assert await player.refused(AskRecord(player.id(), asked)) == "room/not_over"
            await ana.start()
            for asked in range(number + 1):
                assert await ana.refused(AskRecord(ana.id(), asked)) == "room/not_over"
            await race(ana, ben)
        (match,) = store.list_matches(9)
        exported = [decode_record(export_race(store, match.match, race, "0")) for race in (1, 2, 3)]
        for player in (ana, watcher):
            for number, record in enumerate(exported):
                setup, events = await record_of(player, number)
                assert len(events) > 100
                assert (setup.seed, setup.track) == (record.setup.seed, record.setup.track)
                assert events == list(record.events)
        far = await ana.answer(AskRecord(ana.id(), 0, 10**6))
        assert isinstance(far, Record)
        assert far.events == ()
    async with server_on(store) as house:
        ben = await house.back(ben)
        for number, record in enumerate(exported):
            setup, events = await record_of(ben, number)
            assert (setup.seed, events) == (record.setup.seed, list(record.events))
        stranger = await house.player()
        assert await stranger.refused(AskRecord(stranger.id())) == "room/in_none"


async def test_the_record_of_a_race_is_told_to_all_but_not_before_its_end(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    assert await ana.refused(AskRecord(ana.id())) == "room/not_over"
    await ana.start()
    assert await ana.refused(AskRecord(ana.id())) == "room/not_over"
    await race(ana, ben)
    setup, events = await record_of(ben)
    assert setup.seed is not None
    assert len(events) == ben.view.event_number
    answer = await ben.answer(AskRecord(ben.id(), 1))
    assert isinstance(answer, Error)
    await ana.ok(Rematch(ana.id()))
    assert await ben.refused(AskRecord(ben.id())) == "room/not_over"
    assert isinstance(await ana.answer(Start(ana.id())), Error)
