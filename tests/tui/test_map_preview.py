"""The small map of a circuit that is chosen."""

from __future__ import annotations

import pytest

from heat_core.files import load_track, track_names
from heat_tui.map.palette import Look
from heat_tui.map.preview import drawn_lines, preview


@pytest.mark.parametrize("name", track_names())
@pytest.mark.parametrize("size", [(8, 4), (33, 9), (80, 40)])
@pytest.mark.parametrize("look", [Look(), Look("mono"), Look("ascii")], ids=["colours", "mono", "ascii"])
def test_a_preview_fits_and_shows_every_corner(name: str, size: tuple[int, int], look: Look) -> None:
    facts = load_track(name)
    lines = [line.plain for line in drawn_lines(preview(facts, *size, look))]
    assert [len(line) for line in lines] == [size[0]] * size[1]
    picture = "\n".join(lines)
    if look.mode == "ascii":
        assert picture.isascii()
    if size[0] >= 80:
        for corner in facts.corners:
            assert str(corner.limit)[-1] in picture
    assert sum(sign not in " \n" for sign in picture) >= 12
