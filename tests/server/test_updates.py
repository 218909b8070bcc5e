"""What clients are told of a race, and what becomes of what they say (NET-2, NET-3, NET-7, NET-8)."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_core.decisions import enumerate_commands
from heat_core.race import commands as c
from heat_core.race.apply import apply
from heat_core.race.normal_form import normalised
from heat_core.race.presets import STANDARD
from heat_core.race.state import new_race
from heat_core.rng import Stream
from heat_core.simulation import make_table, play_out
from heat_core.wire.codec import (
    HEADER_BYTES,
    MOST_SERVER_BYTES,
    decode_server_message,
    encode_server_message,
)
from heat_core.wire.messages import (
    Act,
    Error,
    Join,
    ListRooms,
    LobbyView,
    Ok,
    RoomList,
    RoomOptions,
    Update,
)
from heat_server.room.updates import newest_that_fit
from heat_server.store.contract import Store
from heat_server.store.encoding import decode_events, decode_setup
from tests.core.support import track_facts
from tests.server.support import QUICK, House, server_on
from tests.server.test_hidden import EVERYTHING, SINGLE, grid, moments, room_in
from tests.server.test_race import event_numbers, sampler
from tests.server.test_spectators import looking_on

pytestmark = [pytest.mark.trio, pytest.mark.usefixtures("seed")]

ANYTHING: list[c.Command] = [
    *(c.ShiftGear(gear) for gear in (1, 2, 3, 4)),
    *(c.PlayCards(cards) for cards in ((), ("1",), ("heat",), ("stress",) * 4, ("0", "0", "0", "5"))),
    c.ChooseValue((4,)),
    *(c.UseSymbol(number, amount) for number in range(4) for amount in (0, 1, 9)),
    c.UseSymbol(0, 1, ("sponsor-1",)),
    c.EndReact(),
    c.DropUnpaid(("heat",)),
    *(c.Slipstream(spaces) for spaces in (0, 1, 2, 3, 64)),
    *(c.Discard(cards) for cards in ((), ("1",), ("heat",), ("stress",), ("4", "4", "4", "4"))),
    c.PickUpgrade("start-5"),
    c.SwapUpgrade(None, None),
]


@pytest.mark.spec("NET-8")
async def test_everybody_gets_each_event_once_and_the_whole_view_after_each_change(
    store: Store, autojump_clock: MockClock
) -> None:
    """Also that an action is told whole or not at all: no update ends within the events of a command."""
    async with server_on(store) as house:
        players, watcher = await grid(house, SINGLE)
        match = room_in(house).match
        await players[0].start()
        async for _ in moments(players):
            await watcher.ping()
        for player in (*players, watcher):
            await player.ping()
        (race,) = store.races(match)
    ends = {step.first + step.count - 1 for step in race.steps}
    log = [event for step in race.steps for event in decode_events(step.events)]
    for seat, player in [(0, players[0]), (1, players[1]), (None, watcher)]:
        assert player.room is not None
        assert player.room.phase == "ended"
        numbers = [number for update in player.updates for number in event_numbers(update)]
        assert numbers == list(range(1, len(log) + 1))
        assert len(player.updates) > 80
        state = new_race(decode_setup(race.setup))
        done = 0
        for update in player.updates:
            assert update.number in ends
            assert update.number == update.view.event_number
            assert (update.view.own is None) is (seat is None)
            for event in log[done : update.number]:
                apply(state, event)
            done = update.number
            if seat is not None and update.view.own is not None:
                assert list(update.view.own.hand) == state.seat(seat).hand
            assert [car.progress for car in update.view.cars] == [car.progress for car in state.cars]
            assert update.view.phase == state.phase


async def test_who_reads_slowly_gets_fewer_updates_and_misses_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    slow = house.connect(is_narrow=True)
    with trio.fail_after(5):
        await slow.hello()
        await slow.watch(ana.code, "wim")
        await ana.start()
        async for _ in moments([ana, ben]):
            pass
        waiting = [connection._outbox_bytes for connection in house.server.connections]
        assert max(waiting) < 200_000, "what waits for one who does not read is little"
        await slow.wait_for(Update, lambda update: update.view.status == "ended")
    assert len(slow.updates) < 10 < len(ana.updates)
    await ana.ping()
    numbers = [number for update in slow.updates for number in event_numbers(update)]
    assert numbers == list(range(1, ana.view.event_number + 1))
    assert slow.view.standings == ana.view.standings
    await slow.ping()
    assert slow.room is not None
    assert slow.room.phase == "ended"


@pytest.mark.parametrize("phase", ["lobby", "racing"])
async def test_nobody_can_make_a_slow_reader_fall_behind_by_changing_the_room(
    phase: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    slow, flooder = house.connect(is_narrow=True), await house.player()
    with trio.fail_after(5):
        await slow.hello()
        await slow.join(ana.code, "sloth")
        if phase == "racing":
            await ana.start()
        for number in range(400):
            await flooder.watch(ana.code, "flo")
            await flooder.leave()
            await ben.seat(ready=bool(number % 2)) if phase == "lobby" else None
        await flooder.watch(ana.code, "last")
        received = len(slow.raw)
        state = await slow.wait_for(LobbyView, lambda state: state.watchers == ("last",))
    assert state.phase == phase
    assert slow.bye is None
    assert len(slow.raw) - received < 30_000


@pytest.mark.spec("NET-7")
async def test_clients_know_who_decides_what_is_legal_and_how_long_is_left(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    players, watcher = await grid(house, SINGLE)
    await players[0].start()
    race = room_in(house).state.race
    assert race is not None
    stream = Stream("what is legal")
    kinds = set()
    opened_at: dict[tuple[int, str, int], float] = {}
    async for _ in moments(players):
        await trio.sleep(stream.below(20) / 10)
        for player in (*players, watcher):
            update = await player.look()
            open_now = {decision.seat: decision for decision in race.table.decisions()}
            assert {decision.seat for decision in update.decisions} == set(open_now)
            for told in update.decisions:
                truth = open_now[told.seat]
                assert (told.kind, told.has_chosen) == (truth.kind, truth.has_chosen)
                if truth.has_chosen:
                    assert told.milliseconds_left is None
                    continue
                key = (told.seat, told.kind, update.view.round * 100 + truth.decision)
                began = opened_at.setdefault(key, trio.current_time())
                assert told.milliseconds_left is not None
                gone = 60_000 - told.milliseconds_left
                assert gone >= round((trio.current_time() - began) * 1000)
                assert gone <= round((trio.current_time() - began) * 1000) + 2_000
        for player in players:
            own = player.view.own
            assert own is not None
            assert (own.decision is not None) is (own.seat in open_now)
            if own.decision is None or own.choice is None:
                continue
            kinds.add(type(own.choice).__name__)
            legal = {normalised(command) for command in enumerate_commands(own.choice)}
            assert legal
            for command in stream.sample(ANYTHING, 6):
                if normalised(command) in legal:
                    continue
                answer = await player.answer(Act(player.id(), own.decision, command))
                assert isinstance(answer, Error), command
                assert answer.code.startswith("act/")
                assert answer.text.endswith(".")
    assert len(kinds) >= 5


@pytest.mark.spec("NET-2")
async def test_nothing_that_a_client_says_is_believed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Commands of any kind for any decision, from drivers and spectators: no lie changes anything."""
    house = House(nursery)
    players, watcher = await grid(house, SINGLE)
    await players[0].start()
    await watcher.look()
    race = room_in(house).state.race
    assert race is not None
    stream = Stream("lies")
    async for count in moments(players):
        if count % 3:
            continue
        before = race.table.dump()
        ids = [None, 0, *range(1, 4)]
        for player in (*players, watcher):
            for command in stream.sample(ANYTHING, 8):
                own = player.view.own
                others = [view.own.decision for view in (one.view for one in players) if view.own]
                decision = stream.choose([*ids, *others])
                if own is not None and decision == own.decision:
                    continue
                answer = await player.answer(Act(player.id(), decision, command))
                if isinstance(answer, Ok):  # an honest answer, sent again
                    assert race.table.dump() == before
                    continue
                assert isinstance(answer, Error)
                assert answer.code in ("act/late", "act/only_watching", "act/race_ended")
        assert race.table.dump() == before


@pytest.mark.spec("NET-3")
async def test_rooms_are_made_listed_joined_and_left_and_one_that_breaks_harms_no_other(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    tables = []
    for number, track in enumerate(("usa", "italy", "gb", "france", "mexico", "japan")):
        options = RoomOptions(
            track=track, laps=1, cars=2 + number % 3, garage="basic" if number % 2 else "none"
        )
        tables.append(await house.full_lobby([f"ana {number}", f"ben {number}"], options))
    codes = {ana.code for ana, _ in tables}
    assert len(codes) == len(tables)
    stranger = await house.player()
    listed = await stranger.answer(ListRooms(stranger.id()))
    assert isinstance(listed, RoomList)
    assert {(room.code, room.phase, room.players) for room in listed.rooms} == {
        (code, "lobby", 2) for code in codes
    }
    full = [room.code for room in listed.rooms if not room.has_place]
    assert sorted(full) == sorted(ana.code for ana, _ in (tables[0], tables[3]))
    await stranger.join(tables[1][0].code, "cy")
    await stranger.leave()
    assert await stranger.refused(Join(stranger.id(), full[0], "cy")) == "room/full"
    for ana, _ in tables:
        await ana.start()
    broken = house.server.rooms[tables[2][0].code].state
    async with trio.open_nursery() as racing:
        for number, table in enumerate(tables):
            if number != 2:
                for player in table:
                    racing.start_soon(player.race, sampler(number))
        ana, ben = tables[2]
        for member in broken.people.members():
            member.seat += 9  # what cannot be
        await ana.send(ana.next_act() or pytest.fail("nothing to do"))
        for player in (ana, ben):
            error = await player.wait_for(Error)
            assert error.code in ("room/crashed",)
    for number, table in enumerate(tables):
        if number != 2:
            assert len(table[0].view.standings) == len(table[0].view.cars)
    assert set(house.server.rooms) == codes - {tables[2][0].code}
    await ben.create("ben", QUICK)


async def test_a_room_without_race_sends_no_updates(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, _ = await house.full_lobby(["ana", "ben"], EVERYTHING)
    watcher = await looking_on(house, ana)
    await ana.say("ready?")
    for player in (ana, watcher):
        await player.ping()
        assert player.updates == []


async def test_an_update_holds_whole_races_and_no_more_than_a_frame() -> None:
    """Whoever comes back to a long race needs all of it for its figures (RACE-7)."""
    table = make_table(track_facts("mexico"), 4, ["random"] * 6, STANDARD, "long")
    play_out(table)
    events = table.events_since(0, 0)
    assert len(events) > 5_000
    assert newest_that_fit(events) == events
    many = events * 5
    kept = newest_that_fit(many)
    assert kept == many[-len(kept) :]
    whole = Update(len(events), events, table.view(0), (), ())
    largest = Update(len(many), kept, table.view(0), (), ())
    assert 700_000 < len(encode_server_message(largest)) < MOST_SERVER_BYTES
    for update in (whole, largest):
        assert decode_server_message(encode_server_message(update)[HEADER_BYTES:]) == update
