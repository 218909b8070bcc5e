"""The rows of a lobby that make a championship of a room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from textual.screen import Screen

from heat_core.season_setup import RACES_OF_A_SEASON, YEARS
from heat_core.wire.messages import SeasonOptions
from heat_tui.room_options import OWN_TRACKS, RACES, SINGLE, tracks_of
from heat_tui.screens.rows import ChoiceRow

SEASON_CHOICES: Final = [
    (SINGLE, "a single race"),
    *((str(year), f"championship {year}") for year in YEARS),
    (OWN_TRACKS, "championship, own tracks"),
]
_ROWS: Final = (*RACES, "events", "sponsorships")


def season_rows(names: Mapping[str, str]) -> Iterator[ChoiceRow[object]]:
    """Make the rows below the one that chooses the season.

    Args:
        names: Of the tracks, by identifier.
    """
    for number, row in enumerate(RACES):
        yield ChoiceRow(f"Race {number + 1}", _tracks(number, names), "", id=row)
    yield ChoiceRow("Events", [(False, "none"), (True, "a card for each race")], False, id="events")
    yield ChoiceRow("Sponsorships", [(False, "none"), (True, "Sponsorship cards")], False, id="sponsorships")


def _tracks(number: int, names: Mapping[str, str]) -> list[tuple[object, str]]:
    left_out: list[tuple[object, str]] = [("", "none")] if number >= RACES_OF_A_SEASON[0] else []
    return [*names.items(), *left_out]


def set_season_tracks(screen: Screen[None], names: Mapping[str, str]) -> None:
    """Offer the tracks of the server."""
    for number, row in enumerate(RACES):
        screen.query_one(f"#{row}", ChoiceRow).set_choices(_tracks(number, names))


def is_of_season(row: str) -> bool:
    """Tell whether a row belongs to the championship."""
    return row == "season" or row in _ROWS


def shown_season_rows(season: SeasonOptions | None) -> dict[str, bool]:
    """Say which rows mean something now."""
    is_own = season is not None and season.year is None
    shown = dict.fromkeys((*RACES, "events"), is_own)
    return shown | {"season": True, "track": season is None, "sponsorships": season is not None}


def season_values(season: SeasonOptions | None) -> dict[str, object]:
    """Say what each row shows."""
    if season is None:
        return {"season": SINGLE}
    return {
        "season": OWN_TRACKS if season.year is None else str(season.year),
        **dict(zip(RACES, tracks_of(season), strict=True)),
        "events": season.events,
        "sponsorships": season.sponsorships,
    }
