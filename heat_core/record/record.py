"""Records of races: one JSON line for the set-up, then one for each event, nothing masked.

Values only, no files: `heat_core.files` reads and writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from heat_core.cards import SPONSORSHIP_CARDS, CardName
from heat_core.engine import abandon, start_race, step
from heat_core.positions.checks import position_problems
from heat_core.positions.position import told_position
from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.events.older import EventsDecoder
from heat_core.race.phase import Phase
from heat_core.race.rules_version import refusal_of_rules
from heat_core.race.setup import (
    BadSetup,
    Carried,
    RaceSetup,
    laps_without_event,
    make_setup,
    race_seed,
)
from heat_core.race.state import Race, new_race
from heat_core.refusal import Refused
from heat_core.rng import seed_commitment
from heat_core.rules.invariants import CardCount, invariants
from heat_core.season.setup import draw_event
from heat_core.sentences.events import seed_text
from heat_core.shapes import MOST_SHOWN, printable, shown_reason
from heat_core.track_files.checks import track_problems

RECORD_FORMAT: Final = 2
"""Of the lines of a record. In format 1 the parts of bills and symbols had no names of fields."""

_OLDER_FORMATS: Final = (1,)


class BadRecord(ValueError):
    """A record that cannot be read or does not hold; the text names the line and the reason."""


class Record(msgspec.Struct, frozen=True):
    """A race from its set-up to its end, or to where it was written down."""

    setup: RaceSetup
    events: tuple[e.Event, ...]


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    version: str
    setup: RaceSetup


class _SetupRules(msgspec.Struct):
    rules_version: int


class _HeadRules(msgspec.Struct):
    """What tells whether the rest can be read at all."""

    setup: _SetupRules


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    number: int
    event: e.Event


_ENCODER: Final = msgspec.json.Encoder()
_LINE_DECODER: Final = EventsDecoder(msgspec.json.Decoder(_Line))
_HEAD_RULES_DECODER: Final = msgspec.json.Decoder(_HeadRules)
_HEAD_DECODER: Final = msgspec.json.Decoder(_Head)


def encode_record(setup: RaceSetup, events: Sequence[e.Event], version: str) -> bytes:
    """Write a race as JSON lines.

    Args:
        setup: With the seed only if the race is over, or never leaves this machine.
        version: Of the program, for people.
    """
    lines = [_ENCODER.encode(_Head(RECORD_FORMAT, version, setup))]
    lines += [_ENCODER.encode(_Line(number, event)) for number, event in enumerate(events, start=1)]
    return b"\n".join(lines) + b"\n"


def decode_record(data: bytes) -> Record:
    """Read a race from JSON lines.

    Raises:
        BadRecord: A line is broken, missing or out of order, or another version wrote it.
    """
    lines = data.split(b"\n")
    if lines.pop():
        raise BadRecord(f"line {len(lines) + 1}: the line is cut off")
    if not lines:
        raise BadRecord("line 1: the file is empty")
    setup = decode_head(lines[0])
    events = [decode_line(line, number) for number, line in enumerate(lines[1:], start=2)]
    return Record(setup, tuple(events))


def decode_line(line: bytes, number: int) -> e.Event:
    """Read an event from its line of a record.

    Args:
        number: Of the line, from 2; the event's own is one less.

    Raises:
        BadRecord: The line is broken, or another event should be there.
    """
    try:
        entry = _LINE_DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"line {number}: {shown_reason(error)}") from None
    if entry.number != number - 1:
        raise BadRecord(f"line {number}: event {entry.number} where {number - 1} should be")
    return entry.event


def decode_head(line: bytes) -> RaceSetup:
    """Read the set-up from the first line of a record.

    Raises:
        BadRecord: The line is broken, another version wrote it, or no race begins with it.
    """
    try:
        loose: Any = msgspec.json.decode(line)
        readable = (RECORD_FORMAT, *_OLDER_FORMATS)
        if isinstance(loose, dict) and loose.get("format", RECORD_FORMAT) not in readable:
            told = repr(loose["format"])[:MOST_SHOWN]
            raise BadRecord(f"line 1: format {told}; this version reads {RECORD_FORMAT}")
        # Before all else is read: in other versions it may have another form.
        if reason := refusal_of_rules(_HEAD_RULES_DECODER.decode(line).setup.rules_version):
            raise BadRecord(f"line 1: {reason}")
        head = _HEAD_DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"line 1: {shown_reason(error)}") from None
    if problems := record_setup_problems(head.setup):
        raise BadRecord(f"line 1: {'; '.join(problems)}")
    return head.setup


def record_setup_problems(setup: RaceSetup) -> list[str]:
    """List why no race can begin from a set-up that was read, whose single values are in range."""
    if problems := track_problems(setup.track):
        return problems
    try:
        again = make_setup(
            setup.track,
            setup.cars,
            seed="",
            laps=laps_without_event(setup),
            rules=setup.rules,
            position=setup.position,
            modules=setup.modules,
            carried=setup.carried,
        )
    except BadSetup as error:
        return [str(error)]
    if not all(car.name.isprintable() for car in setup.cars):
        return ["a car's name has invisible characters"]
    if again.cars != setup.cars:
        return ["a Legend without a helmet"]
    return position_problems(setup)


def fold_record(record: Record) -> Race:
    """Apply a record's events from its set-up, checked as `follow_record` does.

    Raises:
        BadRecord: It does not hold.
    """
    race = new_race(record.setup)
    for _ in follow_record(record, race):
        pass
    return race


def follow_record(record: Record, race: Race) -> Iterator[e.Event]:
    """Apply a record's events one by one; each is given once the race contains it.

    A record with its seed is verified as a whole before the first event is applied. Without one its cards
    cannot be dealt again: after each event the race is held against the invariants of every race.

    Args:
        race: As `new_race` made it of the record's set-up.

    Raises:
        BadRecord: It does not hold.
    """
    if is_verifiable(record):
        verify_record(record)
        for event in record.events:
            apply(race, event)
            yield event
        return
    count = CardCount(_told_setup(record))
    for number, event in enumerate(record.events, start=1):
        if fault := _apply_unverified(race, event, count):
            raise BadRecord(f"{_line(number)} ({type(event).__name__}) does not fit: {printable(fault)}")
        yield event


def _apply_unverified(race: Race, event: e.Event, count: CardCount) -> str | None:
    """Apply an event that anybody may have written, and say what does not hold then."""
    try:
        apply(race, event)
        return next(invariants(race, event, count), None)
    except Exception:  # whatever breaks over an event that the engine did not decide breaks because of it
        return "it names something that does not exist"


def _line(number: int) -> str:
    """Say where an event stands: the line of the file, and its number."""
    return f"line {number + 1}: event {number}"


def _shown(event: e.Event) -> str:
    """Write an event of a record out, but no further than somebody would read."""
    return str(event)[:_MOST_SHOWN]


_MOST_SHOWN: Final = 2_000


def seed_of(record: Record) -> str | None:
    """Give a record's seed: of its set-up, or in one without it the seed that the race's end told."""
    if record.setup.seed is None and record.events and isinstance(record.events[-1], e.RaceEnded):
        return record.events[-1].seed
    return record.setup.seed


def is_verifiable(record: Record) -> bool:
    """Tell whether a record says its seed, so that its cards can be dealt again."""
    return seed_of(record) is not None


def promised_seed(setup: RaceSetup, seed: str) -> str:
    """Give the seed whose hash is shown at a race's start: its own, or the season's that it comes from.

    Raises:
        BadRecord: The race belongs to a season, and its seed does not come from a season's.
    """
    if setup.season is None:
        return seed
    promised = seed.removesuffix(race_seed("", setup.season.race))
    if promised == seed:
        raise BadRecord(
            f"line 1: the seed {seed_text(seed)} is not that of race {setup.season.race + 1} of a season"
        )
    return promised


def verify_record(record: Record) -> Race:
    """Deal all cards again from set-up and seed, make the record's choices again, and compare every event.

    Returns:
        The race at the record's end.

    Raises:
        BadRecord: It holds no seed, or one whose hash is not the one shown at the start; an event differs
            (the text shows both versions of the first that does); a season's race has another event than
            was drawn; or a choice is refused.
    """
    seed = seed_of(record)
    if seed is None:
        raise BadRecord(
            "line 1: it has no seed, so its cards cannot be dealt again: "
            f"the seed is shown only when a {'season' if record.setup.season else 'race'} is over"
        )
    first = record.events[0] if record.events else None
    promised = promised_seed(record.setup, seed)
    if isinstance(first, e.RaceSetUp) and first.seed_commitment != seed_commitment(promised):
        raise BadRecord(
            f"{_line(1)}: the hash shown at the start is not the hash of the seed {seed_text(promised)}"
            f"\n  shown:       {first.seed_commitment}\n  of the seed: {seed_commitment(promised)}"
        )
    _check_event(record.setup, promised)
    race, events = start_race(msgspec.structs.replace(_told_setup(record), seed=seed))
    _compare(events, record.events, 0)
    while len(events) < len(record.events):
        said = record.events[len(events)]
        if isinstance(said, e.RaceEnded) and said.reason == "abandoned" and race.phase is not Phase.ENDED:
            more = abandon(race)
        elif not isinstance(said, e.ChoiceMade) or said.command is None:
            due = "nothing, the race is over" if race.phase is Phase.ENDED else "a choice follows here"
            raise BadRecord(
                f"{_line(len(events) + 1)} differs\n  recorded:    {_shown(said)}\n  dealt again: {due}"
            )
        else:
            try:
                more = step(race, said.seat, said.command, by_clock=said.by_clock)
            except Refused as refused:
                raise BadRecord(
                    f"{_line(len(events) + 1)}: {printable(refused.text)}\n  recorded:    {_shown(said)}"
                ) from None
        _compare(more, record.events, len(events))
        events += more
    return race


def _check_event(setup: RaceSetup, season_seed: str) -> None:
    """Draw the event of a season's race again."""
    place = setup.season
    if place is not None and place.drawn_from:
        drawn = draw_event(season_seed, place.race, place.drawn_from)
        if drawn != setup.modules.event:
            raise BadRecord(
                f"line 1: the race's event differs\n  recorded:    {setup.modules.event}\n"
                f"  drawn again: {printable(drawn)}"
            )


def _told_setup(record: Record) -> RaceSetup:
    """Give the set-up what a public one does not tell: position, and Sponsorships in decks.

    Raises:
        BadRecord: No race begins with the first events.
    """
    setup = record.setup
    if setup.position is not None:
        return setup
    try:
        position = told_position(setup, record.events)
    except (LookupError, ValueError) as error:
        reason = shown_reason(error) if isinstance(error, msgspec.MsgspecError) else error
        raise BadRecord(f"{_line(2)}: the first events do not set up a race: {reason}") from None
    setup = msgspec.structs.replace(setup, position=position)
    if position is None and not setup.carried.sponsorships:
        setup = msgspec.structs.replace(setup, carried=_told_carried(setup, record.events))
    if problems := record_setup_problems(setup):
        raise BadRecord(f"{_line(2)}: the first events do not set up a race: {'; '.join(problems)}")
    return setup


def _told_carried(setup: RaceSetup, events: Sequence[e.Event]) -> Carried:
    """Read out of a race's first events which Sponsorships lay in decks from its beginning."""
    if not setup.modules.sponsorships:
        return setup.carried
    kept: list[tuple[CardName, ...]] = [()] * len(setup.cars)
    for event in events:
        if isinstance(event, e.RoundStarted):
            break
        if isinstance(event, e.PilesMade) and event.seat in range(len(kept)):
            kept[event.seat] = tuple(card for card in event.draw_pile or () if card in SPONSORSHIP_CARDS)
    return msgspec.structs.replace(setup.carried, sponsorships=tuple(kept)) if any(kept) else setup.carried


def _compare(again: Iterable[e.Event], told: Sequence[e.Event], start: int) -> None:
    for number, event in enumerate(again, start=start + 1):
        if number > len(told):
            raise BadRecord(f"{_line(number)}: the record stops in the middle of a step")
        if told[number - 1] != event:
            raise BadRecord(
                f"{_line(number)} differs\n  recorded:    {_shown(told[number - 1])}\n  dealt again: {event}"
            )
