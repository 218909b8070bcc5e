"""Position files: written and read back the same, raced and replayed, refused with all problems at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from heat_core.cards import CATALOGUE
from heat_core.data.legends import HELMETS, LEGEND_CARDS
from heat_core.engine import start_race
from heat_core.files import load_track, track_names
from heat_core.game_files import read_position
from heat_core.positions.file import PositionFile, encode_position, parse_position
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
from tests.core.support_positions import (
    ANA_LINE,
    BEN_LINE,
    EVERYTHING,
    faults,
    parse,
    played_on,
    with_cars,
    without_history,
)
from tests.core.umpire import Umpire

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted({*FOLDER.glob("*.toml")} - {FOLDER / "heat-server.toml"})


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
    file = parse(with_cars(ANA_LINE, BEN_LINE))
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


@pytest.mark.parametrize(
    ("cars", "player", "alone"),
    [
        ((ANA_LINE, BEN_LINE), {0: "human", 1: "steady"}, {0: "steady", 1: "steady"}),
        ((BEN_LINE, ANA_LINE), {0: "steady", 1: "human"}, {0: "steady", 1: "steady"}),
        (
            (ANA_LINE, BEN_LINE.replace("steady", "human")),
            {0: "steady", 1: "human"},
            {0: "steady", 1: "steady"},
        ),
        (
            (BEN_LINE.replace("steady", "random"), 'L = "lap 1 space 1 legend easy"', ANA_LINE),
            {0: "random", 2: "human"},
            {0: "random", 2: "steady"},
        ),
        (
            (ANA_LINE.replace("30", "30 gave-up 1"), 'Cy = "lap 1 space 2"', 'Dan = "lap 1 space 3"'),
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
    file = parse(with_cars(BEN_LINE, BEN_LINE.replace("Ben", "Cy")))
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
    path.write_text(with_cars(ANA_LINE, BEN_LINE, track="none.json", round=0))
    with pytest.raises(BadPosition) as refused:
        read_position(path)
    assert refused.value.faults == [
        f"{path}: round must be a whole number from 1 to 1000, not 0",
        f"{path}: track: {tmp_path / 'none.json'}: No such file or directory",
    ]
    for wrong, reason in ((tmp_path / "none.toml", "No such file"), (tmp_path, "directory")):
        with pytest.raises(BadPosition, match=reason):
            read_position(wrong)
