"""Records as rows for those who study races: what each race, car, turn and decision was, in columns.

docs/study.md explains the columns. A row is a struct, its fields are the columns. Lists of cards are text
with spaces between; None is an empty field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec

from heat_core.cards import HAND_ORDER, CardName
from heat_core.options.settings import changes_of
from heat_core.race import events as e
from heat_core.race.cars import Seat
from heat_core.race.commands import ANSWERED
from heat_core.race.state import Race, new_race
from heat_core.record.figures import race_figures
from heat_core.record.record import Record, follow_record, is_verifiable, seed_of
from heat_core.rules.corners import limit_at
from heat_core.rules.order import ranking


class RaceRow(msgspec.Struct):
    """A race.

    Attributes:
        race: The record's name; it is in all rows of the race.
        settings: What differs from the preset.
        rounds: Those that began.
        end: Why it ended; empty where the record stops before.
        verified: Its cards were dealt again from its seed.
    """

    race: str
    track: str
    laps: int
    rules: str
    settings: str
    garage: str
    expansion: bool
    weather: str
    sponsorships: bool
    event: str
    cars: int
    seats: int
    rounds: int
    end: str
    seed: str
    verified: bool


class CarRow(msgspec.Struct):
    """A car in a race.

    Attributes:
        car: Its number, from 0.
        grid: Its place at the start, 1 the pole; None where the race began in the middle.
        legend_bonus: Added to a Legend's top speed; None for a seat.
        place: None where the record stops before the end.
        upgrades: Of the garage.
    """

    race: str
    car: int
    name: str
    legend: bool
    legend_bonus: int | None
    legend_chevrons: bool | None
    grid: int | None
    place: int | None
    status: str
    rounds: int
    top_speed: int
    heat_paid: int
    spin_outs: int
    slipstreams: int
    corners_pressed: int
    upgrades: str


class TurnRow(msgspec.Struct):
    """A car in a round; what a Legend does not have is None or 0.

    Attributes:
        turn: When it had its turn, from 1 for the first car of the round.
        cards: What it played, flipped cards not counted.
        start: Progress before the turn.
        end: Progress after it.
        spaces_left: To the finish line; less than 1 once it is crossed.
        corners: Corner lines checked.
        corner_heat: What they cost in Heat that was paid.
        heat_paid: All that was paid this round, shift and cards too.
        cooled: Heat that came back into the engine.
        slipstream: Its spaces, 0 for none.
        engine: Heat in it at the end of the round.
        place: At the end of the round.
    """

    race: str
    round: int
    car: int
    turn: int = 0
    gear: int | None = None
    cards: str = ""
    speed: int = 0
    start: int = 0
    end: int = 0
    spaces_left: int = 0
    corners: int = 0
    corner_heat: int = 0
    heat_paid: int = 0
    cooled: int = 0
    flips: int = 0
    boosted: bool = False
    adrenaline: bool = False
    slipstream: int = 0
    cluttered: bool = False
    spun_out: bool = False
    engine: int | None = None
    place: int = 0


class DecisionRow(msgspec.Struct):
    """A decision of a seat, and what it knew of itself.

    Attributes:
        round: 0 before the first.
        decision: Its number in the race; None for giving up.
        kind: What was asked; `give_up` for giving up.
        choice: The command as JSON.
        by_clock: The time was up, so the default was chosen.
        spaces_left: To the finish line.
        corner_spaces: Spaces before the next corner line.
        corner_limit: Its limit, road token counted.
        hand: Before the choice, chosen cards among it.
        draw_pile: In the order of hands, not as it lies.
    """

    race: str
    round: int
    seat: int
    decision: int | None
    kind: str
    choice: str
    by_clock: bool
    gear: int
    engine: int
    place: int
    progress: int
    spaces_left: int
    corner_spaces: int
    corner_limit: int
    hand: str
    draw_pile: str
    discard_pile: str


Row: TypeAlias = RaceRow | CarRow | TurnRow | DecisionRow

ROWS: Final[dict[str, type[Row]]] = {
    "races": RaceRow,
    "cars": CarRow,
    "turns": TurnRow,
    "decisions": DecisionRow,
}
"""Name of a file -> the rows in it."""


class RecordRows(NamedTuple):
    """The rows of one race, named as in `ROWS`."""

    races: list[RaceRow]
    cars: list[CarRow]
    turns: list[TurnRow]
    decisions: list[DecisionRow]


def record_rows(name: str, record: Record) -> RecordRows:
    """Write a record as rows.

    Args:
        name: What the rows call the race.

    Raises:
        BadRecord: It does not hold.
    """
    race = new_race(record.setup)
    turns = _Turns(name, race)
    decisions = []
    for event in follow_record(record, race):
        turns.note(event)
        if isinstance(event, e.ChoiceMade) and event.command is not None:
            decisions.append(_decision(name, race, event))
    turns.end_round()
    return RecordRows([_race(name, record, race)], _cars(name, record, race), turns.rows, decisions)


def _race(name: str, record: Record, race: Race) -> RaceRow:
    setup, modules = record.setup, record.setup.modules
    return RaceRow(
        race=name,
        track=setup.track.id,
        laps=setup.laps,
        rules=setup.rules.preset,
        settings=" ".join(f"{setting}={value}" for setting, value in changes_of(setup.rules).items()),
        garage=modules.garage,
        expansion=modules.expansion,
        weather=race.weather or "",
        sponsorships=modules.sponsorships,
        event=modules.event or "",
        cars=len(race.cars),
        seats=len(race.seats()),
        rounds=race.round,
        end=race.end or "",
        seed=seed_of(record) or "",
        verified=is_verifiable(record),
    )


def _cars(name: str, record: Record, race: Race) -> list[CarRow]:
    grid = _grid(record)
    rows = []
    for number, figures in enumerate(race_figures(record.setup, record.events)):
        car, setup = race.cars[number], record.setup.cars[number]
        rows.append(
            CarRow(
                race=name,
                car=number,
                name=setup.name,
                legend=setup.legend is not None,
                legend_bonus=setup.legend.bonus if setup.legend else None,
                legend_chevrons=setup.legend.chevrons if setup.legend else None,
                grid=grid.get(number),
                place=figures.place or None,
                status=figures.status or car.status,
                rounds=figures.rounds,
                top_speed=figures.top_speed,
                heat_paid=figures.heat_paid,
                spin_outs=figures.spin_outs,
                slipstreams=figures.slipstreams,
                corners_pressed=figures.corners_pressed,
                upgrades=_text(car.upgrades) if type(car) is Seat else "",
            )
        )
    return rows


def _grid(record: Record) -> dict[int, int]:
    for event in record.events:
        if isinstance(event, e.GridDrawn):
            return {car: place for place, car in enumerate(event.order, start=1)}
    return {}


def _text(cards: Sequence[CardName]) -> str:
    return " ".join(cards)


def _decision(name: str, race: Race, event: e.ChoiceMade) -> DecisionRow:
    """Describe a choice at the moment in which it is made: nothing has come of it yet."""
    seat = race.seat(event.seat)
    line = race.track.next_line(seat.progress)
    return DecisionRow(
        race=name,
        round=race.round,
        seat=event.seat,
        decision=event.decision,
        kind=ANSWERED[type(event.command)] or "give_up",
        choice=msgspec.json.encode(event.command).decode(),
        by_clock=event.by_clock,
        gear=seat.gear,
        engine=seat.engine,
        place=ranking(race).index(event.seat) + 1,
        progress=seat.progress,
        spaces_left=race.finish_line - seat.progress,
        corner_spaces=line - seat.progress,
        corner_limit=limit_at(race.track, race.roads, race.track.corner_at(line)),
        hand=_text(seat.hand),
        draw_pile=_text(sorted(seat.draw_pile, key=HAND_ORDER.__getitem__)),
        discard_pile=_text(seat.discard_pile),
    )


class _Turns:
    """The rows of turns, grown event by event.

    Attributes:
        rows: Of the rounds that are over.
    """

    def __init__(self, name: str, race: Race) -> None:
        """Begin.

        Args:
            race: Each event is noted after it was applied to this race.
        """
        self.rows: list[TurnRow] = []
        self._name = name
        self._race = race
        self._round: dict[int, TurnRow] = {}

    def note(self, event: e.Event) -> None:
        """Take in the next event of the race."""
        match event:
            case e.RoundStarted():
                self.end_round()
            case e.TurnStarted():
                row = self._row(event.car)
                row.turn = self._race.turns_taken
                row.start = row.end = self._race.cars[event.car].progress
                row.adrenaline = event.car in self._race.adrenaline
            case e.CarMoved():
                row = self._row(event.car)
                row.end = event.end
                row.boosted = row.boosted or event.reason == "boost"
                if event.reason == "slipstream":
                    row.slipstream = event.spaces
            case e.LegendMoved():
                self._row(event.car).speed = event.speed
            case _:
                self._note_of_seat(event)

    def _note_of_seat(self, event: e.Event) -> None:
        """Take in what only seats do."""
        match event:
            case e.GearShifted():
                self._row(event.seat).gear = event.gear
            case e.CardsRevealed():
                self._row(event.seat).cards = _text(event.cards)
            case e.SpeedSet():
                self._row(event.seat).speed = event.speed
            case e.CardFlipped():
                self._row(event.seat).flips += 1
            case e.HandCluttered():
                self._row(event.seat).cluttered = True
            case e.HeatPaid():
                row = self._row(event.seat)
                row.heat_paid += event.amount
                row.corner_heat += event.amount if event.reason == "corner" else 0
            case e.HeatCooled() | e.HeatSuperCooled():
                self._row(event.seat).cooled += event.amount
            case e.CornerChecked():
                self._row(event.seat).corners += 1
            case e.SpunOut():
                row = self._row(event.seat)
                row.spun_out = True
                row.end = event.end
            case _:
                pass

    def _row(self, car: int) -> TurnRow:
        return self._round.setdefault(car, TurnRow(self._name, self._race.round, car))

    def end_round(self) -> None:
        """Finish the rows of the round, in the order of the turns; whoever had no turn gets none."""
        places = {car: place for place, car in enumerate(ranking(self._race), start=1)}
        for row in sorted(self._round.values(), key=lambda row: row.turn):
            if not row.turn:
                continue
            car = self._race.cars[row.car]
            row.spaces_left = self._race.finish_line - row.end
            row.engine = car.engine if type(car) is Seat else None
            row.place = places[row.car]
            self.rows.append(row)
        self._round = {}
