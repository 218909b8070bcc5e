"""Open decisions as compact choices: what may be chosen, not a list of every command (CORE-13).

A choice is made from the race at the moment it is asked for, so that it can never be stale. `verify` refuses
what it does not contain, `enumerate_commands` lists what it contains, `sample_command` picks from it. The
three agree; the property tests hold them to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, Final, TypeAlias, assert_never

import msgspec

from heat_core import commands as c
from heat_core.cards import HEAT, STRESS, CardName, cards_without_heat_and_stress, playable_cards
from heat_core.events import DecisionKind
from heat_core.race import Race, Seat
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.rules.effects import SymbolUse, symbol_use, usable_symbols
from heat_core.rules.movement import SLIPSTREAM_SPACES, end_of_slipstream
from heat_core.rules.shifting import GEARS, GearOption, gear_options


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


class ReactChoice(_Choice, frozen=True):
    """Phase 5: the turn's symbols, each with what may be done with it now."""

    symbols: tuple[SymbolUse, ...]


class SlipstreamChoice(_Choice, frozen=True):
    """Phase 6: how many spaces further; 0, no slipstream, is always among them.

    Attributes:
        ends: The progress that each number of spaces leads to.
    """

    spaces: tuple[int, ...]
    ends: tuple[int, ...]


class DiscardChoice(_Choice, frozen=True):
    """Phase 8: any number of the pool."""

    pool: tuple[CardName, ...]


Choice: TypeAlias = GearChoice | CardsChoice | ReactChoice | SlipstreamChoice | DiscardChoice


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


def _slipstream_choice(race: Race, seat: Seat) -> SlipstreamChoice:
    end = end_of_slipstream(
        race.track, race.rules, race.occupied(seat.number), seat.progress, seat.spot, race.finish_line
    )
    if end is None:
        return SlipstreamChoice((0,), (seat.progress,))
    return SlipstreamChoice((0, SLIPSTREAM_SPACES), (seat.progress, end[0]))


def _react_choice(race: Race, seat: Seat) -> ReactChoice:
    return ReactChoice(usable_symbols(race, seat))


def _discard_choice(race: Race, seat: Seat) -> DiscardChoice:
    track = race.track
    if track.is_tunnel[(seat.progress - 1) % track.spaces + 1]:
        return DiscardChoice(())
    return DiscardChoice(cards_without_heat_and_stress(seat.hand))


# Any, because cars may be Legends, but only seats are asked.
_CHOICES: Final[dict[DecisionKind, Callable[[Race, Any], Choice]]] = {
    "gear": _gear_choice,
    "cards": _cards_choice,
    "react": _react_choice,
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


def _verify_symbol(race: Race, seat: Seat, command: c.UseSymbol) -> None:
    turn = race.turn
    assert turn is not None
    if not 0 <= command.number < len(turn.symbols):
        raise Refused(
            RefusalCode.NO_SUCH_SYMBOL,
            f"There is no symbol {command.number}; this turn has {len(turn.symbols)}.",
        )
    use = symbol_use(turn, seat, command.number)
    if use.is_used:
        raise Refused(RefusalCode.SYMBOL_USED, f"The {use.symbol.kind} of the {use.symbol.source} is used.")
    if not use.most:
        raise Refused(RefusalCode.SYMBOL_NOT_AVAILABLE, use.reason)
    if not use.least <= command.amount <= use.most:
        raise Refused(
            RefusalCode.WRONG_AMOUNT, f"The amount must be {use.least} to {use.most}, not {command.amount}."
        )
    if command.cards:
        raise Refused(RefusalCode.WRONG_NUMBER_OF_CARDS, f"The {use.symbol.kind} takes no cards.")


def _verify_end_of_react(race: Race, seat: Seat, command: c.EndReact) -> None:
    """Nothing in the base game must be used before the phase is left."""


def _verify_slipstream(race: Race, seat: Seat, command: c.Slipstream) -> None:
    if command.spaces not in _slipstream_choice(race, seat).spaces:
        raise Refused(RefusalCode.NO_SLIPSTREAM, f"A slipstream of {command.spaces} spaces is not possible.")


def _verify_discard(race: Race, seat: Seat, command: c.Discard) -> None:
    if command.refresh:
        raise Refused(RefusalCode.CARD_NOT_PLAYABLE, "None of the played cards can be refreshed.")
    pool = _discard_choice(race, seat).pool
    for card in command.cards:
        if card not in pool and card in seat.hand:
            where = "here in the tunnel " if card not in (HEAT, STRESS) else ""
            raise Refused(
                RefusalCode.CARD_STAYS_IN_HAND, f"The card {card!r} cannot be discarded {where}now."
            )
    _verify_held(pool, command.cards)


# By type of command: the kind of decision that it answers, and who checks it. The command's type follows from
# the key, and it comes from a seat; Any, because a dict cannot say so.
_VERIFIERS: Final[dict[type[Any], tuple[DecisionKind | None, Callable[[Race, Any, Any], None]]]] = {
    c.ShiftGear: ("gear", _verify_gear),
    c.PlayCards: ("cards", _verify_cards),
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
        case ReactChoice():
            for number, use in enumerate(choice.symbols):
                for amount in range(use.least, use.most + 1) if use.most else ():
                    yield c.UseSymbol(number, amount)
            yield c.EndReact()
        case SlipstreamChoice():
            yield from (c.Slipstream(spaces) for spaces in choice.spaces)
        case DiscardChoice():
            for count in range(len(choice.pool) + 1):
                yield from (c.Discard(cards) for cards in _multisets(choice.pool, count))
        case _:
            assert_never(choice)


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


def _sample_react(choice: ReactChoice, stream: Stream) -> c.UseSymbol | c.EndReact:
    usable = [(number, use) for number, use in enumerate(choice.symbols) if use.most]
    picked = stream.below(len(usable) + 1) if usable else 0
    if picked == len(usable):
        return c.EndReact()
    number, use = usable[picked]
    return c.UseSymbol(number, use.least + stream.below(use.most - use.least + 1))


def _sample_slipstream(choice: SlipstreamChoice, stream: Stream) -> c.Slipstream:
    return c.Slipstream(stream.choose(choice.spaces))


def _sample_discard(choice: DiscardChoice, stream: Stream) -> c.Discard:
    return c.Discard(stream.subset(choice.pool))


# By type of choice, which is that of the function's first argument; Any, because a dict cannot say so.
_SAMPLERS: Final[dict[type[Any], Callable[[Any, Stream], c.Command]]] = {
    GearChoice: _sample_gear,
    CardsChoice: _sample_cards,
    ReactChoice: _sample_react,
    SlipstreamChoice: _sample_slipstream,
    DiscardChoice: _sample_discard,
}
