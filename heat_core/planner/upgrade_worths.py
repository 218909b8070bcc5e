"""What upgrades are worth in a deck: turns that each saves beside the 12 Speed cards.

`board_worths` has them for each board, as `make fits` finds them. Bots draft by a mean, on every track:
they were measured against each other with it. The value table knows nothing of some symbols; what those
bring is judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from heat_core.cards import UPGRADES, CardName
from heat_core.data.facts import SymbolKind
from heat_core.planner.board_worths import BOARDS, TURNS_BY_BOARD
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.race.setup import RaceSetup
from heat_core.text import counted
from heat_core.track_facts import OWN_SET

WorthOf: TypeAlias = Callable[[CardName], float]
"""The turns that an upgrade saves; below 0: it costs some."""

UPGRADE_TURNS: Final[dict[CardName, float]] = {
    "intake-5": 1.31,
    "intake-3": 1.21,
    "intake-4": 1.19,
    "4wd-2": 0.97,
    "4wd-1": 0.93,
    "brakes-4": 0.91,
    "gas-3": 0.90,
    "tyres-6": 0.82,
    "cooling-4": 0.81,
    "body-2": 0.80,
    "turbo-2": 0.78,
    "front-wing-4": 0.72,
    "intake-2": 0.71,
    "gas-4": 0.70,
    "gas-2": 0.66,
    "cooling-1": 0.65,
    "cooling-3": 0.61,
    "gas-5": 0.61,
    "tyres-5": 0.60,
    "tyres-4": 0.59,
    "tyres-2": 0.59,
    "tyres-3": 0.58,
    "brakes-3": 0.56,
    "cooling-2": 0.54,
    "suspension-3": 0.50,
    "front-wing-5": 0.50,
    "intake-6": 0.48,
    "4wd-3": 0.46,
    "turbo-1": 0.44,
    "gas-1": 0.43,
    "body-5": 0.42,
    "suspension-2": 0.42,
    "intake-1": 0.41,
    "tyres-1": 0.41,
    "heat-basic": 0.37,
    "heat-advanced": 0.37,
    "body-4": 0.35,
    "front-wing-6": 0.35,
    "4wd-4": 0.35,
    "brakes-2": 0.35,
    "wings-1": 0.34,
    "wings-2": 0.33,
    "fuel-2": 0.31,
    "body-1": 0.24,
    "rpm-3": 0.24,
    "wings-3": 0.18,
    "rpm-6": 0.14,
    "front-wing-2": 0.12,
    "body-3": 0.08,
    "rpm-1": 0.08,
    "suspension-4": 0.08,
    "rpm-2": 0.04,
    "body-6": 0.04,
    "fuel-1": 0.04,
    "suspension-1": 0.04,
    "front-wing-3": 0.04,
    "rpm-4": 0.02,
    "front-wing-1": 0.02,
    "brakes-1": 0.00,
    "rpm-5": -0.06,
}
"""A mean of USA, Italy and Japan; cards that only a symbol of `_UNSEEN` tells apart have the same worth."""

_UNSEEN: Final[dict[SymbolKind, float]] = {
    "slipstream": 0.04,
    "draft": 0.04,
    "reduce_stress": 0.03,
    "salvage": 0.03,
    "refresh": 0.1,
}
"""What the symbols that the table leaves out save, for each of their number: a guess."""


class UpgradeWorths(NamedTuple):
    """What upgrades are worth in one race.

    Attributes:
        of: The turns that each saves.
        is_of_this_board: Whether they were found on its board; else in a race of usual length.
    """

    of: WorthOf
    is_of_this_board: bool

    def spaces(self, card: CardName) -> float:
        """Give the spaces that an upgrade brings a car ahead in the race; below 0: it falls behind."""
        return self.of(card) * SPACES_A_TURN

    def gained(self, card: CardName) -> str:
        """Say what an upgrade is worth: `gains about 8 spaces here`."""
        return self.gained_text(self.of(card))

    def gained_text(self, turns: float) -> str:
        """Say in spaces what saving so many turns is; below 0: they are lost."""
        where = "here" if self.is_of_this_board else "in a race"
        spaces = round(abs(turns) * SPACES_A_TURN)
        if not spaces:
            return f"changes little {where}"
        return f"{'gains' if turns > 0 else 'costs'} about {counted(spaces, 'space')} {where}"


def upgrade_worth(card: CardName) -> float:
    """Give the turns that an upgrade saves in a race of usual length; below 0: it costs some."""
    return UPGRADE_TURNS[card] + _unseen(card)


def worths_in(setup: RaceSetup) -> UpgradeWorths:
    """Give what upgrades are worth on a race's board, over its laps; on an own track as `upgrade_worth`."""
    facts = setup.track
    if facts.set == OWN_SET or facts.id not in BOARDS:
        return UpgradeWorths(upgrade_worth, is_of_this_board=False)
    board, races = BOARDS.index(facts.id), setup.laps / facts.laps
    return UpgradeWorths(
        lambda card: (TURNS_BY_BOARD[card][board] + _unseen(card)) * races, is_of_this_board=True
    )


def _unseen(card: CardName) -> float:
    return sum(_UNSEEN.get(kind, 0.0) * number for kind, number in UPGRADES[card].symbols)
