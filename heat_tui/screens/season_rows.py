"""The rows of a lobby that make a championship of a room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, cast

import msgspec
from textual.screen import Screen

from heat_core.season_setup import RACES_OF_A_SEASON, YEARS
from heat_core.wire.messages import SeasonOptions
from heat_tui.screens.rows import ChoiceRow

SINGLE: Final = "single"
_OWN: Final = "own"

SEASON_CHOICES: Final = [
    (SINGLE, "a single race"),
    *((str(year), f"championship {year}") for year in YEARS),
    (_OWN, "championship, own tracks"),
]
_FIRST_TRACKS: Final = ("usa", "gb", "italy")
"""What a championship on tracks of one's own begins with."""

_MOST: Final = RACES_OF_A_SEASON[-1]
_RACES: Final = tuple(f"race{number}" for number in range(1, _MOST + 1))
_ROWS: Final = (*_RACES, "events", "sponsorships")


def season_rows(names: Mapping[str, str]) -> Iterator[ChoiceRow[object]]:
    """Make the rows below the one that chooses the season.

    Args:
        names: Of the tracks, by identifier.
    """
    for number, row in enumerate(_RACES):
        yield ChoiceRow(f"Race {number + 1}", _tracks(number, names), "", id=row)
    yield ChoiceRow("Events", [(False, "none"), (True, "a card for each race")], False, id="events")
    yield ChoiceRow("Sponsorships", [(False, "none"), (True, "Sponsorship cards")], False, id="sponsorships")


def _tracks(number: int, names: Mapping[str, str]) -> list[tuple[object, str]]:
    left_out: list[tuple[object, str]] = [("", "none")] if number >= RACES_OF_A_SEASON[0] else []
    return [*names.items(), *left_out]


def set_season_tracks(screen: Screen[None], names: Mapping[str, str]) -> None:
    """Offer the tracks of the server."""
    for number, row in enumerate(_RACES):
        screen.query_one(f"#{row}", ChoiceRow).set_choices(_tracks(number, names))


def is_of_season(row: str) -> bool:
    """Tell whether a row belongs to the championship."""
    return row == "season" or row in _ROWS


def shown_season_rows(season: SeasonOptions | None) -> dict[str, bool]:
    """Say which rows mean something now."""
    is_own = season is not None and season.year is None
    shown = dict.fromkeys((*_RACES, "events"), is_own)
    return shown | {"season": True, "track": season is None, "sponsorships": season is not None}


def season_values(season: SeasonOptions | None) -> dict[str, object]:
    """Say what each row shows."""
    if season is None:
        return {"season": SINGLE}
    tracks = [*season.tracks, *[""] * (_MOST - len(season.tracks))]
    return {
        "season": _OWN if season.year is None else str(season.year),
        **dict(zip(_RACES, tracks, strict=True)),
        "events": season.events,
        "sponsorships": season.sponsorships,
    }


def changed_season(season: SeasonOptions | None, row: str, value: object) -> SeasonOptions | None:
    """Change a championship as a row says; None: a single race again."""
    has_sponsorships = season is not None and season.sponsorships
    if row == "season":
        if value == SINGLE:
            return None
        if value == _OWN:
            return SeasonOptions(tracks=_FIRST_TRACKS, events=True, sponsorships=has_sponsorships)
        return SeasonOptions(year=int(cast(str, value)), sponsorships=has_sponsorships)
    assert season is not None
    if row in _RACES:
        tracks = cast("list[str]", [season_values(season)[race] for race in _RACES])
        tracks[_RACES.index(row)] = cast(str, value)
        return msgspec.structs.replace(season, tracks=tuple(track for track in tracks if track))
    return msgspec.structs.replace(season, **{row: value})
