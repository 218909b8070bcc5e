"""The documents: links lead somewhere, and what code cites of them is there."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import pytest

from tests.architecture import DOCUMENT, diagram, drawn_in

ROOT: Final = Path(__file__).resolve().parent.parent
DOCUMENTS: Final = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob(".github/**/*.md")])

_CITED = re.compile(r"docs/rules\.md: ([^.()\"]+?)(?= \(|[.)\"])")
_NAMED_FILE = re.compile(r"`([\w./*-]+(?:\.py|/))`")
_NAMED_MODULE = re.compile(r"`(heat_(?:core|server|tui)(?:\.\w+)+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def headings(document: Path) -> list[str]:
    """List the headings of a document, as they are written."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"^#+ (.+?)\s*$", text, re.MULTILINE)


def anchor(heading: str) -> str:
    """Make the anchor that a heading is linked by."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_each_module_that_the_code_names_is_there() -> None:
    named = {
        (name, path)
        for top in ("heat_core", "heat_server", "heat_tui", "tests")
        for path in (ROOT / top).rglob("*.py")
        for name in _NAMED_MODULE.findall(path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    missing = []
    for name, path in named:
        try:
            resolve_name(name)
        except (ImportError, AttributeError):
            missing.append(f"{path.relative_to(ROOT)} names {name}")
    assert missing == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md"])
def test_each_file_that_the_map_of_the_code_names_is_there(name: str) -> None:
    tops = ("heat_core", "heat_server", "heat_tui", "tests", "tracks", "docs", "examples", "locks")
    files = [*ROOT.glob("*.py"), *(path for top in tops for path in (ROOT / top, *(ROOT / top).rglob("*")))]
    paths = [path.relative_to(ROOT) for path in files]
    there = [f"/{path}/" if (ROOT / path).is_dir() else f"/{path}" for path in paths]
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    named = set(_NAMED_FILE.findall(text))
    assert len(named) > 10
    assert {file for file in named if not any(fnmatch(path, f"*/{file}") for path in there)} == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    broken = []
    for link in _LINK.findall(document.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (fragment and fragment not in map(anchor, headings(target))):
            broken.append(link)
    assert broken == []


def test_every_rule_that_the_code_cites_has_a_heading() -> None:
    names = {re.sub(r"^\d ", "", heading) for heading in headings(ROOT / "docs" / "rules.md")}
    cited = {
        (name, str(path.relative_to(ROOT)))
        for path in ROOT.glob("heat_*/**/*.py")
        for match in _CITED.findall(path.read_text(encoding="utf-8"))
        for name in match.split("; ")
    }
    assert len(cited) > 20, "the code names where its rules are written down"
    assert {(name, path) for name, path in cited if name not in names} == set()


def test_every_phase_and_rule_module_is_cited_by_the_code() -> None:
    rules = [
        path
        for path in ROOT.glob("heat_core/rules/*.py")
        if path.name not in ("__init__.py", "recorder.py", "invariants.py")
    ]
    assert [path.name for path in rules if not _CITED.search(path.read_text(encoding="utf-8"))] == []


def test_the_picture_of_the_packages_is_true() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert drawn_in(text) == diagram(), "`make architecture` draws it anew"
