"""The career in words and tables; what the screen shows, plain mode says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from heat_core.text import counted, ordinal
from heat_tui.saved.badges import Badge, BadgeKind
from heat_tui.saved.career import BoardRecord, Career, LevelRecord
from heat_tui.saved.finished import Finished

NO_RACES: Final = "There are no finished races yet. Each race that you finish counts from then on."
BARS: Final = "▁▂▃▄▅▆▇█"
LEVELS_EXPLAINED: Final = "A race counts once for each kind of opponent in it."


def summary_text(career: Career) -> str:
    """Sum a career up: `42 races, 12 won, 25 podiums`."""
    return f"{counted(career.races, 'race')}, {career.won} won, {counted(career.podiums, 'podium')}"


def form_text(form: Sequence[Finished]) -> str:
    """List the places of the last races, the newest last: `1 3 2 6`."""
    return " ".join(str(race.place) for race in form)


def streak_texts(career: Career) -> list[str]:
    """Say the streaks: the longest, and where one runs now that too."""
    told = []
    for name, streak in (("Wins", career.wins), ("Podiums", career.podium_streak),
                         ("Races without a spin-out", career.clean)):  # fmt: skip
        if streak.longest:
            now = f", now {streak.now}" if streak.now else ""
            told.append(f"{name} in a row: {streak.longest}{now}")
    return told


def plot_text(races: Sequence[Finished], *, is_plain: bool = False) -> str:
    """Plot the places of the last races as a row of bars, the newest last: the higher, the better.

    Args:
        is_plain: In ASCII: the places as digits.
    """
    if is_plain:
        return "".join(str(race.place) for race in races)
    return "".join(place_bar(race.place, race.cars) for race in races)


def place_bar(place: int, cars: int) -> str:
    """Draw a place among so many cars as a bar: the first full, the last the lowest."""
    highest = len(BARS) - 1
    return BARS[highest if cars < 2 else round(highest * (cars - place) / (cars - 1))]


def board_rows(boards: Iterable[BoardRecord]) -> list[tuple[str, ...]]:
    """Make a table by board: heading first."""
    rows: list[tuple[str, ...]] = [
        ("board", "races", "won", "podiums", "best place", "fewest rounds", "top speed")
    ]
    for board in boards:
        rounds = "" if board.best is None else f"{board.best.rounds} ({counted(board.best.laps, 'lap')})"
        rows.append(
            (
                board.name,
                str(board.races),
                str(board.won),
                str(board.podiums),
                ordinal(board.best_place),
                rounds,
                str(board.top_speed),
            )
        )
    return rows


def level_rows(levels: Iterable[LevelRecord]) -> list[tuple[str, ...]]:
    """Make a table by kind of opponent: heading first."""
    rows: list[tuple[str, ...]] = [("against", "races", "won", "podiums")]
    rows += [(level.opponent, str(level.races), str(level.won), str(level.podiums)) for level in levels]
    return rows


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Set a table in columns: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def spoken_rows(rows: Sequence[Sequence[str]]) -> list[str]:
    """Say a table as sentences: `USA: races 3, won 1, ...`; what is empty is left out."""
    heading, *others = rows
    told = []
    for name, *cells in others:
        said = [f"{word} {cell}" for word, cell in zip(heading[1:], cells, strict=True) if cell]
        told.append(f"{name}: {', '.join(said)}.")
    return told


def race_text(race: Finished) -> str:
    """Say a race in few words: when, where, and the place."""
    day, laps = f"{race.moment.astimezone():%Y-%m-%d}", counted(race.laps, "lap")
    where = f"{race.board_name}, {laps}: {ordinal(race.place)} of {race.cars}"
    return f"{day}, {where}, {counted(race.rounds, 'round')}"


def badge_text(badge: Badge) -> str:
    """Say a badge, for what it is, and which race earned it."""
    race = badge.race
    where = f"{race.board_name}, {race.moment.astimezone():%Y-%m-%d}, {ordinal(race.place)} of {race.cars}"
    return f"{badge.name}: {badge.about} ({where})"


def left_text(badge: BadgeKind) -> str:
    """Say a badge that is still to be won, and by what."""
    return f"{badge.name}: {badge.about}"
