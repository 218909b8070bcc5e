"""Bytes of a race, and a race of bytes (CORE-12, RACE-8).

The forms here are what is written and checked; they hold the attributes of the state's classes under the same
names, in the order of the bytes.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from heat_core.cards import CardName
from heat_core.data.weather import RoadName, WeatherName
from heat_core.race.cars import CarStatus, Legend, Seat
from heat_core.race.commands import Command
from heat_core.race.dump import BadDump, OtherVersion, require_rules_version
from heat_core.race.events import DecisionKind, EndReason, Part, Standing, Symbol
from heat_core.race.phase import Phase
from heat_core.race.setup import LegendSetup, RaceSetup
from heat_core.race.state import OpenDecision, Race, Turn

RACE_FORMAT: Final = 4

FormT = TypeVar("FormT", bound=msgspec.Struct)


class _DecisionForm(msgspec.Struct):
    id: int
    kind: DecisionKind
    chosen: Command | None = None


class _CarForm(msgspec.Struct):
    number: int
    progress: int = 0
    spot: int = 0
    status: CarStatus = "racing"
    laps_completed: int = 0


class _LegendForm(_CarForm, tag="legend"):
    drives: LegendSetup = LegendSetup()
    speed: int | None = None


class _SeatForm(_CarForm, tag="seat"):
    gear: int = 1
    engine: int = 0
    hand: list[CardName] = []
    draw_pile: list[CardName] = []
    discard_pile: list[CardName] = []
    face_down: tuple[CardName, ...] = ()
    played: list[CardName] = []
    is_cluttered: bool = False
    upgrades: tuple[CardName, ...] = ()
    heat_to_lose: int = 0


class _TurnForm(msgspec.Struct):
    car: int
    start: int
    start_spot: int
    speed: int | None = None
    parts: tuple[Part, ...] = ()
    flips: int = 0
    lines: tuple[int, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    used: int = 0
    cards: int = 0
    slipstream_lines: tuple[int, ...] = ()


class _RaceForm(msgspec.Struct):
    setup: RaceSetup
    cars: list[_SeatForm | _LegendForm]
    event_number: int = 0
    draws: int = 0
    next_decision: int = 1
    round: int = 0
    phase: Phase = Phase.SET_UP
    turn_order: tuple[int, ...] = ()
    adrenaline: tuple[int, ...] = ()
    turn: _TurnForm | None = None
    turns_taken: int = 0
    open: dict[int, _DecisionForm] = {}
    owing: list[int] = []
    places: list[int] = []
    legend_deck: list[int] = []
    legend_card: int | None = None
    is_last_round: bool = False
    out: list[int] = []
    left: list[int] = []
    end: EndReason | None = None
    standings: tuple[Standing, ...] = ()
    offered: list[CardName] = []
    picking: tuple[int, ...] = ()
    first_picker: int | None = None
    upgrade_deck: list[CardName] = []
    drafted: int = 0
    weather: WeatherName | None = None
    roads: tuple[RoadName | None, ...] = ()
    sponsorship_deck: list[CardName] = []
    first_lap: tuple[int, ...] = ()


def dump_race(race: Race) -> bytes:
    """Serialise a race in any phase; equal races give equal bytes (CORE-12, RACE-8)."""
    cars = [_filled(_SeatForm if type(car) is Seat else _LegendForm, car) for car in race.cars]
    turn = None if race.turn is None else _filled(_TurnForm, race.turn)
    opened = {seat: _filled(_DecisionForm, decision) for seat, decision in race.open.items()}
    form = _filled(_RaceForm, race, cars=cars, turn=turn, open=opened)
    return _ENCODER.encode({"format": RACE_FORMAT, "race": form})


def load_race(data: bytes) -> Race:
    """Bring a race back.

    Raises:
        BadDump: The bytes are broken or were written by another version.
    """
    try:
        head: dict[str, Any] = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        version = msgspec.json.decode(head.get("format", b"null"))
        if version != RACE_FORMAT:
            raise OtherVersion(f"format {version!r}; this version reads format {RACE_FORMAT}")
        form = _DECODER.decode(head["race"])
    except (msgspec.DecodeError, KeyError, UnicodeDecodeError, RecursionError) as error:
        raise BadDump(f"no race: {error}") from None
    require_rules_version(form.setup.rules_version)
    return _race_of(form)


def _race_of(form: _RaceForm) -> Race:
    race = Race(form.setup, [_car_of(car) for car in form.cars], form.places)
    _take(race, form, "setup", "cars", "places", "turn", "open")
    if form.turn is not None:
        race.turn = Turn(form.turn.car, form.turn.start, form.turn.start_spot)
        _take(race.turn, form.turn)
    for seat, decision in form.open.items():
        race.open[seat] = OpenDecision(decision.id, decision.kind, decision.chosen)
    return race


def _car_of(form: _SeatForm | _LegendForm) -> Seat | Legend:
    car = Seat(form.number) if isinstance(form, _SeatForm) else Legend(form.number, form.drives)
    _take(car, form)
    return car


def _filled(form: type[FormT], state: object, **made: Any) -> FormT:
    """Fill a form with the attributes of a state, but for those that are made already."""
    return form(
        **{name: made[name] if name in made else getattr(state, name) for name in form.__struct_fields__}
    )


def _take(state: object, form: msgspec.Struct, *but: str) -> None:
    """Give a state what its form holds, but for some attributes."""
    for name in form.__struct_fields__:
        if name not in but:
            setattr(state, name, getattr(form, name))


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_RaceForm)
