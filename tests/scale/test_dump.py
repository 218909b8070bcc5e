"""The comparison of a database with a dump and one without measures what it says, in small."""

from __future__ import annotations

import pytest

from heat_server.store.postgres import leases
from tests.scale import dump
from tests.scale.filling import Sizes


def test_commits_and_rounds_are_measured_in_both_databases_at_each_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leases, "SETTLING_SECONDS", 0.0)
    monkeypatch.setattr(dump, "TURNS", 2)
    monkeypatch.setattr(dump, "IN_A_TURN", 2)
    sizes = Sizes(servers=2, rooms=20, closed=20, listed_bytes=100)
    ratios = list(dump.measure(sizes, rooms=20, commits=[0, 30], renewals=2))
    what = ["a commit of one room", "a round"]
    assert [(ratio.what, ratio.commits) for ratio in ratios] == [(one, n) for n in (0, 30) for one in what]
    assert all(ratio.without_ms > 0 and ratio.during_ms > 0 for ratio in ratios)
