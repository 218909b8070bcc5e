"""Whether the parts of a track fit together (TRACK-11), also of the correct parts of a faulty track.

They take the values by key: a missing key, or None in place of an element, is wrong already and said
elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from heat_core.names import BadName, clean_name
from heat_core.track_facts import TrackFacts
from heat_core.track_files.outline import outline_problems

_MOST_NAME_CELLS: Final = 40


def track_problems(facts: TrackFacts) -> list[str]:
    """List everything that does not fit together in facts whose single values are in range."""
    return misfits(msgspec.to_builtins(facts))


def misfits(values: Mapping[str, Any]) -> list[str]:
    """List everything that does not fit together in the right values of a track file."""
    problems = [
        f"{key}: {fault}" for key in ("name", "country", "set") if (fault := _text_fault(values.get(key, "")))
    ]
    corners: Sequence[Mapping[str, Any] | None] = values.get("corners") or []
    problems += _corner_problems([corner or {} for corner in corners], values.get("spaces"))
    for key in ("narrow", "flooded", "tunnel"):
        problems += [
            f"{key}: {fault}" for fault in _range_problems(values.get(key) or [], values.get("spaces"))
        ]
    problems += _grid_problems(values)
    if corners and any(number and number > len(corners) for number in values.get("press_corners") or ()):
        problems.append(f"press_corners: they are numbers of corners, and this track has {len(corners)}")
    outline = values.get("outline")
    if outline is not None and "spaces" in values and all(_is_whole(point) for point in outline):
        problems += outline_problems(outline, values["spaces"])
    return problems


def _is_whole(parts: Sequence[Any] | None) -> bool:
    return parts is not None and None not in parts


def _text_fault(text: str) -> str | None:
    """Say what is wrong with a name, by the one rule for names; a country or set may be left empty."""
    try:
        name = clean_name(text, _MOST_NAME_CELLS)
    except BadName as error:
        return str(error) if text else None
    return None if name == text else f"write it as {name!r}"


def _corner_problems(corners: Sequence[Mapping[str, Any]], spaces: int | None) -> list[str]:
    problems = []
    lines = [corner.get("after_space") for corner in corners]
    known = [line for line in lines if line is not None]
    are_in_order = known == sorted(set(known))
    for number, corner in enumerate(corners, start=1):
        place = f"corner {number}"
        for key in ("after_space", "legends_line_after_space"):
            if spaces and key in corner and corner[key] > spaces:
                problems.append(f"{place}: {key} {corner[key]} is past space {spaces}")
        if spaces and known == lines and are_in_order:
            problems += [f"{place}: {fault}" for fault in _legends_line_problems(corners, number - 1, spaces)]
        chicane = corner.get("chicane_with_corner", 0)
        if chicane and chicane != number - 1:
            before = (
                f"must be {number - 1}, the corner before it"
                if number > 1
                else "must be left out of the first"
            )
            problems.append(f"{place}: chicane_with_corner {before}, not {chicane}")
        elif chicane and corners[number - 2].get("chicane_with_corner"):
            problems.append(
                f"{place}: corner {number - 1} ends a chicane already, and a chicane has two lines"
            )
    if not are_in_order:
        problems.append(f"corners: their lines must be in driving order, each once, not {known}")
    return problems


def _legends_line_problems(corners: Sequence[Mapping[str, Any]], number: int, spaces: int) -> list[str]:
    """Look whether a Legends line lies before its corner: since the corner before, or within half a lap."""
    line, legends_line = corners[number]["after_space"], corners[number].get("legends_line_after_space")
    if legends_line is None or max(line, legends_line) > spaces:
        return []
    if legends_line == line:
        return ["its Legends line lies on its corner line, where a Legend would stop"]
    before = (line - legends_line) % spaces
    since_last = (line - corners[number - 1]["after_space"]) % spaces
    if before <= max(since_last, spaces // 2):
        return []
    return [f"legends_line_after_space {legends_line} lies behind its corner line, not before space {line}"]


def _grid_problems(values: Mapping[str, Any]) -> list[str]:
    problems = []
    spaces = values.get("spaces")
    ranges = [narrow for narrow in values.get("narrow") or [] if _is_whole(narrow)]
    seen: set[tuple[int, str]] = set()
    ahead = None
    for place, parts in enumerate(values.get("grid") or [], start=1):
        space, side = parts or (None, None)
        if space is None:
            continue
        if spaces and space > spaces:
            problems.append(f"grid place {place}: space {space} is past space {spaces}")
        elif ahead is not None and space > ahead:
            problems.append(
                f"grid place {place}: space {space} is ahead of place {place - 1}; pole comes first"
            )
        ahead = space
        if side is None:
            continue
        is_narrow = any(first <= space <= last for first, last in ranges)
        if any(other == space and (is_narrow or other_side == side) for other, other_side in seen):
            problems.append(f"grid place {place}: its spot in space {space} is taken already")
        seen.add((space, side))
    return problems


def _range_problems(ranges: Sequence[Sequence[int | None] | None], spaces: int | None) -> list[str]:
    problems = []
    behind = 0
    for first, last in (parts or (None, None) for parts in ranges):
        if first is None or last is None:
            continue
        if not behind < first <= last or (spaces and last > spaces):
            within = f"1 to {spaces}" if spaces else "the lap"
            problems.append(f"[{first}, {last}] must be in order within {within}, without overlap")
        behind = last
    return problems
