"""Position files: written and read back the same, raced and replayed, refused with all problems at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from heat_core.cards import CATALOGUE
from heat_core.data.legends import HELMETS, LEGEND_CARDS
from heat_core.engine import start_race
from heat_core.files import load_track, track_names
from heat_core.game_files import read_position
from heat_core.positions.file import MAX_POSITION_BYTES, PositionFile, encode_position, parse_position
from heat_core.positions.position import BadPosition, make_position, position_of
from heat_core.positions.words import WORDS, CarWords, car_words, parse_car
from heat_core.race.phase import Phase
from heat_core.race.position_setup import CarPosition
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.setup import COLOURS, LegendSetup, make_setup
from heat_core.race.state_dump import dump_race
from heat_core.record.record import decode_record, encode_record, fold_record, verify_record
from heat_core.view.secrecy import public_setup
from tests.core.support import RandomPlay
from tests.core.test_positions import played_on, without_history
from tests.core.umpire import Umpire

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted({*FOLDER.glob("*.toml")} - {FOLDER / "heat-server.toml"})

EVERYTHING = """
# All that a file can say.
format = 1
track = "italy"
laps = 1
rules = "rulebook"
round = 7
phase = "play"
seed = "any text \\u007f ✓"
legend_cards = "7 3 others"

[cars]
Ana = "lap 1 space 30 spot other gear 3 engine 4 hand 4 3 2 draw 1 1 4 discard heat heat colour green"
"Ben the 2nd" = "lap 1 space 31 hand driver random"
"鈴鹿" = "lap 2 space 4 finished 2 played 4 4 driver human"
Dan = "lap 1 space 9 gave-up 1"
"Legend 1" = "lap 2 space 1 finished 1 legend hard speed 14"
"Legend 2" = "lap 1 space 30 legend easy bonus 6 chevrons yes helmet grey"
"""


def parse(text: str | bytes) -> PositionFile:
    return parse_position(text if isinstance(text, bytes) else text.encode(), load_track)


def faults(text: str | bytes) -> list[str]:
    with pytest.raises(BadPosition) as refused:
        parse(text)
    assert str(refused.value) == "; ".join(refused.value.faults)
    return refused.value.faults


def with_cars(*cars: str, **keys: object) -> str:
    """Write a file of cars `name = words`, with some keys set or, by None, left out."""
    values: dict[str, object] = {"format": 1, "track": "usa"} | keys
    lines = [
        f"{key} = {msgspec.json.encode(value).decode()}" for key, value in values.items() if value is not None
    ]
    return "\n".join([*lines, "[cars]", *cars])


ANA, BEN = 'Ana = "lap 1 space 30"', 'Ben = "lap 1 space 31 driver steady"'


def test_a_file_says_everything() -> None:
    file = parse("\ufeff".encode() + EVERYTHING.encode())
    setup, position = file.setup, file.setup.position
    assert position is not None
    assert (setup.track.id, setup.laps, setup.rules, setup.seed) == ("italy", 1, RULEBOOK, "any text \x7f ✓")
    assert (position.round, position.phase) == (7, "play")
    assert (position.legend_cards, position.are_others_turned) == ((6, 2), False)
    assert [car.name for car in setup.cars][1:3] == ["Ben the 2nd", "鈴鹿"]
    assert [car.colour for car in setup.cars] == ["green", "red", "blue", "yellow", "black", "grey"]
    assert setup.cars[5].legend == LegendSetup(6, True, "grey")
    assert position.cars[0] == CarPosition(1, 30, 1, 3, 4, ("4", "3", "2"), ("1", "1", "4"), ("heat", "heat"))
    assert (position.cars[1].hand, position.cars[1].draw_pile) == ((), None)
    assert (position.cars[2].finished, position.cars[2].played) == (2, ("4", "4"))
    assert (position.cars[3].gave_up, position.cars[4].speed) == (1, 14)
    assert file.drivers == (None, "random", "human", None, None, None)
    assert parse(encode_position(file)) == file


def test_single_settings_stand_in_a_file_and_wrong_ones_are_told_with_all_else() -> None:
    names = [f'C{number} = "lap 1 space {number + 1}"' for number in range(8)]
    text = with_cars(*names, rules="rulebook").replace("[cars]", "[settings]\nmost_cars = '8'\n[cars]")
    file = parse(text)
    assert file.setup.rules == replace(RULEBOOK, most_cars=8)
    assert 'settings = { most_cars = "8" }' in encode_position(file)
    assert parse(encode_position(file)) == file
    for written, reason in (
        ("most_cars = '7'", "settings: The setting most_cars can be 6 or 8."),
        ("hat = '8'", "settings: There is no such setting. The settings are boost_gears, "),
        ("most_cars = 8", "settings: most_cars must be text of 1 to 32 characters, not 8"),
    ):
        told = faults(text.replace("most_cars = '8'", written))
        assert told[0].startswith(reason)
        assert any(fault.startswith("8 cars; a race on USA has 2 to 6") for fault in told)


def test_what_a_file_does_not_say_is_as_at_the_start() -> None:
    file = parse(with_cars(ANA, BEN))
    setup, position = file.setup, file.setup.position
    assert position is not None
    assert (setup.laps, setup.rules, setup.seed) == (2, PRESETS["standard"], None)
    assert (position.round, position.phase, position.legend_cards) == (2, "shift", ())
    assert not position.are_others_turned
    race, _ = start_race(replace(setup, seed="x"))
    assert [len(race.seat(number).hand) for number in (0, 1)] == [7, 7]
    assert (race.seat(0).gear, race.seat(0).engine) == (1, setup.track.heat)
    assert parse(encode_position(file)) == file


@pytest.mark.spec("CORE-15")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_file_is_checked_raced_recorded_and_replayed(path: Path) -> None:
    """As a file and as a builder; what is impossible is refused with every problem at once."""
    file = read_position(path)
    setup = replace(file.setup, seed=file.setup.seed or "any")
    position = setup.position
    assert position is not None
    game = RandomPlay(setup, path.stem)
    assert (game.race.round, game.race.phase) == (position.round, 1 if position.phase == "shift" else 2)
    game.run()
    game.check_record()
    Umpire(setup).watch(game.events)
    record = decode_record(encode_record(setup, game.events, "x"))
    assert record.setup == setup
    assert dump_race(verify_record(record)) == dump_race(game.race)
    public = decode_record(encode_record(public_setup(setup), game.events, "x"))
    assert fold_record(public).standings == verify_record(public).standings == game.race.standings
    words = {
        car.name: car_words(CarWords(place, car.legend, car.colour))
        for car, place in zip(setup.cars, position.cars, strict=True)
    }
    built = make_position(
        setup.track,
        words,
        round=position.round,
        phase=position.phase,
        laps=setup.laps,
        rules=setup.rules,
        seed=setup.seed or "",
        legend_cards=position.legend_cards,
        are_others_turned=position.are_others_turned,
    )
    assert built == setup
    name = setup.cars[0].name
    wrong = encode_position(replace(file, setup=replace(setup, laps=1))).replace("space ", "space 2", 1)
    found = faults(wrong.replace('"lap ', '"wheel 4 hand 9 lap ', 1).replace("round = ", "round = -"))
    assert f"round must be a whole number from 1 to 1000, not -{position.round}" in found
    assert f"{name}: there is no word 'wheel'" in found
    assert f"{name}: hand: there is no card '9'" in found
    assert any(fault.startswith(f"{name}: space 2") and "past the track's" in fault for fault in found)


@given(
    board=st.sampled_from(track_names()),
    preset=st.sampled_from(list(PRESETS)),
    seed=st.text(alphabet="abc\x00\x7f\"\\'\n✓", min_size=1, max_size=4),
    steps=st.integers(0, 250),
)
def test_any_played_position_comes_back_from_a_file_as_the_same_race(
    board: str, preset: PresetName, seed: str, steps: int
) -> None:
    race = played_on(board, preset, seed, steps)
    if race.phase is Phase.ENDED:
        return
    begun = race.setup
    setup = make_setup(
        begun.track, begun.cars, seed=seed, laps=begun.laps, rules=begun.rules, position=position_of(race)
    )
    file = PositionFile(setup, (None,) * len(setup.cars))
    again = parse(encode_position(file))
    assert again == file
    raced, events = start_race(again.setup)
    assert events == start_race(setup)[1]
    assert without_history(raced) == without_history(race)


cards = st.lists(st.sampled_from(list(CATALOGUE)), max_size=9).map(tuple)
colours = st.none() | st.sampled_from(COLOURS)
places: dict[str, Any] = {
    "lap": st.integers(0, 9),
    "space": st.integers(1, 400),
    "spot": st.none() | st.integers(0, 1),
}
seats = st.builds(
    CarWords,
    st.builds(
        CarPosition,
        **places,
        gear=st.integers(1, 4),
        engine=st.none() | st.integers(0, 20),
        hand=st.none() | cards,
        draw_pile=st.none() | cards,
        dealt=st.none() | st.integers(0, 80),
        shuffled=st.none() | cards,
        discard_pile=cards,
        played=cards,
        gave_up=st.none() | st.integers(1, 8),
    ),
    colour=colours,
    driver=st.none() | st.sampled_from(["human", "steady", "random"]),
)
legends = st.builds(
    CarWords,
    st.builds(
        CarPosition,
        **places,
        finished=st.none() | st.integers(1, 8),
        speed=st.none() | st.integers(0, 99),
    ),
    st.builds(LegendSetup, st.integers(0, 6), st.booleans(), st.none() | st.sampled_from(HELMETS)),
    colour=colours,
)


@given(car=seats | legends)
def test_any_car_comes_back_from_its_words(car: CarWords) -> None:
    assert parse_car(car_words(car)) == (car, [])


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
        (with_cars(ANA, BEN, format=2), ["format must be 1, not 2"]),
        (with_cars(ANA, BEN, track="us\x1ba"), ["track: there is no track 'us\\x1ba'"]),
        (with_cars(ANA, BEN, track="x" * 999), [f"track: there is no track '{'x' * 24}…'"]),
        (with_cars(ANA, BEN, track=None), ["track is missing (it must be text)"]),
        (with_cars(ANA, BEN, round=10**18), [f"round must be a whole number from 1 to 1000, not {10**18}"]),
        (with_cars(ANA, BEN, laps=1.5), ["laps must be a whole number from 1 to 4, not 1.5"]),
        (with_cars(ANA, BEN) + "\n[[cars.x]]", ["x: put its words in quotation marks"]),
        ("format = 1\ntrack = 'usa'\ncars = 3", ["cars must be a table, not 3"]),
        ("seed = 1979-05-27\n" + with_cars(ANA, BEN), [DATED]),
        (with_cars(ANA, ANA.replace("Ana", "ANA")), ["two cars have the same name"]),
        (with_cars(ANA), ["1 car; a race on USA has 2 to 6"]),
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


@pytest.mark.parametrize(
    ("cars", "player", "alone"),
    [
        ((ANA, BEN), {0: "human", 1: "steady"}, {0: "steady", 1: "steady"}),
        ((BEN, ANA), {0: "steady", 1: "human"}, {0: "steady", 1: "steady"}),
        (
            (ANA, BEN.replace("steady", "human")),
            {0: "steady", 1: "human"},
            {0: "steady", 1: "steady"},
        ),
        (
            (BEN.replace("steady", "random"), 'L = "lap 1 space 1 legend easy"', ANA),
            {0: "random", 2: "human"},
            {0: "random", 2: "steady"},
        ),
        (
            (ANA.replace("30", "30 gave-up 1"), 'Cy = "lap 1 space 2"', 'Dan = "lap 1 space 3"'),
            {0: "steady", 1: "human", 2: "steady"},
            {0: "steady", 1: "steady", 2: "steady"},
        ),
    ],
)
def test_the_first_seat_that_races_is_the_player_unless_the_file_says_otherwise(
    cars: tuple[str, ...], player: dict[int, str], alone: dict[int, str]
) -> None:
    file = parse(with_cars(*cars))
    assert file.all_drivers(has_player=True) == player
    assert file.all_drivers(has_player=False) == alone


def test_a_file_whose_seats_are_all_bots_has_no_place_for_a_player() -> None:
    file = parse(with_cars(BEN, BEN.replace("Ben", "Cy")))
    with pytest.raises(BadPosition, match="bots drive every seat"):
        file.all_drivers(has_player=True)


def test_the_document_explains_every_key_and_word_and_quotes_the_example_as_it_is() -> None:
    document = (EXAMPLES[0].parents[1] / "docs" / "positions.md").read_text()
    told = " ".join(re.findall(r"`[^`]+`", document))
    keys = re.findall(r"^\w+(?= =)", encode_position(parse(EVERYTHING)), re.MULTILINE)[:8]
    assert set(keys) == {"format", "track", "laps", "rules", "round", "phase", "seed", "legend_cards"}
    assert [key for key in keys if f"`{key} = " not in document] == []
    assert [word for word in WORDS if not re.search(rf"[` ]{word} ", told)] == []
    example = (EXAMPLES[0].parent / "third-place.toml").read_text()
    quoted = re.findall(r"^\| `(\w+ = [^`…]*)", document, re.MULTILINE)
    assert [line for line in quoted if line not in example] == [
        'settings = { hand_size = "6" }',
        'phase = "play"',
        'garage = "mixed"',
        "expansion = true",
        "sponsorships = true",
        'spent = "sponsor-1 sponsor-4"',
        'event = "strike"',
        'weather = "fog"',
        'roads = "limit-1 - weather overheat"',
    ]
    cards = [
        [*map(int, re.findall(r"\d+", line))] for line in re.findall(r"^\| \d.*", document, re.MULTILINE)
    ]
    assert cards == [
        [number, *(value for helmet in HELMETS for value in card[helmet])]
        for number, card in enumerate(LEGEND_CARDS, start=1)
    ]


def test_files_are_read_with_the_tracks_beside_them(tmp_path: Path) -> None:
    oval = (EXAMPLES[0].parent / "oval.json").read_bytes()
    (tmp_path / "mine.json").write_bytes(oval)
    path = tmp_path / "position.toml"
    path.write_text(with_cars('Ana = "lap 1 space 3"', 'Ben = "lap 1 space 4"', track="mine.json"))
    file = read_position(path)
    assert file.setup.track.id == "oval"
    assert (
        parse_position(encode_position(file, "mine.json").encode(), lambda name: load_track(name, tmp_path))
        == file
    )
    path.write_text(with_cars(ANA, BEN, track="none.json", round=0))
    with pytest.raises(BadPosition) as refused:
        read_position(path)
    assert refused.value.faults == [
        f"{path}: round must be a whole number from 1 to 1000, not 0",
        f"{path}: track: {tmp_path / 'none.json'}: No such file or directory",
    ]
    for wrong, reason in ((tmp_path / "none.toml", "No such file"), (tmp_path, "directory")):
        with pytest.raises(BadPosition, match=reason):
            read_position(wrong)
