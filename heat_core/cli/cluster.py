"""Work for the machines of a Dask cluster: one function, many tasks, each result as it comes.

The scheduler of the cluster gives tasks to its workers, and begins those of a worker that is lost anew on
another. A task has all that it depends on in it, its seed too: so a loss costs time and changes nothing. No
more tasks are given out than keep the workers busy: that is what Ctrl-C waits for.

Each task says from which sources it comes, and a worker that has others refuses it: bots that decide
otherwise would change results without a word.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import threading
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from heat_core.cli.cluster_watch import loop_of, watched
from heat_core.cli.progress import say
from heat_core.options.option_flags import WrongUse
from heat_core.race.rules_version import RULES_VERSION
from heat_core.version import program_version

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Result = TypeVar("Result")

CONNECT_SECONDS: Final = 10.0
_TASKS_A_THREAD: Final = 2
"""One that runs, and one that is ready when it ends."""

_SOURCES: Final = Path(__file__).resolve().parents[1]
_ONE_AT_A_TIME: Final = threading.Lock()
"""A worker may have several threads; the tables of the bots are a process's."""


class Cluster(NamedTuple):
    """A cluster that works for us.

    Attributes:
        address: Of the scheduler, as `tcp://192.0.2.7:8786`.
        modules: Those that the work needs and that are no part of the wheel: they are sent to the workers.
    """

    address: str
    modules: tuple[str, ...] = ()


class Build(NamedTuple):
    """What a result depends on besides its task.

    Attributes:
        sources: A digest of all of heat_core's.
    """

    version: str
    rules: int
    sources: str

    def __str__(self) -> str:
        return f"heat-tui-race {self.version} (rules version {self.rules}, sources {self.sources[:7]})"


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


@cache
def own_build() -> Build:
    """Tell what this process runs, compiled or not."""
    digest = sha256()
    for path in sorted(_SOURCES.rglob("*.py")):
        digest.update(path.relative_to(_SOURCES).as_posix().encode() + b"\0" + path.read_bytes())
    return Build(program_version(), RULES_VERSION, digest.hexdigest())


def run_on_cluster(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    cluster: Cluster,
    *,
    if_lost: str,
) -> Iterator[Result]:
    """Run a function once for each task on the workers of a cluster.

    Args:
        function: Of a module's top level.
        tasks: Taken only as workers get free.
        cluster: Whose workers.
        if_lost: What is saved and how to continue where the cluster is lost, in a sentence.

    Yields:
        The results, in the order in which the tasks end.

    Raises:
        click.ClickException: There is no cluster, it is lost, or it runs other sources.
        Exception: What the function raises.
    """
    with _connected(cluster.address) as client, watched(client, say) as workers:
        if cluster.modules:
            _send(client, cluster.modules)
        works = (_Work(function, own_build(), task) for task in tasks)
        running: set[Future[Result]] = set()
        while True:
            # Workers come and go.
            wanted = _TASKS_A_THREAD * max(1, workers.threads)
            running |= {_begun(client, work) for work in islice(works, max(0, wanted - len(running)))}
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            # What is ready is given before a failure is raised.
            for future in sorted(done, key=lambda one: one.cancelled() or one.exception() is not None):
                yield _result(future, if_lost)


class _Work(NamedTuple):
    """What a worker does, which is done by unpickling it.

    The scheduler unpickles what it is given, too. So it is given `pickle.loads` and bytes, and needs nothing
    of this program; only workers do.
    """

    function: Callable[[Any], Any]
    build: Build
    task: Any

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Have `_do` called where this is unpickled."""
        return _do, tuple(self)


def _do(function: Callable[[Task], Result], build: Build, task: Task) -> Result:
    """Do one task, on a worker.

    Raises:
        click.ClickException: This worker runs other sources than the program that asks.
    """
    if (here := own_build()) != build:
        raise click.ClickException(
            f"A worker runs {here}, this program is {build}. Install the same wheel everywhere."
        )
    with _ONE_AT_A_TIME:
        return function(task)


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


def _begun(client: Client, work: _Work) -> Future[Any]:
    """Have a worker begin; each result is fetched by itself, for a worker that is frozen may have one."""
    told = client.submit(pickle.loads, pickle.dumps(work), pure=False)

    async def fetched() -> Any:
        return await client.gather(told, asynchronous=True)

    return asyncio.run_coroutine_threadsafe(fetched(), loop_of(client))


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
    except KilledWorker:
        raise click.ClickException(
            f"One task ended several workers, perhaps because memory ran out. {if_lost}"
        ) from None
    except (CancelledError, CommClosedError):
        raise click.ClickException(f"The connection to the cluster was lost. {if_lost}") from None
    except (ImportError, AttributeError) as error:
        raise click.ClickException(
            f"The cluster cannot do this ({error}). Install the wheel of {own_build()} everywhere."
        ) from None


def _send(client: Client, modules: Sequence[str]) -> None:
    """Send modules to all workers, and to those that join later."""
    with TemporaryDirectory(prefix="heat-cluster-") as folder:
        file = Path(folder, "heat-sources.zip")
        with zipfile.ZipFile(file, "w") as archive:
            for name in modules:
                spec = find_spec(name)
                assert spec is not None
                assert spec.origin is not None
                path = name.replace(".", "/")
                archive.write(
                    spec.origin, f"{path}/__init__.py" if spec.submodule_search_locations else f"{path}.py"
                )
        client.upload_file(str(file))
