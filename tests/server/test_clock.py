"""The clock of a server's timers: what the process did not run for does not count."""

from __future__ import annotations

import pytest
import trio

from heat_server.clock import MOST_SLEEP_SECONDS, STOOD_STILL_SECONDS, RunningClock


class System:
    """The system's clock in the test's hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.told: list[float] = []

    def clock(self) -> RunningClock:
        return RunningClock(self.told.append, lambda: self.now)


@pytest.mark.parametrize("pause", [STOOD_STILL_SECONDS + 0.1, 60.0, 86_400.0])
def test_the_time_that_a_process_stood_still_does_not_count(pause: float) -> None:
    system = System()
    clock = system.clock()
    clock.start_clock()
    before = clock.current_time()
    system.now += pause
    assert clock.current_time() == pytest.approx(before)
    assert system.told == [pytest.approx(pause)]
    system.now += 2.0
    assert clock.current_time() == pytest.approx(before + 2.0)
    assert len(system.told) == 1


def test_what_a_busy_machine_holds_it_up_for_counts() -> None:
    system = System()
    clock = system.clock()
    before = clock.current_time()
    for _ in range(10):
        system.now += STOOD_STILL_SECONDS - 0.5
        clock.current_time()
    assert clock.current_time() == pytest.approx(before + 10 * (STOOD_STILL_SECONDS - 0.5))
    assert not system.told


def test_it_never_sleeps_so_long_that_a_sleep_looks_like_a_standstill() -> None:
    system = System()
    clock = system.clock()
    now = clock.current_time()
    assert clock.deadline_to_sleep_time(float("inf")) == MOST_SLEEP_SECONDS < STOOD_STILL_SECONDS
    assert clock.deadline_to_sleep_time(now + 0.25) == pytest.approx(0.25)
    assert clock.deadline_to_sleep_time(now - 5.0) < 0


def test_no_timer_fires_for_a_standstill() -> None:
    """A turn of 30 seconds of which 29 are left when the process is stopped for a minute."""
    system = System()
    fired: list[float] = []

    async def turn() -> None:
        with trio.move_on_after(30):
            await trio.sleep_forever()
        fired.append(system.now)

    async def time_goes() -> None:
        system.now += 1.0
        await trio.lowlevel.checkpoint()
        system.now += 60.0
        for _ in range(10):
            await trio.lowlevel.checkpoint()
        assert not fired
        for _ in range(31):
            system.now += 1.0
            await trio.lowlevel.checkpoint()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(turn)
            nursery.start_soon(time_goes)

    trio.run(main, clock=system.clock())
    assert fired == [pytest.approx(100.0 + 60.0 + 30.0, abs=2.0)]
