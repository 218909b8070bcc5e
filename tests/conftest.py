"""What all tests share: the `spec` mark, `--regenerate-golden`, profiles of hypothesis, where files go."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis.strategies import none

from heat_core.compiled import is_compiled
from heat_core.garbage import freeze_what_is_there
from tests.neighbours import pytest_runtest_makereport, pytest_runtest_teardown
from tests.spec_list import read_requirements

__all__ = ["pytest_runtest_makereport", "pytest_runtest_teardown"]  # hooks

# Derandomised: a test that fails here fails everywhere, one that passes keeps passing; `make soak` explores.
settings.register_profile("default", derandomize=True, deadline=None, database=None)
settings.register_profile("ci", settings.get_profile("default"), print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=2_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))

# Whoever runs the tests may have tracks and settings of their own, which are not what is tested.
for variable in [name for name in os.environ if name == "HEAT_TRACKS" or name.startswith("HEAT_SERVER_")]:
    del os.environ[variable]
for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
    os.environ[variable] = os.path.join(os.path.dirname(__file__), "no-such-folder")
# A test that wants a store, a socket or an announcement says so.
os.environ |= {f"HEAT_SERVER_NO_{what}": "yes" for what in ("STORE", "SOCKET", "DOOR_SOCKET")}
# Nothing is ever sent to the network that the tests run in.
os.environ |= {"HEAT_SERVER_LAN": "no", "HEAT_TUI_NO_LAN": "yes"}

# Tests start hundreds of programs: each would compile its modules anew where nothing compiled may be kept.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# What the tests start hears of every signal, also where they themselves run under `nohup` or behind an `&`.
for number in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

IN_MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 2**30

USUAL_TIMEOUT = 120
"""Seconds, as pyproject.toml says."""

MEASURED_OF_EACH = 2
"""How many sets of values of a test count for coverage with an old Python."""

REQUIREMENTS = frozenset(identifier for identifier, _ in read_requirements())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate-golden",
        action="store_true",
        help="write the golden files anew instead of comparing with them",
    )


@pytest.fixture
def regenerate_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew rather than compared with."""
    return bool(request.config.getoption("--regenerate-golden"))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Put the tests' files in memory: a store waits for the disk at each commit, and no test pulls a plug.

    The folder is this run's own: pytest's numbered ones are taken from each other by runs at the same time.
    """
    if config.option.basetemp is not None or hasattr(config, "workerinput"):
        return
    if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ENOUGH_BYTES:
        config.option.basetemp = folder = tempfile.mkdtemp(prefix="heat-tests-", dir=IN_MEMORY)
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Start nearly twice as many workers as cores: tests of programs and screens wait half of their time."""
    cores = os.cpu_count() or 1
    return cores + cores // 2 + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if is_compiled():
        _leave_out_patches(config, items)
    _put_long_ones_first(items)
    _measure_few(items)


def _leave_out_patches(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that put other functions into the engine's modules: compiled, it does not call them."""
    patches = [item for item in items if item.get_closest_marker("patches")]
    items[:] = [item for item in items if item not in patches]
    config.hook.pytest_deselected(items=patches)


def _put_long_ones_first(items: list[pytest.Item]) -> None:
    """Let each worker begin with its part of the long tests, those that ask for more time than others.

    It is given a run of tests as long as the others'; who has nothing left takes from the end of another's.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    timeouts = [(item, item.get_closest_marker("timeout")) for item in items]
    long = [item for item, mark in timeouts if mark is not None and mark.args[0] > USUAL_TIMEOUT]
    others = [item for item in items if item not in long]
    share = -(-len(others) // workers)
    items[:] = [
        item
        for number in range(workers)
        for item in (*long[number::workers], *others[number * share : (number + 1) * share])
    ]


def _measure_few(items: list[pytest.Item]) -> None:
    """Measure few of the tests that differ only in their values, where measuring coverage takes long.

    Before Python 3.12 the measuring slows all down by half and more, what is not measured too.
    """
    if hasattr(sys, "monitoring"):
        return
    seen = Counter[str]()
    for item in items:
        test = item.nodeid.partition("[")[0]
        seen[test] += 1
        if seen[test] > MEASURED_OF_EACH:
            item.add_marker(pytest.mark.no_cover)


@settings(max_examples=1, database=None)
@given(none())
def _begin_hypothesis(_: None) -> None:
    """Have Hypothesis look now for who holds its random generator: among frozen objects it finds nobody."""


def pytest_collection_finish() -> None:
    """Leave modules and tests, a million objects that stay to the end, out of each search for garbage.

    Together with rarer searches this is a fifth of the time of all tests.
    """
    _begin_hypothesis()
    gc.collect()
    freeze_what_is_there((20_000, 20, 20))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turns a `spec` mark without identifiers, or with one that spec.txt lacks, into a collection error."""
    report = yield
    wrong = [
        f"{item.nodeid}: spec{mark.args!r} names no requirement of tests/spec.txt"
        for item in report.result or []
        if isinstance(item, pytest.Item)
        for mark in item.iter_markers("spec")
        if not mark.args or not REQUIREMENTS.issuperset(mark.args)
    ]
    if wrong:
        report.outcome = "failed"
        report.longrepr = "\n".join(wrong)
        report.result = []
    return report
