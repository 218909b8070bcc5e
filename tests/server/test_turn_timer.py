"""The time of a decision: who is waited for, how long, and what is then filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.normal_form import normalised
from heat_core.view.defaults import default_command
from heat_core.wire.messages import RoomOptions, Update
from heat_server.store.contract import Store
from tests.server.restarts import stored_log
from tests.server.support import Player, server_on

pytestmark = pytest.mark.trio


@dataclass
class Missed:
    """A decision that nobody answered in time."""

    kind: str
    sensible: c.Command
    opened_at: float
    milliseconds_left: int | None
    closed_at: float = 0.0


async def race_answering_every_second(player: Player, missed: dict[int, Missed]) -> None:
    """Race to the end; leave every second decision alone, and note it."""
    seen: set[int] = set()
    open_one: int | None = None
    while player.view.status != "ended":
        own, now = player.view.own, trio.current_time()
        asked = own.decision if own is not None and own.chosen is None else None
        if open_one is not None and asked != open_one:
            missed[open_one].closed_at = now
            open_one = None
        if asked is not None and asked not in seen:
            seen.add(asked)
            if len(seen) % 2:
                act = player.next_act()
                assert act is not None
                await player.send(act)
            else:
                assert player.update is not None
                told = next(one for one in player.update.decisions if one.seat == player.observation.own.seat)
                sensible = default_command(player.observation)
                missed[asked] = Missed(told.kind, sensible, now, told.milliseconds_left)
                open_one = asked
        await player.receive()


@pytest.mark.spec("NET-5.2")
@pytest.mark.parametrize("seconds", [None, 7])
async def test_every_kind_of_decision_has_its_time_and_then_a_sensible_answer(
    store: Store, autojump_clock: MockClock, seed: str, seconds: int | None
) -> None:
    options = RoomOptions(track="italy", laps=2, cars=2)
    if seconds is not None:
        options = replace(options, turn_milliseconds=seconds * 1000)
    missed: dict[int, Missed] = {}
    async with server_on(store) as house:
        ana, ben = await house.racing(options)
        async with trio.open_nursery() as playing:
            playing.start_soon(ana.race)
            playing.start_soon(race_answering_every_second, ben, missed)
        (match,) = store.open_matches()
        log = stored_log(store, match.match)
    made = {event.decision: event.command for event in log if isinstance(event, e.ChoiceMade)}
    waited = [one for one in missed.values() if one.closed_at]
    assert {one.kind for one in waited} >= {"gear", "cards", "react", "slipstream", "discard"}
    for decision, one in missed.items():
        if one.closed_at:
            assert one.milliseconds_left == (seconds or 60) * 1000
            assert one.closed_at - one.opened_at == (seconds or 60)
            assert made[decision] == normalised(one.sensible)


SECRET = {"gear": c.ShiftGear, "cards": c.PlayCards, "discard": c.Discard}
"""Kinds of choices that all make at the same time."""


def check_all_were_waited_for(log: Sequence[e.Event], seats: set[int]) -> None:
    """See that no gears, cards or discards turned up before every seat had chosen, while all raced."""
    chosen: set[tuple[type[object], int]] = set()
    for event in takewhile(lambda one: not isinstance(one, e.CarFinished), log):
        match event:
            case e.ChoiceMade(seat, _, command):
                chosen.add((type(command), seat))
            case e.ChoicesTurnedUp(kind):
                assert {(SECRET[kind], seat) for seat in seats} <= chosen
                chosen.clear()
            case e.TurnOrderFixed():
                assert {(c.PlayCards, seat) for seat in seats} <= chosen
            case _:
                pass


def check_sensible(log: Sequence[e.Event], seat: int) -> set[type[object]]:
    """See that what was filled in kept the gear, discarded nothing and slipped into no spin-out.

    Returns:
        Which kinds of commands were filled in for the seat.
    """
    filled_in: set[type[object]] = set()
    for number, event in enumerate(log):
        if not isinstance(event, e.ChoiceMade) or not event.by_clock or event.seat != seat:
            continue
        filled_in.add(type(event.command))
        after = log[number + 1 :]
        match event.command:
            case c.ShiftGear(gear):
                shifted = next(one for one in after if isinstance(one, e.GearShifted) and one.seat == seat)
                assert shifted.gear == shifted.before == gear
            case c.Discard(cards):
                assert cards == ()
            case c.Slipstream(spaces) if spaces:
                of_turn = takewhile(lambda one: not isinstance(one, e.TurnStarted), after)
                assert not [one for one in of_turn if isinstance(one, e.SpunOut)]
            case _:
                pass  # whatever is filled in, the table has taken it: it is legal
    return filled_in


@pytest.mark.spec("NET-5")
@pytest.mark.parametrize("seconds", [None, 7])
async def test_all_are_waited_for_the_absent_for_less_and_a_sensible_default_is_filled_in(
    store: Store, autojump_clock: MockClock, seed: str, seconds: int | None
) -> None:
    """Ana answers at once, Ben every second time, and Cy is away from the start."""
    turn, grace = seconds or 60, 20
    options = RoomOptions(track="italy", laps=2, cars=3)
    if seconds is not None:
        options = replace(options, turn_milliseconds=seconds * 1000)
    missed: dict[int, Missed] = {}
    async with server_on(store) as house:
        ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"], options)
        await ana.start()
        for player in (ben, cy):
            await player.wait_for(Update)
        watcher = await house.player()
        await watcher.watch(ana.code, "wim")
        began = trio.current_time()
        await cy.hang_up()
        async with trio.open_nursery() as playing:
            playing.start_soon(ana.race)
            playing.start_soon(race_answering_every_second, ben, missed)
            await watcher.wait_for(Update, lambda update: update.view.phase == 2)
            assert trio.current_time() - began == pytest.approx(min(turn, grace), abs=0.1)
            await watcher.hang_up()
        (match,) = store.open_matches()
        log = stored_log(store, match.match)
    waited = [one for one in missed.values() if one.closed_at]
    assert {one.kind for one in waited} >= {"gear", "cards", "react", "slipstream", "discard"}
    assert {(one.milliseconds_left, one.closed_at - one.opened_at) for one in waited} == {(turn * 1000, turn)}
    check_all_were_waited_for(log, {0, 1, 2})
    assert check_sensible(log, 1) >= {c.ShiftGear, c.PlayCards, c.EndReact, c.Slipstream, c.Discard}
