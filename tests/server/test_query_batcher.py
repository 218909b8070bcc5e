"""Questions that tasks ask together: one statement for all who wait, an own answer for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_server.store.errors import StoreFailed
from heat_server.store.query_batcher import MOST_TOGETHER, QueryBatcher

pytestmark = pytest.mark.trio


class Slow:
    """Takes a second for each question, and knows the squares of numbers below 1,000."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.fails = False
        self.batcher = QueryBatcher[int, int](self.ask)

    async def ask(self, numbers: Sequence[int]) -> Mapping[int, int]:
        self.asked.append(list(numbers))
        await trio.sleep(1)
        if self.fails:
            raise StoreFailed("the disk is full")
        return {number: number * number for number in numbers if number < 1000}


async def test_who_comes_while_others_ask_is_answered_with_all_who_do(autojump_clock: MockClock) -> None:
    slow = Slow()
    answers = dict[int, int | None]()

    async def ask(number: int) -> None:
        answers[number] = await slow.batcher.ask(number)

    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask, 1)
        await wait_all_tasks_blocked(0.1)
        for number in [*range(2, 50), 5000]:
            nursery.start_soon(ask, number)
    assert answers == {number: number * number for number in range(1, 50)} | {5000: None}
    assert [len(asked) for asked in slow.asked] == [1, 49]
    assert trio.current_time() - began == pytest.approx(2)


async def test_those_who_ask_the_same_share_an_answer_that_is_no_older_than_their_question(
    autojump_clock: MockClock,
) -> None:
    slow = Slow()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(slow.batcher.ask, 1)
        await wait_all_tasks_blocked(0.1)
        nursery.start_soon(slow.batcher.ask, 1)
        nursery.start_soon(slow.batcher.ask, 1)
    assert slow.asked == [[1], [1]]


async def test_many_are_asked_in_several_turns(autojump_clock: MockClock) -> None:
    slow = Slow()
    async with trio.open_nursery() as nursery:
        for number in range(2 * MOST_TOGETHER + 1):
            nursery.start_soon(slow.batcher.ask, number)
    assert [len(asked) for asked in slow.asked] == [MOST_TOGETHER, MOST_TOGETHER, 1]


@pytest.mark.parametrize("cancelled", [[0], [1], [0, 1]])
async def test_who_is_cancelled_stops_nobody_else(cancelled: list[int], autojump_clock: MockClock) -> None:
    slow = Slow()
    scopes, answers = [trio.CancelScope() for _ in range(4)], dict[int, int | None]()

    async def ask(number: int) -> None:
        with scopes[number]:
            answers[number] = await slow.batcher.ask(number)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask, 0)
        await wait_all_tasks_blocked(0.1)
        for number in range(1, 4):
            nursery.start_soon(ask, number)
        await wait_all_tasks_blocked(0.1)
        for number in cancelled:
            scopes[number].cancel()
    assert {2: 4, 3: 9}.items() <= answers.items()
    assert await slow.batcher.ask(1) == 1


async def test_a_failure_is_for_all_who_asked_and_for_nobody_later(autojump_clock: MockClock) -> None:
    slow = Slow()
    failed = list[int]()

    async def ask(number: int) -> None:
        try:
            await slow.batcher.ask(number)
        except StoreFailed:
            failed.append(number)

    slow.fails = True
    async with trio.open_nursery() as nursery:
        for number in range(5):
            nursery.start_soon(ask, number)
    assert (sorted(failed), len(slow.asked)) == ([0, 1, 2, 3, 4], 1)
    slow.fails = False
    assert await slow.batcher.ask(3) == 9
