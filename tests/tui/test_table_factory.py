"""From options to a table, and the small pictures of circuits."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from heat_core.names import BadName
from heat_core.options.table_options import LocalOptions
from heat_core.race.presets import RULEBOOK
from heat_core.race.setup import BASE_GAME, COLOURS, BadSetup, Modules
from heat_core.track_files.file import BadTrack
from heat_tui.flow.table_factory import make_table

ALONE = LocalOptions(names=("You",))
EIGHT = {"most_cars": "8"}


def test_legends_fill_up_to_six_cars_to_eight_by_setting_or_to_the_places_of_the_board() -> None:
    assert len(make_table(replace(ALONE, bots=("steady",) * 2)).setup.cars) == 6
    assert len(make_table(replace(ALONE, bots=("steady",) * 2, settings=EIGHT)).setup.cars) == 8
    oval = Path(__file__).parents[2] / "examples" / "oval.json"
    small = make_table(replace(ALONE, track=str(oval), settings=EIGHT)).setup
    assert len(small.cars) == len(small.track.grid) < 8


def test_the_usual_race_is_one_person_against_five_legends() -> None:
    table = make_table(ALONE)
    assert [car.name for car in table.setup.cars] == ["You", *(f"Legend {n}" for n in range(1, 6))]
    assert table.drivers == {0: "human"}
    assert table.setup.seed
    assert make_table(ALONE).setup.seed != table.setup.seed


def test_everything_wished_for_is_in_the_setup() -> None:
    options = LocalOptions(
        names=("Ana", "Ben"),
        colour="black",
        legends=1,
        level="hard",
        bots=("random", "steady"),
        rules="rulebook",
        seed="7",
        track="italy",
        laps=2,
    )
    setup = make_table(options).setup
    assert (setup.track.id, setup.laps, setup.rules, setup.seed) == ("italy", 2, RULEBOOK, "7")
    assert [car.name for car in setup.cars] == ["Ana", "Ben", "Mona (random)", "Nils (steady)", "Legend 1"]
    assert setup.cars[0].colour == "black"
    assert len({car.colour for car in setup.cars}) == 5
    legend = setup.cars[-1].legend
    assert legend is not None
    assert (legend.bonus, legend.chevrons) == (4, True)
    assert make_table(options).drivers == {0: "human", 1: "human", 2: "random", 3: "steady"}


def test_modules_wished_for_are_in_the_setup() -> None:
    box = replace(ALONE, garage="mixed", expansion=True, weather=True)
    assert make_table(box).setup.modules == Modules("mixed", True, weather=True)
    assert make_table(ALONE).setup.modules == BASE_GAME
    with pytest.raises(BadSetup, match="the garage advanced or mixed"):
        make_table(replace(ALONE, garage="basic", expansion=True))


def test_eight_cars_fit_whatever_people_are_called() -> None:
    options = LocalOptions(
        names=("nina", "LEGEND 1", "Otto"), bots=("steady",) * 2, legends=3, settings=EIGHT
    )
    setup = make_table(options).setup
    assert len({car.name.casefold() for car in setup.cars}) == len(COLOURS)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (replace(ALONE, track="../usa"), BadTrack),
        (LocalOptions(names=("",)), BadName),
        (LocalOptions(names=("a\x1b",)), BadName),
        (LocalOptions(names=("Ana", "ＡＮＡ")), BadName),
        (replace(ALONE, legends=0), BadSetup),
        (LocalOptions(names=tuple("abcdefghi"), legends=0), BadSetup),
        (replace(ALONE, bots=("steady",) * 7, legends=1, settings=EIGHT), BadSetup),
        (replace(ALONE, bots=("steady",), legends=5), BadSetup),
    ],
)
def test_what_does_not_fit_is_refused(options: LocalOptions, error: type[Exception]) -> None:
    with pytest.raises(error):
        make_table(options)
