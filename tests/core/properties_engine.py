"""What must hold in every race, whatever is played: of the engine by itself.

Each property has a sentence for its name. What may be seen is in `tests.core.properties_seen`, what the
rules say in `tests.core.properties_ruled`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from heat_core import commands as c
from heat_core import events as e
from heat_core.cards import (
    HEAT,
    SPONSORSHIP_CARDS,
    STRESS,
    CardName,
    deck_card,
    sponsorship_deck,
    starting_deck,
)
from heat_core.choices import choice_of, enumerate_commands, may_give_up, sample_command
from heat_core.data.upgrades import UPGRADE_COPIES
from heat_core.data.weather import NO_WEATHER, WEATHER
from heat_core.engine import decide, start_race, step
from heat_core.folding import apply, fold
from heat_core.race import OFF_TRACK, ON_TRACK, Phase, Race, dump_race, load_race
from heat_core.refusal import RefusalCode, Refused
from heat_core.replay import Record, decode_record, encode_record, fold_record, verify_record
from heat_core.rng import Stream
from heat_core.setup import RaceSetup
from tests.core.driver import CheckedPlay, Moment, Property
from tests.core.near_misses import near_miss
from tests.core.support import all_cards

COMMANDS_TRIED = 4
MISSES_TRIED = 6


class SomebodyCanGoOn(Property):
    name = "some seat always has a legal command until the end"

    def at_rest(self, race: Race, stream: Stream) -> None:
        assert None in [decision.chosen for decision in race.open.values()], "nobody owes a choice"
        assert len({decision.kind for decision in race.open.values()}) == 1
        ids = [decision.id for decision in race.open.values()]
        assert len(set(ids)) == len(ids)
        assert max(ids) < race.next_decision
        for seat in race.open:
            assert race.cars[seat].status == "racing"
            assert next(enumerate_commands(choice_of(race, seat)), None) is not None, f"seat {seat}"

    def at_end(self, play: CheckedPlay) -> None:
        race = play.race
        assert (race.open, race.turn, race.status) == ({}, None, "ended")
        assert sorted(standing.car for standing in race.standings) == list(range(len(race.cars)))
        assert [standing.place for standing in race.standings] == list(range(1, len(race.cars) + 1))
        check_all_refused(race, (c.GiveUp(), c.ShiftGear(1), c.EndReact()), RefusalCode.RACE_ENDED)


class ExactlyTheChoice(Property):
    """CORE-13. What is refused is said to one copy, which must be the same bytes in the end."""

    name = "exactly the commands of the choice are accepted"

    def at_rest(self, race: Race, stream: Stream) -> None:
        dump = dump_race(race)
        trial = race.copy()
        asked = list(race.open)
        for seat in asked if len(asked) < 3 else stream.sample(asked, 2):
            self.check_seat(race, trial, seat, stream)
        strangers = [*[n for n in range(len(race.cars)) if n not in race.open], len(race.cars), 99, -1]
        stranger = stream.choose(strangers)
        check_refusal(refused(trial, stranger, near_miss(race, asked[0], stream)), RefusalCode)
        for seat in range(-1, len(race.cars) + 1):
            may = seat in race.seats() and may_leave(race, seat)
            assert may == (seat in race.seats() and may_give_up(race, seat))
            if may:
                if stream.below(8) == 0:
                    decide(race, seat, c.GiveUp())
            else:
                check_refusal(refused(trial, seat, c.GiveUp()), RefusalCode)
        assert dump_race(trial) == dump, "a refused command had an effect"
        assert dump_race(race) == dump, "a decision on a copy changed the race"

    def check_seat(self, race: Race, trial: Race, seat: int, stream: Stream) -> None:
        choice = choice_of(race, seat)
        listed = list(enumerate_commands(choice))
        legal = set(listed)
        assert len(legal) == len(listed), "a command is listed twice"
        assert all(c.normalised(command) == command for command in listed)
        for _ in range(3):
            assert c.normalised(sample_command(choice, stream)) in legal
        few = listed if len(listed) <= COMMANDS_TRIED else stream.sample(listed, COMMANDS_TRIED)
        for command in few:
            after, events = decide(race, seat, command)
            assert events[0] == e.ChoiceMade(seat, race.open[seat].id, command)
            assert after.event_number == race.event_number + len(events)
        for _ in range(MISSES_TRIED):
            command = near_miss(race, seat, stream)
            if c.normalised(command) in legal:
                decide(race, seat, command)
            else:
                check_refusal(refused(trial, seat, command), RefusalCode, f"{command} of seat {seat}")


def may_leave(race: Race, seat: int) -> bool:
    """Tell by docs/rules.md: Finish and standings, whether a seat may give up."""
    somebody_has_finished = any(car.status in ("finished", "left") for car in race.cars)
    at_any_time = race.rules.giving_up == "any_time"
    return race.cars[seat].status == "racing" and (at_any_time or somebody_has_finished)


def refused(race: Race, seat: int, command: c.Command) -> Refused | None:
    """Say a command to a race: None if it was taken."""
    try:
        step(race, seat, command)
    except Refused as refusal:
        return refusal
    return None


def check_refusal(refusal: Refused | None, codes: type[RefusalCode], what: str = "a command") -> None:
    assert refusal is not None, f"{what} was accepted"
    assert refusal.code in codes
    assert refusal.text[0].isupper() or refusal.text[0].isdigit()
    assert refusal.text.endswith(".")
    assert refusal.text.isprintable()


def check_all_refused(race: Race, commands: Sequence[c.Command], code: RefusalCode) -> None:
    dump = dump_race(race)
    for seat in range(-1, len(race.cars) + 1):
        for command in commands:
            refusal = refused(race, seat, command)
            assert refusal is not None
            assert refusal.code is code
    assert dump_race(race) == dump


class CardsAreConserved(Property):
    """CORE-14: what set-up gave, the Stress of spin-outs, Sponsorships gained; but for what leaves the game.

    Each card is in one place. All Sponsorships, with those in the box and those spent, stay as many as they
    are; no upgrade is owned or can be dealt more often than it has copies.
    """

    name = "cards are conserved at every event"

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        self.cards: dict[int, Counter[CardName]] = {}
        self.spent = Counter(setup.position.spent if setup.position else ())

    def at_event(self, race: Race, event: e.Event) -> None:
        match event:
            case e.WeatherDrawn() | e.RoadsDrawn():
                return
            case e.PilesMade():
                self.cards[event.seat] = self.cards_from_the_start(race, event.seat)
            case e.SpunOut():
                self.cards[event.seat][STRESS] += event.stress
            case e.SponsorshipGained():
                assert event.card is not None
                self.cards[event.seat][event.card] += 1
            case e.SponsorshipsSpent():
                self.spend(event.seat, event.cards)
            case e.HandCluttered():
                self.spend(event.seat, [card for card in event.discarded if card in SPONSORSHIP_CARDS])
            case e.HeatLost():
                self.cards[event.seat][HEAT] -= 1
            case _:
                pass
        for seat, cards in self.cards.items():
            # Counters of plain counts compare equal whether or not a count of 0 is named.
            assert all_cards(race, seat) == cards, f"seat {seat}: {all_cards(race, seat)}, not {cards}"
        if isinstance(event, e.RoundStarted | e.SponsorshipGained | e.UpgradesDealt | e.UpgradeSwapped):
            self.check_decks_of_the_table(race)

    def cards_from_the_start(self, race: Race, number: int) -> Counter[CardName]:
        """Count what set-up gives a seat, changed by upgrades, weather and event."""
        setup = self.setup
        place = setup.position and setup.position.cars[number]
        if place and place.hand is not None and place.draw_pile is not None:
            named = (*place.hand, *place.draw_pile, *place.discard_pile, *place.played)
            return Counter([*named, *[HEAT] * (place.engine or 0)])
        weather = WEATHER[race.weather] if race.weather else NO_WEATHER
        has_garage = setup.modules.garage != "none"
        upgrades = [deck_card(upgrade) for upgrade in race.seat(number).upgrades]
        own = upgrades if has_garage else ["start-0", "start-5", HEAT]
        stress = setup.track.stress + weather.stress + setup.event_card.stress
        cards = Counter(starting_deck(max(0, stress), own))
        cards[HEAT] += max(0, setup.track.heat + weather.heat + setup.event_card.heat)
        kept = setup.carried.sponsorships
        return cards + Counter(kept[number] if kept else ())

    def spend(self, seat: int, cards: Iterable[CardName]) -> None:
        self.cards[seat] -= Counter(cards)
        self.spent.update(cards)

    def check_decks_of_the_table(self, race: Race) -> None:
        modules = self.setup.modules
        if self.cards.keys() == set(race.seats()) and modules.sponsorships:
            held = [card for cards in self.cards.values() for card in cards.elements()]
            box = Counter(card for card in held if card in SPONSORSHIP_CARDS)
            box += self.spent + Counter(race.sponsorship_deck)
            assert box == Counter(sponsorship_deck(expansion=modules.expansion)), f"Sponsorships: {box}"
        upgrades = Counter(race.upgrade_deck) + Counter(race.offered)
        for number in race.seats():
            upgrades.update(race.seat(number).upgrades)
        assert not upgrades or max(upgrades.values()) <= UPGRADE_COPIES, f"upgrades: {upgrades}"


class OneCarASpot(Property):
    name = "at most one car stands on a spot, at every event"

    def at_event(self, race: Race, event: e.Event) -> None:
        track = race.track
        places = [(track.space(car.progress), car.spot) for car in race.cars if car.status in ON_TRACK]
        assert race.phase is Phase.SET_UP or len(set(places)) == len(places), places
        assert all(spot < track.spots[space] for space, spot in places if race.phase), places


class WhatIsKeptReadyAgrees(Property):
    name = "who owes a choice and which spots are taken follow from decisions and cars, at every event"

    def at_event(self, race: Race, event: e.Event) -> None:
        assert race.owing == [seat for seat, decision in race.open.items() if decision.chosen is None]
        for car, place in zip(race.cars, race.places, strict=True):
            spot = 2 * race.track.space(car.progress) + car.spot if car.status in ON_TRACK else OFF_TRACK
            assert race.phase is Phase.SET_UP or place == spot, f"car {car.number}: {place}, not {spot}"


class EngineIsNeverNegative(Property):
    name = "no engine is ever negative"

    def at_event(self, race: Race, event: e.Event) -> None:
        for number in race.seats():
            assert race.seat(number).engine >= 0, f"seat {number}: {race.seat(number).engine}"


class EventsGiveTheState(Property):
    """CORE-11 and CORE-12; the driver folds without a seed, so that folding cannot draw."""

    name = "the events alone give the state, byte for byte"

    def at_event(self, race: Race, event: e.Event) -> None:
        self.folded = race

    def after_step(self, moment: Moment) -> None:
        dump = dump_race(moment.race)
        whole = self.folded.copy()
        whole.setup = self.setup
        assert dump_race(whole) == dump, "folded"
        after, events = decide(moment.before, moment.seat, moment.command)
        assert events == moment.events, "another decision on a copy"
        assert dump_race(after) == dump, "decided on a copy"
        # Any prefix, in the middle of a step too, can be written down and folded on from.
        cut = moment.stream.below(len(events) + 1)
        part = moment.before.copy()
        for event in events[:cut]:
            apply(part, event)
        part = load_race(dump_race(part))
        for event in events[cut:]:
            apply(part, event)
        assert dump_race(part) == dump, f"folded on from event {cut} of the step"

    def at_end(self, play: CheckedPlay) -> None:
        assert dump_race(fold(self.setup, play.events)) == dump_race(play.race)


class TheSameAgain(Property):
    """CORE-9, in one process: from the start, and from any prefix of the events."""

    name = "the same commands give the same events again"

    def at_end(self, play: CheckedPlay) -> None:
        stream = play.samples
        skipped = stream.below(len(play.commands) + 1)
        race, events = start_race(self.setup)
        for number, (seat, command) in enumerate(play.commands):
            if number == skipped:
                race = fold(self.setup, events)
            events += step(race, seat, command)
        assert events == play.events
        assert dump_race(race) == dump_race(play.race)
        record = decode_record(encode_record(self.setup, play.events, "test"))
        assert record == Record(self.setup, tuple(play.events))
        assert dump_race(verify_record(record)) == dump_race(play.race)
        assert dump_race(fold_record(record)) == dump_race(play.race)


class CopiesAreIndependent(Property):
    name = "a copy is independent of the original"

    def at_rest(self, race: Race, stream: Stream) -> None:
        dump = dump_race(race)
        copy = race.copy()
        assert dump_race(copy) == dump
        own = {id(part) for part in mutable_parts(copy)}
        shared = [part for part in mutable_parts(race) if id(part) in own]
        assert not shared, f"both hold {shared}"
        for _ in range(stream.choose((2, 2, 2, 2, 2, 2, 2, 40))):
            if copy.phase is Phase.ENDED:
                break
            seat = stream.choose(list(copy.open))
            step(copy, seat, sample_command(choice_of(copy, seat), stream))
        assert dump_race(race) == dump, "playing on with the copy changed the original"

    def after_step(self, moment: Moment) -> None:
        assert dump_race(moment.before) == moment.dump, "playing on with the original changed the copy"


def mutable_parts(part: object) -> list[object]:
    """List everything in a race that can change in place."""
    parts: list[object] = []
    if isinstance(part, msgspec.Struct) and not part.__struct_config__.frozen:
        parts = [part]
        inside: Iterable[object] = (getattr(part, name) for name in part.__struct_fields__)
    elif isinstance(part, list | dict):
        parts = [part]
        inside = part.values() if isinstance(part, dict) else part
    else:
        return parts
    for item in inside:
        if type(item) not in (str, int):
            parts += mutable_parts(item)
    return parts


class BytesComeBack(Property):
    """RACE-8; the race that came back plays on beside the first for some steps."""

    name = "a race comes back from bytes the same, and plays on the same"

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        self.again: Race | None = None

    def after_step(self, moment: Moment) -> None:
        if self.again is None or moment.stream.below(4) == 0:
            self.again = load_race(moment.dump)
            assert dump_race(self.again) == moment.dump
            assert self.again == moment.before
        assert step(self.again, moment.seat, moment.command) == moment.events
        assert dump_race(self.again) == dump_race(moment.race)


ENGINE_PROPERTIES: tuple[type[Property], ...] = (
    SomebodyCanGoOn,
    ExactlyTheChoice,
    CardsAreConserved,
    OneCarASpot,
    WhatIsKeptReadyAgrees,
    EngineIsNeverNegative,
    EventsGiveTheState,
    TheSameAgain,
    CopiesAreIndependent,
    BytesComeBack,
)
