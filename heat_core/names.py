"""The one rule for the names of people (LOBBY-4); client and server share it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

MOST_NAME_CELLS: Final = 16
MOST_NAME_CHARACTERS: Final = 64
"""How much text is looked at; 16 cells with an accent or two on each letter stay far below it."""

MOST_MARKS_ON_A_LETTER: Final = 3

_REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, format characters (direction, zero width, tags), surrogates, private and unassigned ones."""

_INVISIBLE: Final = frozenset(
    [
        *"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159",  # count as letters, marks or symbols
        *"\u00ad\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff",  # hyphenate, join, divide
        *"\u180b\u180c\u180d\u180f",  # choose a shape, as do the next
        *map(chr, range(0xFE00, 0xFE10)),
        *map(chr, range(0xE0100, 0xE01F0)),
        *map(chr, range(0x1D173, 0x1D17B)),  # begin and end beams of notes
    ]
)
"""Characters that show nothing and move nothing: a name is the same without them."""

_LOOKS: Final = str.maketrans(
    "авекмнорстухіјѕԁԛԝһѵґꙅαβεζηικμνορτυχϲɑɡıʏ",
    "abekmhopctyxijsdqwhvrsabezhikmnoptyxcagiy",
)
"""Letters of Cyrillic, Greek and phonetic script that look like Latin ones, small or as capitals."""


class BadName(ValueError):
    """A name that cannot be shown; the text says why, for people, and does not repeat the name."""


def clean_name(text: str, most_cells: int = MOST_NAME_CELLS) -> str:
    """Make a typed name one that may be shown: NFC, no space around it, single spaces within.

    Args:
        text: As typed or received; characters that show nothing are taken out.
        most_cells: How wide it may be; of a track it may be more than of a person.

    Returns:
        A name of 1 to `most_cells` cells, printable characters only; cleaning it again changes nothing.

    Raises:
        BadName: What is left is empty, too wide, or has characters that do not show or that move the cursor.
    """
    if len(text) > MOST_NAME_CHARACTERS:
        raise BadName(f"A name has at most {most_cells} cells.")
    visible = "".join(character for character in text if character not in _INVISIBLE)
    name = unicodedata.normalize("NFC", visible).strip(" ")
    while "  " in name:
        name = name.replace("  ", " ")
    if not name:
        raise BadName("A name needs at least one letter.")
    if fault := _fault(name):
        raise BadName(fault)
    cells = cell_len(name)
    if cells > most_cells:
        raise BadName(f"A name has at most {most_cells} cells, this one has {cells}.")
    if cells < 1:
        raise BadName("A name needs at least one visible letter.")
    return name


MOST_LINE_CELLS: Final = 200


def clean_line(text: str) -> str:
    """Make a written line one that may be shown: NFC, single spaces, nothing that does not print.

    Unlike in a name, what cannot be shown is left out: nobody's sentence is lost for one odd character.

    Args:
        text: As typed or received.

    Returns:
        A line of 1 to `MOST_LINE_CELLS` cells; what is longer is cut. Cleaning it again changes nothing.

    Raises:
        BadName: Nothing is left.
    """
    visible = "".join(_shown_in_line(character) for character in text)
    kept: list[str] = []
    marks = 0
    for character in " ".join(unicodedata.normalize("NFC", visible).split()):
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if not kept and (marks or character == " "):
            continue  # a mark needs a letter to be on
        if marks <= MOST_MARKS_ON_A_LETTER:
            kept.append(character)
    line = "".join(kept)
    while cell_len(line) > MOST_LINE_CELLS:
        line = line[:-1].rstrip()
    if not line or cell_len(line) < 1:
        raise BadName("This line has no visible characters.")
    return line


def _shown_in_line(character: str) -> str:
    """Give what a line has for a character: itself, a space, or nothing."""
    category = unicodedata.category(character)
    if character.isspace() or category == "Zs":
        return " "
    return "" if category in _REFUSED_CATEGORIES or character in _INVISIBLE else character


def _fault(name: str) -> str | None:
    marks = 0
    for place, character in enumerate(name):
        category = unicodedata.category(character)
        if category in _REFUSED_CATEGORIES:
            return f"Character {place + 1} of the name is invisible (U+{ord(character):04X})."
        if category == "Zs" and character != " ":
            return f"Character {place + 1} of the name is an unusual kind of space (U+{ord(character):04X})."
        marks = marks + 1 if category.startswith("M") else 0
        if marks > MOST_MARKS_ON_A_LETTER or (marks and place == 0):
            return "The name has too many marks on one letter."
    return None


def name_key(name: str) -> str:
    """Give what two names must not share in one room.

    Letter case and compatibility forms do not count, and letters of other scripts count as the Latin ones
    that they look like: nobody can sit down as a second Ana with a Cyrillic A.
    """
    key = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return key.translate(_LOOKS)


def clean_names(typed: Sequence[str]) -> list[str]:
    """Make names of what people typed.

    Raises:
        BadName: One cannot be shown, or two are the same.
    """
    names = [clean_name(name) for name in typed]
    if len({name_key(name) for name in names}) < len(names):
        raise BadName("Two drivers have the same name.")
    return names
