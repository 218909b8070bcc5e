"""What must hold by docs/rules.md alone: every event, every choice and every opening of a decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product, starmap

from heat_core.cards import CATALOGUE, HAND_ORDER
from heat_core.decisions import choice_of, enumerate_commands
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.cars import Seat
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.view.race_view import RaceView
from heat_core.view.secrecy import view_race
from tests.core.driver import CheckedPlay, Property
from tests.core.umpire import Umpire
from tests.core.umpire_knowledge import Driver, symbols_on
from tests.core.umpire_knowledge import Turn as UmpiresTurn
from tests.core.umpire_rounds import in_order


class EventsAreByTheRules(Property):
    """An umpire, who knows docs/rules.md and no code of the rules, sees every event and keeps a state."""

    name = "every event and state is what the rules say"

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        self.umpire = Umpire(setup)

    def at_event(self, race: Race, event: e.Event) -> None:
        self.umpire.see(event)
        for number, known in enumerate(self.umpire.cars):
            car = race.cars[number]
            assert (car.progress, car.spot, car.status) == (known.place, known.spot, known.status)
            if isinstance(car, Seat):
                assert (car.gear, car.engine) == (known.gear, known.engine)
                assert sorted(car.hand) == sorted(known.hand.elements())
                assert car.draw_pile == known.draw[::-1]
                assert sorted(car.discard_pile) == sorted(known.discard)
                assert sorted(car.played) == sorted(known.played)
                assert car.face_down == self.umpire.face_down.get(number, ())

    def at_end(self, play: CheckedPlay) -> None:
        assert self.umpire.is_over


class ChoicesAreByTheRules(Property):
    """CORE-13's other half: what a choice contains, worked out from docs/rules.md."""

    name = "every choice is what the rules say"

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        self.umpire = Umpire(setup)

    def at_event(self, race: Race, event: e.Event) -> None:
        self.umpire.see(event)

    def at_rest(self, race: Race, stream: Stream) -> None:
        assert self.umpire.next_due() is None, f"{self.umpire.next_due()} is due"
        assert {seat: decision.kind for seat, decision in race.open.items()} == self.umpire.asked
        for seat, kind in self.umpire.asked.items():
            listed = set(enumerate_commands(choice_of(race, seat)))
            assert listed == set(commands_by_the_rules(self.umpire, seat, kind)), f"seat {seat}, {kind}"


def commands_by_the_rules(umpire: Umpire, seat: int, kind: str) -> Iterator[c.Command]:
    car = umpire.cars[seat]
    match kind:
        case "gear":
            gears = [gear for gear in (1, 2, 3, 4) if umpire.shift_heat(car, gear) is not None]
            fillable = [gear for gear in gears if gear <= car.playable()]
            withheld = umpire.rules.unfillable_gears == "withheld" and fillable
            yield from map(c.ShiftGear, fillable if withheld else gears)
        case "cards" if car.playable() < car.gear:
            yield c.PlayCards(())
        case "cards":
            yield from map(c.PlayCards, combinations(in_order(car, "heat"), car.gear))
        case "react":
            yield from symbols_by_the_rules(umpire)
        case "unpaid":
            yield from map(c.DropUnpaid, umpire.ways_to_drop())
        case "value":
            speeds = [CATALOGUE[card].speeds for card in car.played]
            yield from map(c.ChooseValue, product(*[values for values in speeds if len(values) > 1]))
        case "slipstream":
            # Whoever it was asked for may have given up meanwhile.
            yield from map(c.Slipstream, (0, *umpire.slipstreams(seat)))
        case "pick":
            yield from map(c.PickUpgrade, +umpire.offered)
        case "swap":
            yield c.SwapUpgrade(None, None)
            yield from starmap(c.SwapUpgrade, product(car.upgrades, +umpire.offered))
        case _:
            yield from discards_by_the_rules(umpire, car)


def discards_by_the_rules(umpire: Umpire, car: Driver) -> Iterator[c.Command]:
    event = umpire.event
    kept = {"heat", "stress"} - {event.discardable}
    loose = [] if umpire.is_in_tunnel(car) else in_order(car, *kept)
    most = len(loose) if event.most_discards is None else min(event.most_discards, len(loose))
    fresh = [card for card in car.played if "refresh" in symbols_on(card)]
    orders = [order for count in range(len(fresh) + 1) for order in permutations(fresh, count)]
    for count in range(most + 1):
        yield from starmap(c.Discard, product(combinations(loose, count), orders))


def symbols_by_the_rules(umpire: Umpire) -> Iterator[c.Command]:
    turn, car = umpire.active()
    if not umpire.must_react():
        yield c.EndReact()
    discard = sorted(car.discard, key=HAND_ORDER.__getitem__)
    for number, symbol in enumerate(turn.symbols):
        for amount in umpire.amounts(number):
            taken = combinations(discard, amount) if symbol.kind == "salvage" else [()]
            for cards in set(taken):
                yield c.UseSymbol(number, amount, cards)
    for card, (speeds, _) in umpire.direct_plays().items():
        yield from (c.UseSymbol(len(turn.symbols), speed, (card,)) for speed in speeds)


@dataclass
class SeatsTurn:
    """What must still be asked in a seat's turn before it can end."""

    seat: int
    value: bool = False
    unpaid: bool = False
    reactions: int = 1
    has_ended_react: bool = False
    slipstream: bool = False
    discard: bool = False


class OpeningsArePublic(Property):
    """TURN-20: a spectator can tell from the table alone which decision opens, whatever the hands.

    In a draft the next of the order is asked for a pick. In each round all seats are asked for gear and
    cards; in its turn a seat that is not cluttered for the values of cards that offer a choice, for a
    reaction, again after each symbol until it ends it, for cards whose Heat it cannot pay, for a slipstream
    where there is one; for a discard as the rules order phase 8. What is not asked in time, or asked of
    others, is noticed.
    """

    name = "which decision opens follows from public facts"

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        self.asked: set[str] = set()
        self.cluttered: set[int] = set()
        self.turn: SeatsTurn | None = None
        self.first_picker: int | None = None

    def at_event(self, race: Race, event: e.Event) -> None:
        view = view_race(race, None)
        racing = tuple(car.number for car in view.cars if car.status == "racing" and not car.is_legend)
        match event:
            case e.DecisionsOpened(kind, seats):
                assert seats == self.expected(kind, racing, view), f"the seats asked for {kind}"
                self.asked.add(kind)
            case e.UpgradePicked(seat) if self.first_picker is None:
                self.first_picker = seat
            case e.ChoiceMade(_, _, c.UseSymbol()) if self.turn:
                self.turn.reactions += 1
            case e.ChoiceMade(seat, _, c.EndReact()) if self.turn:
                assert not self.turn.reactions, "a reaction is asked for again after each symbol"
                self.turn.unpaid = cannot_pay(view, seat)
                self.turn.has_ended_react = not self.turn.unpaid
                self.turn.slipstream = not self.turn.unpaid and slipstream_is_open(self.setup, view, seat)
            case e.HandCluttered(seat):
                self.cluttered.add(seat)
                self.turn = None
            case e.CarOut(seat) if self.turn and self.turn.seat == seat:
                self.turn = None
            case e.CornerChecked() | e.CarFinished():
                self.check_asked_before_corners()
            case e.TurnOrderFixed():
                late = self.setup.position and race.round == self.setup.position.round
                assert not racing or "cards" in self.asked
                assert not racing or "gear" in self.asked or late
            case e.TurnStarted(car):
                self.end_turn(view)
                self.turn = None if view.cars[car].is_legend else SeatsTurn(car)
            case e.CardsRevealed(_, cards) if self.turn:
                self.turn.value = any(len(CATALOGUE[card].speeds) > 1 for card in cards)
            case e.RoundStarted() | e.RaceEnded("finished"):
                self.end_turn(view)
                self.end_round(view, set(racing) - self.cluttered)
            case _:
                pass

    def expected(self, kind: str, racing: tuple[int, ...], view: RaceView) -> tuple[int, ...]:
        """Say who may be asked for something now, nobody if it is not due; then it is due no more."""
        turn = self.turn
        match kind:
            case "pick":
                return view.picking[:1]
            case "swap":
                return tuple(seat for seat in (self.first_picker,) if seat in racing)
            case "value" if turn and turn.value:
                turn.value = False
                return (turn.seat,)
            case "unpaid" if turn and turn.unpaid:
                turn.unpaid = False
                turn.reactions += 1
                return (turn.seat,)
            case "gear" | "cards":
                return () if kind in self.asked else racing
            case "discard" if self.setup.rules.discards == "together":
                self.check_asked_before_corners()
                return () if kind in self.asked else tuple(n for n in racing if n not in self.cluttered)
            case "react" if turn and not (turn.value or turn.unpaid or turn.has_ended_react):
                turn.reactions -= 1
                return () if turn.reactions else (turn.seat,)
            case "slipstream" if turn and turn.slipstream:
                turn.slipstream = False
                return (turn.seat,)
            case "discard" if turn and not turn.discard:
                self.check_asked_before_corners()
                turn.discard = True
                return (turn.seat,)
            case _:
                return ()

    def check_asked_before_corners(self) -> None:
        if self.turn:
            assert self.turn.has_ended_react, "a reaction was not asked for to its end"
            assert not self.turn.slipstream, "no slipstream was asked for"

    def end_turn(self, view: RaceView) -> None:
        self.check_asked_before_corners()
        turn, self.turn = self.turn, None
        is_each = self.setup.rules.discards == "each"
        if turn and is_each and view.cars[turn.seat].status == "racing":
            assert turn.discard, "no discard was asked for"

    def end_round(self, view: RaceView, awake: set[int]) -> None:
        is_together = self.setup.rules.discards == "together"
        if "cards" in self.asked and awake and is_together and not view.is_last_round:
            assert "discard" in self.asked, "no discard was asked for"
        self.asked, self.cluttered = set(), set()


def slipstream_is_open(setup: RaceSetup, view: RaceView, seat: int) -> bool:
    """Tell from a view alone whether a seat may slipstream from where it stands."""
    known = Umpire(setup)
    for car, seen in zip(known.cars, view.cars, strict=True):
        car.place, car.spot, car.status, car.gear = seen.progress, seen.spot, seen.status, seen.gear
    turn = view.turn
    assert turn is not None
    known.tokens.weather, known.tokens.roads = view.weather, view.roads
    used = {number for number, is_used in enumerate(turn.used) if is_used}
    known.turn = UmpiresTurn(seat, turn.start, 0, symbols=list(turn.symbols), used=used)
    return bool(known.slipstreams(seat))


def cannot_pay(view: RaceView, seat: int) -> bool:
    """Tell from a view alone whether cards of the turn cost more Heat than there is."""
    turn = view.turn
    assert turn is not None
    symbols = zip(turn.symbols, turn.used, strict=True)
    owed = sum(symbol.number for symbol, is_used in symbols if symbol.kind == "heat" and not is_used)
    return owed > view.cars[seat].engine


RULED_PROPERTIES: tuple[type[Property], ...] = (EventsAreByTheRules, ChoicesAreByTheRules, OpeningsArePublic)
