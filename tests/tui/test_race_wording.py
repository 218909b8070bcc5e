"""What the race screen says and works out before it draws: wording, drafts, letters, steps, keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import pytest
from textual.binding import Binding

from heat_core.cards import HEAT, STRESS
from heat_core.decisions import GearChoice, ReactChoice, SlipstreamChoice
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.rules.offers import GearOption
from heat_tui.flow.reaction_rows import reaction_rows
from heat_tui.keys.race_bindings import RACE_BINDINGS
from heat_tui.map.palette import Look, Mode, look_for
from heat_tui.race.animation import Step, steps
from heat_tui.race.letters import car_letters
from heat_tui.race.presenter import (
    PHASE_NAMES,
    RaceLabels,
    asked,
    car_marks,
    discard_pile_lines,
    entries,
    road_start,
    waiting_for,
)
from heat_tui.theme.depth import depth_of
from heat_tui.theme.glyphs import ASCII, UNICODE, plain
from heat_tui.words.help_page import HELP
from heat_tui.words.key_line import keys_for, told_line, with_modules
from heat_tui.words.line import DANGER, GOOD, WARN, Line
from tests.tui.support_race import DRAW, table_at
from tests.tui.support_wording import choice_of, draft_of, react_table, say, table_of, texts, told

# --- forecasts in words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ana", "cards", "lines"),
    [
        (
            "space 30 gear 3 engine 6",
            "1 1 2",
            ["corner 2 (limit 3): 4 − 3 = 1 Heat", "1 of your 6 Heat, 5 left"],
        ),
        (
            "space 30 gear 3 engine 6",
            "4 3 2",
            ["corner 2 (limit 3): 9 − 3 = 6 Heat", "6 of your 6 Heat, 0 left"],
        ),
        ("space 31 gear 2 engine 0", "1 2", ["corner 2 (limit 3): free"]),
        ("space 14 gear 2 engine 0", "1 2", ["no corner crossed"]),
        (
            "space 30 gear 3 engine 5",
            "4 3 2",
            ["SPIN-OUT to 33, 2 Stress, 1st gear", "corner 2 (limit 3): 9 − 3 = 6 Heat, you have 5"],
        ),
        (
            "space 48 gear 4 engine 6",
            "4 3 2 1",
            [
                "SPIN-OUT to 49, 2 Stress, 1st gear",
                "corner 3 (limit 3): 10 − 3 = 7 Heat, you have 6",
            ],
        ),
    ],
)
def test_certain_cards_are_billed_corner_by_corner(ana: str, cards: str, lines: list[str]) -> None:
    observation = table_of(f"lap 1 {ana} hand {cards}").observation(0)
    head, *rest = told(observation, *cards.split())
    assert head.text.startswith(f"picked {' + '.join(cards.split())} = speed ")
    assert texts(rest) == lines
    assert all(len(line.text) < 80 for line in (head, *rest))
    expected = DANGER if "SPIN-OUT" in lines[0] else WARN if "=" in lines[0] else GOOD
    assert rest[0].style == expected


@pytest.mark.parametrize(
    ("cards", "engine", "bill"),
    [
        ("1 2 1", 6, "corners 1, 2 (limits 4, 4): free"),
        ("1 2 2", 6, "corners 1, 2 (limits 4, 4) at 5: 1 + 1 = 2 Heat"),
        ("1 2 4", 5, "corners 1, 2 (limits 4, 4) at 7: 3 + 3 = 6 Heat, you have 5"),
    ],
)
def test_two_corners_in_one_move_are_two_bills(cards: str, engine: int, bill: str) -> None:
    ana = f"lap 1 space 9 gear 3 engine {engine} hand {cards}"
    table = table_at({"Ana": ana, "Ben": "lap 1 space 30"}, track="japan")
    lines = texts(told(table.observation(0), *cards.split()))
    assert bill in lines
    assert ("SPIN-OUT to 12, 2 Stress, 1st gear" in lines) == (engine == 5)


def test_what_a_flip_leaves_open_is_told_as_chances() -> None:
    observation = table_of().observation(0)
    head, first = told(observation, "1", "2", STRESS)
    assert head.text == "picked 1 + 2 + Stress = speed 4 to 7, to space 34 to 37"
    assert first == Line("corner 2 (limit 3): 1 to 4 Heat of your 5", WARN)
    head, first, second = told(observation, "3", "2", STRESS)
    assert "SPIN-OUT in " in first.text
    assert " % of cases, to 33, 2 Stress, 1st gear" in first.text
    assert second.text == "corner 2 (limit 3): 3 to 6 Heat of your 5"


def test_before_the_turn_it_is_told_where_a_car_would_have_to_stand_for_a_slipstream() -> None:
    """Ben drives before Ana: where he stands now says nothing, unless he is past the place already."""
    observation = table_of(ben="lap 1 space 36 gear 2 engine 6 hand 1 1 2 2 3 3").observation(0)
    _, first = told(observation, "1", "2", STRESS)
    assert first.text == "corner 2 (limit 3): 1 to 4 Heat of your 5"
    for ben, wanted in ((13, ""), (15, "17 or 18"), (18, "17 or 18"), (19, "")):
        ahead = table_of("lap 1 space 14 gear 2 hand 1 2 draw 2 3", f"lap 1 space {ben} gear 2 hand 1 2")
        text = texts(told(ahead.observation(0), "1", "2"))[1]
        assert text == "no corner crossed" + (f"; slipstream if a car is on {wanted}" if wanted else "")


@pytest.mark.parametrize(
    ("space", "told_of_it"),
    [(65, ""), (66, "; over the finish line in 25 % of cases"), (69, "; over the finish line")],
)
def test_flips_that_may_cross_the_finish_line_are_told(space: int, told_of_it: str) -> None:
    ana = f"lap 2 space {space} gear 1 engine 6 hand stress draw 1 2 3 4"
    observation = table_of(ana, "lap 1 space 30 gear 1 hand 1").observation(0)
    assert texts(told(observation, STRESS))[1] == f"no corner to pay{told_of_it}"


def test_a_spin_out_that_cooling_would_prevent_is_told_with_it() -> None:
    """In 2nd gear one Heat is cooled before corner 3 is paid: the flips 1 and 2 hold, or 1 alone."""
    ana = "lap 1 space 46 gear 2 engine 0 hand 1 stress heat draw 1 2 3 4"
    _, first, _ = told(table_of(ana).observation(0), "1", STRESS)
    assert "SPIN-OUT in 50 % of cases" in first.text
    assert first.text.endswith("; in 25 % of cases if you cool 1")
    three = ana.replace("draw 1 2 3 4", "draw 3")
    assert texts(told(table_of(three).observation(0), "1", STRESS))[1].endswith("; none if you cool 1")
    hopeless = ana.replace("draw 1 2 3 4", "draw 4")
    assert "if you cool" not in texts(told(table_of(hopeless).observation(0), "1", STRESS))[1]
    cool = ana.replace("hand 1 stress heat", "hand 1 stress 2")
    assert "if you cool" not in texts(told(table_of(cool).observation(0), "1", STRESS))[1]


def test_modules_have_their_keys_named_where_there_is_room() -> None:
    for choice in (None, GearChoice((GearOption(1, 0),))):
        keys = keys_for(choice, is_chosen=False)
        wide = with_modules(keys, 200, has_chat=False, has_weather=True, has_cards=True)
        assert told_line(wide, 200)[0].plain.endswith("  w weather  i cards  l log  ? keys  q leave  ")
        assert with_modules(keys, 10, has_chat=False, has_weather=True, has_cards=True) == keys
        assert with_modules(keys, 200, has_chat=False, has_weather=False, has_cards=False) == keys


def test_gears_tell_cost_and_what_they_bring() -> None:
    observation = table_of(phase="shift").observation(0)
    assert texts(told(observation, gear=3))[0] == "stay in 3rd gear: free, then play 3 cards"
    assert texts(told(observation, gear=1)) == [
        "shift to 1st gear: costs 1 Heat of your 5, then play 1 card",
        "your cards give a speed of 1 to 5; this gear cools up to 3 Heat",
        "3 spaces left before corner 2 (limit 3)",
    ]
    assert texts(told(observation, gear=2))[1].endswith("this gear cools 1 Heat")
    assert texts(told(observation, gear=4))[1].endswith("this gear may boost")
    hot = table_of(
        "lap 1 space 30 gear 2 engine 1 hand heat heat heat heat heat 1", phase="shift"
    ).observation(0)
    assert told(hot, gear=2)[1].style == DANGER
    assert "CLUTTERED" in told(hot, gear=2)[1].text


@pytest.mark.parametrize(
    ("gear", "first", "second"),
    [
        (3, "stay in 3rd gear: free, then play 3 cards", "your cards give"),
        (
            2,
            "shift to 2nd gear: costs 1 Heat of your 7: 1 for flooded road",
            "play 2 cards: your cards give a speed of 3 to 8; this gear cools 1 Heat",
        ),
        (
            1,
            "shift to 1st gear: costs 2 Heat of your 7: 1 for two steps, 1 for flooded road",
            "play 1 card: your cards give a speed of 1 to 5; this gear cools up to 3 Heat",
        ),
    ],
)
def test_on_a_flooded_space_a_gear_tells_why_it_costs_heat(gear: int, first: str, second: str) -> None:
    cars = {
        "Ana": f"lap 1 space 8 gear 3 engine 7 hand 1 2 3 start-5 {DRAW}",
        "Ben": "lap 1 space 4 gear 1 hand 1",
    }
    lines = texts(told(table_at(cars, track="japan", phase="shift").observation(0), gear=gear))
    assert lines[0] == first
    assert lines[1].startswith(second)
    assert all(len(line) <= 78 for line in lines), "whole on the smallest screen"


def test_two_rows_that_cannot_cool_are_told_apart_where_there_is_little_room() -> None:
    table = table_of("lap 1 space 14 gear 1 engine 4 hand 1 2", "lap 1 space 40 gear 1 hand 1 2")
    say(table, 0, c.PlayCards(("2",)))
    say(table, 1, c.PlayCards(("1",)))
    while table.view(0).own is not None and not isinstance(choice_of(table), ReactChoice):
        table.play_default(1)
    observation = table.observation(0)
    short = [row.short for row in reaction_rows(observation, draft_of(observation)) if "cool" in row.short]
    assert short == ["cool: no Heat in your hand", "cool (adrenaline): no Heat"]


# --- presenter ---------------------------------------------------------------------------------------------


def test_the_banner_names_phase_and_request_and_whom_all_wait_for() -> None:
    assert set(PHASE_NAMES) == set(Phase)
    table = table_of()
    labels = RaceLabels.of(table.setup)
    assert asked(table.view(0)) == "pick 3 for 3rd gear"
    assert asked(table.view(None)) == ""
    assert waiting_for(table.view(1), labels, 1) == "you, Ana"
    assert waiting_for(table.view(None), labels, None) == "Ana, Ben"
    say(table, 1, c.PlayCards(("1", "1")))
    assert waiting_for(table.view(0), labels, 0) == "you"
    assert [entry.mark for entry in entries(table.view(0), labels, 0)] == ["waiting", "chosen"]
    assert [entry.is_own for entry in entries(table.view(0), labels, 0)] == [True, False]


def test_cars_that_left_the_track_are_not_on_it() -> None:
    table = table_of()
    labels = RaceLabels.of(table.setup)
    table.submit(1, None, c.GiveUp())
    assert [mark.number for mark in car_marks(table.view(0), labels, 0)] == [0]
    assert road_start(table.view(0), 1, table.observation(0).track) == table.view(0).cars[0].progress - 1


def test_a_pile_is_counted_card_by_card() -> None:
    table = table_of(f"lap 1 space 30 gear 1 engine 4 hand {STRESS} {DRAW} discard 1 1 4 heat")
    names: Mapping[str, str] = {"1": "1", "4": "4", HEAT: "Heat", "2": "2"}
    lines = [line.plain.strip() for line in discard_pile_lines(table.view(0), 0, dict(names))]
    assert lines[:4] == ["Discard pile", "2 × 1", "1 × 4", "1 × Heat"]
    assert "1 × 2" in lines[5:]
    assert "Draw pile, in unknown order" in lines


def test_a_legend_card_is_told_for_the_legends_of_this_race_only() -> None:
    table = table_of(Leg="lap 1 space 3 legend medium")
    text = RaceLabels.of(table.setup).legend_card(0)
    assert text.startswith("Legend card: L ")
    assert text.count("diamond") == 1


# --- letters, steps, keys, modes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("Ana", "Ben"), "AB"),
        (("Ana", "Anna", "Ann"), "ANB"),
        (("山田", "[/b]", "", "123"), "ABCD"),
        (("a",) * 8, "ABCDEFGH"),
    ],
)
def test_each_car_has_a_letter_of_its_own(names: tuple[str, ...], letters: str) -> None:
    assert "".join(car_letters(names)) == letters


def test_a_move_runs_space_by_space_and_a_spin_out_backwards() -> None:
    def moved(reason: e.MoveReason, end: int) -> list[Step]:
        return list(steps(e.CarMoved(2, reason, end - 30, 30, end, 1, ())))

    drive = moved("cards", 34)
    assert [(step.car, step.progress, step.spot, step.trail) for step in drive] == [
        (2, 31, 0, None),
        (2, 32, 0, None),
        (2, 33, 0, None),
        (2, 34, 1, None),
    ]
    assert {step.wake for step in drive} == {()}
    stream, boost = moved("slipstream", 34), moved("boost", 34)
    assert {step.trail for step in stream} == {"slipstream"}
    assert stream[-1].wake == (30, 31, 32, 33), "a streak from where the car was drawn along"
    assert {step.trail for step in boost} == {"boost"}
    assert boost[-1].wake == (32, 33), "a short flame behind the car"
    assert moved("cards", 30) == []
    assert sum(step.seconds for step in moved("cards", 130)) <= 0.7
    spin = list(steps(e.SpunOut(1, 33, 39, 33, 0, 2)))
    assert [step.progress for step in spin] == [39, 38, 37, 36, 35, 34, 33], "it brakes, then goes back"
    assert {step.trail for step in spin} == {"skid"}
    assert spin[-1].wake == (39, 38, 37, 36, 35, 34), "a skid mark all the way"
    assert list(steps(e.RoundStarted(3))) == []


@pytest.mark.parametrize(
    ("system", "is_ascii", "has_colour", "mode"),
    [
        ("truecolor", False, True, "truecolor"),
        ("256", False, True, "ansi256"),
        ("standard", False, True, "ansi16"),
        ("windows", False, True, "ansi16"),
        (None, False, True, "mono"),
        ("truecolor", False, False, "mono"),
        ("truecolor", True, True, "ascii"),
        (None, True, False, "ascii"),
    ],
)
def test_the_map_is_drawn_as_the_terminal_can(
    system: str | None, is_ascii: bool, has_colour: bool, mode: Mode
) -> None:
    depth = depth_of(system) if has_colour else "none"
    look = look_for(depth, is_ascii=is_ascii, theme="light", style="smooth")
    assert look == Look(mode, "light", is_smooth=look.has_colours)
    assert look_for(depth, is_ascii=is_ascii, theme="?", style="half") == Look(mode)
    assert look_for(depth, is_ascii=is_ascii, theme="?", style="ascii") == Look("ascii")
    assert mode in get_args(Mode)


@pytest.mark.parametrize("is_chosen", [False, True])
def test_the_line_of_keys_fits_80_columns_and_always_ends_with_the_way_out(is_chosen: bool) -> None:
    choices = [None, *(choice_of(table) for table in (table_of(), table_of(phase="shift"), react_table()))]
    for choice in (*choices, SlipstreamChoice((0, 2), (16, 18))):
        keys = keys_for(choice, is_chosen=is_chosen)
        line, hits = told_line(keys, 80)
        assert len(line.plain.rstrip()) <= 80
        assert line.plain.endswith(" +/- zoom  l log  ? keys  q leave  "), "nothing is spared"
        assert hits[-1][3] == "leave"


def test_the_page_of_keys_knows_every_letter_that_is_bound() -> None:
    page = " ".join(f"{row.keys} {row.text}" for row in HELP)
    bound = {binding.id for binding in RACE_BINDINGS if isinstance(binding, Binding) and binding.id}
    assert [use for use in bound if f"{{{use}}}" not in page and use != "view.help"] == []


def test_plain_signs_are_ascii_and_as_wide_as_the_others() -> None:
    for sign in ASCII:
        assert all(part.isascii() for part in sign)
    for name in ("card_top", "card_side", "picked_bottom", "heat_full", "left", "shade"):
        ours, theirs = getattr(ASCII, name), getattr(UNICODE, name)
        assert [len(part) for part in ours] == [len(part) for part in theirs]
    assert plain("31 → 33, 9 − 3, 2 × Heat").isascii()
