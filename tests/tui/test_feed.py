"""What a client keeps of a race: no event twice, none lost that the server sends again."""

from __future__ import annotations

import msgspec
import pytest

from heat_core.race.presets import STANDARD
from heat_core.simulation import make_table, play_out
from heat_core.table import Table
from heat_core.view.secrecy import public_setup
from heat_core.wire import messages as m
from heat_tui.client.feed import Feed
from tests.core.support import track_facts

pytestmark = pytest.mark.asyncio


def raced(seed: str = "feed") -> Table:
    table = make_table(track_facts("italy"), 1, ["steady", "steady"], STANDARD, seed)
    play_out(table)
    return table


def update(table: Table, since: int, number: int) -> m.Update:
    return m.Update(number, table.events_since(since, 0)[: number - since], table.view(0), (), ())


async def received(table: Table, pieces: list[tuple[int, int]]) -> Feed:
    feed = Feed(m.Started(0, public_setup(table.setup), (0, 1)))
    for since, number in pieces:
        feed.receive(update(table, since, number))
    return feed


@pytest.mark.parametrize(
    "pieces",
    [
        [(0, 10), (10, 30), (30, 60)],
        [(0, 10), (5, 30), (0, 60)],
        [(0, 10), (40, 50), (10, 60)],
        [(0, 10), (40, 50), (5, 50), (50, 60)],
        [(0, 10), (40, 50), (55, 58), (10, 60)],
        [(0, 10), (40, 50), (20, 55), (10, 60)],
        [(20, 30), (0, 60)],
    ],
)
async def test_whatever_is_lost_and_sent_again_every_event_is_there_once(
    pieces: list[tuple[int, int]],
) -> None:
    table = raced()
    feed = await received(table, pieces)
    assert feed.events_since(0) == table.events_since(0, 0)[:60]
    assert feed.number == 60


@pytest.mark.parametrize("number", [8, 10, 25, 30, 45])
async def test_a_race_that_went_back_and_continued_otherwise_has_none_of_the_old_events(number: int) -> None:
    """As when a fleet is restored from a backup, and others are back sooner."""
    before, after = raced(), raced("another feed")
    feed = await received(before, [(0, 10), (10, 30)])
    assert feed.ask_since == 10
    feed.receive(update(after, min(feed.ask_since, number), number))
    assert (feed.number, feed.known, feed.is_whole) == (number, 0, False)
    feed.receive(update(after, feed.ask_since, number))
    assert feed.is_whole
    assert feed.events_since(0) == after.events_since(0, 0)[:number]


async def test_old_events_are_dropped_too_if_something_newer_comes_before_what_was_asked_for() -> None:
    before, after = raced(), raced("another feed")
    feed = await received(before, [(0, 10), (10, 30)])
    feed.receive(update(after, 40, 45))
    feed.receive(update(after, feed.ask_since, 45))
    assert feed.known == 0
    feed.receive(update(after, 0, 45))
    assert feed.events_since(0) == after.events_since(0, 0)[:45]


async def test_what_the_server_sends_no_more_is_missing_and_nothing_else() -> None:
    table = raced()
    feed = await received(table, [(0, 10), (40, 50)])
    assert feed.number == 50
    assert feed.events_since(0) == table.events_since(40, 0)[:10]


async def test_an_event_that_only_newer_programs_know_is_counted_and_not_shown() -> None:
    table = raced()
    told = update(table, 0, 20)
    told = msgspec.structs.replace(told, events=(*told.events[:5], m.UnknownEvent(), *told.events[6:]))
    feed = Feed(m.Started(0, public_setup(table.setup), (0, 1)))
    feed.receive(told)
    feed.receive(update(table, 20, 30))
    events = table.events_since(0, 0)
    assert (feed.number, feed.is_whole) == (30, True)
    assert feed.events_since(0) == (*events[:5], *events[6:30])
    assert feed.events_since(10) == events[10:30]
