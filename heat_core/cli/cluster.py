"""Work for the machines of a Dask cluster: one function, many tasks, each result as it comes.

The scheduler of the cluster gives tasks to its workers, and begins those of a worker that is lost anew on
another. A task has all that it depends on in it, its seed too: so a loss costs time and changes nothing. No
more tasks are given out than keep the workers busy: that is what Ctrl-C waits for.

A task may go to workers that can do it, and to no others (`cluster_watch.py`). Where all of them are lost at
once, Dask would wait for the same addresses for ever: the task is begun anew on those that have come since.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from heat_core.cli.cluster_watch import Quiet, Workers, loop_of, watched
from heat_core.cli.cluster_work import Preparation, Work, archive_of, own_build
from heat_core.cli.progress import say
from heat_core.options.option_flags import WrongUse

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Result = TypeVar("Result")

CONNECT_SECONDS: Final = 10.0
_TASKS_A_THREAD: Final = 2
"""One that runs, and one that is ready when it ends."""

_TURN_SECONDS: Final = 0.2
"""How long it may take until workers that have joined get tasks."""

_TRIES: Final = 4
"""How often a task may lose all workers: as often as Dask begins one whose worker dies."""

_KILLED: Final = "One task ended several workers, perhaps because memory ran out."


class Cluster(NamedTuple):
    """A cluster that works for us.

    Attributes:
        address: Of the scheduler, as `tcp://192.0.2.7:8786`.
        modules: Those that the work needs and that are no part of the wheel: they are sent to the workers.
    """

    address: str
    modules: tuple[str, ...] = ()


cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Race on a Dask cluster: the address of its scheduler, as tcp://192.0.2.7:8786 (docs/study.md).",
)


def cluster_of(address: str | None, export: Path | None = None) -> Cluster | None:
    """Read the option.

    Args:
        export: Where records are to be written, if they are.

    Raises:
        WrongUse: Other options do not go with it.
    """
    if address is None:
        return None
    if not re.fullmatch(r"\w+://\S+:\d{1,5}", address):
        raise WrongUse(
            f"--cluster takes the address of a scheduler, as tcp://192.0.2.7:8786, not {address!r}."
        )
    source = click.get_current_context().get_parameter_source("jobs")
    if source is click.core.ParameterSource.COMMANDLINE:
        raise WrongUse("Give --jobs or --cluster, not both: the cluster has as many jobs as its workers.")
    if export is not None:
        raise WrongUse("--export does not go with --cluster: its workers write no files on this machine.")
    return Cluster(address)


class _AllLostError(Exception):
    """None of the workers that could do a task is left."""


def run_on_cluster(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    cluster: Cluster,
    *,
    if_lost: str,
    is_stopping: Callable[[], bool],
) -> Iterator[Result]:
    """Run a function once for each task on the workers of a cluster.

    Args:
        function: Of a module's top level.
        tasks: Taken only as workers get free.
        cluster: Whose workers.
        if_lost: What is saved and how to continue where the cluster is lost, in a sentence.
        is_stopping: Whether no more than what has begun is wanted, and that only if there are workers for it.

    Yields:
        The results, in the order in which the tasks end.

    Raises:
        click.ClickException: There is no cluster, it is lost, or none of its workers can do this.
        Exception: What the function raises.
    """
    preparation = Preparation(own_build(), archive_of(cluster.modules), pickle.dumps(function))
    waiting = (Work(function, preparation.build, task) for task in tasks)
    running: set[Future[Result]] = set()
    with _connected(cluster.address) as client, watched(client, preparation, say) as (workers, watching):
        quiet = Quiet(say, time.monotonic())
        try:
            while True:
                if watching.done():
                    watching.result()
                if workers.refusal:
                    raise click.ClickException(f"{workers.refusal}. Install the same wheel everywhere.")
                # Workers come and go.
                wanted = _TASKS_A_THREAD * max(1, workers.threads)
                missing = islice(waiting, max(0, wanted - len(running)))
                running |= {_begun(client, workers, work) for work in missing}
                if not running:
                    return
                done, running = wait(running, timeout=_TURN_SECONDS, return_when=FIRST_COMPLETED)
                # What is ready is given before a failure is raised.
                for future in sorted(done, key=lambda one: one.cancelled() or one.exception() is not None):
                    yield _result(future, if_lost)
                if is_stopping() and not workers.can_work:
                    say("No worker is there to end what has begun.")
                    return
                quiet.note(bool(done), workers.state, time.monotonic())
        finally:
            for future in running:
                future.cancel()


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """Be a client of a cluster; what it has not done at the end is given up.

    Raises:
        click.ClickException: There is none at the address, or it has no workers.
    """
    if find_spec("distributed") is None:
        raise click.ClickException(
            "--cluster needs distributed, which is not installed: add the extra `cluster` (docs/study.md)."
        )
    from distributed import Client
    from distributed.versions import VersionMismatchWarning

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what it has to say is said here
    warnings.simplefilter("ignore", VersionMismatchWarning)  # what matters is in `Build`
    say(f"Connecting to the cluster at {address} ...")
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError):
        raise click.ClickException(
            f"No cluster answers at {address}: name its scheduler, as in tcp://192.0.2.7:8786."
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise click.ClickException(f"The cluster at {address} has no workers.") from None
        yield client


def _begun(client: Client, workers: Workers, work: Work) -> Future[Any]:
    """Have a worker begin; each result is fetched by itself, for a worker that is frozen may have one."""
    data = pickle.dumps(work)

    async def done() -> Any:
        for _ in range(_TRIES):
            try:
                return await _done_by_able(client, workers, data)
            except _AllLostError:
                continue
        raise _AllLostError

    return asyncio.run_coroutine_threadsafe(done(), loop_of(client))


async def _done_by_able(client: Client, workers: Workers, data: bytes) -> Any:
    """Have one of those that are able now do a task.

    Raises:
        _AllLostError: None of them is left.
    """
    await workers.until(lambda: bool(workers.able))
    able = workers.able
    task = client.submit(pickle.loads, data, workers=list(able), pure=False)
    result = asyncio.ensure_future(client.gather(task, asynchronous=True))
    # Dask complains where it is cancelled, or where nobody asks what it came to.
    result.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    loss = asyncio.ensure_future(workers.until(lambda: workers.are_gone(able)))
    try:
        await asyncio.wait({result, loss}, return_when=asyncio.FIRST_COMPLETED)
        if result.done():
            return result.result()
        await client.cancel([task], asynchronous=True)
        raise _AllLostError
    finally:
        loss.cancel()


def _result(future: Future[Result], if_lost: str) -> Result:
    """Give what a task came to.

    Raises:
        click.ClickException: It was lost, or no worker knows the function.
        Exception: What the function raised.
    """
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        return future.result()
    except (KilledWorker, _AllLostError):
        raise click.ClickException(f"{_KILLED} {if_lost}") from None
    except (CancelledError, CommClosedError):
        raise click.ClickException(f"The connection to the cluster was lost. {if_lost}") from None
    except (ImportError, AttributeError) as error:
        raise click.ClickException(
            f"The cluster cannot do this ({error}). Install the wheel of {own_build()} everywhere."
        ) from None
