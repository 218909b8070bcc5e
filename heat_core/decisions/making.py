"""What may be chosen in a race as it stands: the choice of each open decision (CORE-13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from heat_core.cards import (
    HAND_ORDER,
    REFRESHABLE,
    VALUE_CHOICES,
    cards_without_heat_and_stress,
    playable_cards,
)
from heat_core.data.events import NO_EVENT
from heat_core.decisions.kinds import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)
from heat_core.race.events import DecisionKind
from heat_core.race.state import Race, Seat
from heat_core.rules.effects import ways_to_drop
from heat_core.rules.shifting import gear_options
from heat_core.rules.turn import cards_to_choose, slipstreams
from heat_core.rules.uses import SymbolUse, direct_uses, usable_symbols
from heat_core.sentences.card_words import card_name


def choice_of(race: Race, seat_number: int) -> Choice:
    """Describe the open decision of a seat.

    Args:
        seat_number: A seat that has one in `race.open`.
    """
    return _CHOICES[race.open[seat_number].kind](race, race.cars[seat_number])


def gear_choice(race: Race, seat: Seat) -> GearChoice:
    """Phase 1: the gears within reach that can be paid (CORE-5)."""
    options, withheld = gear_options(race, seat)
    return GearChoice(options, withheld)


def cards_choice(race: Race, seat: Seat) -> CardsChoice:
    """Phase 2: as many playable cards as the gear asks for; none where the hand has too few (TURN-6)."""
    pool = playable_cards(seat.hand)
    if len(pool) < seat.gear:
        return CardsChoice(pool, 0, True)
    return CardsChoice(pool, seat.gear, False)


def value_choice(race: Race, seat: Seat) -> ValueChoice:
    """Phase 3: the speeds of the played cards that have several."""
    cards = tuple([card for card, _ in cards_to_choose(seat)])
    return ValueChoice(cards, tuple([VALUE_CHOICES[card] for card in cards]))


def slipstream_choice(race: Race, seat: Seat) -> SlipstreamChoice:
    """Phase 6: how far a slipstream may go from where the car stands (TURN-13)."""
    possible = slipstreams(race, seat)
    return SlipstreamChoice((0, *possible), (seat.progress, *possible.values()))


def react_choice(race: Race, seat: Seat) -> ReactChoice:
    """Phase 5: what each symbol may do, and what keeps the seat in the phase (TURN-10)."""
    uses = usable_symbols(race, seat)
    direct = direct_uses(race, seat)
    if not race.turn.cards:  # type: ignore[union-attr]  # because a seat reacts in its turn
        return ReactChoice(uses, direct)
    salvages = any(use.symbol.kind == "salvage" and use.most for use in uses)
    salvageable = tuple(sorted(seat.discard_pile, key=HAND_ORDER.__getitem__)) if salvages else ()
    return ReactChoice(uses, direct, salvageable, _what_must_be_done(uses, seat))


def _what_must_be_done(uses: tuple[SymbolUse, ...], seat: Seat) -> str:
    """Say what keeps a seat in phase 5: cards to scrap, Heat that can be paid."""
    owed = 0
    for use in uses:
        if use.symbol.kind == "scrap" and use.most:
            return f"{use.symbol.number} cards must be scrapped first for {card_name(use.symbol.source)}."
        if use.symbol.kind == "heat" and not use.is_used:
            owed += use.symbol.number
    return f"{owed} Heat must be paid first." if 0 < owed <= seat.engine else ""


def unpaid_choice(race: Race, seat: Seat) -> UnpaidChoice:
    """Phase 5: the fewest cards that must go for the Heat of the others.

    docs/rules.md: Heat that cannot be paid.
    """
    return UnpaidChoice(ways_to_drop(race, seat))


def discard_choice(race: Race, seat: Seat) -> DiscardChoice:
    """Phase 8: the hand but Heat and Stress, as tunnel and event card change it (TURN-16)."""
    track = race.track
    in_tunnel = track.is_tunnel[(seat.progress - 1) % track.spaces + 1]
    pool = () if in_tunnel else cards_without_heat_and_stress(seat.hand)
    most = len(pool)
    event = race.event_card
    if event is not NO_EVENT:
        if event.discardable is not None and not in_tunnel:
            pool += (event.discardable,) * seat.hand.count(event.discardable)
        most = len(pool) if event.most_discards is None else min(event.most_discards, len(pool))
    if REFRESHABLE.isdisjoint(seat.played):
        return DiscardChoice(pool, most)
    return DiscardChoice(pool, most, tuple([card for card in seat.played if card in REFRESHABLE]))


def pick_choice(race: Race, seat: Seat) -> PickChoice:
    """Before the race: the upgrades that lie open (GARAGE-1)."""
    return PickChoice(tuple(race.offered))


def swap_choice(race: Race, seat: Seat) -> SwapChoice:
    """Before the race: the own upgrades against those left."""
    return SwapChoice(seat.upgrades, tuple(race.offered))


# Any, because cars may be Legends, but only seats are asked.
_CHOICES: Final[dict[DecisionKind, Callable[[Race, Any], Choice]]] = {
    "pick": pick_choice,
    "swap": swap_choice,
    "gear": gear_choice,
    "cards": cards_choice,
    "value": value_choice,
    "react": react_choice,
    "unpaid": unpaid_choice,
    "slipstream": slipstream_choice,
    "discard": discard_choice,
}
