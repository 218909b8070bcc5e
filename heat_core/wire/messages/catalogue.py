"""What is printed on cards and tokens, and the words of the protocol, for programs that know neither."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, get_args

import msgspec

from heat_core.cards import CARD_FLIPS, CATALOGUE, CardKind, CardName
from heat_core.data.facts import SymbolKind
from heat_core.data.legends import LEGEND_CARDS, Helmet
from heat_core.data.weather import ROADS, WEATHER, CornerToken, RoadName, SectorEffect, WeatherName
from heat_core.race.cars import CarStatus
from heat_core.race.phase import Phase
from heat_core.refusal import RefusalCode
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_core.wire.messages.values import RequestId, ShortText, StrictMessage

_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=-100, le=100)]
_A_LIST: Final = msgspec.Meta(max_length=200)
_Speeds: TypeAlias = Annotated[tuple[_Number, ...], _A_LIST]
_Words: TypeAlias = Annotated[tuple[ShortText, ...], _A_LIST]


class PrintedSymbol(msgspec.Struct, frozen=True):
    """A symbol on a card, and its number."""

    kind: SymbolKind
    number: _Number


class PrintedCard(msgspec.Struct, frozen=True):
    """A kind of card.

    Attributes:
        name: What hands, piles and commands call it.
        family: The kind of part that an upgrade shows; "" for other cards.
        speeds: What it adds to the speed, the least first; several: its driver chooses; none: nothing.
        flips: How many cards are flipped when it turns up; each adds its value.
        symbols: In printed order.
    """

    name: CardName
    kind: CardKind
    family: ShortText
    speeds: _Speeds
    flips: _Number
    symbols: Annotated[tuple[PrintedSymbol, ...], _A_LIST]


class LegendEntry(msgspec.Struct, frozen=True):
    """What a Legend card says to one helmet."""

    helmet: Helmet
    diamond: _Number
    top_speed: _Number


_LegendCard: TypeAlias = Annotated[tuple[LegendEntry, ...], _A_LIST]


class WeatherToken(msgspec.Struct, frozen=True):
    """A weather token: what it changes in every deck and engine, and what it does in sectors.

    Attributes:
        stress: Stress cards more in every deck.
        heat: Heat more in every engine.
        heat_to_draw_pile: Heat that begins the race there instead of in the engine.
        heat_to_discard_pile: The same.
        sector: What it does in the sectors where it acts; None: nothing.
    """

    name: WeatherName
    stress: _Number
    heat: _Number
    heat_to_draw_pile: _Number
    heat_to_discard_pile: _Number
    sector: SectorEffect | None


class RoadToken(msgspec.Struct, frozen=True):
    """A road token: what it does to its corner or sector; None: the weather acts in the sector."""

    name: RoadName
    effect: CornerToken | SectorEffect | None


class NamedPhase(msgspec.Struct, frozen=True):
    """A phase of a round, or what lies before and after the rounds."""

    number: _Number
    name: ShortText


class Catalogue(StrictMessage, frozen=True, tag="catalogue"):
    """The answer to `catalogue`; the same for all races.

    Attributes:
        legend_cards: By number of the card: an entry for each helmet.
        codes: All that `error` and `bye` may have.
    """

    re: RequestId
    cards: Annotated[tuple[PrintedCard, ...], _A_LIST]
    legend_cards: Annotated[tuple[_LegendCard, ...], _A_LIST]
    weather: Annotated[tuple[WeatherToken, ...], _A_LIST]
    roads: Annotated[tuple[RoadToken, ...], _A_LIST]
    phases: Annotated[tuple[NamedPhase, ...], _A_LIST]
    statuses: _Words
    codes: _Words


_CARDS: Final = tuple(
    PrintedCard(
        card.name,
        card.kind,
        card.family,
        card.speeds,
        CARD_FLIPS[card.name],
        tuple(PrintedSymbol(kind, number) for kind, number in card.symbols),
    )
    for card in CATALOGUE.values()
)
_LEGEND_CARDS: Final = tuple(
    tuple(LegendEntry(helmet, *numbers) for helmet, numbers in card.items()) for card in LEGEND_CARDS
)
_WEATHER: Final = tuple(WeatherToken(name, *facts) for name, facts in WEATHER.items())
_ROADS: Final = tuple(RoadToken(name, effect) for name, effect in ROADS.items())
_PHASES: Final = tuple(NamedPhase(int(phase), phase.name.lower()) for phase in Phase)
_CODES: Final = tuple(str(code) for codes in (ErrorCode, RefusalCode, ByeCode) for code in codes)


def catalogue(re: int) -> Catalogue:
    """Make the answer to a request."""
    return Catalogue(re, _CARDS, _LEGEND_CARDS, _WEATHER, _ROADS, _PHASES, get_args(CarStatus), _CODES)
