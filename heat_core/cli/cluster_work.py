"""What goes to the workers of a cluster, and what is run there.

The scheduler unpickles what it is given, too. So it is given `pickle.loads` and bytes, and needs nothing of
this program; only workers do.

Bots that decide otherwise would change results without a word. So a worker is asked first whether it has the
same sources (`Preparation`), and each task says from which ones it comes (`Work`).
"""

from __future__ import annotations

import pickle
import threading
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar

import click

from heat_core.race.rules_version import RULES_VERSION
from heat_core.version import program_version

Task = TypeVar("Task")
Result = TypeVar("Result")

_SOURCES: Final = Path(__file__).resolve().parents[1]
_ONE_AT_A_TIME: Final = threading.Lock()
"""A worker may have several threads; the tables of the bots are a process's."""

_taken: dict[bytes, TemporaryDirectory[str]] = {}
"""The modules that were sent to this worker, at most one archive, and where they are."""


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


@cache
def own_build() -> Build:
    """Tell what this process runs, compiled or not."""
    digest = sha256()
    for path in sorted(_SOURCES.rglob("*.py")):
        digest.update(path.relative_to(_SOURCES).as_posix().encode() + b"\0" + path.read_bytes())
    return Build(program_version(), RULES_VERSION, digest.hexdigest())


class Preparation(NamedTuple):
    """What a worker does before it gets tasks, which is done by unpickling it.

    Attributes:
        build: What it must run.
        modules: An archive of those that the work needs and that are no part of the wheel, or nothing.
        function: Of the tasks, pickled.
    """

    build: Build
    modules: bytes
    function: bytes

    def __reduce__(self) -> tuple[Callable[..., str], tuple[Any, ...]]:
        """Have `_prepare` called where this is unpickled."""
        return _prepare, tuple(self)


class Work(NamedTuple):
    """One task, which is done by unpickling it."""

    function: Callable[[Any], Any]
    build: Build
    task: Any

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Have `_do` called where this is unpickled."""
        return _do, tuple(self)


def archive_of(modules: Sequence[str]) -> bytes:
    """Put the sources of some modules into an archive, which Python can import from."""
    if not modules:
        return b""
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in modules:
            spec = find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            path = name.replace(".", "/")
            path += "/__init__.py" if spec.submodule_search_locations else ".py"
            # Without the file's time: the same sources are the same bytes, whoever sends them.
            archive.writestr(zipfile.ZipInfo(path), Path(spec.origin).read_bytes())
    return file.getvalue()


def _prepare(build: Build, modules: bytes, function: bytes) -> str:
    """Get ready for tasks, on a worker.

    Returns:
        Why this worker cannot do them; empty where it can.
    """
    if (here := own_build()) != build:
        return f"it runs {here}, this program is {build}"
    if modules and not _take(modules):
        return "it has modules of another study and must be started again"
    try:
        pickle.loads(function)
    except (ImportError, AttributeError) as error:
        return f"it cannot do this ({error})"
    return ""


def _take(modules: bytes) -> bool:
    """Make modules importable. Python keeps those it has imported, so a worker takes one archive only.

    Returns:
        Whether this worker has them.
    """
    if not _taken:
        from distributed.utils import import_file

        folder = _taken[modules] = TemporaryDirectory(prefix="heat-cluster-")
        file = Path(folder.name, "heat-sources.zip")
        file.write_bytes(modules)
        import_file(str(file))
    return modules in _taken


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
