"""From wishes to a table, and the small pictures of circuits."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_core.files import load_track, track_names
from heat_core.modules import single_race_modules
from heat_core.names import BadName
from heat_core.presets import RULEBOOK
from heat_core.settings import make_rules
from heat_core.setup import BASE_GAME, COLOURS, BadSetup, Modules
from heat_core.track_file import BadTrack
from heat_tui.makerace import BOT_NAMES, Wishes, make_table
from heat_tui.outline import draw_outline

EIGHT = make_rules("standard", {"most_cars": "8"})


def test_legends_fill_up_to_six_cars_to_eight_by_setting_or_to_the_places_of_the_board() -> None:
    assert len(make_table(Wishes(bots=2)).setup.cars) == 6
    assert len(make_table(Wishes(bots=2, rules=EIGHT)).setup.cars) == 8
    oval = Path(__file__).parents[2] / "examples" / "oval.json"
    small = make_table(Wishes(track=str(oval), rules=EIGHT)).setup
    assert len(small.cars) == len(small.track.grid) < 8


def test_the_usual_race_is_one_person_against_five_legends() -> None:
    table = make_table(Wishes())
    assert [car.name for car in table.setup.cars] == ["You", *(f"Legend {n}" for n in range(1, 6))]
    assert table.drivers == {0: "human"}
    assert table.setup.seed
    assert make_table(Wishes()).setup.seed != table.setup.seed


def test_everything_wished_for_is_in_the_setup() -> None:
    wishes = Wishes(("Ana", "Ben"), "black", 1, "hard", 2, "random", RULEBOOK, "7", track="italy", laps=2)
    setup = make_table(wishes).setup
    assert (setup.track.id, setup.laps, setup.rules, setup.seed) == ("italy", 2, RULEBOOK, "7")
    assert [car.name for car in setup.cars] == ["Ana", "Ben", *BOT_NAMES[:2], "Legend 1"]
    assert setup.cars[0].colour == "black"
    assert len({car.colour for car in setup.cars}) == 5
    legend = setup.cars[-1].legend
    assert legend is not None
    assert (legend.bonus, legend.chevrons) == (4, True)
    assert make_table(wishes).drivers == {0: "human", 1: "human", 2: "random", 3: "random"}


def test_modules_wished_for_are_in_the_setup() -> None:
    modules = single_race_modules("mixed", expansion=True, weather=True)
    assert (
        make_table(Wishes(modules=modules)).setup.modules == modules == Modules("mixed", True, weather=True)
    )
    assert make_table(Wishes()).setup.modules == BASE_GAME
    with pytest.raises(BadSetup, match="the garage advanced or mixed"):
        single_race_modules("basic", expansion=True, weather=False)


def test_eight_cars_fit_whatever_people_are_called() -> None:
    wishes = Wishes(("nina", "LEGEND 1", "Otto"), bots=2, legends=3, rules=EIGHT)
    setup = make_table(wishes).setup
    assert len({car.name.casefold() for car in setup.cars}) == len(COLOURS)


@pytest.mark.parametrize(
    ("wishes", "error"),
    [
        (Wishes(track="../usa"), BadTrack),
        (Wishes(names=("",)), BadName),
        (Wishes(names=("a\x1b",)), BadName),
        (Wishes(names=("Ana", "ＡＮＡ")), BadName),
        (Wishes(legends=0), BadSetup),
        (Wishes(names=tuple("abcdefghi"), legends=0), BadSetup),
        (Wishes(bots=7, legends=1, rules=EIGHT), BadSetup),
        (Wishes(bots=1, legends=5), BadSetup),
    ],
)
def test_what_does_not_fit_is_refused(wishes: Wishes, error: type[Exception]) -> None:
    with pytest.raises(error):
        make_table(wishes)


@pytest.mark.parametrize("name", track_names())
@pytest.mark.parametrize("size", [(8, 4), (33, 9), (80, 40)])
@pytest.mark.parametrize("is_ascii", [False, True])
def test_outlines_fit_and_show_every_corner(name: str, size: tuple[int, int], is_ascii: bool) -> None:
    facts = load_track(name)
    picture = draw_outline(facts, *size, is_ascii=is_ascii)
    lines = picture.plain.split("\n")
    assert len(lines) == size[1]
    assert all(len(line) == size[0] for line in lines)
    assert ("#" if is_ascii else "▞") in picture.plain
    if is_ascii:
        assert picture.plain.isascii()
    if size[0] >= 33:
        for corner in facts.corners:
            assert str(corner.limit)[-1] in picture.plain
    assert sum(sign not in " \n" for sign in picture.plain) >= 12
