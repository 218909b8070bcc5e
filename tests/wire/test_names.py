"""The rule for names;"""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from heat_core.names import BadName, clean_line, clean_name, name_key


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("ana", "ana"),
        ("  ana  ", "ana"),
        ("ana   maria", "ana maria"),
        ("Zoe\u0308", "Zoë"),
        ("本田宗一郎", "本田宗一郎"),
        ("[/b]", "[/b]"),
        ("[@click=q]x[/]", "[@click=q]x[/]"),
        ("🏎", "🏎"),
        ("a" * 16, "a" * 16),
        ("zero\u200bwidth", "zerowidth"),
        ("Ana\U000e0100\U000e01ef", "Ana"),
        ("x\ufe0f", "x"),
        ("An\U0001d159a\u3164", "Ana"),
        ("Z\u200doe\u034f\u0308", "Zoë"),
        ("\u2764\ufe0f", "\u2764"),
        ("a \u200b b", "a b"),
    ],
)
def test_names_that_are_taken(typed: str, name: str) -> None:
    assert clean_name(typed) == name


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "a" * 17,
        "a" * 200,
        "本" * 9,
        "\x1b[31mred",
        "bell\x07",
        "nul\0",
        "new\nline",
        "tab\tbed",
        "\u202eolleh",
        "\u2067x",
        "\u2060",
        "\ufeff",
        "\U000e0100",
        "\U0001d159",
        "Z" + "\u0301" * 300,
        "Z" + "\u0335" * 12,
        "\u0301",
        "hair\u200aspace",
        "no\u00a0break",
        "\u3164",
        "\u2800",
        "\udc80",
        "\ue000",
        "\U000e0041",
    ],
)
def test_names_that_are_refused(typed: str) -> None:
    with pytest.raises(BadName) as caught:
        clean_name(typed)
    assert str(caught.value).isprintable()


def test_names_that_are_the_same() -> None:
    assert name_key("Ana") == name_key("aNA") == name_key("\uff21na")
    assert name_key("Strasse") == name_key("Straße")
    assert name_key("ana") != name_key("anna")


@pytest.mark.parametrize("look", ["\u0410na", "\u0430n\u0430", "An\u0251", "\u0391na", "\u03b1NA"], ids=ascii)
def test_names_that_look_the_same_are_the_same(look: str) -> None:
    """Cyrillic, Greek and phonetic letters that look like Latin ones make no other name."""
    assert clean_name(look) != "Ana"
    assert name_key(look) == name_key("Ana")
    assert name_key("\u0412\u043e\u0440\u0438\u0441") != name_key("Boris")  # its last letters look like none
    assert name_key("\u0410\u043d\u043d\u0430") == name_key("AHHA")


@given(st.text(max_size=40))
def test_a_clean_name_stays_and_fits(typed: str) -> None:
    try:
        name = clean_name(typed)
    except BadName:
        return
    assert clean_name(name) == name
    assert 1 <= cell_len(name) <= 16
    assert all(character == " " or character.isprintable() or character.isalnum() for character in name)


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("[bold]x[/] \\[ [@click=app.quit]y", "[bold]x[/] \\[ [@click=app.quit]y"),
        ("\x1b[31mred\x07\x00", "[31mred"),
        ("one\r\ntwo\tthree\u2028four", "one two three four"),
        ("\u202eback\u2066wards", "backwards"),
        ("a" + "\u0301" * 300, "\u00e1" + "\u0301" * 3),
        ("e\u200d\u0301", "\u00e9"),
        (" \u0301a", "a"),
        ("\u6f22" * 400, "\u6f22" * 100),
    ],
    ids=ascii,
)
def test_lines_are_cleaned_not_refused(typed: str, line: str) -> None:
    assert clean_line(typed) == line


@pytest.mark.parametrize("typed", ["", " \t\n", "\u200b\ufe0f", "\x1b\x07", "\u0301\u0302"], ids=ascii)
def test_lines_in_which_nothing_shows_are_refused(typed: str) -> None:
    with pytest.raises(BadName):
        clean_line(typed)


_ODD = st.sampled_from("a\u0301\u0302\u08ca\u200d\u034f\u202e\x1b\n \u00a0\u1100\u1161\u11a8\u6f22\ufe0f")


@given(st.text(st.one_of(_ODD, st.characters()), max_size=400))
def test_a_clean_line_stays_and_fits(typed: str) -> None:
    try:
        line = clean_line(typed)
    except BadName:
        return
    assert clean_line(line) == line
    assert 1 <= cell_len(line) <= 200
    assert unicodedata.is_normalized("NFC", line)
    assert not {unicodedata.category(character) for character in line} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
