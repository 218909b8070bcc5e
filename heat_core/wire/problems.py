"""Whether a server's messages fit together: a client asks before it accepts one.

The types of the messages bound each text, list and number by itself. Here they are held against each other,
and against the race that the same server began: seats that are there, cars that race, a track that is one,
cards that exist, a choice of what is in the view. Who tells one thing that cannot be so is not believed in
the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from rich.cells import cell_len

from heat_core.cards import CardName
from heat_core.data.legends import LEGEND_CARDS
from heat_core.decisions import (
    GearChoice,
    ReactChoice,
    SlipstreamChoice,
    UnpaidChoice,
    ValueChoice,
    kind_of,
)
from heat_core.names import MOST_NAME_CELLS
from heat_core.race import events as e
from heat_core.race.setup import CarSetup
from heat_core.record.record import record_setup_problems
from heat_core.rules.invariants import KNOWN_CARDS, cards_named
from heat_core.season.setup import YEARS, season_setup_problems
from heat_core.track import compile_track
from heat_core.track_files.checks import track_problems
from heat_core.view.race_view import OwnView, RaceView
from heat_core.wire import messages as m

_TOKEN: Final = re.compile(rf"[!-~]{{1,{m.MOST_TOKEN_CHARACTERS}}}")
"""As long as a `hello` may carry: a client says it to every server that it is sent to."""

_MOST_STEPS: Final = 400
"""Spaces that one event moves a car; the longest lap there can be."""


def message_problem(message: m.ServerMessage, started: m.Started | None) -> str | None:
    """Say why a message cannot be so; None where it can.

    Args:
        message: Decoded: its single values are in range.
        started: The race that the same connection told of last; None: none.
    """
    return next(_problems(message, started), None)


def _problems(message: m.ServerMessage, started: m.Started | None) -> Iterator[str]:
    """Look at one thing after another: each may rely on those before, so only the first problem counts."""
    match message:
        case m.Welcome():
            if not _TOKEN.fullmatch(message.token):
                yield "a token that no server gives"
        case m.LobbyView():
            yield from _room_problems(message)
        case m.RoomList():
            for room in message.rooms:
                yield from _name_problems([room.host], least_cells=0)
                if room.players > room.cars:
                    yield "a room with more players than cars"
        case m.TrackDetails():
            yield from track_problems(message.track)
        case m.SeasonUpdate():
            yield from _season_problems(message)
        case m.Started():
            yield from _started_problems(message)
        case m.Update():
            if started is None:
                yield "news of a race that has not begun"
            else:
                yield from _update_problems(message, started)
        case _:
            pass


def _name_problems(names: Iterable[str], least_cells: int = 1) -> Iterator[str]:
    if not all(least_cells <= cell_len(name) <= MOST_NAME_CELLS for name in names):
        yield "a name of no possible width"


def _room_problems(room: m.LobbyView) -> Iterator[str]:
    taken = [place for place in room.places if place.kind is not None]
    if max(room.host, room.place or 0) >= len(room.places):
        yield "a place that is not there"
    yield from _name_problems(place.name for place in taken)
    yield from _name_problems(room.watchers, least_cells=0)
    if any(place.colour is None for place in taken):
        yield "a car without a colour"
    season = room.options.season
    if season is not None and season.year not in (None, *YEARS):
        yield "a season that was never printed"


def _started_problems(told: m.Started) -> Iterator[str]:
    setup = told.setup
    yield from record_setup_problems(setup)
    yield from _car_problems(setup.cars, told.cars)
    if told.seat is not None:
        if told.seat >= len(setup.cars):
            yield "a seat that is not there"
        if setup.cars[told.seat].legend is not None:
            yield "a Legend's seat"


def _car_problems(cars: tuple[CarSetup, ...], places: tuple[int | None, ...]) -> Iterator[str]:
    yield from _name_problems(car.name for car in cars)
    if len(places) != len(cars):
        yield "places for other cars than race"


def _season_problems(told: m.SeasonUpdate) -> Iterator[str]:
    setup, view = told.setup, told.view
    yield from season_setup_problems(msgspec.structs.replace(setup, seed=setup.seed or ""))
    yield from _car_problems(setup.cars, told.cars)
    if len(view.races) != len(setup.races) or view.race > len(view.races):
        yield "a race that is not planned"
    if len(view.drivers) != len(setup.cars):
        yield "drivers of other cars"
    cars = list(range(len(setup.cars)))
    for found in (
        [standing.car for standing in view.standings],
        *([result.car for result in race.results] for race in view.races),
    ):
        if found and sorted(found) != cars:
            yield "points of other cars"
    for race in view.races:
        if race.grid is not None and sorted(race.grid) != cars:
            yield "a grid of other cars"
    for kept in (view.upgrades, view.sponsorship_counts):
        if len(kept) not in (0, len(cars)):
            yield "cards of other cars"
    yield from _unknown_cards(card for cards in (view.sponsorships, *view.upgrades) for card in cards)


def _unknown_cards(cards: Iterable[CardName]) -> Iterator[str]:
    yield from (f"there is no card {card!a}" for card in cards if card not in KNOWN_CARDS)


def _update_problems(update: m.Update, started: m.Started) -> Iterator[str]:
    setup, view = started.setup, update.view
    if view.event_number != update.number or len(update.events) > update.number:
        yield "an update of another moment than its view"
    cars = list(range(len(setup.cars)))
    if [car.number for car in view.cars] != cars or sorted(view.ranking) != cars:
        yield "other cars than race"
    named = {
        *view.turn_order,
        *view.adrenaline,
        *view.picking,
        *update.away,
        *(decision.seat for decision in view.decisions),
        *(decision.seat for decision in update.decisions),
        *(standing.car for standing in view.standings),
        *([view.turn.car] if view.turn is not None else ()),
    }
    if not named <= set(cars):
        yield "a car that is not there"
    yield from _where_problems(view, started)
    for event in update.events:
        if not isinstance(event, m.UnknownEvent):
            yield from _event_problems(event, len(cars))
    if (None if view.own is None else view.own.seat) != started.seat:
        yield "somebody else's hand"
    if view.own is not None:
        yield from _own_problems(view, view.own)


def _where_problems(view: RaceView, started: m.Started) -> Iterator[str]:
    """Look at what all may see: cars on the track, cards on the table, tokens."""
    setup, track = started.setup, compile_track(started.setup.track)
    for car, made in zip(view.cars, setup.cars, strict=True):
        if car.is_legend != (made.legend is not None):
            yield "a driver that became another"
        if car.space != track.space(car.progress) or car.lap != track.lap(car.progress):
            yield "a car in two places"
        yield from _unknown_cards((*car.discard_pile, *car.played, *car.upgrades))
    yield from _unknown_cards(view.offered)
    if view.legend_card is not None and view.legend_card >= len(LEGEND_CARDS):
        yield "no such Legend card"
    corners = len(setup.track.corners)
    if len(view.roads) not in (0, corners) or len(view.corner_limits) not in (0, corners):
        yield "roads of another track"
    if view.turn is not None and len(view.turn.used) != len(view.turn.symbols):
        yield "symbols of another turn"


def _event_problems(event: e.Event, cars: int) -> Iterator[str]:
    if max(getattr(event, "car", None) or 0, getattr(event, "seat", None) or 0) >= cars:
        yield "news of a car that is not there"
    if isinstance(event, e.CarMoved | e.SpunOut) and abs(event.end - event.start) > _MOST_STEPS:
        yield "a move around the world"
    yield from _unknown_cards(cards_named(event))


def _own_problems(view: RaceView, own: OwnView) -> Iterator[str]:
    """Hold what the seat alone may know against the rest: what may be chosen must be there."""
    yield from _unknown_cards((*own.hand, *own.draw_pile))
    if Counter(own.face_down) - Counter(own.hand):
        yield "cards that are not in the hand"
    choice = own.choice
    if choice is None:
        return
    if own.decision is None or (own.seat, kind_of(choice)) not in {
        (decision.seat, decision.kind) for decision in view.decisions
    }:
        yield "a choice without a decision"
    piles = [getattr(choice, name, ()) for name in ("pool", "cards", "offered", "owned", "left")]
    match choice:
        case GearChoice() if not choice.options:
            yield "no gear to choose"
        case UnpaidChoice() if not choice.ways:
            yield "no way to pay"
        case UnpaidChoice():
            piles += choice.ways
        case ValueChoice() if len(choice.cards) != len(choice.speeds) or not all(choice.speeds):
            yield "values of other cards"
        case SlipstreamChoice() if 0 not in choice.spaces or len(choice.ends) != len(choice.spaces):
            yield "slipstreams to nowhere"
        case ReactChoice():
            symbols = view.turn.symbols if view.turn is not None else ()
            if tuple(use.symbol for use in choice.symbols) != symbols:
                yield "symbols of another turn"
            piles += [choice.salvageable, [direct.card for direct in choice.direct]]
        case _:
            pass
    yield from _unknown_cards(card for pile in piles for card in pile)
