"""The table of options: it names every field, and each of its values can be chosen, read back and set up."""

from __future__ import annotations

from collections.abc import Sequence

import click
import msgspec
import pytest
from click.testing import CliRunner

from heat_core.files import load_track, track_names
from heat_core.options.option import Option
from heat_core.options.option_flags import table_flags
from heat_core.options.option_table import (
    BOTS,
    GARAGE,
    LEGENDS,
    LEVEL,
    LOCAL_RACE_OPTIONS,
    LOCAL_SEASON_OPTIONS,
    RACE_TRACKS,
    ROOM_OPTIONS,
    SEED,
    TRACK,
    read,
    values_of,
)
from heat_core.options.table_options import (
    LocalOptions,
    RoomOptions,
    SeasonOptions,
    TableOptions,
    change,
    is_used,
    modules_of,
    plan_races,
    rules_of,
    set_up_season,
    value_in,
)
from heat_core.race.presets import RULEBOOK
from heat_core.race.setup import BadSetup, CarSetup, Modules

TRACKS = {name: load_track(name).name for name in track_names()}
EIGHT: dict[str, str] = {"most_cars": "8"}
FULL = RoomOptions(cars=8, settings=EIGHT, season=SeasonOptions(tracks=("usa", "gb", "italy")))
LOCAL = LocalOptions(names=("Ana",), settings=EIGHT)
LOCAL_SEASON = LocalOptions(names=("Ana",), settings=EIGHT, season=FULL.season)
CASES: list[tuple[TableOptions, Option]] = [
    *((FULL, option) for option in (*ROOM_OPTIONS, *RACE_TRACKS)),
    *((LOCAL, option) for option in LOCAL_RACE_OPTIONS),
    *((LOCAL_SEASON, option) for option in LOCAL_SEASON_OPTIONS),
]


@pytest.mark.parametrize(
    ("kind", "known", "not_told"),
    [
        (RoomOptions, ROOM_OPTIONS, {"expansion"}),
        (LocalOptions, LOCAL_SEASON_OPTIONS + LOCAL_RACE_OPTIONS, {"expansion", "are_friends"}),
    ],
)
def test_the_table_names_every_field(
    kind: type[TableOptions], known: Sequence[Option], not_told: set[str]
) -> None:
    """The garage's two fields are one option; who are friends is settled by the command or the menu."""
    fields = {*kind.__struct_fields__, "events", "sponsorships"}
    assert {option.field for option in known} == fields - not_told


@pytest.mark.parametrize(("options", "option"), CASES)
def test_every_value_is_read_by_word_and_label_and_stands_in_the_options(
    options: TableOptions, option: Option
) -> None:
    assert len(option.label) <= 12
    assert option.help.rstrip(".") == option.help
    for value in values_of(option, options, TRACKS):
        for typed in (value.word, value.word.upper(), value.label):
            assert read(option, typed, options, TRACKS) == value.value
        changed = change(options, option.field, value.value)
        msgspec.convert(msgspec.to_builtins(changed), type(changed))  # within the bounds of the wire
        if is_used(changed, option.field):
            assert value_in(changed, option.field) == value.value


def test_other_rules_take_back_places_settings_and_legends_of_a_room() -> None:
    room = RoomOptions(cars=8, legends=7, settings=EIGHT)
    assert change(room, "rules", "rulebook") == RoomOptions(cars=6, legends=5, rules="rulebook")
    assert change(room, "cars", 3).legends == 2
    assert rules_of(change(LOCAL, "rules", "rulebook")) == RULEBOOK


def test_a_championship_comes_and_goes_with_its_season() -> None:
    room = change(RoomOptions(), "season", "own")
    assert room.season == SeasonOptions(tracks=("usa", "gb", "italy"), events=True)
    room = change(change(room, "race4", "japan"), "sponsorships", True)
    assert [race.track.id for race in plan_races(room, load_track)] == ["usa", "gb", "italy", "japan"]
    assert modules_of(room) == Modules(sponsorships=True)
    room = change(room, "season", "1961")
    assert room.season == SeasonOptions(year=1961, sponsorships=True)
    assert not is_used(room, "track")
    assert not is_used(room, "events")
    room = change(room, "season", "none")
    assert room == RoomOptions()
    assert change(room, "events", True) == RoomOptions(), "the championship is gone"


def test_modules_and_events_of_a_championship_are_those_of_its_options() -> None:
    cars = [CarSetup("Ana", "red"), CarSetup("Ben", "blue")]
    options = LocalOptions(expansion=True, season=SeasonOptions(tracks=("usa",) * 3, events=True))
    setup = set_up_season(options, cars, seed="s", find_track=load_track)
    assert setup.draws_events
    assert setup.modules.expansion
    printed = msgspec.structs.replace(options, season=SeasonOptions(year=1961, events=True))
    assert not set_up_season(printed, cars, seed="s", find_track=load_track).draws_events
    with pytest.raises(BadSetup, match="the garage advanced or mixed"):
        modules_of(LocalOptions(expansion=True))


def chosen_by(*arguments: str, is_season: bool = False) -> LocalOptions | str:
    """Give the options that a command line makes, or what it says instead."""
    found: list[LocalOptions] = []

    @click.command()
    @table_flags(LocalOptions, TRACK, LEGENDS, LEVEL, BOTS, SEED, is_season=is_season, level="Of all.")
    def command(options: LocalOptions) -> None:
        found.append(options)

    result = CliRunner().invoke(command, arguments)
    return found[0] if found else result.output


def test_a_command_line_makes_the_same_options() -> None:
    assert chosen_by() == LocalOptions()
    assert chosen_by(
        *(
            "--track",
            "x.json",
            "--laps",
            "2",
            "--legends",
            "0",
            "--level",
            "hard",
            "--bots",
            "2 random,steady",
            "--seed",
            "a",
        ),
        *("--rules", "rulebook", "--set", "hand_size=8", "--set", "boost_gears=any", "--garage", "mixed"),
        *("--expansion", "--weather"),
    ) == LocalOptions(
        track="x.json",
        laps=2,
        legends=0,
        level="hard",
        bots=("random", "random", "steady"),
        seed="a",
        rules="rulebook",
        settings={"hand_size": "8"},
        garage="mixed",
        expansion=True,
        weather=True,
    )
    assert chosen_by("--tracks", "usa, gb,italy", "--events", is_season=True) == LocalOptions(
        season=SeasonOptions(tracks=("usa", "gb", "italy"), events=True)
    )
    assert chosen_by("--year", "1963", "--sponsorships", is_season=True) == LocalOptions(
        season=SeasonOptions(year=1963, sponsorships=True)
    )


@pytest.mark.parametrize(
    ("arguments", "is_season", "told"),
    [
        (("--laps", "5"), False, "'5' is not a whole number from 1 to 4."),
        (("--bots", "8"), False, "There can be at most 7 bots."),
        (("--level", "mad"), False, "'mad' is not one of 'easy', 'medium', 'hard'"),
        (("--set", "hand_size=5"), False, "The setting hand_size can be 6, 7 or 8."),
        (("--set", "points=printed"), False, "The setting points applies to championships only."),
        (("--year", "1961", "--tracks", "usa"), True, "Give --tracks or --year, not both."),
        (("--help",), False, "How well Legends drive. Of all."),
    ],
)
def test_a_command_line_says_what_is_wrong(arguments: Sequence[str], is_season: bool, told: str) -> None:
    said = chosen_by(*arguments, is_season=is_season)
    assert isinstance(said, str)
    assert told in said


def test_the_garage_is_one_option_of_two_fields() -> None:
    options = change(LOCAL, GARAGE.field, read(GARAGE, "mixed expansion", LOCAL, TRACKS))
    assert (options.garage, options.expansion) == ("mixed", True)
