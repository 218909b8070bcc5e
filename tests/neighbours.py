"""A test that fails leaves nothing behind that the next one would fail by.

What a failed test held, a socket perhaps, lives on in the traceback of its failure. Pytest drops that when
the next test begins: the warning that the socket was never closed would be raised there.
"""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Generator

import pytest

_HAS_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember which test has failed."""
    report = yield
    item.stash[_HAS_FAILED] = item.stash.get(_HAS_FAILED, False) or report.failed
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Drop what a failed test held while it is still its turn, and tell it nothing of what it left open."""
    yield
    if item.stash.get(_HAS_FAILED, False) and not item.config.getoption("usepdb"):
        for name in ("last_type", "last_value", "last_traceback", "last_exc"):
            if hasattr(sys, name):
                delattr(sys, name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
