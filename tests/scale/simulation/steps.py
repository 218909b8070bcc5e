"""Coroutines on the clock of simpy, so that the client's own code can run in the simulation."""

from __future__ import annotations

import types
from collections.abc import Coroutine, Generator
from typing import Any

from simpy import Environment, Event, Process


@types.coroutine
def until(event: Event) -> Generator[Event, Any, Any]:
    """Wait for an event: `await until(clock.timeout(1))`."""
    return (yield event)


def begin(clock: Environment, coroutine: Coroutine[Event, Any, None]) -> Process:
    """Let a coroutine run beside the others."""
    return clock.process(_events_of(coroutine))


def _events_of(coroutine: Coroutine[Event, Any, None]) -> Generator[Event, Any, None]:
    yield from coroutine.__await__()
