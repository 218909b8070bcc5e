"""Draw and discard piles: flipping, drawing, reshuffling.

docs/rules.md: Reveal and move; Replenish (CORE-8, TURN-7).
"""

from __future__ import annotations

from typing import Final

from heat_core.cards import SPEED_VALUES, CardName
from heat_core.race import events as e
from heat_core.race.cars import Seat
from heat_core.rng import shuffled
from heat_core.rules.recorder import Recorder

_SPEED_CARDS: Final = frozenset(SPEED_VALUES)


def reshuffle(recorder: Recorder, seat: Seat) -> None:
    """Shuffle a seat's discard pile into its empty draw pile."""
    race = recorder.race
    order: tuple[CardName, ...] = shuffled(race.seed_key, race.draws, seat.discard_pile)
    recorder.record(e.PileReshuffled(seat.number, order, len(order)))


def can_flip(seat: Seat) -> bool:
    """Tell whether a flip would find a basic Speed card in draw or discard pile."""
    return not (_SPEED_CARDS.isdisjoint(seat.draw_pile) and _SPEED_CARDS.isdisjoint(seat.discard_pile))


def flip(recorder: Recorder, seat: Seat, reason: e.FlipReason, source: str) -> int:
    """Turn cards up until a basic Speed card comes; cards passed over are discarded at once.

    Args:
        reason: What for.
        source: Whose flip it is; see `heat_core.race.events.CardFlipped`.

    Returns:
        The value in [1, 5), or 0 where no basic Speed card is left and nothing is turned.
    """
    if not can_flip(seat):
        recorder.record(e.FlipFailed(seat.number, reason, source))
        return 0
    while True:
        if not seat.draw_pile:
            reshuffle(recorder, seat)
        card = seat.draw_pile[-1]
        value = SPEED_VALUES.get(card, 0)
        recorder.record(e.CardFlipped(seat.number, card, reason, source, value))
        if value:
            return value


def draw(recorder: Recorder, seat: Seat, hand_size: int) -> None:
    """Draw up to a hand size, reshuffling as needed; with both piles empty there is no more to draw."""
    while (missing := hand_size - len(seat.hand)) > 0:
        if not seat.draw_pile:
            if not seat.discard_pile:
                return
            reshuffle(recorder, seat)
        count = min(missing, len(seat.draw_pile))
        cards = tuple(reversed(seat.draw_pile[-count:]))
        recorder.record(e.CardsDrawn(seat.number, cards, count))
