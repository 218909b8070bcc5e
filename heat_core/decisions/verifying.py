"""Whether a command is one that a choice contains, and if not, the sentence that refuses it (CORE-13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from heat_core.cards import HEAT, STRESS, CardName
from heat_core.decisions.making import (
    cards_choice,
    discard_choice,
    react_choice,
    slipstream_choice,
    unpaid_choice,
    value_choice,
)
from heat_core.race import commands as c
from heat_core.race.state import Race, Seat
from heat_core.refusal import RefusalCode, Refused
from heat_core.rules.shifting import GEARS, gear_options
from heat_core.rules.uses import direct_uses, plays_directly, symbol_use


def verify(race: Race, seat_number: int, command: c.Command) -> int | None:
    """Check that a command answers the seat's open decision as the rules allow.

    Args:
        command: As `normalised` makes it.

    Returns:
        The id of the decision, None with `GiveUp`.

    Raises:
        Refused: With the reason; nothing has changed.
    """
    kind, verifier = _KINDS_AND_VERIFIERS[type(command)]
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
    """Tell whether a seat may leave the race now (docs/rules.md: Finish and standings)."""
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
    choice = cards_choice(race, seat)
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
    choice = value_choice(race, seat)
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
    if plays_directly(turn, command):
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
        must = react_choice(race, seat).must
        if must:
            raise Refused(RefusalCode.SYMBOL_NOT_USED, must)


def _verify_unpaid(race: Race, seat: Seat, command: c.DropUnpaid) -> None:
    if command.cards not in unpaid_choice(race, seat).ways:
        raise Refused(
            RefusalCode.WRONG_NUMBER_OF_CARDS, "Of the cards that cannot be paid, as few as possible must go."
        )


def _verify_slipstream(race: Race, seat: Seat, command: c.Slipstream) -> None:
    if command.spaces not in slipstream_choice(race, seat).spaces:
        raise Refused(RefusalCode.NO_SLIPSTREAM, f"A slipstream of {command.spaces} spaces is not possible.")


def _verify_discard(race: Race, seat: Seat, command: c.Discard) -> None:
    choice = discard_choice(race, seat)
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


# By type of command, which is that of the function's last argument, and it comes from a seat; Any, because a
# dict cannot say so.
_VERIFIERS: Final[dict[type[Any], Callable[[Race, Any, Any], None]]] = {
    c.PickUpgrade: _verify_pick,
    c.SwapUpgrade: _verify_swap,
    c.ShiftGear: _verify_gear,
    c.PlayCards: _verify_cards,
    c.ChooseValue: _verify_value,
    c.DropUnpaid: _verify_unpaid,
    c.UseSymbol: _verify_symbol,
    c.EndReact: _verify_end_of_react,
    c.Slipstream: _verify_slipstream,
    c.Discard: _verify_discard,
    c.GiveUp: _verify_giving_up,
}

# Kind and verifier in one look-up, for every command comes by here.
_KINDS_AND_VERIFIERS: Final = {
    command: (c.ANSWERED[command], verifier) for command, verifier in _VERIFIERS.items()
}
