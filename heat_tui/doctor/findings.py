"""What was found out, as values for people and for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from heat_core.text import counted

_NAME_COLUMNS: Final = 18
_LINE_COLUMNS: Final = 100


class Finding(NamedTuple):
    """One thing that was looked at.

    Attributes:
        name: What was looked at.
        found: What was seen there.
        advice: What to do; empty where play is not hurt.
    """

    name: str
    found: str
    advice: str = ""


class Section(NamedTuple):
    """Findings about one subject."""

    title: str
    findings: Sequence[Finding]


def as_lines(sections: Iterable[Section], columns: int) -> list[str]:
    """Write findings for people; what to do stands below what it is for, and is counted at the end.

    Args:
        columns: Of the terminal.
    """
    lines, advices = [], 0
    for title, findings in sections:
        lines += [title]
        for finding in findings:
            lines += _wrapped(f"  {finding.name:{_NAME_COLUMNS}}", finding.found, columns)
            if finding.advice:
                advices += 1
                lines += _wrapped(" " * (_NAME_COLUMNS + 2), f"-> {finding.advice}", columns)
        lines += [""]
    if advices:
        return [*lines, f"{counted(advices, 'thing')} to do: see the lines that begin with ->"]
    return [*lines, "No problems found."]


def _wrapped(start: str, text: str, columns: int) -> list[str]:
    return textwrap.wrap(
        text,
        max(min(columns, _LINE_COLUMNS), 2 * _NAME_COLUMNS),
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [start.rstrip()]


def as_json(sections: Iterable[Section]) -> str:
    """Write findings for programs: a list of findings for each title, in small letters."""
    told = {title.lower(): [finding._asdict() for finding in findings] for title, findings in sections}
    return json.dumps(told, indent=2)
