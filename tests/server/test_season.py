"""A championship through the server: two people and four bots, in memory and on the virtual clock."""

from __future__ import annotations

from collections import Counter

import pytest
import trio
from trio.testing import MockClock

from heat_core.drivers import DriverName
from heat_core.rules.points import rank
from heat_core.season.setup import YEARS
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Configure,
    LobbyView,
    PlaceBot,
    RoomOptions,
    SeasonOptions,
    SeasonUpdate,
    Start,
    TakeSeat,
    Update,
)
from heat_server.config import ServerConfig
from heat_server.store.contract import Store
from tests.server.support import House, Player, server_on

pytestmark = pytest.mark.trio

SEASON = RoomOptions(
    laps=1,
    garage="mixed",
    weather=True,
    season=SeasonOptions(tracks=("usa", "italy", "france"), events=True, sponsorships=True),
)


async def grid(house: House, options: RoomOptions = SEASON) -> tuple[Player, Player]:
    """Two people and four bots in a room."""
    ana, ben = await house.full_lobby(["ana", "ben"], options)
    for place in range(2, 6):
        await ana.bot(place, "steady")
    return ana, ben


async def start(ana: Player, ben: Player) -> None:
    """Begin the next race, and read on to its first update."""
    await ana.start()
    await ben.wait_for(Update, lambda update: update.view.status != "ended")


async def race(*players: Player) -> None:
    """Drive the race that has begun to its end, and read what is told of the season then."""
    with trio.fail_after(1_000_000):
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.race)
        for player in players:
            await player.wait_for(LobbyView, lambda state: state.phase in ("between", "ended"))


def told(player: Player) -> SeasonUpdate:
    assert player.season is not None
    return player.season


def seed_of(house: House) -> str:
    (room,) = house.server.rooms.values()
    assert room.state.season is not None
    seed = room.state.season._season.setup.seed
    assert seed is not None
    return seed


async def test_a_season_of_three_races_by_two_people_and_four_bots(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await grid(house)
    await ana.start()
    await ben.wait_for(Update)
    seed = seed_of(house).encode()
    for number in range(3):
        for player in (ana, ben):
            view = told(player).view
            assert (view.status, view.race) == ("racing", number + 1)
            assert view.races[number].event is not None, "it is drawn before the race"
            assert player.started is not None
            assert player.started.setup.track.name == view.races[number].track
            assert player.started.setup.carried.grid == view.races[number].grid
        await race(ana, ben)
        view = told(ana).view
        assert view.standings == rank([done.results for done in view.races if done.results])
        assert sum(bool(done.results) for done in view.races) == number + 1
        assert told(ben).view.standings == view.standings
        if number < 2:
            assert seed not in ana.raw
            assert seed not in ben.raw
            assert told(ana).view.races[number + 1].grid == tuple(
                standing.car for standing in reversed(view.standings)
            )
            await ben.seat(ready=True)
            await start(ana, ben)
    assert ana.room is not None
    assert ana.room.phase == "ended"
    assert (view.end, view.seed) == ("finished", seed.decode())
    assert len({race.event for race in view.races}) == 3
    assert told(ben).view.seed == seed.decode()
    assert told(ben).setup.seed is None


async def test_the_next_race_waits_for_who_is_not_ready_but_not_twice(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await grid(House(nursery))
    await start(ana, ben)
    await race(ana, ben)
    assert ana.room is not None
    assert not any(place.is_ready for place in ana.room.places[:2])
    assert await ben.refused(Start(ben.id())) == ErrorCode.NOT_HOST
    assert await ben.refused(TakeSeat(ben.id(), name="bob")) == ErrorCode.ROOM_BEGUN
    assert await ana.refused(Start(ana.id())) == ErrorCode.NOT_READY
    await ana.ok(Start(ana.id()))
    await ben.wait_for(LobbyView, lambda state: state.phase == "racing")


async def test_a_bot_stands_in_for_who_left_and_gives_the_seat_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await grid(House(nursery))
    await start(ana, ben)
    await race(ana, ben)

    def driver() -> DriverName | None:
        return told(ana).view.drivers[1]

    assert await ana.refused(PlaceBot(ana.id(), 1, "steady")) == ErrorCode.PLACE_TAKEN
    assert await ana.refused(PlaceBot(ana.id(), 2, "random")) == ErrorCode.NO_SUCH_PLACE
    await ben.leave()
    await ana.wait_for(LobbyView, lambda state: not state.places[1].is_connected)
    await ana.bot(1, "steady")
    await ana.wait_for(LobbyView, lambda state: state.places[1].has_stand_in)
    assert driver() == "steady"
    await ana.start()
    await race(ana)
    assert ana.room is not None
    await ben.join(ana.room.code, "ben")
    await ben.wait_for(SeasonUpdate)
    await ben.seat(ready=True)
    await start(ana, ben)
    await ana.ping()
    assert driver() == "human"
    await race(ana, ben)
    assert told(ben).view.end == "finished"


async def test_who_comes_back_gets_the_season_and_the_race_from_its_beginning(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await grid(house)
    await start(ana, ben)
    await race(ana, ben)
    await ben.hang_up()
    await ana.start()
    again = await house.player(ben.token)
    season = await again.wait_for(SeasonUpdate)
    assert season.view.race == 2
    first = await again.wait_for(Update)
    assert again.started is not None
    assert again.started.setup.season is not None
    assert again.started.setup.season.race == 1
    assert first.number == len(first.events), "none of the race before, and all of this one"
    late = await again.look(5)
    assert late.number == len(late.events), "event 5 was one of the race before"


async def test_years_are_raced_with_their_own_tracks(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    for year in YEARS:
        player = await house.player()
        await player.create("ana", RoomOptions(laps=1, legends=1, cars=2, season=SeasonOptions(year=year)))
        await player.start()
        assert len(told(player).setup.races) in (3, 4)
        assert player.room is not None
        assert told(player).view.races[0].event is not None
        await player.leave()


@pytest.mark.parametrize(
    ("season", "code"),
    [
        (SeasonOptions(), ErrorCode.BAD_OPTIONS),
        (SeasonOptions(tracks=("usa", "usa")), ErrorCode.BAD_OPTIONS),
        (SeasonOptions(tracks=("usa", "usa", "nowhere")), ErrorCode.UNKNOWN_TRACK),
        (SeasonOptions(year=1960), ErrorCode.BAD_OPTIONS),
        (SeasonOptions(year=1961, tracks=("usa", "usa", "usa")), ErrorCode.BAD_OPTIONS),
        (SeasonOptions(year=1961, events=True), ErrorCode.BAD_OPTIONS),
    ],
)
async def test_what_makes_no_season_is_refused(
    nursery: trio.Nursery, autojump_clock: MockClock, season: SeasonOptions, code: ErrorCode
) -> None:
    player = await House(nursery).player()
    await player.create()
    assert await player.refused(Configure(player.id(), RoomOptions(season=season))) == code


async def test_a_deserted_break_ends_the_room(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery, ServerConfig(paused_seconds=100, messages_at_once=1_000_000))
    ana, ben = await grid(house)
    await start(ana, ben)
    await race(ana, ben)
    await ana.leave()
    await ben.leave()
    await trio.sleep(99)
    assert house.server.rooms
    await trio.sleep(2)
    assert not house.server.rooms


@pytest.mark.spec("SIS-1")
async def test_who_leaves_is_driven_for_and_all_else_goes_on_from_race_to_race(
    store: Store, autojump_clock: MockClock
) -> None:
    """A host-run game of cards over three races, one who leaves, comes back and leaves, and restarts.

    Decks on the server alone: test_hidden. Whole actions: test_updates. Too few cards: tests.core.test_edges.
    """
    totals: Counter[int] = Counter()
    async with server_on(store) as house:
        ana, ben = await grid(house)
        await start(ana, ben)
        await ben.leave()
        await ana.wait_for(LobbyView, lambda state: not state.places[1].is_connected)
        await race(ana)
    for number in range(1, 3):
        view = told(ana).view
        results = view.races[number - 1].results
        assert {result.car for result in results} == set(range(6)), "the car of who left is scored, too"
        totals.update({result.car: result.points for result in results})
        assert {standing.car: standing.points for standing in view.standings} == totals
        order = [standing.car for standing in view.standings]
        async with server_on(store) as house:
            ana = await house.back(ana)
            again = await house.player(ben.token)
            if number == 1:
                await again.join(ana.code, "ben")
            await again.ping()
            await ana.start()
            await ana.ping()
            assert ana.started is not None
            assert ana.started.setup.carried.grid == tuple(reversed(order)), "the leader starts last"
            assert len(told(ana).setup.cars) == 6
            if number == 1:
                await again.look()
                assert again.view.own is not None
                await race(ana, again)
            else:
                await race(ana)
    assert told(ana).view.end == "finished"
