"""The rule settings as data: two presets, and changes from them.

docs/rules.md: Two sets of rules.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

PresetName: TypeAlias = Literal["standard", "rulebook"]
Gear: TypeAlias = Literal[1, 2, 3, 4]

WeatherSectors: TypeAlias = Literal["free", "tokens"]

DraftForm: TypeAlias = Literal["three", "one"]
"""Three picks that replace the upgrades, or one that adds to them and then perhaps a swap."""


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in which one table's rules may differ from another's. docs/rules.md: Two sets of rules.

    Attributes:
        preset: The preset that these settings started from.
        boost_gears: The gears that bring the boost symbol.
        full_space: Where a car goes whose end space is full: the next free space ahead, or behind.
        unfillable_gears: Whether a gear that the hand cannot fill may be chosen, or is withheld while a
            gear that it can fill is within reach.
        discards: Phases 8 and 9: of all seats together, or each car's right after its phase 7.
        race_end: The round of the first finisher is the last, or the others race on.
        slipstream_over_finish: Whether a slipstream may cross the finish line in the last lap.
        giving_up: Allowed at any time, or once a car has finished.
        hand_size: What Replenish draws up to.
        most_cars: How many cars may race, seats and Legends together (RACE-3).
        weather_sectors: Where the weather acts: in every sector that is free of a sector token, or where a
            weather token lies.
        points: What places are worth in a championship.
        season_grid: Who has pole after the first race: the last in the standings, or the leader.
        season_draft: Before each race of a championship three picks that replace the upgrades, or one that
            adds up; `make_season` writes it into the races' `Modules.draft`.
        press_corners: Which corners gain Sponsorships: all, or those of the event.
        unplayed_sponsorships: Whether they leave after the race or stay in their owner's deck.
    """

    preset: PresetName = "standard"
    boost_gears: Annotated[tuple[Gear, ...], msgspec.Meta(max_length=4)] = (4,)
    full_space: Literal["ahead", "behind"] = "ahead"
    unfillable_gears: Literal["allowed", "withheld"] = "allowed"
    discards: Literal["together", "each"] = "together"
    race_end: Literal["first_finisher", "all_finished"] = "first_finisher"
    slipstream_over_finish: bool = True
    giving_up: Literal["any_time", "after_a_finish"] = "any_time"
    hand_size: Literal[6, 7, 8] = 7
    most_cars: Literal[6, 8] = 6
    weather_sectors: WeatherSectors = "free"
    points: Literal["two_a_place", "printed"] = "two_a_place"
    season_grid: Literal["last_on_pole", "leader_on_pole"] = "last_on_pole"
    season_draft: DraftForm = "three"
    press_corners: Literal["all", "event"] = "all"
    unplayed_sponsorships: Literal["leave", "stay"] = "leave"


STANDARD: Final = Rules()

RULEBOOK: Final = Rules(
    preset="rulebook",
    boost_gears=(1, 2, 3, 4),
    full_space="behind",
    unfillable_gears="withheld",
    discards="each",
    race_end="all_finished",
    slipstream_over_finish=False,
    giving_up="after_a_finish",
    weather_sectors="tokens",
    points="printed",
    season_grid="leader_on_pole",
    season_draft="one",
    press_corners="event",
    unplayed_sponsorships="stay",
)

PRESETS: Final[dict[PresetName, Rules]] = {"standard": STANDARD, "rulebook": RULEBOOK}

LegendLevel: TypeAlias = Literal["easy", "medium", "hard"]

LEGEND_LEVELS: Final[dict[LegendLevel, tuple[int, bool]]] = {
    "easy": (0, False),
    "medium": (2, False),
    "hard": (4, True),
}
"""Level -> (added to the top speed, chevrons on); LEGEND-1."""
