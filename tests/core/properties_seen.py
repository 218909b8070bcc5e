"""What must hold of all that is told: hidden cards show nowhere, and nothing else is hidden."""

from __future__ import annotations

from collections import Counter

import msgspec
from msgspec.structs import replace

from heat_core.cards import HAND_ORDER, HEAT, SPONSORSHIP_CARDS, STRESS, CardName
from heat_core.decisions import choice_of, sample_command
from heat_core.decisions.cards import cards_choice
from heat_core.engine import decide
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.normal_form import normalised
from heat_core.race.setup import RaceSetup
from heat_core.race.state import Race
from heat_core.refusal import Refused
from heat_core.rng import Stream
from heat_core.view import secrecy as view
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


SEEN_PROPERTIES: tuple[type[Property], ...] = (NothingHiddenShows, MasksHideNoMore)
