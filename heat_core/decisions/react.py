"""Phase 5: the symbols of the turn, and cards played directly. docs/rules.md: React (TURN-10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from heat_core.cards import HAND_ORDER
from heat_core.decisions.base import ChoiceKind, multisets, verify_held
from heat_core.decisions.choices import ReactChoice
from heat_core.race.cars import Seat
from heat_core.race.commands import EndReact, UseSymbol
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.rules.offers import SymbolUse
from heat_core.rules.uses import direct_uses, plays_directly, symbol_use, usable_symbols
from heat_core.sentences.card_words import card_name

_Reaction: TypeAlias = UseSymbol | EndReact


def _make(race: Race, seat: Seat) -> ReactChoice:
    uses = usable_symbols(race, seat)
    direct = direct_uses(race, seat)
    if not race.turn.cards:  # type: ignore[union-attr]  # because a seat reacts in its turn
        return ReactChoice(uses, direct)
    salvages = any(use.symbol.kind == "salvage" and use.most for use in uses)
    salvageable = tuple(sorted(seat.discard_pile, key=HAND_ORDER.__getitem__)) if salvages else ()
    return ReactChoice(uses, direct, salvageable, *_what_must_be_done(uses, seat))


def _what_must_be_done(
    uses: tuple[SymbolUse, ...], seat: Seat
) -> tuple[str, Literal["scrap", "heat"] | None, int]:
    """Say what keeps a seat in phase 5: cards to scrap, Heat that can be paid.

    Returns:
        A sentence, the kind of symbol, how much; "", None and 0 if the phase can be left.
    """
    owed = 0
    for use in uses:
        number, source = use.symbol.number, use.symbol.source
        if use.symbol.kind == "scrap" and use.most:
            return f"{number} cards must be scrapped first for {card_name(source)}.", "scrap", number
        if use.symbol.kind == "heat" and not use.is_used:
            owed += number
    if 0 < owed <= seat.engine:
        return f"{owed} Heat must be paid first.", "heat", owed
    return "", None, 0


def _verify(race: Race, seat: Seat, command: _Reaction) -> None:
    turn = race.turn
    assert turn is not None
    if isinstance(command, EndReact):
        # Only cards bring what must be used.
        if turn.cards and (must := _make(race, seat).must):
            raise Refused(RefusalCode.SYMBOL_NOT_USED, must)
        return
    if plays_directly(turn, command):
        _verify_direct(race, seat, command)
        return
    if not 0 <= command.number < len(turn.symbols):
        raise Refused(
            RefusalCode.NO_SUCH_SYMBOL,
            f"There is no symbol {command.number}; this turn has {len(turn.symbols)}.",
            range(len(turn.symbols)),
        )
    use = symbol_use(race, turn, seat, command.number)
    if use.is_used:
        raise Refused(
            RefusalCode.SYMBOL_USED, f"The {use.symbol.kind} of the {use.symbol.source} has been used."
        )
    if not use.most:
        raise Refused(RefusalCode.SYMBOL_NOT_AVAILABLE, use.reason)
    if not use.least <= command.amount <= use.most:
        raise Refused(
            RefusalCode.WRONG_AMOUNT,
            f"The amount must be {use.least} to {use.most}, not {command.amount}.",
            range(use.least, use.most + 1),
        )
    if use.symbol.kind != "salvage":
        if command.cards:
            raise Refused(RefusalCode.WRONG_NUMBER_OF_CARDS, f"The {use.symbol.kind} takes no cards.", (0,))
    elif len(command.cards) != command.amount:
        raise Refused(
            RefusalCode.WRONG_NUMBER_OF_CARDS,
            f"Name {command.amount} cards, not {len(command.cards)}.",
            (command.amount,),
        )
    else:
        verify_held(seat.discard_pile, command.cards)


def _verify_direct(race: Race, seat: Seat, command: UseSymbol) -> None:
    for use in direct_uses(race, seat):
        if command.cards != (use.card,):
            continue
        if use.reason:
            raise Refused(RefusalCode.SYMBOL_NOT_AVAILABLE, use.reason)
        if command.amount not in use.speeds:
            raise Refused(
                RefusalCode.WRONG_AMOUNT,
                f"The card {use.card!r} cannot be played at speed {command.amount}.",
                use.speeds,
            )
        return
    raise Refused(RefusalCode.CARD_NOT_PLAYABLE, "Your hand has no such card that can be played now.")


def _list_commands(choice: ReactChoice) -> Iterator[_Reaction]:
    for number, use in enumerate(choice.symbols):
        for amount in range(use.least, use.most + 1) if use.most else ():
            if use.symbol.kind == "salvage":
                for cards in multisets(choice.salvageable, amount):
                    yield UseSymbol(number, amount, cards)
            else:
                yield UseSymbol(number, amount)
    for direct in choice.direct:
        if not direct.reason:
            for speed in direct.speeds:
                yield choice.play_directly(direct.card, speed)
    if not choice.must:
        yield EndReact()


def _sample(choice: ReactChoice, stream: Stream) -> _Reaction:
    usable = [(number, use) for number, use in enumerate(choice.symbols) if use.most]
    playable = [use for use in choice.direct if not use.reason] if choice.direct else []
    ways = len(usable) + len(playable) + (not choice.must)
    picked = stream.below(ways) if ways > 1 else 0
    if picked < len(usable):
        number, use = usable[picked]
        amount = use.least + stream.below(use.most - use.least + 1)
        if use.symbol.kind == "salvage":
            return UseSymbol(number, amount, stream.combination(choice.salvageable, amount))
        return UseSymbol(number, amount)
    if picked < len(usable) + len(playable):
        direct = playable[picked - len(usable)]
        return choice.play_directly(direct.card, stream.choose(direct.speeds))
    return EndReact()


def _only_answer(choice: ReactChoice) -> EndReact | None:
    can_react = any(use.most for use in choice.symbols) or any(not use.reason for use in choice.direct)
    return None if choice.must or can_react else EndReact()


REACT: Final = ChoiceKind("react", ReactChoice, _make, _verify, _list_commands, _sample, _only_answer)
