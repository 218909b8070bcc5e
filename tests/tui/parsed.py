"""Style sheets are read once for all the apps of a process, not once for each app.

Every app reads the same hundred pieces of CSS, which is a seventh of what it does until its first screen
stands. The rules that come out are only looked at afterwards.
"""

from __future__ import annotations

from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_read = Stylesheet._parse_rules
_rules: dict[object, list[RuleSet]] = {}


def _read_once(sheet: Stylesheet, *source: Any, **of: Any) -> list[RuleSet]:
    key = (source, tuple(of.items()), frozenset(sheet._variables.items()))
    if key not in _rules:
        _rules[key] = _read(sheet, *source, **of)
    return _rules[key]


def parse_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let style sheets share what they have read; another theme has other variables and rules of its own."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", _read_once)
