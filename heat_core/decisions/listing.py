"""The commands that a choice contains: all of them in a fixed order, or one at random (CORE-13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice, permutations, product
from typing import Any, Final, assert_never

from heat_core.cards import CardName
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
from heat_core.race import commands as c
from heat_core.rng import Stream


def enumerate_commands(choice: Choice) -> Iterator[c.Command]:
    """List every command that a choice contains, each multiset of cards once, in a fixed order."""
    match choice:
        case GearChoice():
            yield from (c.ShiftGear(option.gear) for option in choice.options)
        case CardsChoice():
            yield from (c.PlayCards(cards) for cards in _multisets(choice.pool, choice.count))
        case ValueChoice():
            yield from (c.ChooseValue(values) for values in product(*choice.speeds))
        case ReactChoice():
            yield from _list_reactions(choice)
        case UnpaidChoice():
            yield from (c.DropUnpaid(cards) for cards in choice.ways)
        case SlipstreamChoice():
            yield from (c.Slipstream(spaces) for spaces in choice.spaces)
        case DiscardChoice():
            orders = [
                order
                for count in range(len(choice.refreshable) + 1)
                for order in dict.fromkeys(permutations(choice.refreshable, count))
            ]
            for count in range(choice.most + 1):
                for cards in _multisets(choice.pool, count):
                    yield from (c.Discard(cards, order) for order in orders)
        case PickChoice():
            yield from (c.PickUpgrade(card) for card in dict.fromkeys(choice.offered))
        case SwapChoice():
            yield c.SwapUpgrade(None, None)
            for give, take in dict.fromkeys(product(choice.owned, choice.left)):
                yield c.SwapUpgrade(give, take)
        case _:
            assert_never(choice)


def only_command(choice: Choice) -> c.Command | None:
    """Give the one command that a choice contains, in its normal form; None where it contains several."""
    first, *others = islice(enumerate_commands(choice), 2)
    return None if others else c.normalised(first)


def _list_reactions(choice: ReactChoice) -> Iterator[c.Command]:
    for number, use in enumerate(choice.symbols):
        for amount in range(use.least, use.most + 1) if use.most else ():
            if use.symbol.kind == "salvage":
                for cards in _multisets(choice.salvageable, amount):
                    yield c.UseSymbol(number, amount, cards)
            else:
                yield c.UseSymbol(number, amount)
    for direct in choice.direct:
        if not direct.reason:
            for speed in direct.speeds:
                yield choice.play_directly(direct.card, speed)
    if not choice.must:
        yield c.EndReact()


def _multisets(pool: Sequence[CardName], count: int) -> Iterator[tuple[CardName, ...]]:
    # The pool is sorted, so equal multisets come as equal tuples; a dict keeps their order.
    yield from dict.fromkeys(combinations(pool, count))


def sample_command(choice: Choice, stream: Stream) -> c.Command:
    """Pick a command of a choice at random; each has a chance, not all the same."""
    return _SAMPLERS[type(choice)](choice, stream)


def _sample_gear(choice: GearChoice, stream: Stream) -> c.ShiftGear:
    return c.ShiftGear(stream.choose(choice.options).gear)


def _sample_cards(choice: CardsChoice, stream: Stream) -> c.PlayCards:
    return c.PlayCards(stream.combination(choice.pool, choice.count))


def _sample_value(choice: ValueChoice, stream: Stream) -> c.ChooseValue:
    return c.ChooseValue(tuple([stream.choose(speeds) for speeds in choice.speeds]))


def _sample_react(choice: ReactChoice, stream: Stream) -> c.UseSymbol | c.EndReact:
    usable = [(number, use) for number, use in enumerate(choice.symbols) if use.most]
    playable = [use for use in choice.direct if not use.reason] if choice.direct else []
    ways = len(usable) + len(playable) + (not choice.must)
    picked = stream.below(ways) if ways > 1 else 0
    if picked < len(usable):
        number, use = usable[picked]
        amount = use.least + stream.below(use.most - use.least + 1)
        if use.symbol.kind == "salvage":
            return c.UseSymbol(number, amount, stream.combination(choice.salvageable, amount))
        return c.UseSymbol(number, amount)
    if picked < len(usable) + len(playable):
        direct = playable[picked - len(usable)]
        return choice.play_directly(direct.card, stream.choose(direct.speeds))
    return c.EndReact()


def _sample_unpaid(choice: UnpaidChoice, stream: Stream) -> c.DropUnpaid:
    return c.DropUnpaid(stream.choose(choice.ways))


def _sample_pick(choice: PickChoice, stream: Stream) -> c.PickUpgrade:
    return c.PickUpgrade(stream.choose(choice.offered))


def _sample_swap(choice: SwapChoice, stream: Stream) -> c.SwapUpgrade:
    if not (choice.owned and choice.left) or not stream.below(2):
        return c.SwapUpgrade(None, None)
    return c.SwapUpgrade(stream.choose(choice.owned), stream.choose(choice.left))


def _sample_slipstream(choice: SlipstreamChoice, stream: Stream) -> c.Slipstream:
    return c.Slipstream(stream.choose(choice.spaces))


def _sample_discard(choice: DiscardChoice, stream: Stream) -> c.Discard:
    if choice.most < len(choice.pool):
        cards = stream.combination(choice.pool, stream.below(choice.most + 1))
    else:
        cards = stream.subset(choice.pool)
    if not choice.refreshable:
        return c.Discard(cards)
    count = stream.below(len(choice.refreshable) + 1)
    return c.Discard(cards, tuple(stream.sample(choice.refreshable, count)))


# By type of choice, which is that of the function's first argument; Any, because a dict cannot say so.
_SAMPLERS: Final[dict[type[Any], Callable[[Any, Stream], c.Command]]] = {
    PickChoice: _sample_pick,
    SwapChoice: _sample_swap,
    GearChoice: _sample_gear,
    CardsChoice: _sample_cards,
    ValueChoice: _sample_value,
    UnpaidChoice: _sample_unpaid,
    ReactChoice: _sample_react,
    SlipstreamChoice: _sample_slipstream,
    DiscardChoice: _sample_discard,
}
