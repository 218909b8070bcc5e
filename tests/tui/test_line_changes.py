"""What is drawn again of a panel: the cells that differ, never half a wide character."""

from __future__ import annotations

import pytest
from rich.style import Style
from rich.text import Span, Text
from textual.geometry import Region

from heat_tui.widgets.line_changes import changed_regions

WIDTH = 20
RED = Style(color="red")
BLUE = Style(color="blue")


def spans(before: list[Text], after: list[Text]) -> list[tuple[int, int, int]]:
    """Row, first column and column behind the last of each part."""
    regions = changed_regions(before, after, WIDTH)
    assert all(region.height == 1 for region in regions)
    return [(region.y, region.x, region.right) for region in regions]


@pytest.mark.parametrize(
    ("before", "after", "span"),
    [
        (Text("engine 5 Heat"), Text("engine 4 Heat"), (7, 8)),
        (Text("engine 5"), Text("engine 5 Heat"), (8, 13)),
        (Text("engine 5 Heat"), Text("engine 5"), (8, 13)),
        (Text("engine 5"), Text.assemble("engine ", ("5", RED)), (7, 8)),
        (Text("engine"), Text("engine", RED), (0, 6)),
        (Text("at 日 now"), Text("at 月 now"), (3, 5)),
        (Text("at 日 now"), Text("at ab now"), (3, 5)),
        (Text("cafe now"), Text("cafe\u0301 now"), (3, 4)),
        (Text("a" * 30 + "b"), Text("a" * 30 + "c"), None),
        (Text("a" * 15 + "b" * 15), Text("a" * 15 + "c" * 15), (15, 20)),
        (Text("same"), Text("same"), None),
        (Text("same", spans=[Span(0, 4, RED)]), Text.assemble(("sa", RED), ("me", RED)), None),
        (
            Text("order", spans=[Span(0, 4, RED), Span(2, 5, BLUE)]),
            Text("order", spans=[Span(2, 5, BLUE), Span(0, 4, RED)]),
            (2, 4),
        ),
        (Text(""), Text(""), None),
    ],
)
def test_a_line_is_drawn_from_its_first_to_its_last_difference(
    before: Text, after: Text, span: tuple[int, int] | None
) -> None:
    assert spans([before], [after]) == ([] if span is None else [(0, *span)])


def test_lines_that_come_and_go_are_drawn_and_others_are_left() -> None:
    one, two = Text("one"), Text("two")
    assert spans([one], [one, two]) == [(1, 0, 3)]
    assert spans([one, two], [one]) == [(1, 0, 3)]
    assert changed_regions([one, two], [two, two], WIDTH) == [Region(0, 0, 3, 1)]
