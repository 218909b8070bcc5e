"""A stopwatch on every answer that others see: it cannot tell the forced ones from the free ones (TURN-2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest
import trio
from trio.testing import MockClock

from heat_core.decisions import CardsChoice, DiscardChoice, GearChoice, only_command, sample_command
from heat_core.drivers import DriverName
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.rng import Stream
from heat_core.table import Table
from heat_core.view.race_view import OwnView
from heat_core.wire.messages import Act, RoomOptions, Update
from heat_server.config import ServerConfig
from heat_server.room.broadcast import broadcast_started
from heat_server.room.holding import OPEN_PART
from heat_server.room.outbox import News
from heat_server.room.race_clock import RaceClock
from heat_server.store.contract import Store
from tests.core.support import roomy, track_facts
from tests.server.restarts import in_race
from tests.server.support import House, Player, server_on

pytestmark = pytest.mark.trio

TIMED = ServerConfig(messages_at_once=1_000_000)
"""Bots, and what a hand forces, take their time."""

AT_ONCE = 0.005
"""What a program takes for an answer that needs no thought."""

FREE = "hand 1 1 2 2 3 4 4"
HANDS = {
    "cluttered": "hand heat heat heat heat heat stress 3",
    "three that can be played": "hand 3 3 3 heat heat heat heat",
}


async def race_from(
    house: House,
    people: int,
    hands: Sequence[str],
    *,
    gear: int = 3,
    engine: int = 2,
    modules: Modules = BASE_GAME,
) -> list[Player]:
    """Sit down around a race that stands in phase 2 of a round, each seat behind the one before.

    Args:
        people: How many seats they have, the first ones; bots have the others.
        hands: In words, by seat.
        gear: Of every car.
        engine: Its Heat.
    """
    players = await house.full_lobby([f"driver {seat}" for seat in range(people)])
    if people == 1:
        await players[0].bot(1, "steady")
    await players[0].start()
    (room,) = house.server.rooms.values()
    draw = "draw 1 2 4"
    cars = {
        f"driver {seat}": f"lap 1 space {33 - 5 * seat} gear {gear} engine {engine} {hand} {draw}"
        for seat, hand in enumerate(hands)
    }
    rules = roomy(PRESETS["standard"], len(cars))
    setup = make_position(track_facts("usa"), cars, phase="play", rules=rules, modules=modules)
    drivers: dict[int, DriverName] = {
        seat: "human" if seat < people else "steady" for seat in range(len(hands))
    }
    state, now = room.state, trio.current_time()
    state.kept.race_places = tuple(range(len(hands)))
    state.race = RaceClock(Table(setup, drivers), state.kept, state.people, state.timing, now, state.pace)
    for _, presence in state.people.here():
        presence.sent = presence.heard = 0
    broadcast_started(state)
    room.inbox.put_first(News.PRESENCE)
    for player in players:
        await player.wait_for(Update, lambda update: update.view.phase == 2)
    return players


def own_of(player: Player) -> OwnView:
    own = player.view.own
    assert own is not None
    return own


def answer_of(player: Player, command: c.Command | None = None) -> Act:
    """Answer with a command, or with the one that there is."""
    own = own_of(player)
    assert own.choice is not None
    command = command or only_command(own.choice)
    assert command is not None
    return Act(player.id(), own.decision, command)


class Heard(NamedTuple):
    """A message, and when it came."""

    at: float
    payload: bytes


async def listen(player: Player, heard: list[Heard]) -> None:
    """Note every byte that somebody is sent, with the time."""
    while True:
        before = len(player.raw)
        await player.receive()
        if len(player.raw) > before:
            heard.append(Heard(trio.current_time(), bytes(player.raw[before:])))


THREE = c.PlayCards(("1", "1", "2"))


async def heard_by_the_first(hand: str, *, answers_at_once: bool) -> list[Heard]:
    """Give what the first of three is sent while the last answers a free hand after 4 s, with its time.

    Args:
        hand: Of the second.
        answers_at_once: Whether the second gives the only answer that there is, as a program would.
    """
    async with trio.open_nursery() as nursery:
        first, second, last = await race_from(House(nursery, TIMED), 3, [FREE, hand, FREE])
        began = trio.current_time()
        heard: list[Heard] = []
        nursery.start_soon(listen, first, heard)
        await trio.sleep(AT_ONCE)
        if answers_at_once:
            act = answer_of(second)
            await second.ok(act)
            own = await own_update(second)
            assert own.chosen == act.command
            assert trio.current_time() == began + AT_ONCE, "the own ok and the own view come at once"
        await trio.sleep_until(began + 4)
        await last.ok(answer_of(last, THREE))
        await trio.sleep(4)
        nursery.cancel_scope.cancel()
    return [Heard(round(at - began, 3), payload) for at, payload in heard]


async def own_update(player: Player) -> OwnView:
    update = await player.wait_for(Update)
    assert [decision.has_chosen for decision in update.decisions] == [False, True, False]
    assert update.view.own is not None
    return update.view.own


@pytest.mark.parametrize("hand", HANDS)
async def test_every_byte_and_its_time_could_be_that_of_a_free_hand(
    autojump_clock: MockClock, hand: str
) -> None:
    """A program answers at once for a hand that leaves nothing; with another hand its driver thinks."""
    forced = await heard_by_the_first(HANDS[hand], answers_at_once=True)
    assert [at for at, _ in forced] == [4], "the first has yet to choose, and so the second is waited for"
    assert forced == await heard_by_the_first(FREE, answers_at_once=False)


@pytest.mark.parametrize("hand", HANDS)
async def test_it_is_shown_a_while_after_the_last_free_one(autojump_clock: MockClock, hand: str) -> None:
    gaps = []
    for _ in range(8):
        async with trio.open_nursery() as nursery:
            first, second, last = await race_from(House(nursery, TIMED), 3, [FREE, HANDS[hand], FREE])
            act = answer_of(second)
            await second.ok(act)
            await trio.sleep(3)
            await first.ok(answer_of(first, THREE))
            await trio.sleep(3)
            began = trio.current_time()
            await last.ok(answer_of(last, THREE))
            update = await first.wait_for(Update, lambda update: update.view.decisions[2].has_chosen)
            assert [decision.has_chosen for decision in update.view.decisions] == [True, False, True]
            assert [decision.has_chosen for decision in update.decisions] == [True, False, True]
            assert update.decisions[1].milliseconds_left == 54_000, "time runs as for somebody who thinks"
            await second.ok(Act(second.id(), act.decision, act.command))
            await first.wait_for(Update, lambda update: update.view.phase != 2)
            gaps.append(trio.current_time() - began)
            nursery.cancel_scope.cancel()
    assert all(0.5 <= gap <= 1.5 for gap in gaps)
    assert max(gaps) - min(gaps) > 0.1, "by lot"


@pytest.mark.parametrize("bots", [0, 3])
async def test_where_nobody_has_a_choice_it_takes_as_long_as_a_bot(
    autojump_clock: MockClock, bots: int
) -> None:
    """Behind the bots: all of them may have had a choice."""
    gaps = []
    for _ in range(8):
        async with trio.open_nursery() as nursery:
            house = House(nursery, TIMED)
            hands = [HANDS["cluttered"]] * (2 if not bots else 1) + [FREE] * bots
            players = await race_from(house, len(hands) - bots, hands)
            began = trio.current_time()
            for player in players:
                await player.ok(answer_of(player))
            (room,) = house.server.rooms.values()
            assert room.state.race is not None
            table = room.state.race.table
            await players[0].wait_for(Update, lambda update: update.view.phase != 2)
            gaps.append(trio.current_time() - began)
            made = [event.seat for event in table.log if isinstance(event, e.ChoiceMade)]
            assert not bots or made[bots] == 0
            nursery.cancel_scope.cancel()
    assert all(0.5 <= gap <= 1.5 for gap in gaps)
    assert max(gaps) - min(gaps) > 0.05


NO_HEAT, ONE_HEAT = FREE, "hand 1 2 2 3 4 4 heat"


async def seconds_to_leave_react(
    *, hand: str, gear: int = 1, engine: int = 0, modules: Modules = BASE_GAME
) -> float:
    """Have the first of three leave phase 5 without a reaction; give when the others see it."""
    async with trio.open_nursery() as nursery:
        house = House(nursery, TIMED)
        hands = [hand, FREE, FREE]
        players = await race_from(house, 3, hands, gear=gear, engine=engine, modules=modules)
        for player in players:
            await player.ok(answer_of(player, c.PlayCards(("1", "2", "2")[:gear])))
        first, second, _ = players
        for player in (first, second):
            await player.wait_for(Update, lambda update: update.view.phase == 5)
        began = trio.current_time()
        act = answer_of(first, c.EndReact())
        await first.ok(act)
        assert trio.current_time() == began
        await first.ok(Act(first.id(), act.decision, act.command))
        await second.wait_for(Update, lambda update: update.view.turn is None or update.view.turn.car != 0)
        gap = trio.current_time() - began
        nursery.cancel_scope.cancel()
    return gap


async def test_who_cannot_react_for_want_of_heat_in_hand_leaves_phase_5_as_late_as_a_bot_would(
    autojump_clock: MockClock,
) -> None:
    gaps = [await seconds_to_leave_react(hand=NO_HEAT) for _ in range(8)]
    assert all(0.5 <= gap <= 1.5 for gap in gaps)
    assert max(gaps) - min(gaps) > 0.1, "by lot"
    assert await seconds_to_leave_react(hand=ONE_HEAT) == 0, "a choice is shown when it has been made"


async def test_a_reaction_that_all_see_to_be_impossible_is_not_waited_for(autojump_clock: MockClock) -> None:
    """In 3rd gear, the engine empty: no cooldown, no boost; but an upgrade in the hand might do something."""
    assert await seconds_to_leave_react(hand=ONE_HEAT, gear=3) == 0
    garage = Modules(garage="basic")
    assert 0.5 <= await seconds_to_leave_react(hand=NO_HEAT, gear=3, modules=garage) <= 1.5


async def test_a_held_answer_is_given_for_who_leaves_and_one_who_gives_up_has_none(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        players = await race_from(House(nursery, TIMED), 3, [FREE, HANDS["cluttered"], FREE])
        first, second, last = players
        await second.ok(answer_of(second))
        left_at = trio.current_time()
        await second.leave()
        await first.wait_for(
            Update, lambda update: update.away == (1,) and update.view.decisions[1].has_chosen
        )
        assert trio.current_time() == left_at, "as the choice of anybody who is away is made at once"
        nursery.cancel_scope.cancel()
    async with trio.open_nursery() as nursery:
        players = await race_from(House(nursery, TIMED), 3, [FREE, HANDS["cluttered"], FREE])
        first, second, last = players
        await second.ok(answer_of(second))
        await second.ok(Act(second.id(), None, c.GiveUp()))
        update = await first.wait_for(Update, lambda update: update.view.cars[1].status == "gave_up")
        assert [decision.seat for decision in update.decisions] == [0, 2]
        await first.ok(answer_of(first, THREE))
        await last.ok(answer_of(last, THREE))
        await first.wait_for(Update, lambda update: update.view.phase != 2)
        nursery.cancel_scope.cancel()


async def test_a_held_answer_is_on_disk_and_counts_after_a_kill(
    store: Store, autojump_clock: MockClock, seed: str
) -> None:
    async with server_on(store, TIMED) as house:
        ana, ben = await house.racing()
        forced, other = await first_forced(ana, ben)
        act = answer_of(forced)
        await forced.ok(act)
        number = other.view.event_number
    async with server_on(store, TIMED) as house:
        again, other = await in_race(house, forced), await in_race(house, other)
        assert own_of(again).chosen == act.command
        update = await other.look()
        assert update.number == number
        assert [decision.has_chosen for decision in update.decisions] == [False, False]
        await again.ok(Act(again.id(), act.decision, act.command))
        assert (await other.look()).number == number
        choice = own_of(other).choice
        assert choice is not None
        began = trio.current_time()
        await other.ok(answer_of(other, sample_command(choice, Stream("other"))))
        await other.wait_for(Update, lambda update: act.decision in chosen_in(update))
        assert 0.5 <= trio.current_time() - began <= 1.5


def chosen_in(update: Update) -> list[int | None]:
    return [event.decision for event in update.events if isinstance(event, e.ChoiceMade)]


async def first_forced(ana: Player, ben: Player) -> tuple[Player, Player]:
    """Race at random until a hand of one leaves nothing and one of the other does; give both."""
    stream = Stream("until something is forced")
    while True:
        for player in (ana, ben):
            await player.ping()
        choices = {player: own_of(player).choice for player in (ana, ben) if own_of(player).chosen is None}
        for player, choice in choices.items():
            other = choices.get(ben if player is ana else ana)
            if isinstance(choice, (CardsChoice, DiscardChoice)) and only_command(choice) is not None:
                if other is not None and only_command(other) is None:
                    return player, ben if player is ana else ana
        player, choice = next((player, choice) for player, choice in choices.items() if choice is not None)
        await player.ok(Act(player.id(), own_of(player).decision, sample_command(choice, stream)))
        await trio.sleep(2)


# --- whole races ------------------------------------------------------------------------------------------


class Given(NamedTuple):
    """An answer to a secret choice."""

    at: float
    is_forced: bool


class Timekeeper:
    """Whole races of people who think, and programs that do not; somebody looks on with a stopwatch.

    Attributes:
        opened, given, shown: By seat and decision: when it was asked, answered, and seen by somebody else.
    """

    def __init__(self) -> None:
        self.opened: dict[tuple[int, int], float] = {}
        self.given: dict[tuple[int, int], Given] = {}
        self.shown: dict[tuple[int, int], float] = {}

    async def drive(self, player: Player, seat: int, nursery: trio.Nursery) -> None:
        stream = Stream(f"driver {seat}")
        seen: set[int] = set()
        while player.update is None or player.view.status != "ended":
            own = player.update.view.own if player.update is not None else None
            if own is not None and own.decision is not None and own.decision not in seen:
                seen.add(own.decision)
                if own.choice is not None and own.chosen is None:
                    nursery.start_soon(self._answer, player, seat, own, stream)
            await player.receive()

    async def _answer(self, player: Player, seat: int, own: OwnView, stream: Stream) -> None:
        assert own.choice is not None
        assert own.decision is not None
        key, forced = (seat, own.decision), only_command(own.choice)
        is_secret = isinstance(own.choice, (GearChoice, CardsChoice, DiscardChoice))
        if is_secret:
            self.opened[key] = trio.current_time()
        await trio.sleep(AT_ONCE if forced is not None else 2 + stream.below(5_000) / 1000)
        if is_secret:
            self.given[key] = Given(trio.current_time(), forced is not None)
        command = forced if forced is not None else sample_command(own.choice, stream)
        await player.send(Act(player.id(), own.decision, command))

    async def watch(self, watcher: Player) -> None:
        while watcher.update is None or watcher.view.status != "ended":
            update = await watcher.wait_for(Update)
            for event in update.events:
                if isinstance(event, e.ChoiceMade) and event.command is None and event.decision is not None:
                    self.shown[event.seat, event.decision] = trio.current_time()

    def together(self) -> Iterator[list[tuple[int, int]]]:
        """List the decisions that were asked at one time."""
        for at in sorted(set(self.opened.values())):
            yield [key for key, opened_at in self.opened.items() if opened_at == at]


@pytest.mark.spec("TURN-2")
@pytest.mark.parametrize("rules", ["standard", "rulebook"])
async def test_no_forced_answer_of_whole_races_is_seen_before_the_last_free_one(
    autojump_clock: MockClock, rules: PresetName
) -> None:
    timekeeper = Timekeeper()
    async with trio.open_nursery() as nursery:
        house = House(nursery, TIMED)
        players = await house.full_lobby(["ana", "ben", "cy"], RoomOptions(laps=2, rules=rules))
        watcher = await house.player()
        await watcher.watch(players[0].code, "wim")
        await players[0].start()
        async with trio.open_nursery() as racing:
            racing.start_soon(timekeeper.watch, watcher)
            for seat, player in enumerate(players):
                racing.start_soon(timekeeper.drive, player, seat, racing)
        nursery.cancel_scope.cancel()
    forced = {key for key, given in timekeeper.given.items() if given.is_forced}
    assert len(forced) > 10
    for keys in timekeeper.together():
        free_at = [timekeeper.shown[key] for key in keys if key not in forced]
        assert free_at == [timekeeper.given[key].at for key in keys if key not in forced]
        since = max(free_at, default=timekeeper.opened[keys[0]])
        for key in set(keys) & forced:
            assert 0.5 <= timekeeper.shown[key] - since <= 1.5


async def test_bots_answer_by_lot_whether_they_had_a_choice_or_not_and_openly_after_the_same_time(
    autojump_clock: MockClock,
) -> None:
    seconds: dict[bool, list[float]] = {True: [], False: []}
    seconds_in_the_open: list[float] = []
    async with trio.open_nursery() as nursery:
        house = House(nursery, TIMED)
        ana = await house.player()
        await ana.create(options=RoomOptions(laps=2, cars=6))
        for place in range(1, 6):
            await ana.bot(place, "random")
        await ana.start()
        (room,) = house.server.rooms.values()
        assert room.state.race is not None
        table = room.state.race.table
        opened: dict[tuple[int, int], tuple[float, bool]] = {}
        while ana.view.status != "ended":
            assert ana.update is not None
            for event in ana.update.events:
                if not isinstance(event, e.ChoiceMade) or event.decision is None or event.seat == 0:
                    continue
                at, is_forced = opened[event.seat, event.decision]
                is_secret = event.command is None
                (seconds[is_forced] if is_secret else seconds_in_the_open).append(trio.current_time() - at)
            for decision in table.decisions():
                own = table.view(decision.seat).own
                assert own is not None
                if own.choice is not None:
                    key = decision.seat, decision.decision
                    opened.setdefault(key, (trio.current_time(), only_command(own.choice) is not None))
            if (act := ana.next_act()) is not None:
                await ana.send(act)
            await ana.wait_for(Update)
        nursery.cancel_scope.cancel()
    assert len(seconds_in_the_open) > 20
    assert all(one == pytest.approx(OPEN_PART, abs=AT_ONCE) for one in seconds_in_the_open)
    for those in seconds.values():
        assert len(those) > 20
        assert all(0.5 <= one <= 1.5 for one in those)
        assert 0.9 < sum(those) / len(those) < 1.1
