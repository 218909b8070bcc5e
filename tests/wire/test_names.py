"""The rule for names; CASES 2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from heat_core.names import BadName, clean_name, name_key


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
        "zero\u200bwidth",
        "\u2060",
        "\ufeff",
        "👨\u200d👩\u200d👧",
        "Z" + "\u0301" * 300,
        "Z" + "\u0335" * 12,
        "\u0301",
        "hair\u200aspace",
        "no\u00a0break",
        "\u3164",
        "\u2800",
        "x\ufe0f",
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


@given(st.text(max_size=40))
def test_a_clean_name_stays_and_fits(typed: str) -> None:
    try:
        name = clean_name(typed)
    except BadName:
        return
    assert clean_name(name) == name
    assert 1 <= cell_len(name) <= 16
    assert all(character == " " or character.isprintable() or character.isalnum() for character in name)
