"""Whole races with a stopwatch: what a hand forces is seen when a free choice could be (TURN-2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
import trio
from trio.testing import MockClock

from heat_core.decisions import CardsChoice, DiscardChoice, GearChoice, only_command, sample_command
from heat_core.race import events as e
from heat_core.race.presets import PresetName
from heat_core.rng import Stream
from heat_core.view.race_view import OwnView
from heat_core.wire.messages import Act, RoomOptions, Update
from heat_server.room.held_answers import OPEN_PART
from tests.server.held_races import AT_ONCE, TIMED
from tests.server.support import House, Player

pytestmark = pytest.mark.trio


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
