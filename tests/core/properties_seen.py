"""What must hold of all that is told: hidden cards show nowhere, and forecasts come true."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from heat_core.cards import (
    CARD_FLIPS,
    CARD_SPEEDS,
    CATALOGUE,
    HAND_ORDER,
    HEAT,
    SPONSORSHIP_CARDS,
    STRESS,
    CardName,
)
from heat_core.decisions import (
    CardsChoice,
    ReactChoice,
    SlipstreamChoice,
    ValueChoice,
    choice_of,
    sample_command,
)
from heat_core.decisions.cards import cards_choice
from heat_core.engine import decide
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.normal_form import normalised
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.refusal import Refused
from heat_core.rng import Stream
from heat_core.rules.movement import free_spot
from heat_core.view import secrecy as view
from heat_core.view.forecast import (
    forecast_direct,
    forecast_each_value,
    forecast_end_of_react,
    forecast_gear,
    forecast_slipstream,
    forecast_symbol,
    forecast_unpaid,
    forecast_values,
)
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome
from heat_core.view.traffic import cars_before
from tests.core.driver import Moment, Property

ONLOOKERS_TRIED = 2


SECRET_COMMANDS = (c.ShiftGear, c.PlayCards, c.Discard)


def seen(race: Race, onlooker: int | None) -> bytes:
    return msgspec.json.encode(view.view_race(race, onlooker))


def swapped(race: Race, onlooker: int | None, stream: Stream, kept: dict[int, Counter[CardName]]) -> Race:
    """Copy a race with everything hidden from an onlooker changed, and nothing else.

    Args:
        kept: Cards that must stay in a hand, by seat; what a seat without an entry has chosen changes too,
            and what lies face down unless it is to stay.
    """
    other = race.copy()
    other.reseed(f"{race.setup.seed} but another")
    other.legend_deck = stream.sample(other.legend_deck, len(other.legend_deck))
    exchange_sponsorships(other, onlooker, stream, kept)
    for number in other.seats():
        seat = other.seat(number)
        if number == onlooker:
            seat.draw_pile = stream.sample(seat.draw_pile, len(seat.draw_pile))
            continue
        # A hand of the same size out of hand and draw pile: nobody else can tell which it is.
        stay = list(kept.get(number, Counter()).elements())
        loose = list((Counter(seat.hand) + Counter(seat.draw_pile) - Counter(stay)).elements())
        loose = stream.sample(loose, len(loose))
        size = len(seat.hand) - len(stay)
        seat.hand = sorted([*stay, *loose[:size]], key=HAND_ORDER.__getitem__)
        seat.draw_pile = loose[size:]
        decision = other.open.get(number)
        if decision is not None and decision.chosen is not None and number not in kept:
            decision.chosen = normalised(sample_command(choice_of(other, number), stream))
        waits = number in race.turn_order[race.turns_taken :] and seat.status == "racing"
        if waits and not (seat.face_down and Counter(seat.face_down) <= kept.get(number, Counter())):
            played = normalised(sample_command(cards_choice(other, seat), stream))
            assert isinstance(played, c.PlayCards)
            seat.face_down = played.cards
    return other


def exchange_sponsorships(
    race: Race, onlooker: int | None, stream: Stream, kept: dict[int, Counter[CardName]]
) -> None:
    """Mix the Sponsorships that lie hidden from an onlooker with those in the box."""
    hidden = race.sponsorship_deck.copy()
    piles = []
    for number in race.seats():
        seat = race.seat(number)
        if number == onlooker:
            continue
        stay = kept.get(number, Counter()).copy()
        for pile in (seat.hand, seat.draw_pile):
            for place, card in enumerate(pile):
                if card in SPONSORSHIP_CARDS and not (pile is seat.hand and stay[card]):
                    hidden.append(card)
                    piles.append((pile, place))
                elif pile is seat.hand:
                    stay[card] -= 1
    hidden = stream.sample(hidden, len(hidden))
    for pile, place in piles:
        pile[place] = hidden.pop()
    race.sponsorship_deck = sorted(hidden, key=HAND_ORDER.__getitem__)


def kept_for(moment: Moment) -> dict[int, Counter[CardName]]:
    """Name the cards that hands need for what is said in a step, or turns up in it."""
    is_turned_up = any(isinstance(event, e.ChoicesTurnedUp) for event in moment.events)
    said: dict[int, c.Command | None] = {}
    if is_turned_up:
        said = {seat: decision.chosen for seat, decision in moment.before.open.items()}
    if is_turned_up or not isinstance(moment.command, SECRET_COMMANDS):
        said[moment.seat] = moment.command
    kept: dict[int, Counter[CardName]] = {}
    for seat, command in said.items():
        match command:
            case c.Discard(cards):
                kept[seat] = Counter(cards)
            case c.UseSymbol():
                kept[seat] = kept_for_symbol(moment.before, seat, command)
            case _:
                kept[seat] = Counter()
    revealed = [event for event in moment.events if isinstance(event, e.CardsRevealed)]
    return kept | {event.seat: Counter(event.cards) for event in revealed}


def kept_for_symbol(race: Race, seat: int, command: c.UseSymbol) -> Counter[CardName]:
    """Name the cards that a hand needs for the use of a symbol, or for what is played directly."""
    turn = race.turn
    assert turn is not None
    if command.number == len(turn.symbols):
        return Counter({HEAT: race.seat(seat).hand.count(HEAT), command.cards[0]: 1})
    match turn.symbols[command.number].kind:
        case "cooldown":
            return Counter({HEAT: command.amount})
        case "reduce_stress":
            return Counter({STRESS: command.amount})
        case _:
            return Counter()


def turns_up(event: e.Event, onlooker: int | None) -> bool:
    """Tell whether an event shows an onlooker something that was hidden before."""
    match event:
        case e.CardFlipped() | e.FlipFailed() | e.LegendCardTurned() | e.RaceEnded():
            return True
        case e.UpgradesDealt() | e.WeatherDrawn() | e.RoadsDrawn() | e.CardScrapped():
            return True
        case e.HeatLost():
            return event.place != "engine"
        case e.HandCluttered():
            return event.seat != onlooker
        case _:
            return False


def told(event: e.Event, onlooker: int | None) -> bytes:
    """Give an event as an onlooker has it, but for the cards that it drew itself."""
    masked = view.view_event(event, onlooker)
    if isinstance(masked, e.CardsDrawn) and masked.seat == onlooker:
        masked = replace(masked, cards=None)
    if isinstance(masked, e.SponsorshipGained) and masked.seat == onlooker:
        masked = replace(masked, card=None)
    return msgspec.json.encode(masked)


class NothingHiddenShows(Property):
    """Two games that differ in hidden things alone look the same (docs/rules.md: What is hidden; NET-6)."""

    name = "what is seen does not depend on what is hidden"

    def at_event(self, race: Race, event: e.Event) -> None:
        if isinstance(event, e.RaceSetUp):
            self.check_set_up(self.setup)

    def check_set_up(self, setup: RaceSetup) -> None:
        carried = replace(setup.carried, sponsorships=())
        other = replace(setup, seed=f"{setup.seed} but another", position=None, carried=carried)
        assert msgspec.json.encode(view.public_setup(other)) == msgspec.json.encode(view.public_setup(setup))

    def after_step(self, moment: Moment) -> None:
        onlookers = [None, *moment.before.seats()]
        for onlooker in moment.stream.sample(onlookers, min(ONLOOKERS_TRIED, len(onlookers))):
            self.check_onlooker(moment, onlooker)

    def check_onlooker(self, moment: Moment, onlooker: int | None) -> None:
        before = moment.before
        kept = kept_for(moment)
        other = swapped(before, onlooker, moment.stream, kept)
        assert seen(other, onlooker) == seen(before, onlooker), f"the view of {onlooker}"
        assert other.open.keys() == before.open.keys()
        command = moment.command
        if moment.seat not in (onlooker, *kept):
            # Nobody else can tell what was chosen, as long as others have not: let it be something else.
            command = sample_command(choice_of(other, moment.seat), moment.stream)
        try:
            after, events = decide(other, moment.seat, command)
        except Refused:
            # Another hand may not allow what was said; with the same hand it is allowed in any case.
            kept[moment.seat] = Counter(before.seat(moment.seat).hand)
            other = swapped(before, onlooker, moment.stream, kept)
            after, events = decide(other, moment.seat, moment.command)
        for ours, theirs in zip(moment.events, events, strict=False):
            if turns_up(ours, onlooker) or turns_up(theirs, onlooker):
                return
            assert told(ours, onlooker) == told(theirs, onlooker), f"as {onlooker} sees {ours} and {theirs}"
        assert len(events) == len(moment.events), f"as {onlooker} sees it"
        into_hands = [event for event in events if isinstance(event, e.CardsDrawn | e.SponsorshipGained)]
        drawn = [event for event in into_hands if event.seat == onlooker]
        assert drawn or seen(after, onlooker) == seen(moment.race, onlooker), f"the view of {onlooker} after"


HIDDEN_FROM_ALL = {"PilesMade": "draw_pile", "LegendCardsShuffled": "order", "PileReshuffled": "order"}
HIDDEN_FROM_ALL["CardsSalvaged"] = "order"
HIDDEN_FROM_OTHERS = {"CardsDrawn": "cards", "ChoiceMade": "command", "SponsorshipGained": "card"}


class MasksHideNoMore(Property):
    name = "a masked event differs from the true one in its hidden field alone"

    def at_event(self, race: Race, event: e.Event) -> None:
        for onlooker in (None, *race.seats()):
            masked = view.view_event(event, onlooker)
            field = hidden_field(event, onlooker)
            if field is None:
                assert masked == event
            else:
                assert getattr(masked, field) is None
                assert replace(masked, **{field: getattr(event, field)}) == event


def hidden_field(event: e.Event, onlooker: int | None) -> str | None:
    kind = type(event).__name__
    if kind in HIDDEN_FROM_ALL:
        return HIDDEN_FROM_ALL[kind]
    if getattr(event, "seat", None) == onlooker:
        return None
    if isinstance(event, e.ChoiceMade) and not isinstance(event.command, SECRET_COMMANDS):
        return None
    return HIDDEN_FROM_OTHERS.get(kind)


class ForecastsComeTrue(Property):
    """BOT-3's root: a certain forecast is what happens; else what happens is one of the ways that were told.

    Forecasts of cards are kept until the turn of their car comes, unless somebody gives up before that.
    """

    name = "forecasts equal outcomes"

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        self.awaited: dict[int, CardsTold] = {}

    def after_step(self, moment: Moment) -> None:
        if isinstance(moment.command, c.GiveUp):
            self.awaited.clear()
        self.check_choice(moment)
        turn = moment.race.turn
        if turn is not None and turn.car in self.awaited and turn.car in moment.race.open:
            check_cards(moment.race, turn.car, self.awaited.pop(turn.car))

    def check_choice(self, moment: Moment) -> None:
        observation = observation_of(moment.before, moment.seat)
        is_turned_up = any(isinstance(event, e.ChoicesTurnedUp) for event in moment.events)
        match moment.command:
            case c.UseSymbol(number, amount, cards):
                choice = observation.own.choice
                assert isinstance(choice, ReactChoice)
                direct = [use for use in choice.direct if (use.card,) == cards]
                if number == len(choice.symbols):
                    check_symbol(moment, forecast_direct(observation, direct[0], amount))
                else:
                    check_symbol(moment, forecast_symbol(observation, number, amount))
            case c.ChooseValue(values):
                check_turn_driven(moment, forecast_values(observation, values))
            case c.DropUnpaid(cards):
                check_turn_driven(moment, forecast_unpaid(observation, cards))
            case c.EndReact():
                outcome = certain(forecast_end_of_react(observation))
                decision = moment.race.open.get(moment.seat)
                if decision is not None and decision.kind == "unpaid":
                    return
                opened = decision is not None and decision.kind == "slipstream"
                assert opened == (outcome.slipstream_end is not None), "whether a slipstream is possible"
                if not opened:
                    check_corners(moment, outcome)
            case c.Slipstream(spaces):
                choice = observation.own.choice
                assert isinstance(choice, SlipstreamChoice)
                # Whoever it was asked for may have given up meanwhile.
                shortest = choice.ends[1] if len(choice.ends) > 1 else None
                assert certain(forecast_end_of_react(observation)).slipstream_end == shortest
                if spaces:
                    moved = next(event for event in moment.events if isinstance(event, e.CarMoved))
                    assert moved.end == choice.ends[choice.spaces.index(spaces)]
                check_corners(moment, certain(forecast_slipstream(observation, spaces)))
            case c.ShiftGear() if is_turned_up:
                check_gears(moment)
            case c.PlayCards() if any(isinstance(event, e.TurnOrderFixed) for event in moment.events):
                check_speeds_of_gears(moment)
                self.awaited = cards_told(moment)
            case _:
                pass


def observation_of(race: Race, seat: int) -> Observation:
    return Observation(view.public_setup(race.setup), view.view_race(race, seat))


def certain(forecast: Forecast) -> Outcome:
    check_odds(forecast)
    assert forecast.is_certain
    return forecast.slowest


def check_odds(forecast: Forecast) -> None:
    assert sum(outcome.probability for outcome in forecast.outcomes) == pytest.approx(1)
    assert all(0 < outcome.probability <= 1 for outcome in forecast.outcomes)


def heat_paid(moment: Moment, seat: int) -> int:
    paid = [event for event in moment.events if isinstance(event, e.HeatPaid) and event.seat == seat]
    return sum(event.amount for event in paid)


def check_symbol(moment: Moment, forecast: Forecast) -> None:
    check_turn_driven(moment, forecast)
    assert forecast.heat == heat_paid(moment, moment.seat)


def check_turn_driven(moment: Moment, forecast: Forecast) -> None:
    """Compare with where the step's seat now stands in phase 5."""
    check_odds(forecast)
    number = moment.seat
    car, turn = moment.race.seat(number), moment.race.turn
    assert turn is not None
    (way,) = [way for way in forecast.ways if (way.speed, way.end) == (turn.speed, car.progress)]
    assert way.spot == car.spot
    told = forecast_end_of_react(observation_of(moment.race, number))
    after = replace(certain(told), probability=way.probability, aim=way.aim)
    assert after == way, "what follows if nothing more is used"
    assert (told.cards_heat, told.lacking) == (forecast.cards_heat, forecast.lacking)


def check_corners(moment: Moment, outcome: Outcome) -> None:
    """Compare with phase 7 of the seat, which ends in this step."""
    seat = moment.seat
    own = [event for event in moment.events if getattr(event, "seat", getattr(event, "car", -1)) == seat]
    checked = [
        (event.line, event.speed, event.limit, event.owed, event.paid)
        for event in own
        if isinstance(event, e.CornerChecked)
    ]
    assert checked == [(bill.line, outcome.speed, bill.limit, bill.owed, bill.paid) for bill in outcome.bills]
    assert outcome.owed == sum(bill.owed for bill in outcome.bills)
    spins = [(event.end, event.stress) for event in own if isinstance(event, e.SpunOut)]
    assert spins == ([(outcome.spin_ends[0], outcome.stress)] if outcome.spins_out else [])
    assert outcome.finishes == any(isinstance(event, e.CarFinished) for event in own)
    assert outcome.engine_left == moment.before.seat(seat).engine - heat_paid(moment, seat)
    end = outcome.spin_ends[0] if outcome.spins_out else outcome.end
    assert moment.race.cars[seat].progress == end
    assert outcome.spins_out or moment.race.cars[seat].spot == outcome.spot


def check_gears(moment: Moment) -> None:
    for event in moment.events:
        if isinstance(event, e.GearShifted):
            gear = forecast_gear(observation_of(moment.before, event.seat), event.gear)
            assert gear.heat == heat_paid(moment, event.seat)
            choice = choice_of(moment.race, event.seat)
            assert isinstance(choice, CardsChoice)
            assert gear.fills == (not choice.is_cluttered)


def check_speeds_of_gears(moment: Moment) -> None:
    """Compare what a gear was said to make possible with what is played in it."""
    for seat, cards in cards_played(moment).items():
        observation = observation_of(moment.before, seat)
        gear = forecast_gear(observation, observation.own_car.gear)
        known = sum(CARD_SPEEDS[card] for card in cards)
        fastest = sum(max(CATALOGUE[card].speeds, default=0) for card in cards)
        flips = sum(CARD_FLIPS[card] for card in cards)
        assert not cards or gear.least_speed <= known + flips <= fastest + 4 * flips <= gear.most_speed


def cards_played(moment: Moment) -> dict[int, tuple[CardName, ...]]:
    """Name the cards of all seats whose choice of them takes effect in a step."""
    chosen = {seat: decision.chosen for seat, decision in moment.before.open.items()}
    chosen[moment.seat] = moment.command
    return {seat: said.cards for seat, said in chosen.items() if isinstance(said, c.PlayCards)}


class CardsTold(NamedTuple):
    """What was told of the cards of a seat before the first car drove.

    Attributes:
        told: By the sum of the values that may be chosen, least first.
        is_first: Whether no car drives before.
    """

    told: tuple[Forecast, ...]
    is_first: bool


def cards_told(moment: Moment) -> dict[int, CardsTold]:
    told = {}
    for seat, cards in cards_played(moment).items():
        observation = observation_of(moment.before, seat)
        told[seat] = CardsTold(forecast_each_value(observation, cards), not cars_before(observation))
    return told


def check_cards(race: Race, seat: int, cards: CardsTold) -> None:
    """Compare with the turn of the seat, once its cards have turned up and before their values are chosen."""
    choice = choice_of(race, seat)
    if isinstance(choice, ValueChoice):
        sums = {sum(values): values for values in product(*choice.speeds)}
        after = [forecast_values(observation_of(race, seat), sums[total]) for total in sorted(sums)]
    else:
        after = [forecast_end_of_react(observation_of(race, seat))]
    assert len(cards.told) == len(after)
    for told, now in zip(cards.told, after, strict=True):
        check_odds(told)
        check_way(race, seat, told, certain(now), is_first=cards.is_first)
        assert (told.cards_heat, told.lacking) == (now.cards_heat, now.lacking)


def check_way(race: Race, seat: int, told: Forecast, after: Outcome, *, is_first: bool) -> Outcome:
    """Find the way that has come true of all that were told, and compare the two.

    Returns:
        The way as it was told.
    """
    (way,) = [way for way in told.ways if (way.speed, way.end) == (after.speed, after.end)]
    occupied = race.occupied(seat)
    assert all(free_spot(race.track, occupied, progress) is None for progress in way.full), "why it happens"
    assert not after.spins_out or after.spin_ends[0] in way.spin_ends
    assert way.spins_out == after.spins_out
    assert way.may_slipstream or after.slipstream_end is None
    assert after.slipstream_end is not None or way.slipstream_end is None, "a slipstream that was sure"
    if is_first:
        assert told.slowest.is_certain
        assert (way.spot, way.slipstream_end) == (after.spot, after.slipstream_end)
        assert way.may_slipstream == after.may_slipstream
    left_open = {
        "probability",
        "aim",
        "spot",
        "spin_ends",
        "slipstream_end",
        "may_slipstream",
        "full",
        "instead",
    }
    for field in set(Outcome.__struct_fields__) - left_open:
        assert getattr(way, field) == getattr(after, field), field
    return way


SEEN_PROPERTIES: tuple[type[Property], ...] = (NothingHiddenShows, MasksHideNoMore, ForecastsComeTrue)
