"""Setting a race or a championship up without a form: what follows from what, what is refused and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from heat_core.drivers import BotName
from heat_core.files import TRACKS_VARIABLE, FoundTrack, box_tracks
from heat_core.options.option_table import BOTS, LEGENDS
from heat_core.options.settings import make_rules
from heat_core.options.table_options import USUAL_BOT
from heat_core.race.presets import RULEBOOK
from heat_tui.flow.setup import NO_DRIVERS, CannotBegin, SetupController
from heat_tui.state import Settings

SETTINGS = Settings(name="Ana", colour="green", hints=False)
OVAL = Path(__file__).parents[2] / "examples" / "oval.json"


def race() -> SetupController:
    return SetupController.race(SETTINGS, "Ana", box_tracks())


def hot_seat(names: str = "") -> SetupController:
    setup = SetupController.hot_seat(SETTINGS, "Ana", box_tracks())
    setup.take_names(names)
    return setup


def championship() -> SetupController:
    return SetupController.championship(SETTINGS, "Ana", box_tracks())


def test_what_is_usual_can_begin() -> None:
    cars = race().begin_race().setup.cars
    assert [(car.name, car.legend is not None) for car in cars] == [
        ("Ana", False),
        *((f"Legend {number}", True) for number in range(1, 6)),
    ]
    assert cars[0].colour == "green"
    friends = hot_seat("Ana, Ben,").begin_race().setup.cars
    assert [car.name for car in friends] == ["Ana", "Ben", "Legend 1", "Legend 2"]
    assert [found.track.id for found in championship().begin_season().setup.races]


def test_the_first_race_is_against_legends_and_each_later_one_against_the_same_as_the_last() -> None:
    setup = SetupController.race(Settings(), "Ana", box_tracks())
    assert setup.opponents == ["legend"] * 5
    assert SetupController.race(setup.remembered(Settings()), "Ana", box_tracks()).opponents == ["legend"] * 5
    setup.take_opponents(["hard", "nobody", "legend", "easy", "nobody"])
    settings = setup.remembered(Settings())
    again = SetupController.race(settings, "Ana", box_tracks())
    assert again.opponents == ["hard", "easy", "legend", "nobody", "nobody"]
    assert len(again.begin_race().setup.cars) == 4
    for others in (hot_seat("Ana, Ben"), championship()):
        others.take_opponents(["steady"] * 3)
        kept = others.remembered(settings)
        assert (kept.bots, kept.legends) == (("hard", "easy"), 1)


@pytest.mark.parametrize(
    ("bots", "legends", "cars"), [(("easy",) * 7, None, 6), (("easy",) * 3, 7, 6), ((), -1, 1), ((), 99, 6)]
)
def test_no_more_opponents_are_offered_than_there_are_places(
    bots: tuple[BotName, ...], legends: int | None, cars: int
) -> None:
    setup = SetupController.race(Settings(bots=bots, legends=legends), "Ana", box_tracks())
    assert len(setup.grid()) == cars


def test_opponents_are_chosen_place_by_place() -> None:
    setup = race()
    assert setup.opponents == ["legend"] * 5
    setup.take_opponents(["hard", "legend", "nobody", "easy", "nobody"])
    assert (setup.options.bots, setup.options.legends) == (("hard", "easy"), 1)
    assert setup.opponents == ["hard", "easy", "legend", "nobody", "nobody"]
    table = setup.begin_race()
    assert table.drivers == {0: "human", 1: "hard", 2: "easy"}
    assert len(table.setup.cars) == 4


def test_a_name_alone_may_have_commas_and_names_of_several_are_told_apart_by_them() -> None:
    setup = race()
    setup.take_names("Ana, B")
    assert setup.options.names == ("Ana, B",)
    assert hot_seat(" , Ana,,Ben").options.names == (" Ana", "Ben")


@pytest.mark.parametrize(
    ("setup", "changes", "told"),
    [
        (
            race(),
            {"bots": ("steady",), "legends": 5},
            "7 cars; a race on USA has 2 to 6, and up to 8 by the setting",
        ),
        (race(), {"legends": 0}, "1 car; a race on USA has 2 to 6; add Legends or bots"),
        (race(), {"track": "broken.json"}, "broken.json cannot be raced on: no grid"),
        (hot_seat(), {}, NO_DRIVERS),
        (hot_seat(), {"bots": ("steady",) * 2}, NO_DRIVERS),
        (hot_seat("Ana, ana"), {}, "Two drivers have the same name."),
        (championship(), {"legends": 0}, "1 car; a race on Great Britain has 2 to 6; add Legends or bots"),
    ],
)
def test_what_makes_no_race_is_one_sentence(
    setup: SetupController, changes: dict[str, object], told: str
) -> None:
    setup.tracks.append(FoundTrack("broken.json", Path("broken.json"), None, ("no grid",)))
    for field, value in changes.items():
        setup.change(field, value)
    with pytest.raises(CannotBegin) as error:
        setup.begin_season() if setup.options.season is not None else setup.begin_race()
    assert str(error.value).startswith(told)


def test_rules_and_numbers_bound_what_can_be_chosen() -> None:
    setup = race()
    assert [value.value for value in setup.values(LEGENDS)] == [None, 0, 1, 2, 3, 4, 5]
    setup.change_rules(make_rules("standard", {"most_cars": "8"}))
    setup.change("bots", ("steady",) * 4)
    assert setup.legends == 3, "as many as find places"
    assert [value.value for value in setup.values(LEGENDS)] == [None, 0, 1, 2, 3]
    assert [value.value for value in setup.values(BOTS)] == [(USUAL_BOT,) * number for number in range(8)]
    assert len(setup.begin_race().setup.cars) == 8
    setup.change_rules(RULEBOOK)
    assert setup.rules == RULEBOOK
    setup.change("rules", "standard")
    assert setup.options.settings == {}


def test_the_laps_of_the_track_come_first_and_only_once() -> None:
    setup = race()
    assert [(value.value, value.label) for value in setup.lap_values()] == [
        (None, "2 (printed)"),
        (1, "1"),
        (3, "3"),
        (4, "4"),
    ]
    setup.change("track", "italy")
    assert setup.lap_values()[0].label == "3 (printed)"


@pytest.mark.asyncio
async def test_own_tracks_are_found_and_raced_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRACKS_VARIABLE, str(tmp_path))
    setup = race()
    assert not await setup.find_own_tracks()
    (tmp_path / "oval.json").write_bytes(OVAL.read_bytes())
    assert await setup.find_own_tracks()
    setup.change("track", "oval")
    assert setup.labels["oval"] == "The Oval"
    setup.change("legends", 2)
    assert setup.begin_race().setup.track.id == "oval"


def test_colour_and_the_name_of_one_person_are_remembered() -> None:
    setup = race()
    setup.change("colour", "red")
    setup.take_names("Zoe")
    assert setup.remembered(SETTINGS) == replace(SETTINGS, name="Zoe", colour="red")
    assert hot_seat("Zoe").remembered(SETTINGS).name == "Ana", "whose keyboard it is says nobody"
    season = championship()
    season.take_names("Zoe, Ben")
    assert season.remembered(SETTINGS).name == "Ana"
    season.take_names("Zoe")
    assert season.remembered(SETTINGS).name == "Zoe"


def test_what_the_race_will_be_like_is_said_before_it_begins() -> None:
    setup = race()
    setup.take_opponents(["hard", "legend", "nobody", "legend", "hard"])
    assert setup.field_text() == "You, 2 hard bots and 2 Legends."
    assert [(car.letter, car.colour, car.is_own) for car in setup.grid()] == [
        ("A", "green", True),
        ("H", "red", False),
        ("H", "blue", False),
        ("L", "yellow", False),
        ("L", "black", False),
    ]
    assert setup.length_text() == "About 17 rounds, 6 minutes at 20 seconds a turn."
    assert setup.heat_text() == "The corners of a lap cost about 5 Heat."
    setup.change("laps", 1)
    assert setup.length_text().startswith("About 8 rounds, 3 minutes ")
    setup = hot_seat("Ana, Ben")
    setup.take_opponents([])
    assert setup.field_text() == "2 people."
