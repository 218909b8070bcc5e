"""Events: what happened, with all that is needed to show and to apply it (CORE-12).

Random outcomes stand in the event, so replaying needs no seed. Places are *progress* numbers (see
`heat_core.track`). A field that may be None besides its type is hidden from whoever must not see it; counts
have fields of their own, so that nothing else changes (see `heat_core.view.secrecy`). Each subject has a
file of its own; `parts` has what events are made of.
"""

from __future__ import annotations

from typing import TypeAlias

from heat_core.race.commands import DecisionKind
from heat_core.race.events.event_cards import HeatLost, HeatPlace, LapCompleted
from heat_core.race.events.garage import GarageClosed, UpgradePicked, UpgradesDealt, UpgradeSwapped
from heat_core.race.events.parts import (
    EndReason,
    FlipReason,
    Happened,
    MoveReason,
    Part,
    Standing,
    Symbol,
)
from heat_core.race.events.rounds import (
    CardsDiscarded,
    CardsDrawn,
    CardsRevealed,
    CarLeft,
    CarOut,
    ChoiceMade,
    ChoicesTurnedUp,
    DecisionsOpened,
    GearShifted,
    PhaseEntered,
    PileReshuffled,
    RaceEnded,
    RoundStarted,
    TurnOrderFixed,
)
from heat_core.race.events.sponsorships import SponsorReason, SponsorshipGained, SponsorshipsSpent
from heat_core.race.events.start import (
    GridDrawn,
    LegendCardsShuffled,
    PilesMade,
    PlacedCar,
    PlacedStatus,
    PositionPlaced,
    RaceSetUp,
)
from heat_core.race.events.symbols import (
    CardPlayedDirectly,
    CardScrapped,
    CardsDropped,
    CardsRefreshed,
    CardsSalvaged,
    HeatCooled,
    HeatSuperCooled,
    StressReduced,
    SymbolsGained,
    SymbolUsed,
)
from heat_core.race.events.turn import (
    CardFlipped,
    CarFinished,
    CarMoved,
    CornerChecked,
    FlipFailed,
    HandCluttered,
    HeatPaid,
    LegendCardTurned,
    LegendMoved,
    SpeedSet,
    SpunOut,
    TurnStarted,
)
from heat_core.race.events.weather import RoadsDrawn, WeatherDrawn

__all__ = [
    "CarFinished",
    "CarLeft",
    "CarMoved",
    "CarOut",
    "CardFlipped",
    "CardPlayedDirectly",
    "CardScrapped",
    "CardsDiscarded",
    "CardsDrawn",
    "CardsDropped",
    "CardsRefreshed",
    "CardsRevealed",
    "CardsSalvaged",
    "ChoiceMade",
    "ChoicesTurnedUp",
    "CornerChecked",
    "DecisionKind",
    "DecisionsOpened",
    "EndReason",
    "Event",
    "FlipFailed",
    "FlipReason",
    "GarageClosed",
    "GearShifted",
    "GridDrawn",
    "HandCluttered",
    "Happened",
    "HeatCooled",
    "HeatLost",
    "HeatPaid",
    "HeatPlace",
    "HeatSuperCooled",
    "LapCompleted",
    "LegendCardTurned",
    "LegendCardsShuffled",
    "LegendMoved",
    "MoveReason",
    "Part",
    "PhaseEntered",
    "PileReshuffled",
    "PilesMade",
    "PlacedCar",
    "PlacedStatus",
    "PositionPlaced",
    "RaceEnded",
    "RaceSetUp",
    "RoadsDrawn",
    "RoundStarted",
    "SpeedSet",
    "SponsorReason",
    "SponsorshipGained",
    "SponsorshipsSpent",
    "SpunOut",
    "Standing",
    "StressReduced",
    "Symbol",
    "SymbolUsed",
    "SymbolsGained",
    "TurnOrderFixed",
    "TurnStarted",
    "UpgradePicked",
    "UpgradeSwapped",
    "UpgradesDealt",
    "WeatherDrawn",
]

Event: TypeAlias = (
    RaceSetUp
    | GridDrawn
    | PositionPlaced
    | PilesMade
    | LegendCardsShuffled
    | RoundStarted
    | PhaseEntered
    | DecisionsOpened
    | ChoiceMade
    | ChoicesTurnedUp
    | GearShifted
    | TurnOrderFixed
    | CardsRevealed
    | TurnStarted
    | HandCluttered
    | CardFlipped
    | FlipFailed
    | SpeedSet
    | CarMoved
    | SymbolsGained
    | SymbolUsed
    | HeatPaid
    | HeatCooled
    | CornerChecked
    | SpunOut
    | LegendCardTurned
    | LegendMoved
    | CarFinished
    | CarLeft
    | CarOut
    | CardsDiscarded
    | PileReshuffled
    | CardsDrawn
    | RaceEnded
    | UpgradesDealt
    | UpgradePicked
    | UpgradeSwapped
    | GarageClosed
    | WeatherDrawn
    | RoadsDrawn
    | SponsorshipGained
    | SponsorshipsSpent
    | CardPlayedDirectly
    | StressReduced
    | HeatSuperCooled
    | CardScrapped
    | CardsSalvaged
    | CardsDropped
    | CardsRefreshed
    | LapCompleted
    | HeatLost
)
