"""Whether what a server says can be so: the one place where a client checks what comes in.

The wire's types bound much, but not how things fit together: a seat that is not there, a car a million spaces
ahead, a track that is none. A client that took such things would break down over them later, or draw for
ever. So each message is held against what the same connection has told of its race before, and what will be
shown of a race is made once, for trial (`heat_tui.rehearsal`). What does not fit is nonsense, and ends the
connection: who sends one such thing cannot be believed in the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, Final

import msgspec
from rich.cells import cell_len

from heat_core.cards import CATALOGUE, UPGRADES
from heat_core.choices import GearChoice, ReactChoice, SlipstreamChoice, UnpaidChoice, ValueChoice
from heat_core.data.legends import LEGEND_CARDS
from heat_core.names import MOST_NAME_CELLS
from heat_core.replay import record_setup_problems
from heat_core.season_setup import YEARS, season_setup_problems
from heat_core.setup import MAX_CARS, MIN_CARS, CarSetup
from heat_core.track import TrackFacts, compile_track
from heat_core.track_checks import track_problems
from heat_core.view import CarView, RaceView
from heat_core.wire import messages as m
from heat_tui.rehearsal import rehearse_race, rehearse_season

MOST_TEXT: Final = 1_000
"""Characters of any one text: more than anything that is shown needs."""

MOST_ITEMS: Final = 4_000
"""Items of any one list: an update has at most 3,000 events."""

MOST_AMOUNT: Final = 100_000
"""Of cards, spaces, rounds and the like."""

_BACK: Final = -400
_FAR: Final = 4_000
"""Spaces: ten laps of the longest circuit there can be."""

_COUNTED_ON: Final = frozenset({"re", "number", "event_number", "decision"})
"""Numbers that go up for ever."""

_TIMES: Final = frozenset(
    {"milliseconds_left", "turn_milliseconds", "grace_milliseconds", "protocol", "rules_version"}
)
_CARDS: Final = CATALOGUE.keys() | UPGRADES
_CARD_FIELDS: Final = frozenset(
    {
        "hand",
        "face_down",
        "draw_pile",
        "discard_pile",
        "played",
        "upgrades",
        "offered",
        "pool",
        "refreshable",
        "salvageable",
        "owned",
        "left",
        "ways",
        "cards",
        "card",
        "give",
        "take",
        "spent",
        "discarded",
        "sponsorships",
    }
)


class Nonsense(Exception):
    """What a server said cannot be so; the text says what."""


class Sense:
    """What one connection has told of its race and season, and whether more can be so."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._started: m.Started | None = None

    def check(self, message: m.ServerMessage) -> None:
        """Hold a message against what was told before, and remember what it tells.

        Raises:
            Nonsense: It cannot be so.
        """
        if isinstance(message, m.Error | m.Bye | m.Welcome):
            return  # cut where they are shown; they change nothing here
        _check_sizes(message, "")
        match message:
            case m.LobbyView():
                _check_room(message)
            case m.RoomList():
                for room in message.rooms:
                    _need(cell_len(room.host) <= MOST_NAME_CELLS, "a host's name is too wide")
                    _need(0 <= room.players <= room.cars <= MAX_CARS, "a room of too many cars")
            case m.TrackTold():
                _check_track(message.track)
            case m.SeasonTold():
                _check_season(message)
            case m.Started():
                _check_started(message)
                self._started = message
            case m.Update():
                _need(self._started is not None, "news of a race that has not begun")
                assert self._started is not None
                _check_update(message, self._started)
                rehearse_race(message, self._started, Nonsense)
            case _:
                pass


def _need(is_so: bool, fault: str) -> None:
    if not is_so:
        raise Nonsense(fault)


def _check_sizes(value: Any, name: str) -> None:
    """Look through a message for texts, lists and numbers without measure."""
    match value:
        case bool() | None | float():
            pass
        case int():
            most = m.MOST_NUMBER if name in _COUNTED_ON or name in _TIMES else MOST_AMOUNT
            _need(-most <= value <= most, f"{name} is out of all range")
        case str():
            _need(len(value) <= MOST_TEXT, f"{name} is longer than any text here")
        case msgspec.Struct():
            for field in value.__struct_fields__:
                _check_sizes(getattr(value, field), field)
        case dict():
            _need(len(value) <= MOST_ITEMS, f"{name} has too many items")
            for key, item in value.items():
                _check_sizes(key, "")
                _check_sizes(item, name)
        case tuple() | list():
            _need(len(value) <= MOST_ITEMS, f"{name} has too many items")
            for item in value:
                _check_sizes(item, name)
        case _:
            raise Nonsense(f"{name} is of no kind that there is")


def _check_cards(value: Any, name: str) -> None:
    """Look through a view for cards that are none."""
    match value:
        case str():
            _need(name not in _CARD_FIELDS or value in _CARDS, f"{name} names no card: {value[:32]!a}")
        case msgspec.Struct():
            for field in value.__struct_fields__:
                _check_cards(getattr(value, field), field)
        case tuple() | list():
            for item in value:
                _check_cards(item, name)
        case _:
            pass


def _check_room(room: m.LobbyView) -> None:
    places = room.places
    _need(MIN_CARS <= len(places) <= MAX_CARS, f"a room of {len(places)} places")
    _need(room.host < len(places), "a host's place that is not there")
    _need(room.place is None or room.place < len(places), "a place that is not there")
    _need(1 <= room.laps <= 9, f"{room.laps} laps")
    for place in places:
        if place.kind is not None:
            _need(0 < cell_len(place.name) <= MOST_NAME_CELLS, "a name of no possible width")
            _need(place.colour is not None, "a car without a colour")
    _need(all(cell_len(name) <= MOST_NAME_CELLS for name in room.watchers), "a spectator's name is too wide")
    season = room.options.season
    _need(season is None or season.year is None or season.year in YEARS, "a season that was never printed")


def _check_track(track: TrackFacts) -> None:
    problems = track_problems(track)
    _need(not problems, f"a track that is none: {problems[0] if problems else ''}")


def _check_cars(cars: tuple[CarSetup, ...]) -> None:
    for car in cars:
        _need(0 < cell_len(car.name) <= MOST_NAME_CELLS, "a name of no possible width")


def _check_started(told: m.Started) -> None:
    setup = told.setup
    _check_track(setup.track)
    _check_cars(setup.cars)
    problems = record_setup_problems(setup)
    _need(not problems, f"a race that cannot be: {problems[0] if problems else ''}")
    _need(len(told.cars) == len(setup.cars), "places for other cars than race")
    if told.seat is not None:
        _need(0 <= told.seat < len(setup.cars), "a seat that is not there")
        _need(setup.cars[told.seat].legend is None, "a Legend's seat")


def _check_season(told: m.SeasonTold) -> None:
    setup, view = told.setup, told.view
    for planned in setup.races:
        _check_track(planned.track)
    _check_cars(setup.cars)
    problems = season_setup_problems(msgspec.structs.replace(setup, seed=setup.seed or ""))
    _need(not problems, f"a season that cannot be: {problems[0] if problems else ''}")
    cars = range(len(setup.cars))
    _need(len(told.cars) == len(cars), "places for other cars than race")
    _need(len(view.races) == len(setup.races), "other races than are planned")
    _need(0 <= view.race <= len(view.races), "a race that is not planned")
    _need(len(view.drivers) == len(cars), "drivers of other cars")
    for race in view.races:
        _check_numbers(race.grid or (), cars, "a grid")
    rehearse_season(told, Nonsense)


def _check_update(update: m.Update, started: m.Started) -> None:
    setup, view = started.setup, update.view
    cars = range(len(setup.cars))
    _need(view.event_number == update.number, "an update of another moment than its view")
    _need(len(update.events) <= update.number, "more events than have happened")
    _check_cards(view, "")
    _need([car.number for car in view.cars] == list(cars), "other cars than race")
    _need(sorted(view.ranking) == list(cars), "a ranking of other cars")
    for numbers, what in (
        (view.turn_order, "a turn order"),
        (view.adrenaline, "adrenaline"),
        (view.picking, "a draft"),
        ([decision.seat for decision in view.decisions], "a decision"),
        ([decision.seat for decision in update.decisions], "a decision"),
        (update.away, "absence"),
        ([standing.car for standing in view.standings], "a result"),
        ([] if view.turn is None else [view.turn.car], "a turn"),
    ):
        _check_numbers(numbers, cars, what)
    for car, made in zip(view.cars, setup.cars, strict=True):
        _need(car.is_legend == (made.legend is not None), "a driver that became another")
        _check_car(car, started)
    _need(view.legend_card is None or 0 <= view.legend_card < len(LEGEND_CARDS), "no such Legend card")
    _need(len(view.roads) in (0, len(setup.track.corners)), "roads of another track")
    _need((view.own is None) == (started.seat is None), "a hand of nobody's")
    if view.own is not None:
        _need(view.own.seat == started.seat, "somebody else's hand")
        _need(not Counter(view.own.face_down) - Counter(view.own.hand), "cards that are not in the hand")
        _check_choice(view)


def _check_numbers(numbers: Iterable[int], cars: Collection[int], what: str) -> None:
    _need(all(number in cars for number in numbers), f"{what} of a car that is not there")


def _check_car(car: CarView, started: m.Started) -> None:
    track = compile_track(started.setup.track)
    _need(_BACK <= car.progress <= _FAR, "a car off the world")
    _need(car.space == track.space(car.progress), "a car in two places")
    _need(car.lap == track.lap(car.progress), "a car in two laps")
    _need(car.spot in (0, 1), "a car beside the road")
    _need(1 <= car.gear <= 4, "no such gear")
    _need(min(car.engine, car.hand_size, car.draw_size) >= 0, "less than nothing")


def _check_choice(view: RaceView) -> None:
    """Hold the open decision against the view: what may be chosen must be there."""
    own = view.own
    assert own is not None
    if own.choice is None:
        return
    _need(own.decision is not None, "a choice without a decision")
    _need(any(decision.seat == own.seat for decision in view.decisions), "a decision that nobody waits for")
    match own.choice:
        case GearChoice():
            _need(bool(own.choice.options), "no gear to choose")
            _need(all(1 <= option.gear <= 4 for option in own.choice.options), "no such gear")
        case ValueChoice():
            _need(len(own.choice.cards) == len(own.choice.speeds), "values of other cards")
            _need(all(own.choice.speeds), "a card of no value")
        case UnpaidChoice():
            _need(bool(own.choice.ways), "no way to pay")
        case SlipstreamChoice():
            _need(0 in own.choice.spaces, "a slipstream that must be taken")
            _need(len(own.choice.ends) == len(own.choice.spaces), "slipstreams to nowhere")
        case ReactChoice():
            symbols = view.turn.symbols if view.turn is not None else ()
            _need(len(own.choice.symbols) == len(symbols), "symbols of another turn")
            _need(len(symbols) <= MAX_CARS * 10, "more symbols than there are")
        case _:
            pass
