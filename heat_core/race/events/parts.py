"""The parts of events: their base class, the lines of a bill, symbols, standings, and names of kinds."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from heat_core.data.facts import SymbolKind
from heat_core.data.weather import RoadName

MoveReason: TypeAlias = Literal[
    "cards", "adrenaline", "boost", "direct", "accelerate", "draft", "unpaid", "slipstream", "legend"
]

FlipReason: TypeAlias = Literal["card", "boost", "unpaid"]
"""What is flipped for: a card's symbol, a boost, or instead of a card whose Heat could not be paid."""

HeatReason: TypeAlias = Literal["shift", "boost", "card", "corner"]

EndReason: TypeAlias = Literal["finished", "gave_up", "spun_out", "gave_up_or_spun_out", "abandoned"]
"""`spun_out`: all seats are out by spin-outs; `gave_up_or_spun_out`: some are, and the others gave up."""

FinalStatus: TypeAlias = Literal["finished", "racing", "gave_up", "spun_out"]
"""What a car ended a race as."""

# Bounds of what is in an event, wide enough for any race: what comes from a file or a wire is held to
# them when it is decoded, so that no number is too great to count with and no word drives a terminal.
CarNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=7)]
Progress: TypeAlias = Annotated[int, msgspec.Meta(ge=-400, le=4_000)]
Spot: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1)]
Gear: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=4)]
Round: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
PhaseNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=9)]
EventNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
DecisionNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
Place: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=8)]
Lap: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=9)]
CornerNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=59)]
Amount: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
"""Of cards, Heat, spaces or speed."""
Amounts: TypeAlias = Annotated[tuple[Amount, ...], msgspec.Meta(max_length=200)]
Change: TypeAlias = Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)]
"""An amount that may be taken away."""
Word: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[ -~]{0,32}\Z")]
"""The name of a rule or card."""
Commitment: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""The hash of a seed."""
SeedText: TypeAlias = Annotated[str, msgspec.Meta(max_length=4_096)]
CarNumbers: TypeAlias = Annotated[tuple[CarNumber, ...], msgspec.Meta(max_length=8)]
"""Each car once, or some of them."""
Lines: TypeAlias = Annotated[tuple[Progress, ...], msgspec.Meta(max_length=200)]
"""Corner lines, named by the progress of the space before them."""
Roads: TypeAlias = Annotated[tuple[RoadName | None, ...], msgspec.Meta(max_length=60)]
"""One road token for each corner, by number; None where none lies."""


class Happened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag=True, tag_field="type"):
    """Base of all events."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One line of a bill: which rule, and what it adds (or takes away).

    Attributes:
        rule: The name of a card, or of what else it is for: "printed limit", "boost", "flip" ...
        amount: Below 0 where it takes away.
        card: Which card of the turn it is the value of; see `Symbol.card`. 0: of none that has a number.
    """

    rule: Word
    amount: Change
    card: Amount = 0


Parts: TypeAlias = Annotated[tuple[Part, ...], msgspec.Meta(max_length=200)]


class Symbol(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A symbol that a turn has: what it does, how much, and where it comes from.

    Attributes:
        number: How much: of Heat, cards, spaces, speed or limit, by its kind.
        source: `"gear"`, `"adrenaline"`, `"sector"` or the name of the card.
        card: Which card of the turn it belongs to, counted from 1 as they turned up; 0 for none.
        line: For a sector's: progress of the corner line at which the sector begins.
    """

    kind: SymbolKind
    number: Change
    source: Word
    card: Amount = 0
    line: Progress | None = None


Symbols: TypeAlias = Annotated[tuple[Symbol, ...], msgspec.Meta(max_length=200)]


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A car's place at the end.

    Attributes:
        place: From 1.
        status: What it ended as.
    """

    car: CarNumber
    place: Place
    status: FinalStatus


Standings: TypeAlias = Annotated[tuple[Standing, ...], msgspec.Meta(max_length=8)]
