"""What must hold in every race, whatever is played: of the engine by itself.

Each property has a sentence for its name. What may be seen is in `tests.core.properties_seen`, what the
rules say in `tests.core.properties_ruled`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heat_core.decisions import choice_of, enumerate_commands, may_give_up, sample_command
from heat_core.engine import decide, start_race, step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import apply, fold
from heat_core.race.cars import Legend, Seat
from heat_core.race.normal_form import normalised
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.race.state import OpenDecision, Race, Turn
from heat_core.race.state_dump import dump_race, load_race
from heat_core.record.record import Record, decode_record, encode_record, fold_record, verify_record
from heat_core.refusal import RefusalCode, Refused
from heat_core.rng import Stream
from heat_core.rules.invariants import CardCount, invariants
from tests.core.driver import CheckedPlay, Moment, Property
from tests.core.near_misses import near_miss
from tests.core.support import attributes_of

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
        assert all(normalised(command) == command for command in listed)
        for _ in range(3):
            assert normalised(sample_command(choice, stream)) in legal
        few = listed if len(listed) <= COMMANDS_TRIED else stream.sample(listed, COMMANDS_TRIED)
        for command in few:
            after, events = decide(race, seat, command)
            assert events[0] == e.ChoiceMade(seat, race.open[seat].id, command)
            assert after.event_number == race.event_number + len(events)
        for _ in range(MISSES_TRIED):
            command = near_miss(race, seat, stream)
            if normalised(command) in legal:
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


class InvariantsHold(Property):
    """CORE-14 among others: what is held against each event of a record that has no seed."""

    name = "the invariants hold at every event"

    def __init__(self, setup: RaceSetup) -> None:
        super().__init__(setup)
        self.count = CardCount(setup)

    def at_event(self, race: Race, event: e.Event) -> None:
        assert not (faults := list(invariants(race, event, self.count))), faults


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
    if isinstance(part, Race | Seat | Legend | Turn | OpenDecision):
        parts = [part]
        inside: Iterable[object] = attributes_of(part).values()
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
        assert step(self.again, moment.seat, moment.command) == moment.events
        assert dump_race(self.again) == dump_race(moment.race)


ENGINE_PROPERTIES: tuple[type[Property], ...] = (
    SomebodyCanGoOn,
    ExactlyTheChoice,
    InvariantsHold,
    EventsGiveTheState,
    TheSameAgain,
    CopiesAreIndependent,
    BytesComeBack,
)
