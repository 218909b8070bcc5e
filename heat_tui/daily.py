"""The daily race: one race a day, the same for everybody (LOOK-10).

The date in UTC and the version of the rules make the seed; the date alone chooses the board. Rules, laps and
the field are always the same. So the same choices lead to the same race on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Final

from heat_core.bot_names import level_of
from heat_core.drivers import BotName
from heat_core.options.table_options import LocalOptions
from heat_core.race.presets import LEGEND_LEVELS, STANDARD, LegendLevel
from heat_core.race.rules_version import RULES_VERSION
from heat_core.race.setup import BASE_GAME, Colour, RaceSetup

BOTS: Final[tuple[BotName, ...]] = ("hard", "normal", "easy")
"""The bots of the field, behind the player."""
LEGENDS: Final = 2
LEVEL: Final[LegendLevel] = "medium"

_SEED: Final = "daily race of {}, rules {}"


def today() -> date:
    """Give the date in UTC, by which the daily race changes."""
    return datetime.now(UTC).date()


def daily_seed(day: date) -> str:
    """Give the seed of a day's race."""
    return _SEED.format(day.isoformat(), RULES_VERSION)


def daily_board(day: date, boards: Sequence[str]) -> str:
    """Choose the board of a day: one after the other.

    Args:
        boards: The identifiers of all boards.
    """
    return boards[day.toordinal() % len(boards)]


def daily_options(day: date, name: str, colour: Colour, boards: Sequence[str]) -> LocalOptions:
    """Give what a day's race is made from; only the player's name and colour differ between players."""
    return LocalOptions(
        track=daily_board(day, boards),
        names=(name,),
        colour=colour,
        bots=BOTS,
        legends=LEGENDS,
        level=LEVEL,
        seed=daily_seed(day),
    )


def day_of(setup: RaceSetup, boards: Sequence[str]) -> date | None:
    """Tell whose day's race a race is; None where it is no daily race.

    The seed alone does not make one: board, rules, laps and field must be those of the day, too.
    """
    begin, end = _SEED.split("{}", 1)[0], f", rules {RULES_VERSION}"
    seed = setup.seed or ""
    if not (seed.startswith(begin) and seed.endswith(end)):
        return None
    with suppress(ValueError):
        day = date.fromisoformat(seed.removeprefix(begin).removesuffix(end))
        if daily_seed(day) == seed and setup.track.id == daily_board(day, boards) and _is_the_field(setup):
            return day
    return None


def _is_the_field(setup: RaceSetup) -> bool:
    """See that everything but names and colours is as in every daily race."""
    how = LEGEND_LEVELS[LEVEL]
    seats = [car for car in setup.cars if car.legend is None]
    legends = [car.legend for car in setup.cars if car.legend is not None]
    return (
        setup.rules == STANDARD
        and setup.modules == BASE_GAME
        and setup.position is None
        and setup.season is None
        and setup.laps == setup.track.laps
        and tuple(level_of(car.name) for car in seats[1:]) == BOTS
        and [(legend.bonus, legend.chevrons) for legend in legends] == [how] * LEGENDS
    )
