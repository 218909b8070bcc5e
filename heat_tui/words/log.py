"""The log of a race, line by line, with the car and topic of each line for filtering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.style import Style
from rich.text import Text

from heat_core.race import events as e
from heat_core.sentences.events import seed_clause
from heat_tui.theme.colours import AMBER, CYAN, GOLD, RED

LineTopic: TypeAlias = Literal["race", "round", "driving", "cards", "heat", "people"]
"""What a line tells of. Rounds are the headings of the others; people: who is away, and the room's news."""

TOPICS: Final[dict[LineTopic, str]] = {
    "driving": "gears and driving",
    "cards": "cards",
    "heat": "corners and Heat",
    "race": "the race itself",
    "people": "people",
}
"""Those that one can look for, and how they are named."""

TOPIC_OF: Final[dict[type[e.Happened], LineTopic]] = {
    e.RaceSetUp: "race",
    e.GridDrawn: "race",
    e.PositionPlaced: "race",
    e.PilesMade: "race",
    e.LegendCardsShuffled: "race",
    e.WeatherDrawn: "race",
    e.RoadsDrawn: "race",
    e.RoundStarted: "round",
    e.PhaseEntered: "race",
    e.DecisionsOpened: "race",
    e.ChoiceMade: "race",
    e.ChoicesTurnedUp: "race",
    e.TurnOrderFixed: "race",
    e.TurnStarted: "race",
    e.RaceEnded: "race",
    e.GearShifted: "driving",
    e.SpeedSet: "driving",
    e.CarMoved: "driving",
    e.LegendMoved: "driving",
    e.LegendCardTurned: "driving",
    e.LapCompleted: "driving",
    e.CarFinished: "driving",
    e.CarLeft: "driving",
    e.CarOut: "driving",
    e.UpgradesDealt: "cards",
    e.UpgradePicked: "cards",
    e.UpgradeSwapped: "cards",
    e.GarageClosed: "cards",
    e.SponsorshipGained: "cards",
    e.SponsorshipsSpent: "cards",
    e.CardPlayedDirectly: "cards",
    e.CardScrapped: "cards",
    e.CardsSalvaged: "cards",
    e.CardsDropped: "cards",
    e.CardsRefreshed: "cards",
    e.CardsRevealed: "cards",
    e.CardsDiscarded: "cards",
    e.CardsDrawn: "cards",
    e.CardFlipped: "cards",
    e.FlipFailed: "cards",
    e.PileReshuffled: "cards",
    e.HandCluttered: "cards",
    e.SymbolsGained: "cards",
    e.SymbolUsed: "cards",
    e.StressReduced: "cards",
    e.HeatPaid: "heat",
    e.HeatCooled: "heat",
    e.HeatLost: "heat",
    e.HeatSuperCooled: "heat",
    e.CornerChecked: "heat",
    e.SpunOut: "heat",
}


class LogLine(NamedTuple):
    """One line of the log.

    Attributes:
        car: Whose it is; None: nobody's or everybody's.
        short: What stands for it beside the map, None for the line itself; empty: nothing does.
    """

    text: Text
    topic: LineTopic
    car: int | None = None
    short: Text | None = None


def event_line(event: e.Event, text: str) -> LogLine:
    """Make the line that tells an event, in the style of what it tells."""
    car: int | None = getattr(event, "car", getattr(event, "seat", None))
    line = Text(text, _style(event))
    short: Text | None = None
    if isinstance(event, e.RaceSetUp):
        short = Text()  # the hash would be the first thing that is read; the log's page has it, whole
    elif isinstance(event, e.LegendCardTurned):
        # What each Legend reads on it takes several lines beside the map; how far they drive follows.
        short = Text("Legend card turned up", line.style)
    elif isinstance(event, e.RaceEnded):
        short = Text(text.removesuffix(seed_clause(event)), line.style)
    return LogLine(line, TOPIC_OF[type(event)], car, short)


def _style(event: e.Event) -> Style:
    match event:
        case e.RoundStarted():
            return Style(bold=True, color=GOLD)
        case e.SpunOut() | e.HandCluttered():
            return Style(bold=True, color=RED)
        case e.RaceSetUp() | e.GearShifted() | e.CardsRevealed() | e.PileReshuffled() | e.CardsDiscarded():
            return Style(dim=True)
        case e.HeatCooled() | e.HeatSuperCooled():
            return Style(color=CYAN)
        case e.HeatPaid():
            return Style(color=AMBER)
        case _:
            return Style()


def people_line(text: str, seat: int | None = None) -> LogLine:
    """Make the line that tells something of a seat's driver, or with None the room's news."""
    line = Text(f"* {text}", "dim") if seat is None else Text(text, Style(bold=True, color=GOLD))
    return LogLine(line, "people", seat)


def found(lines: Sequence[LogLine], topic: LineTopic | None, car: int | None) -> list[int]:
    """Find lines, and the headings of the rounds in which there are some.

    Args:
        topic: What they tell of; None: anything.
        car: Whose they are; None: anybody's.

    Returns:
        Where they are, in order.
    """
    places: list[int] = []
    heading: int | None = None
    for place, line in enumerate(lines):
        if line.topic == "round":
            heading = place
            if topic is None and car is None:
                places.append(place)
        elif (topic is None or line.topic == topic) and (car is None or line.car == car):
            if heading is not None and (topic is not None or car is not None):
                places.append(heading)
                heading = None
            places.append(place)
    return places
