"""Decisions as a fixed list of actions, for agents that learn.

An agent answers with a number of a list that is the same in every race. Most decisions are one action. One
that names several cards is made card by card, and a few ask once more (which Heat, at which speed): each
kind of decision is a generator that yields what may be done next, is sent what was done, and returns the
command. So nothing is enumerated, and every command can be said. Only where a turn has several symbols of one
kind that would do the same, the one is used whose loss costs least.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar, assert_never

from heat_core.cards import CATALOGUE, UPGRADES, CardName
from heat_core.data.facts import SymbolKind
from heat_core.decisions import (
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
from heat_core.rules.effects import GEAR_COOLDOWN
from heat_core.rules.offers import SymbolUse
from heat_core.rules.shifting import GEARS


class Done(NamedTuple):
    """Nothing more: ends a choice of any number of cards, reacts no further, keeps all upgrades."""


class TakeGear(NamedTuple):
    """A gear."""

    gear: int


class TakeCard(NamedTuple):
    """A card: to play, discard, drop, salvage, pick, give or take, or the one whose Heat is paid."""

    card: CardName


class TakeNumber(NamedTuple):
    """Spaces of a slipstream, or the speed of a card."""

    number: int


class TakeSymbol(NamedTuple):
    """A symbol of the turn.

    Attributes:
        amount: How much of an "up to n"; 1 for the symbols that are used whole.
    """

    kind: SymbolKind
    amount: int


Action: TypeAlias = Done | TakeGear | TakeCard | TakeNumber | TakeSymbol

MOST_NUMBER: Final = 16
"""The longest slipstream: 2 spaces, 3 by each of four cards, 2 by the weather."""

_WHOLE: Final[tuple[SymbolKind, ...]] = ("boost", "speed", "heat", "scrap", "accelerate", "draft")
_UP_TO: Final[tuple[SymbolKind, ...]] = ("cooldown", "reduce_stress", "super_cool", "salvage")
"""The symbols of phase 5 that are used in any amount up to their number; the others are used whole."""

CARDS: Final[tuple[CardName, ...]] = (*CATALOGUE, *(card for card in UPGRADES if card not in CATALOGUE))
"""Every card that an action or an observation can name."""


def _most(kind: SymbolKind) -> int:
    """Find the greatest number that a symbol of a kind has."""
    printed = [number for card in CATALOGUE.values() for found, number in card.symbols if found == kind]
    return max([*printed, *GEAR_COOLDOWN.values()] if kind == "cooldown" else printed)


ACTIONS: Final[tuple[Action, ...]] = (
    Done(),
    *(TakeGear(gear) for gear in GEARS),
    *(TakeCard(card) for card in CARDS),
    *(TakeNumber(number) for number in range(MOST_NUMBER + 1)),
    *(TakeSymbol(kind, 1) for kind in _WHOLE),
    *(TakeSymbol(kind, amount) for kind in _UP_TO for amount in range(1, _most(kind) + 1)),
)
"""What an agent can do; its number is the place in this list."""

# Keyed by type too: as tuples, `TakeGear(1)` and `TakeNumber(1)` are equal.
_NUMBERS: Final = {(type(action), action): number for number, action in enumerate(ACTIONS)}

DONE: Final = 0


def action_number(action: Action) -> int:
    """Give the place of an action in `ACTIONS`.

    Raises:
        KeyError: It is not among them.
    """
    return _NUMBERS[type(action), action]


def action_text(number: int) -> str:
    """Name an action in a few words: `gear 3`, `card start-5`, `cooldown 2`."""
    match ACTIONS[number]:
        case Done():
            return "done"
        case TakeGear(gear):
            return f"gear {gear}"
        case TakeCard(card):
            return f"card {card}"
        case TakeNumber(value):
            return f"number {value}"
        case TakeSymbol(kind, amount):
            return f"{kind} {amount}" if kind in _UP_TO else kind


class Step(NamedTuple):
    """Where an answer is after some actions.

    Attributes:
        legal: Numbers of the actions that may come next, ascending; empty once it is complete.
        command: The answer, None while it is not complete.
    """

    legal: tuple[int, ...]
    command: c.Command | None


def follow(choice: Choice, taken: Sequence[int]) -> Step:
    """Follow an answer from its first action on.

    Args:
        choice: The open decision.
        taken: Numbers of the actions so far, each legal when it was taken.
    """
    asking = _ask(choice)
    try:
        offered = next(asking)
        for number in taken:
            offered = asking.send(ACTIONS[number])
    except StopIteration as answered:
        return Step((), answered.value)
    return Step(tuple(sorted({action_number(action) for action in offered})), None)


_Answer = TypeVar("_Answer", covariant=True)
_Asking: TypeAlias = Generator[Sequence[Action], Action, _Answer]


def _ask(choice: Choice) -> _Asking[c.Command]:
    match choice:
        case GearChoice():
            action = yield [TakeGear(option.gear) for option in choice.options]
            assert isinstance(action, TakeGear)
            return c.ShiftGear(action.gear)
        case CardsChoice():
            return (yield from _play(choice))
        case ValueChoice():
            values = []
            for speeds in choice.speeds:
                values.append((yield from _number(speeds)))
            return c.ChooseValue(tuple(values))
        case ReactChoice():
            return (yield from _react(choice))
        case UnpaidChoice():
            return (yield from _drop(choice))
        case SlipstreamChoice():
            return c.Slipstream((yield from _number(choice.spaces)))
        case DiscardChoice():
            cards = yield from _some_cards(choice.pool, choice.most)
            refresh = yield from _some_cards(choice.refreshable, len(choice.refreshable))
            return c.Discard(cards, refresh)
        case PickChoice():
            return c.PickUpgrade((yield from _card(choice.offered)))
        case SwapChoice():
            return (yield from _swap(choice))
        case _:
            assert_never(choice)


def _card(cards: Iterable[CardName]) -> _Asking[CardName]:
    action = yield [TakeCard(card) for card in cards]
    assert isinstance(action, TakeCard)
    return action.card


def _number(numbers: Iterable[int]) -> _Asking[int]:
    action = yield [TakeNumber(number) for number in numbers]
    assert isinstance(action, TakeNumber)
    return action.number


def _some_cards(pool: Sequence[CardName], most: int) -> _Asking[tuple[CardName, ...]]:
    """Ask for cards of a pool one by one, until there are enough or the agent is done."""
    left = list(pool)
    cards: list[CardName] = []
    while len(cards) < most:
        action = yield [Done(), *(TakeCard(card) for card in left)]
        if not isinstance(action, TakeCard):
            break
        left.remove(action.card)
        cards.append(action.card)
    return tuple(cards)


def _so_many_cards(pool: Sequence[CardName], count: int) -> _Asking[tuple[CardName, ...]]:
    left = list(pool)
    cards = []
    for _ in range(count):
        card = yield from _card(left)
        left.remove(card)
        cards.append(card)
    return tuple(cards)


def _play(choice: CardsChoice) -> _Asking[c.Command]:
    if not choice.count:
        yield [Done()]
    return c.PlayCards((yield from _so_many_cards(choice.pool, choice.count)))


def _drop(choice: UnpaidChoice) -> _Asking[c.Command]:
    """Ask card by card for one of the ways, which all name equally many."""
    ways = [list(way) for way in choice.ways]
    cards = []
    for _ in range(len(choice.ways[0])):
        card = yield from _card(card for way in ways for card in way)
        cards.append(card)
        ways = [way for way in ways if card in way]
        for way in ways:
            way.remove(card)
    (found,) = {way for way in choice.ways if sorted(way) == sorted(cards)}
    return c.DropUnpaid(found)


def _swap(choice: SwapChoice) -> _Asking[c.Command]:
    given = yield from _some_cards(choice.owned if choice.left else (), 1)
    if not given:
        return c.SwapUpgrade(None, None)
    return c.SwapUpgrade(given[0], (yield from _card(choice.left)))


def _react(choice: ReactChoice) -> _Asking[c.Command]:
    direct = {use.card: use for use in choice.direct if not use.reason}
    action = yield [
        *(() if choice.must else (Done(),)),
        *(symbol for use in choice.symbols for symbol in _ways_to_use(use)),
        *(TakeCard(card) for card in direct),
    ]
    match action:
        case TakeCard(card):
            speeds = direct[card].speeds
            speed = speeds[0] if len(speeds) == 1 else (yield from _number(speeds))
            return choice.play_directly(card, speed)
        case TakeSymbol():
            return (yield from _use(choice, action))
        case _:
            return c.EndReact()


def _ways_to_use(use: SymbolUse) -> list[TakeSymbol]:
    if not use.most:
        return []
    kind = use.symbol.kind
    amounts = range(use.least, use.most + 1) if kind in _UP_TO else (1,)
    return [TakeSymbol(kind, amount) for amount in amounts]


def _use(choice: ReactChoice, action: TakeSymbol) -> _Asking[c.Command]:
    kind = action.kind
    fitting = [number for number, use in enumerate(choice.symbols) if action in _ways_to_use(use)]
    # Which card's Heat is paid matters: the Heat of the others may then be too much.
    sources = dict.fromkeys(choice.symbols[number].symbol.source for number in fitting)
    if kind == "heat" and len(sources) > 1:
        source = yield from _card(sources)
        fitting = [number for number in fitting if choice.symbols[number].symbol.source == source]
    # Of the others the smallest goes first, and before its like a sector's, which is lost with the sector.
    number = min(fitting, key=lambda place: _worth_keeping(choice.symbols[place]))
    amount = action.amount if kind in _UP_TO else choice.symbols[number].least
    if kind != "salvage":
        return c.UseSymbol(number, amount)
    return c.UseSymbol(number, amount, (yield from _so_many_cards(choice.salvageable, amount)))


def _worth_keeping(use: SymbolUse) -> tuple[int, bool]:
    return use.most, use.symbol.line is None
