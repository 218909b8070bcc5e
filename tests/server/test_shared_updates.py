"""Updates that share their bytes are those that each receiver alone would be sent (NET-6)."""

from __future__ import annotations

import pytest

from heat_core.race import events as e
from heat_core.rng import Stream
from heat_core.table import Table
from heat_core.view.secrecy import seats_told_more, view_event
from heat_core.wire.codec import encode_server_message
from heat_core.wire.messages import OpenDecision, Update
from heat_server.room.updates import SharedUpdate
from tests.core.random_setups import random_module_setup

AWAY = (1,)
SEEDS = ("one", "two", "three")


def check_updates(table: Table, since: int) -> None:
    """Compare what is sent to all with what is made for each."""
    decisions = tuple(
        OpenDecision(one.seat, one.kind, one.has_chosen, 4_000 if one.seat else None)
        for one in table.decisions()
    )
    shared = SharedUpdate(table, decisions, AWAY, None)
    for seat in (None, *table.drivers):
        events, view = table.events_since(since, seat), table.timed_view(seat)
        alone = Update(table.event_number, events, view, decisions, AWAY, None)
        assert encode_server_message(shared.sent_to(seat, since)) == encode_server_message(alone)


@pytest.mark.parametrize("seed", SEEDS)
def test_shared_updates_are_byte_for_byte_those_made_for_each_seat_alone(seed: str) -> None:
    setup = random_module_setup(Stream(seed))
    seats = [number for number, car in enumerate(setup.cars) if car.legend is None]
    table = Table(setup, dict.fromkeys(seats, "random"))
    check_updates(table, 0)
    for _ in range(150):
        since = table.event_number
        if not table.step_bot():
            break
        check_updates(table, since)
    check_updates(table, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_whoever_is_not_told_more_sees_an_event_as_spectators_do(seed: str) -> None:
    setup = random_module_setup(Stream(seed))
    seats = [number for number, car in enumerate(setup.cars) if car.legend is None]
    table = Table(setup, dict.fromkeys(seats, "random"))
    while table.event_number < 600 and table.step_bot():
        pass
    told_more: set[type[e.Event]] = set()
    for event in table.log:
        for seat in seats:
            if view_event(event, seat) != view_event(event, None):
                assert seats_told_more([event]) == {seat}
                told_more.add(type(event))
    assert told_more >= {e.ChoiceMade, e.CardsDrawn}
