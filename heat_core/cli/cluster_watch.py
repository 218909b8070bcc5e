"""What a person reads about a cluster while it works: how many workers it has, and which of them is silent.

A task of the client's own loop asks the scheduler once a second. The results come by another way: a question
that gets no answer delays none of them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

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

    Attributes:
        threads: Of all of them: how many tasks run at once.
    """

    def __init__(self, scheduler: str, say: Callable[[str], None]) -> None:
        """Begin without knowing any.

        Args:
            scheduler: Its address.
            say: Shows a person one sentence.
        """
        self.threads = 0
        self._scheduler = scheduler
        self._say = say
        self._told = ""
        self._signs: dict[str, tuple[object, float]] = {}
        self._silent: set[str] = set()

    def note(self, workers: Mapping[str, Mapping[str, Any]], now: float) -> None:
        """Take what the scheduler says of its workers, and say what has changed.

        Args:
            workers: By address, each with `nthreads` and `last_seen`.
            now: By a clock that only rises, in seconds.
        """
        self.threads = sum(worker["nthreads"] for worker in workers.values())
        self._tell_number(len(workers))
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

    def note_silence(self) -> None:
        """Say that the scheduler does not answer, once."""
        self._tell(f"The scheduler at {self._scheduler} does not answer. Waiting for it ...")

    def _tell_number(self, number: int) -> None:
        if not number:
            self._tell("The cluster has no workers. Waiting until one joins ...")
            return
        threads = "" if self.threads == number else f" with {counted(self.threads, 'thread')}"
        self._tell(f"The cluster has {counted(number, 'worker')}{threads}.")

    def _tell(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self._say(text)


@contextmanager
def watched(client: Client, say: Callable[[str], None]) -> Iterator[Workers]:
    """Keep up with the workers of a cluster, and say what becomes of them.

    Args:
        client: Connected.
        say: Shows a person one sentence; called in another thread.
    """
    found = client.scheduler_info()
    workers = Workers(found["address"], say)
    workers.note(found["workers"], time.monotonic())
    watching = asyncio.run_coroutine_threadsafe(_watch(client, workers), loop_of(client))
    try:
        yield workers
    finally:
        watching.cancel()


def loop_of(client: Client) -> asyncio.AbstractEventLoop:
    """Give the loop in which a client speaks to its cluster, in a thread of its own."""
    from tornado.platform.asyncio import BaseAsyncIOLoop

    assert isinstance(client.loop, BaseAsyncIOLoop)
    return client.loop.asyncio_loop


async def _watch(client: Client, workers: Workers) -> None:
    assert client.scheduler is not None
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            told = await asyncio.wait_for(client.scheduler.identity(n_workers=-1), ANSWER_SECONDS)
        except TimeoutError:
            workers.note_silence()
        except OSError:  # the tasks that were begun are lost too, and their results say so
            continue
        else:
            workers.note(told["workers"], time.monotonic())
