"""Open decisions as compact choices: what may be chosen, not a list of every command (CORE-13).

A choice is made from the race at the moment it is asked for, so that it can never be stale. `verify` refuses
what it does not contain, `enumerate_commands` lists what it contains, `sample_command` picks from it. The
three agree; the property tests hold them to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any, Final, TypeAlias, assert_never

import msgspec

from heat_core import commands as c
from heat_core.card_words import card_name
from heat_core.cards import (
    HAND_ORDER,
    HEAT,
    REFRESHABLE,
    STRESS,
    VALUE_CHOICES,
    CardName,
    cards_without_heat_and_stress,
    playable_cards,
)
from heat_core.data.events import NO_EVENT
from heat_core.events import DecisionKind
from heat_core.race import Race, Seat
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.rules.effects import ways_to_drop
from heat_core.rules.shifting import GEARS, GearOption, gear_options
from heat_core.rules.turn import cards_to_choose, slipstreams
from heat_core.rules.uses import DirectUse, SymbolUse, direct_uses, symbol_use, usable_symbols


class _Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag=True, tag_field="type"):
    """Base of all choices."""


class GearChoice(_Choice, frozen=True):
    """Phase 1: the gears that can be shifted to.

    Attributes:
        options: In order of gears.
        withheld: Gears within reach that the hand cannot fill, where the rules withhold them.
    """

    options: tuple[GearOption, ...]
    withheld: tuple[int, ...] = ()


class CardsChoice(_Choice, frozen=True):
    """Phase 2: exactly `count` of the pool; a cluttered hand has the count 0."""

    pool: tuple[CardName, ...]
    count: int
    is_cluttered: bool


class ValueChoice(_Choice, frozen=True):
    """Phase 3: the played cards that offer a choice, in the order in which they lie, and their values."""

    cards: tuple[CardName, ...]
    speeds: tuple[tuple[int, ...], ...]


class ReactChoice(_Choice, frozen=True):
    """Phase 5: the turn's symbols, each with what may be done with it now.

    Attributes:
        direct: The cards of the hand that may be played; `UseSymbol` names them behind the last symbol.
        salvageable: What salvage may take, in hand order; empty where no such symbol can be used.
        must: Why the phase cannot be left yet, "" if it can.
    """

    symbols: tuple[SymbolUse, ...]
    direct: tuple[DirectUse, ...] = ()
    salvageable: tuple[CardName, ...] = ()
    must: str = ""


class UnpaidChoice(_Choice, frozen=True):
    """Phase 5: which played cards go, for their Heat cannot be paid; each way as cards in hand order."""

    ways: tuple[tuple[CardName, ...], ...]


class SlipstreamChoice(_Choice, frozen=True):
    """Phase 6: how many spaces further; 0, no slipstream, is always among them.

    Attributes:
        ends: The progress that each number of spaces leads to.
    """

    spaces: tuple[int, ...]
    ends: tuple[int, ...]


class DiscardChoice(_Choice, frozen=True):
    """Phase 8: cards of the pool for the discard pile.

    Attributes:
        most: How many at most.
        refreshable: Played cards that may go on top of the draw pile instead, in any order.
    """

    pool: tuple[CardName, ...]
    most: int
    refreshable: tuple[CardName, ...] = ()


class PickChoice(_Choice, frozen=True):
    """Before the race: one of the open upgrades."""

    offered: tuple[CardName, ...]


class SwapChoice(_Choice, frozen=True):
    """Before the race: an own upgrade for one that was left, or none."""

    owned: tuple[CardName, ...]
    left: tuple[CardName, ...]


Choice: TypeAlias = (
    GearChoice
    | CardsChoice
    | ValueChoice
    | ReactChoice
    | UnpaidChoice
    | SlipstreamChoice
    | DiscardChoice
    | PickChoice
    | SwapChoice
)


def choice_of(race: Race, seat_number: int) -> Choice:
    """Describe the open decision of a seat.

    Args:
        seat_number: A seat that has one in `race.open`.
    """
    return _CHOICES[race.open[seat_number].kind](race, race.cars[seat_number])


def _gear_choice(race: Race, seat: Seat) -> GearChoice:
    options, withheld = gear_options(race, seat)
    return GearChoice(options, withheld)


def _cards_choice(race: Race, seat: Seat) -> CardsChoice:
    pool = playable_cards(seat.hand)
    if len(pool) < seat.gear:
        return CardsChoice(pool, 0, True)
    return CardsChoice(pool, seat.gear, False)


def _value_choice(race: Race, seat: Seat) -> ValueChoice:
    cards = tuple([card for card, _ in cards_to_choose(seat)])
    return ValueChoice(cards, tuple([VALUE_CHOICES[card] for card in cards]))


def _slipstream_choice(race: Race, seat: Seat) -> SlipstreamChoice:
    possible = slipstreams(race, seat)
    return SlipstreamChoice((0, *possible), (seat.progress, *possible.values()))


def _react_choice(race: Race, seat: Seat) -> ReactChoice:
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


def _unpaid_choice(race: Race, seat: Seat) -> UnpaidChoice:
    return UnpaidChoice(ways_to_drop(race, seat))


def _discard_choice(race: Race, seat: Seat) -> DiscardChoice:
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


def _pick_choice(race: Race, seat: Seat) -> PickChoice:
    return PickChoice(tuple(race.offered))


def _swap_choice(race: Race, seat: Seat) -> SwapChoice:
    return SwapChoice(seat.upgrades, tuple(race.offered))


# Any, because cars may be Legends, but only seats are asked.
_CHOICES: Final[dict[DecisionKind, Callable[[Race, Any], Choice]]] = {
    "pick": _pick_choice,
    "swap": _swap_choice,
    "gear": _gear_choice,
    "cards": _cards_choice,
    "value": _value_choice,
    "react": _react_choice,
    "unpaid": _unpaid_choice,
    "slipstream": _slipstream_choice,
    "discard": _discard_choice,
}


def verify(race: Race, seat_number: int, command: c.Command) -> int | None:
    """Check that a command answers the seat's open decision as the rules allow.

    Args:
        command: As `normalised` makes it.

    Returns:
        The id of the decision, None with `GiveUp`.

    Raises:
        Refused: With the reason; nothing has changed.
    """
    kind, verifier = _VERIFIERS[type(command)]
    decision = race.open.get(seat_number)
    if decision is None:
        _require_driver(race, seat_number)
    elif decision.kind == kind:
        verifier(race, race.cars[seat_number], command)
        return decision.id
    if kind is None:
        verifier(race, race.cars[seat_number], command)
        return None
    if decision is None:
        raise Refused(RefusalCode.NOTHING_TO_DECIDE, "It is not your turn to decide.")
    raise Refused(RefusalCode.OTHER_DECISION, f"What is asked now is: {decision.kind}.")


def _require_driver(race: Race, seat_number: int) -> None:
    """See that there is somebody who could say something."""
    if race.end is not None:
        raise Refused(RefusalCode.RACE_ENDED, "The race is over.")
    if not 0 <= seat_number < len(race.cars):
        raise Refused(RefusalCode.NOT_A_SEAT, f"There is no car {seat_number}.")
    if type(race.cars[seat_number]) is not Seat:
        raise Refused(RefusalCode.NOT_A_SEAT, f"Car {seat_number} has no driver who could decide.")


def may_give_up(race: Race, seat_number: int) -> bool:
    """Tell whether a seat may leave the race now (RULES, Finish)."""
    if race.end is not None or race.seat(seat_number).status != "racing":
        return False
    return race.rules.giving_up == "any_time" or any(car.status in ("finished", "left") for car in race.cars)


def _verify_giving_up(race: Race, seat: Seat, command: c.GiveUp) -> None:
    if seat.status != "racing":
        raise Refused(RefusalCode.NOT_RACING, "Your race is over already.")
    if not may_give_up(race, seat.number):
        raise Refused(
            RefusalCode.MAY_NOT_GIVE_UP, "By these rules nobody may give up before a car has finished."
        )


def _verify_gear(race: Race, seat: Seat, command: c.ShiftGear) -> None:
    gear = command.gear
    options, withheld = gear_options(race, seat)
    for option in options:
        if option.gear == gear:
            return
    if gear in withheld:
        raise Refused(RefusalCode.GEAR_CANNOT_BE_FILLED, f"Your hand cannot fill gear {gear}.")
    if gear not in GEARS:
        raise Refused(RefusalCode.GEAR_OUT_OF_REACH, f"There is no gear {gear}.")
    if abs(gear - seat.gear) > 2:
        raise Refused(
            RefusalCode.GEAR_OUT_OF_REACH, f"Gear {gear} is more than two steps from gear {seat.gear}."
        )
    raise Refused(
        RefusalCode.NOT_ENOUGH_HEAT,
        f"Shifting from {seat.gear} to {gear} costs Heat, and the engine has {seat.engine}.",
    )


def _verify_cards(race: Race, seat: Seat, command: c.PlayCards) -> None:
    choice = _cards_choice(race, seat)
    cards = command.cards
    if HEAT in cards:
        raise Refused(RefusalCode.CARD_NOT_PLAYABLE, "Heat cannot be played.")
    if len(cards) != choice.count:
        text = (
            f"Your hand cannot fill gear {seat.gear}: it is cluttered, and you play nothing."
            if choice.is_cluttered
            else f"Gear {seat.gear} takes {choice.count} cards, not {len(cards)}."
        )
        raise Refused(RefusalCode.WRONG_NUMBER_OF_CARDS, text)
    _verify_held(choice.pool, cards)


def _verify_held(pool: Sequence[CardName], cards: tuple[CardName, ...]) -> None:
    rest = list(pool)
    for card in cards:
        if card not in rest:
            raise Refused(
                RefusalCode.CARD_NOT_IN_HAND,
                f"You named {cards.count(card)} of the card {card!r} and have {pool.count(card)}.",
            )
        rest.remove(card)


def _verify_value(race: Race, seat: Seat, command: c.ChooseValue) -> None:
    choice = _value_choice(race, seat)
    if len(command.values) != len(choice.cards):
        raise Refused(
            RefusalCode.WRONG_AMOUNT, f"Values are needed: {len(choice.cards)}, not {len(command.values)}."
        )
    for card, speeds, value in zip(choice.cards, choice.speeds, command.values, strict=True):
        if value not in speeds:
            raise Refused(RefusalCode.WRONG_AMOUNT, f"The card {card!r} cannot be played at {value}.")


def _verify_symbol(race: Race, seat: Seat, command: c.UseSymbol) -> None:
    turn = race.turn
    assert turn is not None
    if command.number == len(turn.symbols) and command.cards:
        _verify_direct(race, seat, command)
        return
    if not 0 <= command.number < len(turn.symbols):
        raise Refused(
            RefusalCode.NO_SUCH_SYMBOL,
            f"There is no symbol {command.number}; this turn has {len(turn.symbols)}.",
        )
    use = symbol_use(race, turn, seat, command.number)
    if use.is_used:
        raise Refused(RefusalCode.SYMBOL_USED, f"The {use.symbol.kind} of the {use.symbol.source} is used.")
    if not use.most:
        raise Refused(RefusalCode.SYMBOL_NOT_AVAILABLE, use.reason)
    if not use.least <= command.amount <= use.most:
        raise Refused(
            RefusalCode.WRONG_AMOUNT, f"The amount must be {use.least} to {use.most}, not {command.amount}."
        )
    if use.symbol.kind != "salvage":
        if command.cards:
            raise Refused(RefusalCode.WRONG_NUMBER_OF_CARDS, f"The {use.symbol.kind} takes no cards.")
    elif len(command.cards) != command.amount:
        raise Refused(
            RefusalCode.WRONG_NUMBER_OF_CARDS,
            f"{command.amount} cards are to be named, not {len(command.cards)}.",
        )
    else:
        _verify_held(seat.discard_pile, command.cards)


def _verify_direct(race: Race, seat: Seat, command: c.UseSymbol) -> None:
    for use in direct_uses(race, seat):
        if command.cards != (use.card,):
            continue
        if use.reason:
            raise Refused(RefusalCode.SYMBOL_NOT_AVAILABLE, use.reason)
        if command.amount not in use.speeds:
            raise Refused(
                RefusalCode.WRONG_AMOUNT, f"The card {use.card!r} cannot be played at {command.amount}."
            )
        return
    raise Refused(RefusalCode.CARD_NOT_PLAYABLE, "Your hand has no such card that could be played now.")


def _verify_end_of_react(race: Race, seat: Seat, command: c.EndReact) -> None:
    # Only cards bring what must be used.
    if race.turn.cards:  # type: ignore[union-attr]  # because a seat reacts in its turn
        must = _react_choice(race, seat).must
        if must:
            raise Refused(RefusalCode.SYMBOL_NOT_USED, must)


def _verify_unpaid(race: Race, seat: Seat, command: c.DropUnpaid) -> None:
    if command.cards not in _unpaid_choice(race, seat).ways:
        raise Refused(
            RefusalCode.WRONG_NUMBER_OF_CARDS, "Of the cards that cannot be paid, as few as possible must go."
        )


def _verify_slipstream(race: Race, seat: Seat, command: c.Slipstream) -> None:
    if command.spaces not in _slipstream_choice(race, seat).spaces:
        raise Refused(RefusalCode.NO_SLIPSTREAM, f"A slipstream of {command.spaces} spaces is not possible.")


def _verify_discard(race: Race, seat: Seat, command: c.Discard) -> None:
    choice = _discard_choice(race, seat)
    if command.refresh and Counter(command.refresh) - Counter(choice.refreshable):
        raise Refused(RefusalCode.CARD_NOT_PLAYABLE, "Only played cards with a refresh can be refreshed.")
    pool = choice.pool
    for card in command.cards:
        if card not in pool and card in seat.hand:
            where = "here in the tunnel " if card not in (HEAT, STRESS) else ""
            raise Refused(
                RefusalCode.CARD_STAYS_IN_HAND, f"The card {card!r} cannot be discarded {where}now."
            )
    _verify_held(pool, command.cards)
    if len(command.cards) > choice.most:
        noun = "card" if choice.most == 1 else "cards"
        raise Refused(
            RefusalCode.WRONG_NUMBER_OF_CARDS, f"At most {choice.most} {noun} may be discarded a turn."
        )


def _verify_pick(race: Race, seat: Seat, command: c.PickUpgrade) -> None:
    if command.card not in race.offered:
        raise Refused(RefusalCode.NOT_OFFERED, f"The upgrade {command.card!r} does not lie open.")


def _verify_swap(race: Race, seat: Seat, command: c.SwapUpgrade) -> None:
    if command.give is None and command.take is None:
        return
    if command.give not in seat.upgrades or command.take not in race.offered:
        raise Refused(
            RefusalCode.NOT_OFFERED,
            "A swap gives an upgrade of your own for one that was left, or none for none.",
        )


# By type of command: the kind of decision that it answers, and who checks it. The command's type follows from
# the key, and it comes from a seat; Any, because a dict cannot say so.
_VERIFIERS: Final[dict[type[Any], tuple[DecisionKind | None, Callable[[Race, Any, Any], None]]]] = {
    c.PickUpgrade: ("pick", _verify_pick),
    c.SwapUpgrade: ("swap", _verify_swap),
    c.ShiftGear: ("gear", _verify_gear),
    c.PlayCards: ("cards", _verify_cards),
    c.ChooseValue: ("value", _verify_value),
    c.DropUnpaid: ("unpaid", _verify_unpaid),
    c.UseSymbol: ("react", _verify_symbol),
    c.EndReact: ("react", _verify_end_of_react),
    c.Slipstream: ("slipstream", _verify_slipstream),
    c.Discard: ("discard", _verify_discard),
    c.GiveUp: (None, _verify_giving_up),
}


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
                yield c.UseSymbol(len(choice.symbols), speed, (direct.card,))
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
        return c.UseSymbol(len(choice.symbols), stream.choose(direct.speeds), (direct.card,))
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
