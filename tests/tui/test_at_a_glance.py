"""What is found at a glance on the race screen: the own car, where it stands, and what is a card."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.color_triplet import ColorTriplet
from rich.style import Style

from heat_core.cards import STRESS
from heat_tui.map.cars import car_cells, lay_over
from heat_tui.theme.colours import ON_GOLD
from heat_tui.widgets.cards import card_paper
from heat_tui.widgets.hand import HandRow
from tests.tui.support_app import LARGE, SMALL
from tests.tui.support_race import DRAW, begin, race_app

pytestmark = pytest.mark.asyncio

HUGE = (200, 60)
EACH = pytest.mark.parametrize("size", [SMALL, LARGE, HUGE])
HAND = f"hand 1 2 3 4 start-5 {STRESS} heat {DRAW}"
OTHERS = "hand 1 1 2 2 3 3 4"
CARS = {
    "Ana": f"lap 1 space 30 gear 2 engine 5 {HAND}",
    "Ben": f"lap 1 space 35 gear 2 engine 6 {OTHERS}",
    "Cas": f"lap 1 space 28 gear 2 engine 6 {OTHERS}",
    "Dan": f"lap 1 space 38 gear 2 engine 6 {OTHERS}",
}
_NEARLY_WHITE = 190


def is_white(style: Style) -> bool:
    colours = [colour.get_truecolor() for colour in (style.color, style.bgcolor) if colour is not None]
    return any(min(colour) >= _NEARLY_WHITE for colour in colours)


def ground_of(style: Style | None) -> ColorTriplet | None:
    return style.bgcolor.get_truecolor() if style and style.bgcolor else None


@pytest.mark.spec("LOOK-2")
@EACH
async def test_the_own_car_its_place_the_next_corner_and_both_gaps_are_found_at_once(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        assert "P3 of 4" in app.panel("banner")
        rows = app.panel("standings").split("\n")
        for place, name, gap in (("2", "Ben", "+5"), ("3", "Ana", ""), ("4", "Cas", "-2")):
            line = re.compile(rf"\.?{place} {name[0]} {name} +1/\d\d +{re.escape(gap)} +2")
            assert any(map(line.match, rows)), name
        track_map, track = app.race.track_map, app.controller.labels.track
        drawing = track_map.drawing
        assert drawing is not None
        assert drawing.look.has_colours
        cars = track_map.cars
        assert [car.is_own for car in cars] == [True, False, False, False]
        strangers = [car._replace(is_own=False) for car in cars]
        cells = car_cells(drawing, cars)
        drawn, plain = (lay_over(drawing, some, cells, {}, None) for some in (cars, strangers))
        column, row = cells[0]
        assert drawn[column, row].style.underline
        assert not any(drawn[cells[number]].style.underline for number in (1, 2, 3))
        halo = [cell for cell in drawn if drawn[cell] != plain.get(cell) and is_white(drawn[cell].style)]
        assert len([cell for cell in halo if abs(cell[0] - column) <= 4 and abs(cell[1] - row) <= 3]) >= 3
        corner = track.corner_at(track.next_line(cars[0].progress))
        plate = drawing.plate_of(corner)
        assert plate is not None
        (left, beside), text = plate
        assert text.strip() == str(track.corners[corner].limit)
        spaces = track.corners[corner].after_space - 30
        around = [drawn.get((at, beside)) for at in range(left - 8, left + 12)]
        words = "".join(" " if cell is None else cell.glyph for cell in around)
        assert f"in {spaces}" in words


class Seen(NamedTuple):
    """A cell of the hand."""

    sign: str
    ink: ColorTriplet | None
    ground: ColorTriplet | None

    def halves(self) -> tuple[ColorTriplet | None, ColorTriplet | None]:
        """Give the colours of its upper and its lower half."""
        upper, lower = self.ground, self.ground
        return (self.ink if self.sign in "▀█" else upper), (self.ink if self.sign in "▄█" else lower)


def hand_cells(hand: HandRow) -> list[list[Seen]]:
    return [
        [
            Seen(sign, style.color.get_truecolor() if style and style.color else None, ground_of(style))
            for text, style, _ in hand.render_line(y)
            for sign in text
        ]
        for y in range(hand.size.height)
    ]


@pytest.mark.spec("LOOK-4")
@EACH
async def test_cards_look_like_cards_at_every_size_and_those_picked_are_lifted(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await pilot.press("2", "3")
        await pilot.pause()
        hand = app.race.query_one(HandRow)
        cells = hand_cells(hand)
        panel = cells[0][-1].ground
        gold = ground_of(ON_GOLD)
        tops = {}
        for row, first, behind, action in hand._hits:
            if row:
                continue
            column = (first + behind) // 2
            halves = [half for line in cells[:-1] for half in line[column].halves()]
            card = [at for at, colour in enumerate(halves) if colour not in (panel, None)]
            assert card == [*range(card[0], card[-1] + 1)], "a card is one piece"
            tops[action] = card[0]
            assert (len(card), behind - first) == {SMALL: (5, 5), LARGE: (12, 10), HUGE: (14, 14)}[size]
            is_golden = [colour == gold for colour in (halves[card[0]], halves[card[-1]])]
            assert is_golden == [action in ("card(2)", "card(3)")] * 2
        picked, others = {tops.pop("card(2)"), tops.pop("card(3)")}, {*tops.values()}
        assert (len(picked), len(others), len(tops)) == (1, 1, 5)
        assert others.pop() - picked.pop() == (1 if size == SMALL else 2), "in halves of rows"
        papers = {ground_of(card_paper(card)) for card in ("1", "start-5", STRESS, "heat")}
        assert len(papers) == 4
        assert papers <= {seen.ground for line in cells for seen in line}
