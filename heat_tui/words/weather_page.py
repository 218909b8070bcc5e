"""What weather, road tokens and the event change, as a table beside the map: each effect explained once."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from heat_core.race.presets import WeatherSectors
from heat_core.race.setup import RaceSetup
from heat_core.rules.sectors import sector_effects
from heat_core.sentences.weather import weather_text
from heat_core.track import Track
from heat_core.view.race_view import RaceView
from heat_tui.theme.colours import DIM, ON_CYAN, PLATE
from heat_tui.words.road_text import OVERHEAT_SENTENCE, CornerMark, corner_marks, sector_sentence
from heat_tui.words.season_table import event_lines

_LIMIT_FROM: Final = 7
_LIMIT_CELLS: Final = 15


def weather_page(track: Track, view: RaceView, setup: RaceSetup) -> list[Text]:
    """Write the page of a race that has weather or road tokens."""
    lines: list[Text] = []
    if setup.modules.event is not None:
        lines += map(Text, event_lines(setup.modules.event, has_sponsorships=setup.modules.sponsorships))
        lines.append(Text())
    if view.weather is not None:
        lines.append(Text.assemble((f" {view.weather} ", ON_CYAN), f" {weather_text(view.weather)}"))
        lines.append(Text())
    where = setup.rules.weather_sectors
    marks = corner_marks(track, view, where)
    lines.append(Text(f"corner {'limit':<{_LIMIT_CELLS}} sector after it", DIM))
    lines += [_corner(track, number, mark) for number, mark in enumerate(marks)]
    return [*lines, Text(), *_meanings(track, view, where, marks)]


def _corner(track: Track, number: int, mark: CornerMark) -> Text:
    """Write a corner's line: its plate and what the sector behind it does, both as on the map."""
    line = Text(f"{number + 1:>4}".ljust(_LIMIT_FROM))
    printed = track.corners[number].limit
    is_changed = mark.is_overheating or mark.limit != printed
    line.append(f" {mark.limit}{'!' if mark.is_overheating else ''} ", ON_CYAN if is_changed else PLATE)
    line.append("" if mark.limit == printed else f" printed {printed}")
    line.pad_right(max(0, _LIMIT_FROM + _LIMIT_CELLS - line.cell_len))
    if mark.sector:
        line.append(" ").append(f" {mark.sector} ", ON_CYAN)
    return line


def _meanings(
    track: Track, view: RaceView, where: WeatherSectors, marks: tuple[CornerMark, ...]
) -> list[Text]:
    lines = []
    if any(mark.is_overheating for mark in marks):
        lines.append(Text.assemble((" ! ", ON_CYAN), f" overheat: {OVERHEAT_SENTENCE}"))
    effects = sector_effects(track, view.roads, view.weather, where)
    for effect, sign in dict(zip(effects, (mark.sector for mark in marks), strict=True)).items():
        if effect is not None:
            lines.append(Text.assemble((f" {sign} ", ON_CYAN), f" {sector_sentence(effect)}"))
    return lines
