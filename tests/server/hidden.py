"""What a race hides at each moment, and a search for it in every byte that a client was sent (NET-6).

Nothing here asks `heat_core.view.secrecy` what may be seen: what is hidden is named from the rules, and
found or not found as the bytes that it would be sent as.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from heat_core.cards import HAND_ORDER, SPONSORSHIP_CARDS, CardName
from heat_core.data.event_cards import EVENTS
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race, new_race
from heat_core.wire.codec import HEADER_BYTES, decode_server_message
from heat_core.wire.messages import SeasonUpdate, ServerMessage, Started, Update

LEAST_CARDS: Final = 5
"""Fewer in a row lie like that somewhere open too often."""

HIDDEN_FROM_ALL: Final = (e.PilesMade, e.PileReshuffled, e.LegendCardsShuffled, e.CardsSalvaged)
SECRET: Final = (c.ShiftGear, c.PlayCards, c.Discard)


class Sent(NamedTuple):
    """A message as it went over the wire."""

    message: ServerMessage
    payload: bytes


def sent(raw: bytes | bytearray) -> Iterator[Sent]:
    """Take apart what a client received."""
    start = 0
    while start < len(raw):
        length = int.from_bytes(raw[start : start + HEADER_BYTES], "big")
        start += HEADER_BYTES
        payload = bytes(raw[start : start + length])
        yield Sent(decode_server_message(payload), payload)
        start += length


def encoded(value: object) -> bytes:
    return msgspec.msgpack.encode(value)


def in_a_row(values: Iterable[object]) -> bytes:
    """Give how values stand one behind the other in any list, its beginning aside."""
    return b"".join(encoded(value) for value in values)


class Truth:
    """A race with all that was hidden in it.

    Attributes:
        searched: How many hidden things were looked for.
    """

    def __init__(self, setup: RaceSetup, events: Sequence[e.Event]) -> None:
        self.setup = setup
        self.events = events
        self.searched = 0

    def leaks(self, onlooker: int | None, updates: Iterable[Sent]) -> Iterator[str]:
        """Say what hidden things are in updates of this race, sent to a seat or with None a spectator."""
        by_number: dict[int, list[Sent]] = {}
        for one in updates:
            assert isinstance(one.message, Update)
            by_number.setdefault(one.message.number, []).append(one)
        race = new_race(self.setup)
        for number, event in enumerate(self.events, start=1):
            apply(race, event)
            for one in by_number.get(number, ()):
                assert isinstance(one.message, Update)
                told = self.events[number - len(one.message.events) : number]
                for what, hidden in [
                    *_events(told, onlooker),
                    *_of_the_race(race, onlooker, told),
                    *self._to_come(number),
                ]:
                    self.searched += 1
                    if hidden in one.payload:
                        yield f"{onlooker} was told {what} with event {number}"

    def _to_come(self, number: int) -> Iterator[tuple[str, bytes]]:
        """Name what is drawn later: garage, weather, roads."""
        for event in self.events[number : number + 400]:
            match event:
                case e.UpgradesDealt(cards=cards):
                    yield "upgrades before they were dealt", in_a_row(cards)
                case e.WeatherDrawn(weather=weather):
                    yield "the weather before it was drawn", encoded(weather)
                case e.RoadsDrawn(roads=roads):
                    yield "the roads before they were drawn", in_a_row(roads)
                case _:
                    pass


def _events(events: Iterable[e.Event], onlooker: int | None) -> Iterator[tuple[str, bytes]]:
    """Name events that may be told with a field less only."""
    for event in events:
        match event:
            case e.PilesMade() | e.PileReshuffled() | e.LegendCardsShuffled() | e.CardsSalvaged():
                yield f"all of {event}", encoded(event)
            case e.CardsDrawn(seat=seat) | e.SponsorshipGained(seat=seat) if seat != onlooker:
                yield f"all of {event}", encoded(event)
            case e.ChoiceMade(seat=seat, command=command) if seat != onlooker and isinstance(command, SECRET):
                yield f"all of {event}", encoded(event)
            case _:
                pass


def _of_the_race(race: Race, onlooker: int | None, told: Sequence[e.Event]) -> Iterator[tuple[str, bytes]]:
    """Name piles and hands whose order or content is hidden, unless the same lies openly somewhere."""
    own = race.seat(onlooker) if onlooker is not None else None
    open_piles: list[Sequence[CardName]] = [own.hand, _as_shown(own.draw_pile)] if own is not None else []
    for number in race.seats():
        open_piles += [race.seat(number).discard_pile, race.seat(number).played, race.seat(number).upgrades]
    open_rows = [in_a_row(pile) for pile in open_piles] + [_told(event, onlooker) for event in told]
    known = Counter(own.hand if own is not None else ())

    def row(what: str, cards: Sequence[CardName]) -> Iterator[tuple[str, bytes]]:
        hidden = in_a_row(cards)
        is_known = Counter(cards) <= known or any(hidden in open_row for open_row in open_rows)
        if len(cards) >= LEAST_CARDS and not is_known:
            yield what, hidden

    for number in race.seats():
        seat = race.seat(number)
        yield from row(f"the draw pile of {number}", seat.draw_pile[:LEAST_CARDS])
        yield from row(f"the end of the draw pile of {number}", seat.draw_pile[-LEAST_CARDS:])
        if number != onlooker:
            yield from row(f"the hand of {number}", seat.hand)
            yield from row(f"what is in the draw pile of {number}", _as_shown(seat.draw_pile))
            if seat.face_down:
                rest = Counter(seat.hand) - Counter(seat.face_down)
                yield from row(f"what {number} does not play", _as_shown([*rest.elements()]))
                early = e.CardsRevealed(number, seat.face_down)
                if early not in told:  # it may have played the same in a round before
                    yield f"the cards of {number} too early", encoded(early)
    if len(race.legend_deck) >= LEAST_CARDS:
        yield "the Legend cards", in_a_row(race.legend_deck)
        yield "the Legend cards from below", in_a_row(reversed(race.legend_deck))
    lies_open = b"".join(open_rows) + in_a_row(own.draw_pile if own is not None else ())
    for card in SPONSORSHIP_CARDS:
        if encoded(card) not in lies_open:
            yield f"the Sponsorship {card}", encoded(card)


def _as_shown(pile: Sequence[CardName]) -> list[CardName]:
    """Put a pile in the order in which its owner is shown what is in it."""
    return sorted(pile, key=HAND_ORDER.__getitem__)


def _told(event: e.Event, onlooker: int | None) -> bytes:
    """Give what an event says openly."""
    return b"" if list(_events([event], onlooker)) else encoded(event)


def by_race(messages: Iterable[Sent]) -> dict[int, list[Sent]]:
    """Sort a client's updates by the race of the championship that they tell of, from 0."""
    races: dict[int, list[Sent]] = {}
    race = 0
    for one in messages:
        if isinstance(one.message, Started):
            season = one.message.setup.season
            race = season.race if season is not None else 0
        elif isinstance(one.message, Update):
            races.setdefault(race, []).append(one)
    return races


def leaks_of_the_season(
    messages: Iterable[Sent], onlooker: int | None, truths: Sequence[Truth], secrets: Iterable[str]
) -> Iterator[str]:
    """Say what was told too early: seeds, the events of later races, Sponsorships that others keep."""
    begun = 0
    is_over = False
    for message, payload in messages:
        if isinstance(message, Started) and message.setup.season is None:
            begun = 1
        if isinstance(message, SeasonUpdate):
            begun = message.view.race
            is_over = is_over or message.view.end is not None
            yield from _kept(message, payload, onlooker, truths)
        if isinstance(message, Update) and message.view.status == "ended" and begun == len(truths):
            is_over = True
        if is_over:
            continue
        for secret in secrets:
            if secret.encode() in payload:
                yield f"{onlooker} was told a seed in {type(message).__name__}"
        # The next race's event is told with the end of the one before: with `season`, which raises `begun`.
        # A set-up names all events of the box that the race's was drawn from, in the order of the box.
        box = b""
        if isinstance(message, Started) and message.setup.season is not None:
            box = in_a_row(message.setup.season.drawn_from)
            assert not box or box in in_a_row(name for name in EVENTS if encoded(name) in box)
        for truth in truths[max(begun, 1) :]:
            event = truth.setup.modules.event
            if event is not None and encoded(event) in payload.replace(box, b""):
                yield f"{onlooker} was told the event {event} in {type(message).__name__}"


def _kept(told: SeasonUpdate, payload: bytes, onlooker: int | None, truths: Sequence[Truth]) -> Iterator[str]:
    """Look for Sponsorships that others take along into a race."""
    carried = truths[told.view.race - 1].setup.carried.sponsorships if told.view.race else ()
    own = set(carried[onlooker]) if onlooker is not None and carried else set()
    for seat, cards in enumerate(carried):
        for card in cards:
            if seat != onlooker and card not in own and encoded(card) in payload:
                yield f"{onlooker} was told what {seat} keeps"
