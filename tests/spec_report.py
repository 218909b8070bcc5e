"""`make spec`: which requirements of spec.txt no test proves yet.

Collects the tests without running them and reads their `spec` marks. A test that is skipped or expected to
fail proves nothing and is not counted.
"""

import contextlib
import io
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.spec_list import read_requirements  # noqa: E402


class MarkCollector:
    """A pytest plugin that counts the tests of each requirement."""

    def __init__(self) -> None:
        self.tests: Counter[str] = Counter()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            if any(item.iter_markers("skip")) or any(item.iter_markers("xfail")):
                continue
            self.tests.update({name for mark in item.iter_markers("spec") for name in mark.args})


def main() -> int:
    """Prints the report. Returns 1 if the tests could not be collected, else 0."""
    collector = MarkCollector()
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        options = ["--collect-only", "-q", "-m", "", "--rootdir", str(ROOT)]
        code = pytest.main([*options, str(ROOT / "tests")], plugins=[collector])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        print(output.getvalue())
        return 1

    requirements = read_requirements()
    open_ones = [(name, text) for name, text in requirements if not collector.tests[name]]
    if open_ones:
        print("No test proves yet:\n")
        for name, text in open_ones:
            print(f"  {name:10} {text}")
        print()
    in_group = Counter(name.partition("-")[0] for name, _ in requirements)
    open_in_group = Counter(name.partition("-")[0] for name, _ in open_ones)
    print("Group     proven   of")
    for group, total in in_group.items():
        print(f"  {group:8} {total - open_in_group[group]:4} {total:4}")
    print(f"  {'all':8} {len(requirements) - len(open_ones):4} {len(requirements):4}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
