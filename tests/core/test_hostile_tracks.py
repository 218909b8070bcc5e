"""Track files of strangers: all faults at once, nothing that harms a terminal or path, odd boards race."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from heat_core.__main__ import main
from heat_core.files import load_track, read_track_file
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.setup import COLOURS, CarSetup, LegendSetup, make_setup
from heat_core.track_files.file import BadTrack, parse_track
from tests.core.support import RandomPlay, roomy

EXAMPLE = Path(__file__).parents[2] / "examples" / "oval.json"
CORNER = {"after_space": 5, "limit": 2, "legends_line_after_space": 2, "race_line_from_here": "left"}


def oval(**changes: Any) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(EXAMPLE.read_bytes()) | changes)


def faults(data: bytes) -> list[str]:
    try:
        parse_track(data)
    except BadTrack as refused:
        return refused.faults
    return []


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        ({"stress": -1, "grid": [[1, "left"]] * 20, "corners": []}, ["stress", "corners", "grid"]),
        (
            {"corners": [CORNER | {"limit": -1}, CORNER | {"limit": "three"}], "grid": [[1, "left"]] * 20},
            ["corner 1", "corner 2", "grid", "corners"],
        ),
        (
            {"spaces": 10_000, "laps": 0, "heat": 1.5, "narrow": [[0, 5], "x"], "press_corners": [0]},
            ["laps", "spaces", "heat", "narrow range 1", "narrow range 2", "press corner 1"],
        ),
        (
            {
                "corners": [CORNER | {"after_space": 31}, CORNER | {"legends_line_after_space": 77}],
                "narrow": [[5, 4], [9, 99]],
                "flooded": [[1, 9], [9, 12]],
                "grid": [[1, "left"], [1, "left"], [99, "left"]],
                "outline": [[9, 0, 0], [1, 5, 5], [3, 9, 9], [4, 1, 1]],
            },
            [
                "corner 2",
                "corners",
                "narrow",
                "narrow",
                "flooded",
                "grid place 2",
                "grid place 3",
                "outline",
            ],
        ),
    ],
)
def test_every_fault_is_told_at_once_each_with_its_place(
    changes: dict[str, Any], places: list[str], tmp_path: Path
) -> None:
    assert [re.split(r": | must ", fault)[0] for fault in faults(oval(**changes))] == places
    path = tmp_path / "strange.json"
    path.write_bytes(oval(**changes))
    with pytest.raises(BadTrack) as refused:
        read_track_file(path)
    assert len(refused.value.faults) == len(places)
    assert all(fault.startswith(f"{path}: ") for fault in refused.value.faults)
    told = CliRunner().invoke(main, ["check-track", str(path)])
    assert told.exit_code == 1
    assert told.stderr.splitlines() == refused.value.faults


CHICANES = [
    CORNER,
    CORNER | {"after_space": 9, "chicane_with_corner": 1},
    CORNER | {"after_space": 12, "chicane_with_corner": 2},
]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"grid": [[32, "left"], [30, "left"], [31, "left"], [31, "right"]]},
            "grid place 3: space 31 is ahead of place 2; pole comes first",
        ),
        ({"grid": [[1, "left"], [32, "left"]]}, "grid place 2: space 32 is ahead of place 1"),
        (
            {"corners": CHICANES},
            "corner 3: corner 2 ends a chicane already, and a chicane has two lines",
        ),
    ],
)
def test_what_the_rules_could_not_resolve_is_refused_with_file_place_and_reason(
    changes: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    """Pole would start behind others; of three lines the token of the last would lie at none."""
    path = tmp_path / "strange.json"
    path.write_bytes(oval(**changes))
    with pytest.raises(BadTrack) as refused:
        read_track_file(path)
    (told,) = refused.value.faults
    assert told.startswith(f"{path}: {fault}")


def test_two_chicanes_may_follow_on_one_another() -> None:
    following = [*CHICANES[:2], CORNER | {"after_space": 12}, CORNER | {"after_space": 14}]
    following[3] = following[3] | {"chicane_with_corner": 3}
    assert faults(oval(corners=following)) == []


@pytest.mark.parametrize(
    "identifier", ["../usa", "a/b", "..", "", "USA", "usa\n", "usa\0", "ü", "x" * 33, 7, None]
)
def test_an_identifier_can_be_no_path(identifier: object) -> None:
    (fault,) = faults(oval(id=identifier))
    assert fault.startswith("id must be text of 1 to 32 small letters, digits and hyphens, not ")


@pytest.mark.parametrize("key", ["name", "country", "set"])
@pytest.mark.parametrize("text", ["\x1b[2J", "a\nb", "a\tb", "\x07", "\u202egnp", "\x9b0m"])
def test_texts_that_move_the_cursor_are_refused(key: str, text: str) -> None:
    (fault,) = faults(oval(**{key: text}))
    assert fault.startswith(f"{key}: Character ")
    assert "is invisible" in fault


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (" " * 40, "A name needs at least one letter."),
        (" Brno", "write it as 'Brno'"),
        ("Old  Ring", "write it as 'Old Ring'"),
        ("Cafe\u0301", "write it as 'Café'"),
        ("a" + "\u0301" * 30, "The name has too many marks on one letter."),
        ("\u3164", "A name needs at least one letter."),
        ("\u2800" * 40, "A name needs at least one letter."),
        ("Br\u200bno", "write it as 'Brno'"),
        ("鈴" * 21, "A name has at most 40 cells, this one has 42."),
    ],
)
def test_names_of_tracks_keep_the_one_rule_for_names(name: str, reason: str) -> None:
    assert faults(oval(name=name)) == [f"name: {reason}"]
    assert faults(oval(country=name)) == [f"country: {reason}"]
    assert faults(oval(country="", set="")) == []


def test_of_a_file_of_faults_only_the_first_are_named() -> None:
    told = faults(oval(**{f"k{number}": 1 for number in range(3_000)}))
    assert len(told) == 501
    assert told[-1] == "and 2500 more"


def test_a_list_that_is_too_long_is_looked_through_as_far_as_it_may_reach() -> None:
    assert faults(oval(narrow=[[1, 2]] * 5_000)) == ["narrow must have 0 to 60 entries, not 5000"]
    assert len(faults(oval(narrow=["x"] * 15_000))) == 1 + 60
    assert len(faults(oval(outline=[[0, 0, 0]] * 5_000))) == 1 + 400


@pytest.mark.parametrize("path", [(), ("corners", 0)])
def test_a_key_that_stands_twice_is_refused(path: tuple[str | int, ...]) -> None:
    """One of them would hold, and nobody sees which."""
    data = oval()
    doubled = (
        data.replace(b'"laps":3', b'"laps":3,"laps":2')
        if not path
        else data.replace(b'"limit":', b'"limit":1,"limit":', 1)
    )
    assert doubled != data
    assert faults(doubled) == [
        "'limit': appears more than once" if path else "'laps': appears more than once"
    ]


@pytest.mark.parametrize("text", ["[/b]", "Nürburgring", "鈴鹿", "O'Connor", "../.."])
def test_texts_that_show_are_taken_as_they_are(text: str) -> None:
    assert parse_track(oval(name=text)).name == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"null",
        b'"usa"',
        b"{'id': 1}",
        b'{"id": NaN}',
        b"\x00" * 100,
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf",
        b'{"id": "\\ud800"}',
        b'{"spaces": 1e999}',
        b'{"spaces": ' + b"9" * 5000 + b"}",
        b'{"a":' * 10_000,
    ],
    ids=range(13),
)
def test_what_is_no_track_is_refused(data: bytes, tmp_path: Path) -> None:
    assert faults(data)
    path = tmp_path / "no.json"
    path.write_bytes(data)
    told = CliRunner().invoke(main, ["check-track", str(path)])
    assert told.exit_code == 1
    assert all(line.startswith(f"{path}: ") for line in told.stderr.splitlines())


def test_every_byte_of_a_track_file_may_be_wrong() -> None:
    data = EXAMPLE.read_bytes()
    outcomes = set()
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        outcomes.add(bool(faults(changed)))
    assert outcomes == {True, False}


def test_names_that_are_no_track_are_refused_with_those_that_are() -> None:
    for name in ("../usa", "usa/../usa", "/etc/passwd", "USA", "", "usa\0", "tracks"):
        with pytest.raises(BadTrack, match="there is no track"):
            load_track(name)
    with pytest.raises(BadTrack, match=r"/: Is a directory|directory"):
        read_track_file(Path("/"))


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("spots", [1, 2])
def test_the_smallest_board_full_of_cars_races_to_its_end(spots: int, preset: PresetName) -> None:
    """Ten spaces, three laps, eight cars: moves lap others, slipstreams and corners come all the time."""
    last = [(space, side) for space in (10, 9, 8, 7, 6, 5, 4, 3) for side in ("left", "right")[:spots]]
    facts = parse_track(
        oval(
            spaces=10,
            laps=3,
            corners=[CORNER, CORNER | {"after_space": 10, "legends_line_after_space": 8}],
            narrow=[[1, 10]] if spots == 1 else [[4, 5]],
            flooded=[[2, 3]],
            tunnel=[],
            press_corners=[1],
            grid=[list(place) for place in last if spots == 1 or place[0] not in (4, 5)][:8],
            outline=[[1, 0, 0], [3, 10, 0], [6, 10, 10], [8, 0, 10]],
        )
    )
    for number in range(3):
        hard = LegendSetup(4, True)
        cars = [CarSetup(f"car {n}", COLOURS[n], hard if n > 4 else None) for n in range(8)]
        setup = make_setup(facts, cars, seed=f"small/{number}", rules=roomy(PRESETS[preset], 8))
        game = RandomPlay(setup, f"small/{number}")
        assert game.run().phase is Phase.ENDED
        game.check_record()
