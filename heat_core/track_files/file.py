"""Reading track files: what one may contain, and everything that can be wrong with it (TRACK-11)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

import msgspec

from heat_core.shapes import Entry, look_at, shown, shown_reason
from heat_core.text import listed
from heat_core.track_facts import MOST_DOWN, MOST_RIGHT, TrackFacts
from heat_core.track_files.checks import misfits

MAX_TRACK_BYTES: Final = 256 * 1024

_MOST_FAULTS: Final = 500
_MOST_IN_LINE: Final = 5

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_RANGE: Final = ("first space", "last space")
_ENTRIES: Final = {
    "corners": Entry("corner"),
    "grid": Entry("grid place", ("space", "side")),
    "outline": Entry("outline point", ("space", "x", "y")),
    "narrow": Entry("narrow range", _RANGE),
    "flooded": Entry("flooded range", _RANGE),
    "tunnel": Entry("tunnel range", _RANGE),
    "press_corners": Entry("press corner"),
}


class BadTrack(ValueError):
    """A track that cannot be raced on.

    Attributes:
        faults: Everything that is wrong, each with its place and reason; the error's own text has a few.
    """

    def __init__(self, faults: list[str]) -> None:
        """Name at least one fault."""
        more = len(faults) - _MOST_IN_LINE
        rest = [f"and {more} more, which check-track names"] if more > 0 else []
        super().__init__("; ".join([*faults[:_MOST_IN_LINE], *rest]))
        self.faults = faults


def parse_track(data: bytes) -> TrackFacts:
    """Read a track file.

    Args:
        data: The JSON text; a byte-order mark in front is passed over.

    Raises:
        BadTrack: It is no JSON, keys are missing, unknown or out of range, or the parts do not fit together;
            all that is wrong is named at once.
    """
    values = read_json_object(data, "a track file")
    if isinstance(values.get("cells"), dict):
        raise BadTrack(
            ["this is a circuit file of the online version; import-track converts it to a track file"]
        )
    in_box, faults = _in_box(values)
    look = look_at(in_box, TrackFacts, "a track file", _ENTRIES)
    right = {key: value for key, value in look.right.items() if key != "outline" or not faults}
    faults = [*look.faults, *faults, *misfits(right)]
    if faults:
        more = len(faults) - _MOST_FAULTS
        raise BadTrack(faults if more <= 0 else [*faults[:_MOST_FAULTS], f"and {more} more"])
    return msgspec.convert(values, TrackFacts)


def read_json_object(data: bytes, what: str) -> dict[str, Any]:
    """Read a JSON file that holds one object, with no key twice.

    Args:
        what: The file's kind in words, with its article.

    Raises:
        BadTrack: It is something else, or too large.
    """
    if len(data) > MAX_TRACK_BYTES:
        raise BadTrack([f"{what} has at most {MAX_TRACK_BYTES} bytes ({MAX_TRACK_BYTES // 1024} KiB)"])
    data = data.removeprefix(_BYTE_ORDER_MARK)
    try:
        values = msgspec.json.decode(data)
        json.loads(data, object_pairs_hook=_refuse_doubles)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadTrack([shown_reason(error)]) from None
    if not isinstance(values, dict):
        raise BadTrack(["the file must hold one JSON object"])
    return values


def _refuse_doubles(pairs: list[tuple[str, object]]) -> None:
    """Refuse a key that stands twice: one would hold, and nobody sees which.

    Raises:
        BadTrack: One does.
    """
    count = Counter(key for key, _ in pairs)
    if doubles := [key for key, times in count.items() if times > 1]:
        raise BadTrack([f"{shown(key)}: appears more than once" for key in doubles[:_MOST_FAULTS]])


def _in_box(values: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Draw the points of an outline into its box: in another scale all lie outside, and that is one fault."""
    outline = values.get("outline")
    if not isinstance(outline, list):
        return values, []
    places = {
        number: point
        for number, point in enumerate(outline, start=1)
        if isinstance(point, list)
        and len(point) == 3
        and all(type(part) in (int, float) for part in point[1:])
    }
    outside = [
        number for number, (_, x, y) in places.items() if not (0 <= x <= MOST_RIGHT and 0 <= y <= MOST_DOWN)
    ]
    if not outside:
        return values, []
    drawn = [
        [point[0], min(max(point[1], 0), MOST_RIGHT), min(max(point[2], 0), MOST_DOWN)]
        if number in places
        else point
        for number, point in enumerate(outline, start=1)
    ]
    which = (
        f"points {listed(map(str, outside), 'and')} lie" if len(outside) < 5 else f"{len(outside)} points lie"
    )
    x, y = ([point[part] for point in places.values()] for part in (1, 2))
    fault = (
        f"outline: {which if len(outside) > 1 else f'point {outside[0]} lies'} outside the box: "
        f"x must run from 0 to {MOST_RIGHT:g}, not {min(x):g} to {max(x):g}, "
        f"and y from 0 to {MOST_DOWN:g}, not {min(y):g} to {max(y):g}"
    )
    return values | {"outline": drawn}, [fault]
