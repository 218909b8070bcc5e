"""The workers of a cluster while it works: how many there are, who can race, and who is silent.

A task of the client's own loop asks the scheduler once a second, and each worker, when it is first seen,
whether it can do the work. The results come by another way: a question that gets no answer delays none of
them. A worker that cannot do the work, or has not said so yet, gets none.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from heat_core.cli.cluster_work import Preparation
from heat_core.text import counted

if TYPE_CHECKING:
    from distributed import Client

LOOK_SECONDS: Final = 1.0
"""How long a worker that joins may go unnoticed."""
ANSWER_SECONDS: Final = 10.0
"""How long the scheduler may take for an answer before that is said."""
SILENT_SECONDS: Final = 20.0
"""How long a worker may give no sign of life before that is said; usually it gives several in ten seconds."""


class Workers:
    """The workers of a cluster, as the scheduler last knew them.

    Used in the client's loop; other threads may read attributes.

    Attributes:
        threads: Of all that can do the work: how many tasks run at once.
        state: What was last said of the cluster as a whole.
    """

    def __init__(self, scheduler: str, say: Callable[[str], None]) -> None:
        """Begin without knowing any.

        Args:
            scheduler: Its address.
            say: Shows a person one sentence.
        """
        self.threads = 0
        self.state = ""
        self._scheduler = scheduler
        self._say = say
        self._threads_of: dict[str, int] = {}
        self._why_not: dict[str, str] = {}
        self._signs: dict[str, tuple[object, float]] = {}
        self._silent: set[str] = set()
        self._is_heard = True
        self._has_had_able = False
        self._changed = asyncio.Event()

    @property
    def able(self) -> frozenset[str]:
        """Addresses of those that can do the work and answer."""
        return frozenset(
            address for address, why in self._why_not.items() if not why and address not in self._silent
        )

    @property
    def can_work(self) -> bool:
        """Whether what has begun can end, as far as is known."""
        return self._is_heard and bool(self.able)

    @property
    def refusal(self) -> str:
        """Why no worker can do the work, as long as none ever could; else empty."""
        if self._has_had_able or not self._threads_of or self.unasked():
            return ""
        address, why = min(self._why_not.items())
        return f"No worker can do this. The worker at {address} gets no races: {why}"

    def unasked(self) -> set[str]:
        """List those that have not said yet whether they can do the work."""
        return self._threads_of.keys() - self._why_not.keys()

    def note(self, workers: Mapping[str, Mapping[str, Any]], now: float) -> None:
        """Take what the scheduler says of its workers, and say what has changed.

        Args:
            workers: By address, each with `nthreads` and `last_seen`.
            now: By a clock that only rises, in seconds.
        """
        self._is_heard = True
        self._threads_of = {address: worker["nthreads"] for address, worker in workers.items()}
        self._tell_number()
        # The scheduler's clock may be wrong here. So a sign of life is a time that differs from the last one.
        for address, worker in workers.items():
            if self._signs.get(address, (None, 0.0))[0] != worker["last_seen"]:
                self._signs[address] = worker["last_seen"], now
                if address in self._silent:
                    self._silent.remove(address)
                    self._say(f"The worker at {address} answers again.")
            elif now - self._signs[address][1] > SILENT_SECONDS and address not in self._silent:
                self._silent.add(address)
                self._say(
                    f"The worker at {address} has not answered for {SILENT_SECONDS:.0f} s. Its races wait; "
                    "if it stays silent, the scheduler gives them to others (after 5 minutes, by default)."
                )
        for address in self._signs.keys() - workers.keys():
            del self._signs[address]
            self._silent.discard(address)
            self._why_not.pop(address, None)
        self._update()

    def note_answer(self, address: str, why_not: str) -> None:
        """Take what a worker says when it is asked whether it can do the work.

        Args:
            address: Of the worker; it may be gone by now.
            why_not: Empty where it can.
        """
        if address not in self._threads_of:
            return
        self._why_not[address] = why_not
        if why_not:
            self._say(f"The worker at {address} gets no races: {why_not}. Install the same wheel there.")
        self._update()

    def note_silence(self) -> None:
        """Say that the scheduler does not answer, once."""
        self._is_heard = False
        self._tell(f"The scheduler at {self._scheduler} does not answer. Waiting for it ...")

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so, which these workers decide."""
        while not condition():
            await self._changed.wait()

    def are_gone(self, addresses: frozenset[str]) -> bool:
        """Tell whether none of some workers is left."""
        return addresses.isdisjoint(self._threads_of)

    def _update(self) -> None:
        self.threads = sum(self._threads_of[address] for address, why in self._why_not.items() if not why)
        self._has_had_able |= self.threads > 0
        self._changed.set()
        self._changed = asyncio.Event()

    def _tell_number(self) -> None:
        number, threads = len(self._threads_of), sum(self._threads_of.values())
        if not number:
            self._tell("The cluster has no workers. Waiting until one joins ...")
            return
        text = "" if threads == number else f" with {counted(threads, 'thread')}"
        self._tell(f"The cluster has {counted(number, 'worker')}{text}.")

    def _tell(self, text: str) -> None:
        if text != self.state:
            self.state = text
            self._say(text)


class Quiet:
    """Says that nothing has ended for a while, so that a person knows that the command still waits."""

    def __init__(self, say: Callable[[str], None], now: float) -> None:
        """Begin; times are of a clock that only rises, in seconds."""
        self._say = say
        self._ended_at = self._said_at = now

    def note(self, has_ended: bool, state: str, now: float) -> None:
        """Take whether something has ended since the last time.

        Args:
            has_ended: Whether it has.
            state: What there is to say of the cluster.
            now: The time.
        """
        if has_ended:
            self._ended_at = self._said_at = now
        elif now - self._said_at >= SILENT_SECONDS:
            self._said_at = now
            self._say(f"No race has ended for {now - self._ended_at:.0f} s. {state}")


@contextmanager
def watched(
    client: Client, preparation: Preparation, say: Callable[[str], None]
) -> Iterator[tuple[Workers, Future[None]]]:
    """Keep up with the workers of a cluster, and say what becomes of them.

    Args:
        client: Connected.
        preparation: What each worker is asked before it gets work.
        say: Shows a person one sentence; called in another thread.

    Yields:
        The workers, and the watch itself: it ends by an error of this program only.
    """
    workers = Workers(client.scheduler_info()["address"], say)
    watching = asyncio.run_coroutine_threadsafe(
        _watch(client, workers, pickle.dumps(preparation)), loop_of(client)
    )
    try:
        yield workers, watching
    finally:
        watching.cancel()


def loop_of(client: Client) -> asyncio.AbstractEventLoop:
    """Give the loop in which a client speaks to its cluster, in a thread of its own."""
    from tornado.platform.asyncio import BaseAsyncIOLoop

    assert isinstance(client.loop, BaseAsyncIOLoop)
    return client.loop.asyncio_loop


async def _watch(client: Client, workers: Workers, preparation: bytes) -> None:
    scheduler = client.scheduler
    assert scheduler is not None
    asked: dict[str, asyncio.Task[None]] = {}
    async with asyncio.TaskGroup() as questions:
        while True:
            try:
                told = await asyncio.wait_for(scheduler.identity(), ANSWER_SECONDS)
            except TimeoutError:
                workers.note_silence()
            except OSError:  # the tasks that were begun are lost too, and their results say so
                pass
            else:
                workers.note(told["workers"], time.monotonic())
                for address in workers.unasked():
                    if address not in asked or asked[address].done():
                        asked[address] = questions.create_task(_ask(client, workers, preparation, address))
            await asyncio.sleep(LOOK_SECONDS)


async def _ask(client: Client, workers: Workers, preparation: bytes, address: str) -> None:
    """Ask one worker whether it can do the work; one that is lost or frozen is asked again later."""
    try:
        answers: dict[str, Any] = await client.run(
            pickle.loads, preparation, workers=[address], on_error="return", asynchronous=True
        )
    except OSError:
        return
    match answers[address]:
        case OSError():
            return
        case ModuleNotFoundError(name="heat_core") as error:
            workers.note_answer(address, f"it has no heat-tui-race ({error})")
        case Exception() as error:
            workers.note_answer(address, f"it cannot do this ({error})")
        case why_not:
            workers.note_answer(address, why_not)
