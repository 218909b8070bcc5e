"""The event cards of a championship: facts of the printed cards, one entry each (CHAMP-5)."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

Trigger: TypeAlias = Literal["first_three_of_lap_1", "speed_of_15", "passing_three_cars"]
"""What, besides pressing a corner, gains a Sponsorship card."""


class EventFacts(NamedTuple):
    """One event card.

    Attributes:
        year: The printed season that it belongs to.
        track: The track of its race in that season.
        sponsorships: Sponsorship cards in every hand at the start.
        press_corners: Which corners have the press, by number from 1. docs/rules.md: Events.
        text: Its special rule in a sentence, "" for none.
        laps: Laps more.
        heat: Heat more in every engine at the start.
        stress: Stress cards more in every deck.
        hand_size: What hands are drawn up to instead.
        points: Points more for the first, second, ... place.
        trigger: What else gains a Sponsorship card.
        press_cards: Sponsorship cards that a press corner gives.
        presses_by_slowness: Press corners give only to who crosses below the limit.
        slipstream_gears: The only gears with a slipstream, None for all.
        has_adrenaline: Whether the last cars have it.
        most_discards: How many hand cards phase 8 may discard, None for any number.
        discardable: What phase 8 may discard besides.
        spin_out_ends_race: A spin-out puts the car out, without points.
        laps_cost_heat: Each completed lap but the last takes a Heat card out of the game.
    """

    year: int
    track: str
    sponsorships: int
    press_corners: tuple[int, ...]
    text: str
    laps: int = 0
    heat: int = 0
    stress: int = 0
    hand_size: int | None = None
    points: tuple[int, ...] = ()
    trigger: Trigger | None = None
    press_cards: int = 1
    presses_by_slowness: bool = False
    slipstream_gears: tuple[int, ...] | None = None
    has_adrenaline: bool = True
    most_discards: int | None = None
    discardable: Literal["heat", "stress"] | None = None
    spin_out_ends_race: bool = False
    laps_cost_heat: bool = False

    @property
    def asks_for_laps(self) -> bool:
        """Tell whether it matters which laps cars have completed."""
        return self.laps_cost_heat or self.trigger == "first_three_of_lap_1"


EXPANSION_YEARS: Final = frozenset({1964, 1965})
"""The seasons whose tracks and events came with the expansions."""

NO_EVENT: Final = EventFacts(0, "", 0, (), "")
"""What a race without an event card has."""

EVENTS: Final[dict[str, EventFacts]] = {
    "grandstand": EventFacts(
        1961,
        "gb",
        2,
        (1,),
        "The first three cars to complete lap 1 each gain a Sponsorship card.",
        trigger="first_three_of_lap_1",
    ),
    "speed-record": EventFacts(
        1961,
        "usa",
        1,
        (2,),
        "Driving at speed 15 or more gains a Sponsorship card.",
        trigger="speed_of_15",
    ),
    "strike": EventFacts(
        1961, "italy", 1, (3,), "One lap fewer. The winner scores 2 extra points.", laps=-1, points=(2,)
    ),
    "restrictions-lifted": EventFacts(
        1962, "italy", 2, (5,), "Every engine starts with 1 extra Heat.", heat=1
    ),
    "record-crowds": EventFacts(
        1962, "gb", 1, (3, 5), "One extra lap. A full hand is 8 cards.", laps=1, hand_size=8
    ),
    "corruption": EventFacts(
        1962, "france", 1, (3,), "The first three cars score 1 extra point each.", points=(1, 1, 1)
    ),
    "title-sponsor": EventFacts(1963, "usa", 3, (1,), ""),
    "live-television": EventFacts(
        1963,
        "gb",
        1,
        (2, 4),
        "Passing three cars in one turn gains a Sponsorship card.",
        trigger="passing_three_cars",
    ),
    "safety-rules": EventFacts(
        1963,
        "france",
        1,
        (4,),
        "Everyone starts with 2 Heat and 1 Stress less. A full hand is 6 cards.",
        heat=-2,
        stress=-1,
        hand_size=6,
    ),
    "sponsor-withdraws": EventFacts(
        1963,
        "italy",
        0,
        (4,),
        "Everyone starts with 1 extra Stress. A car that spins out is out of the race and scores nothing.",
        stress=1,
        spin_out_ends_race=True,
    ),
    "going-global": EventFacts(
        1964, "japan", 0, (2, 3), "Each press corner gives 2 Sponsorship cards.", press_cards=2
    ),
    "turbulent-winds": EventFacts(
        1964, "france", 1, (2,), "You can slipstream in 3rd and 4th gear only.", slipstream_gears=(3, 4)
    ),
    "chicanes": EventFacts(1964, "mexico", 1, (3,), "You may discard Heat in phase 8.", discardable="heat"),
    "sudden-rain": EventFacts(1964, "japan", 1, (), "There is no adrenaline.", has_adrenaline=False),
    "hold-tight": EventFacts(
        1965, "gb", 2, (4,), "You may discard at most 1 card each turn.", most_discards=1
    ),
    "smile-and-wave": EventFacts(
        1965,
        "usa",
        0,
        (3,),
        "A press corner gives its card only to a car that crosses below the limit.",
        presses_by_slowness=True,
    ),
    "tunnel-vision": EventFacts(
        1965, "spain", 0, (1, 3), "You may discard Stress in phase 8.", discardable="stress"
    ),
    "pressure-cooker": EventFacts(
        1965,
        "netherlands",
        1,
        (2,),
        "One extra lap. Each completed lap but the last removes one of your Heat cards from the game.",
        laps=1,
        laps_cost_heat=True,
    ),
}
"""By identifier, in the order of the years."""
