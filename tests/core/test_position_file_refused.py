"""Position files that are refused: every problem at once, each with its place, whatever the bytes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from heat_core.engine import start_race
from heat_core.positions.file import MAX_POSITION_BYTES
from heat_core.positions.position import BadPosition
from tests.core.support_positions import ANA_LINE, BEN_LINE, EVERYTHING, faults, parse, with_cars


def test_all_problems_come_at_once_each_with_its_place() -> None:
    text = with_cars(
        'Ana = "lap 1 space 99 gear 7 hand 4 4 4 4 9 engine 20"',
        '"B\\u001b" = "space 3"',
        "Cy = 7",
        'Dan = "lap 1 space 3 wheel 4 gear"',
        '" Eva" = "lap 1 space 3 colour pink"',
        'Max = "lap 1 space 3 legend brutal gear 2"',
        track="usa",
        round=0,
        phase="corners",
        laps=7,
        rules="mine",
        seed=3,
        legend_cards="3 x 3 99",
        wheels=4,
    )
    assert faults(text) == [
        '"wheels" is not a key of a position file',
        "laps must be a whole number from 1 to 4, not 7",
        'rules must be rulebook or standard, not "mine"',
        "round must be a whole number from 1 to 1000, not 0",
        'phase must be play or shift, not "corners"',
        "seed must be text of 0 to 200 characters, not 3",
        "legend_cards: 'x' is not the number of a Legend card: 1 to 10",
        "Ana: gear must be a whole number from 1 to 4, not 7",
        "Ana: hand: there is no card '9'",
        "car 2: Character 2 of the name is invisible (U+001B).",
        "car 2: a car needs its lap",
        "Cy: put its words in quotation marks",
        "Dan: there is no word 'wheel'",
        "Dan: gear: a value must follow",
        "car 5: write its name as 'Eva'",
        "Eva: colour 'pink': it is one of red, blue, yellow, green, black, grey, orange, purple",
        "Max: legend 'brutal': it is one of easy, medium, hard",
        "Max: gear: a Legend has none",
        "Ana: space 99 is past the track's 69",
        "Ana: 4 of the card '4', the deck has 3",
        "Ana: 21 Heat in engine and piles, there are 7",
        "Max: no spot is free in space 3",
        "there are Legend cards, but no Legend",
        "Legend card 3 is listed twice",
        "there is no Legend card 99",
    ]


NEEDED = {"format": "1", "track": "text", "cars": "a table"}
DATED = 'seed must be text of 0 to 200 characters, not "1979-05-27"'


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (b"", [f"{key} is missing (it must be {what})" for key, what in NEEDED.items()]),
        (b"\xff\xfe", ["line 1: not UTF-8 text"]),
        (b"a = 1\nb = '\xe4'", ["line 2: not UTF-8 text"]),
        (b"format: 1", ["not TOML: line 1, column 7 is wrong; write name = value, each name once"]),
        (b"a = 1\na = 2\n", ["not TOML: line 2, column 6 is wrong; write name = value, each name once"]),
        (b"a = [", ["not TOML: the end of the file is wrong; write name = value, each name once"]),
        (b"a = " + b"[" * 9000, ["not TOML: brackets are nested too deeply"]),
        (b"a = " + b"{a = " * 3000, ["not TOML: brackets are nested too deeply"]),
        (b"round = " + b"9" * 9000, ["not TOML: a number has thousands of digits"]),
        (b"#" * (MAX_POSITION_BYTES + 1), [f"a position file has at most {MAX_POSITION_BYTES} bytes"]),
        (with_cars(ANA_LINE, BEN_LINE, format=2), ["format must be 1, not 2"]),
        (with_cars(ANA_LINE, BEN_LINE, track="us\x1ba"), ["track: there is no track 'us\\x1ba'"]),
        (with_cars(ANA_LINE, BEN_LINE, track="x" * 999), [f"track: there is no track '{'x' * 24}…'"]),
        (with_cars(ANA_LINE, BEN_LINE, track=None), ["track is missing (it must be text)"]),
        (
            with_cars(ANA_LINE, BEN_LINE, round=10**18),
            [f"round must be a whole number from 1 to 1000, not {10**18}"],
        ),
        (with_cars(ANA_LINE, BEN_LINE, laps=1.5), ["laps must be a whole number from 1 to 4, not 1.5"]),
        (with_cars(ANA_LINE, BEN_LINE) + "\n[[cars.x]]", ["x: put its words in quotation marks"]),
        ("format = 1\ntrack = 'usa'\ncars = 3", ["cars must be a table, not 3"]),
        ("seed = 1979-05-27\n" + with_cars(ANA_LINE, BEN_LINE), [DATED]),
        (with_cars(ANA_LINE, ANA_LINE.replace("Ana", "ANA")), ["two cars have the same name"]),
        (with_cars(ANA_LINE), ["1 car; a race on USA has 2 to 6"]),
        (with_cars(), ["0 cars; a race on USA has 2 to 6", "at least one car needs a driver"]),
    ],
)  # fmt: skip
def test_what_is_no_position_is_told_in_sentences(text: str | bytes, reasons: list[str]) -> None:
    assert faults(text) == reasons


def test_a_file_full_of_problems_names_the_first_ones() -> None:
    told = faults("\n".join(f"key{number} = 1" for number in range(900)))
    assert len(told) == 51
    assert told[-1] == "and 853 more problems"


@given(text=st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_a_position_or_refused(text: bytes) -> None:
    with pytest.raises(BadPosition):
        parse(text)


CHANGES: tuple[Callable[[bytes, int], bytes], ...] = (
    lambda data, place: data[:place],
    lambda data, place: data[:place] + data[place + 1 :],
    lambda data, place: data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :],
    lambda data, place: data[:place] + b"9" + data[place:],
)


@pytest.mark.parametrize("change", CHANGES)
def test_every_damaged_file_is_refused_or_says_a_race_that_begins(
    change: Callable[[bytes, int], bytes],
) -> None:
    data = EVERYTHING.encode()
    begun = 0
    for place in range(len(data)):
        with suppress(BadPosition):
            file = parse(change(data, place))
            race, _ = start_race(replace(file.setup, seed="x"))
            assert race.open
            begun += 1
    assert begun
