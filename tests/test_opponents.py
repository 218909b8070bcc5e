"""The tables of docs/opponents.md are written between the marks of the page, and nothing else changes."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from click.testing import CliRunner

from tests.opponents import BEGIN, DOCUMENT, END, PICTURE, TOURNAMENTS, main


def test_the_page_gets_every_table(tmp_path: Path) -> None:
    assert [DOCUMENT.read_text(encoding="utf-8").count(mark) for mark in (BEGIN, END)] == [1, 1]
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}old\n{END}after\n", encoding="utf-8")
    (tmp_path / "pictures").mkdir()
    words = ["--fields", "4", "--jobs", "1", "--folder", str(tmp_path / "results"), "--document", str(page)]
    short = ["--", "--boards", "italy", "--bots", "steady,random", "--laps", "1"]
    first = CliRunner().invoke(main, [*words, *short])
    assert first.exit_code == 0, first.output
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\n![Ratings and rates](pictures/{PICTURE})\n")
    assert text.endswith(f"{END}after\n")
    assert "old" not in text
    assert all(f"### {each.title}\n\n```\n1 board, 1 lap, " in text for each in TOURNAMENTS)
    assert "### All of them together\n\n```\n1 board, 1 lap, standard rules, seed opponents\nwith " in text
    assert "Fields of six, 9 races" in text, "4 + 2 + 2 + 1; those with Legends are not among them"
    assert ElementTree.parse(tmp_path / "pictures" / PICTURE).getroot().tag.endswith("svg")
    assert CliRunner().invoke(main, [*words, *short]).exit_code == 0
    assert page.read_text(encoding="utf-8") == text
