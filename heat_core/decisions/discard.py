"""Phase 8: cards for the discard pile. docs/rules.md: Discard (TURN-16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Final

from heat_core.cards import HEAT, REFRESHABLE, STRESS, cards_without_heat_and_stress
from heat_core.data.event_cards import NO_EVENT
from heat_core.decisions.base import ChoiceKind, multisets, verify_held
from heat_core.decisions.choices import DiscardChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import Discard
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream


def _make(race: Race, seat: Seat) -> DiscardChoice:
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


def _verify(race: Race, seat: Seat, command: Discard) -> None:
    choice = _make(race, seat)
    if command.refresh and Counter(command.refresh) - Counter(choice.refreshable):
        raise Refused(
            RefusalCode.CARD_NOT_PLAYABLE,
            "Only played cards with a refresh can be refreshed.",
            choice.refreshable,
        )
    pool = choice.pool
    for card in command.cards:
        if card not in pool and card in seat.hand:
            where = "here in the tunnel " if card not in (HEAT, STRESS) else ""
            raise Refused(
                RefusalCode.CARD_STAYS_IN_HAND, f"The card {card!r} cannot be discarded {where}now.", pool
            )
    verify_held(pool, command.cards)
    if len(command.cards) > choice.most:
        noun = "card" if choice.most == 1 else "cards"
        raise Refused(
            RefusalCode.WRONG_NUMBER_OF_CARDS,
            f"At most {choice.most} {noun} may be discarded each turn.",
            range(choice.most + 1),
        )


def _list_commands(choice: DiscardChoice) -> Iterator[Discard]:
    orders = [
        order
        for count in range(len(choice.refreshable) + 1)
        for order in dict.fromkeys(permutations(choice.refreshable, count))
    ]
    for count in range(choice.most + 1):
        for cards in multisets(choice.pool, count):
            yield from (Discard(cards, order) for order in orders)


def _sample(choice: DiscardChoice, stream: Stream) -> Discard:
    if choice.most < len(choice.pool):
        cards = stream.combination(choice.pool, stream.below(choice.most + 1))
    else:
        cards = stream.subset(choice.pool)
    if not choice.refreshable:
        return Discard(cards)
    count = stream.below(len(choice.refreshable) + 1)
    return Discard(cards, tuple(stream.sample(choice.refreshable, count)))


def _only_answer(choice: DiscardChoice) -> Discard | None:
    return None if choice.most or choice.refreshable else Discard(())


DISCARD: Final = ChoiceKind("discard", DiscardChoice, _make, _verify, _list_commands, _sample, _only_answer)
