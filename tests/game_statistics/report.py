"""docs/statistics.md, made from what the races came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heat_core.drivers import BotName
from heat_core.files import load_track
from heat_core.sentences.card_words import card_label
from heat_core.text import ordinal
from heat_core.tournament.rates import Estimate
from tests.game_statistics.heat import HeatWorth
from tests.game_statistics.races import BOARDS, Kind
from tests.game_statistics.tally import (
    Tally,
    mean_estimate,
    places_gained,
    share_of,
    spin_out_rate,
)
from tests.soak.tally import mean, quantile

INTRODUCTION = """# What the game is like

`make statistics` races bots against each other and writes this page and its pictures. The same seed gives the
same numbers. Six cars race on the eight boards in turn, by the standard rules. An interval behind a number
holds the true one, 19 times in 20.

These are numbers of bots. A *steady* bot spends too little Heat; people who drive better have other numbers.
"""


def page(
    tallies: Mapping[BotName, Mapping[Kind, Tally]], heat: Mapping[str, HeatWorth], seed: str, version: str
) -> str:
    """Write the whole page."""
    lines = [
        INTRODUCTION,
        *_table(("bot", "base game", "with upgrades", "hours of one core"), _runs(tallies)),
    ]
    lines += ["", f"Version {version}, seed `{seed}`.", ""]
    for bot, kinds in tallies.items():
        lines += chapter(bot, kinds)
    lines += ["## Heat", "", HEAT, "", f"![Heat](pictures/{HEAT_PICTURE})", "", *heat_table(heat), ""]
    return "\n".join(lines)


def _runs(tallies: Mapping[BotName, Mapping[Kind, Tally]]) -> Iterator[tuple[str, ...]]:
    for bot, kinds in tallies.items():
        hours = sum(total.seconds for total in kinds.values()) / 3600
        yield bot, _races(kinds, "base"), _races(kinds, "garage"), f"{hours:.2f}"


def _races(kinds: Mapping[Kind, Tally], kind: Kind) -> str:
    return f"{kinds[kind].races:,} races" if kind in kinds else "none"


def picture_name(bot: BotName, subject: str) -> str:
    """Name the file of a picture."""
    return f"statistics-{bot}-{subject}.svg"


def chapter(bot: BotName, kinds: Mapping[Kind, Tally]) -> Iterator[str]:
    """Write what is known of the races of one bot."""
    yield from (f"## Six {bot} bots", "")
    if base := kinds.get("base"):
        for title, text, subject, table in (
            ("Rounds", ROUNDS, "rounds", rounds_table(base)),
            ("Gaps", GAPS.format(mean(base.leaders)), "gaps", gaps_table(base)),
            ("Grid places", GRID, "grid", grid_table(base)),
            ("Corners", CORNERS, "corners", corners_table(base)),
        ):
            yield from (f"### {title} of {bot} bots", "", text, "")
            yield from (f"![{title}](pictures/{picture_name(bot, subject)})", "", *table, "")
    if garage := kinds.get("garage"):
        yield from (f"### Upgrades of {bot} bots", "", UPGRADES, "")
        yield from (f"![Upgrades](pictures/{picture_name(bot, 'upgrades')})", "", *upgrades_table(garage), "")


ROUNDS = "How many rounds a race takes. The picture shows the median, and between what 8 of 10 races are."
GAPS = """How far each car is behind the winner when the race ends. On average {:.1f} cars of a race lead it
at the end of a round."""
GRID = "What the place on the grid is worth."
CORNERS = """How many cars of 1,000 that pass a corner spin out there. The last column is the Heat that a car
pays for the corner, on average."""
UPGRADES = """By how many places the owner of a card finishes better than the middle of the field. Each car
drafts three upgrades by lot, so no driver's choice is in it. A value compares with the average upgrade, which
the others have."""


HEAT_PICTURE = "statistics-heat.svg"
HEAT = """How many spaces one more Heat in the engine is worth, by the planner's table of the turns that a car
alone still needs ([opponents.md](opponents.md)), the mean of 2nd to 4th gear. The picture goes along a lap;
the table has the mean over the race, by the Heat in the engine already: none before the 1st."""


def heat_table(worths: Mapping[str, HeatWorth]) -> Iterator[str]:
    """What a Heat is worth, by board and by the Heat that there is."""
    most = max(len(worth.by_engine) for worth in worths.values())
    rows = (
        (board, *(f"{value:.2f}" for value in worth.by_engine), *[""] * (most - len(worth.by_engine)))
        for board, worth in worths.items()
    )
    return _table(("board", *(f"{ordinal(number)} Heat" for number in range(1, most + 1))), rows)


def _table(headings: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|---|{'---:|' * (len(headings) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def interval_text(estimate: Estimate, digits: int) -> str:
    """Write a value and its interval: `16.7 [16.2, 17.2]`."""
    value, low, high = (f"{number:.{digits}f}" for number in estimate)
    return f"{value} [{low}, {high}]"


def rounds_table(total: Tally) -> Iterator[str]:
    """How many rounds a race takes, by board."""

    def rows() -> Iterator[tuple[str, ...]]:
        for board in BOARDS:
            counts = total.rounds[board]
            if counts:
                spread = [str(quantile(counts, share)) for share in (0, 0.1, 0.5, 0.9, 1)]
                yield (
                    board,
                    str(load_track(board).laps),
                    interval_text(mean_estimate(counts), 2),
                    *spread,
                )

    return _table(("board", "laps", "mean", "fewest", "1 of 10", "half", "9 of 10", "most"), rows())


def gaps_table(total: Tally) -> Iterator[str]:
    """How far the cars are apart at the end."""
    rows = (
        (
            ordinal(place),
            interval_text(mean_estimate(counts), 1),
            *(str(quantile(counts, share)) for share in (0.1, 0.5, 0.9)),
        )
        for place, counts in enumerate(total.gaps[1:], start=2)
    )
    return _table(("place", "spaces behind the winner", "1 of 10", "half", "9 of 10"), rows)


def grid_table(total: Tally) -> Iterator[str]:
    """What a grid place is worth."""
    rows = (
        (ordinal(place), percent(share_of(counts, 1)), interval_text(mean_estimate(counts), 2))
        for place, counts in enumerate(total.places, start=1)
    )
    return _table(("grid place", "wins, %", "mean place at the end"), rows)


def percent(share: Estimate) -> str:
    """Write a share in [0, 1] in per cent."""
    return interval_text(Estimate(*(100 * part for part in share)), 1)


def corners_table(total: Tally) -> Iterator[str]:
    """What happens at the corners."""
    rows = (
        (
            board,
            str(number),
            str(facts.limit),
            interval_text(spin_out_rate(corner), 1),
            f"{corner.heat / corner.passed:.2f}",
        )
        for board, corners in total.corners.items()
        for number, (facts, corner) in enumerate(
            zip(load_track(board).corners, corners, strict=True), start=1
        )
    )
    return _table(("board", "corner", "limit", "spin-outs of 1,000", "Heat"), rows)


def upgrades_table(total: Tally) -> Iterator[str]:
    """What the upgrades are worth, best first."""
    rows = (
        (card_label(card), interval_text(gained, 2), f"{total.upgrades[card].total():,}")
        for card, gained in best_upgrades(total)
    )
    return _table(("card", "places gained", "owners"), rows)


def best_upgrades(total: Tally) -> list[tuple[str, Estimate]]:
    """List the upgrades with the places that they gain, best first."""
    gained = {card: places_gained(counts) for card, counts in total.upgrades.items()}
    return sorted(gained.items(), key=lambda item: (-item[1].value, item[0]))
