"""Checking a shuffle: the hash is shown at the start, the seed at the end, and all cards are dealt anew."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from heat_core.__main__ import main
from heat_core.game_files import write_record
from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.record.record import (
    BadRecord,
    Record,
    decode_record,
    encode_record,
    fold_record,
    seed_of,
    verify_record,
)
from heat_core.rng import seed_commitment
from heat_core.sentences.events import sentence
from heat_core.view.secrecy import public_setup, view_event
from tests.core.support import RandomPlay, setup_of, track

SEED = "a seed of any text"


def raced() -> tuple[RaceSetup, list[e.Event]]:
    setup = setup_of("italy", seats=2, legends=1, laps=1, seed=SEED)
    game = RandomPlay(setup, SEED)
    game.run()
    return setup, game.events


def replay(path: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["replay", str(path), *words])


def verdict(tmp_path: Path, setup: RaceSetup, events: list[e.Event]) -> str:
    """Write a record, have it verified, and give what is said about it where it does not hold."""
    path = tmp_path / "race.jsonl"
    write_record(path, setup, events)
    done = replay(path, "--verify")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {path}: ")
    with pytest.raises(BadRecord) as refused:
        verify_record(Record(setup, tuple(events)))
    assert str(refused.value) in done.stderr
    return done.stderr.removeprefix(f"Error: {path}: ")


@pytest.mark.spec("CORE-16")
def test_a_shuffle_can_be_checked(tmp_path: Path) -> None:
    """What a seat was shown while the race ran fits what it is told at its end, and that deals its cards."""
    setup, events = raced()
    shown = [view_event(event, 0) for event in events]
    names = [car.name for car in setup.cars]
    assert isinstance(shown[0], e.RaceSetUp)
    assert public_setup(setup).seed is None
    assert SEED not in repr(shown[:-1])
    told_first, told_last = (sentence(event, names, track("italy")) for event in (shown[0], shown[-1]))
    assert told_first is not None
    assert told_first.endswith(shown[0].seed_commitment)
    assert told_last is not None
    assert told_last.endswith(f"the seed was {SEED}")
    assert shown[0].seed_commitment == seed_commitment(SEED)

    path = tmp_path / "race.jsonl"
    write_record(path, setup, events)
    done = replay(path, "--verify", "--quiet")
    assert (done.exit_code, done.stdout) == (0, "")
    assert f"The seed is {SEED}; its hash is the one shown at the start." in done.stderr
    assert (
        f"Verified: dealt again from the seed, all {len(events)} events are the same.\nThe race is over."
        in done.stderr
    )

    # Another order of a pile, at the start or in the middle, is found out, however well the rest fits it.
    for place, event in enumerate(events):
        if isinstance(event, e.PilesMade) and event.draw_pile:
            turned: e.Event = msgspec.structs.replace(event, draw_pile=event.draw_pile[::-1])
        elif isinstance(event, e.PileReshuffled | e.LegendCardsShuffled) and event.order:
            turned = msgspec.structs.replace(event, order=event.order[::-1])
        else:
            continue
        said = verdict(tmp_path, setup, [*events[:place], turned, *events[place + 1 :]])
        differs = f"line {place + 2}: event {place + 1} differs"
        assert said == f"{differs}\n  recorded:    {turned}\n  dealt again: {event}\n"


@pytest.mark.parametrize("where", ["set-up", "end", "both"])
def test_another_seed_is_found_by_the_hash_shown_at_the_start(where: str, tmp_path: Path) -> None:
    setup, events = raced()
    end = msgspec.structs.replace(events[-1], seed="another")
    other = msgspec.structs.replace(setup, seed="another")
    match where:
        case "set-up":
            said = verdict(tmp_path, other, events)
        case "both":
            said = verdict(tmp_path, other, [*events[:-1], end])
        case _:
            said = verdict(tmp_path, setup, [*events[:-1], end])
            assert said.startswith(
                f"line {len(events) + 1}: event {len(events)} differs\n  recorded:    RaceEnded("
            )
            return
    assert said == (
        "line 2: event 1: the hash shown at the start is not the hash of the seed another\n"
        f"  shown:       {seed_commitment(SEED)}\n  of the seed: {seed_commitment('another')}\n"
    )


def test_a_race_dealt_from_another_seed_than_was_promised_is_found() -> None:
    """Both hash and seed are changed, so that they fit: then the cards do not."""
    setup, events = raced()
    head = e.RaceSetUp(seed_commitment("another"))
    with pytest.raises(
        BadRecord, match=r"^line \d+: event \d+ differs\n  recorded:    \w+\(.*\n  dealt again: \w+\("
    ):
        verify_record(Record(msgspec.structs.replace(setup, seed="another"), (head, *events[1:])))


@pytest.mark.parametrize("change", ["card", "speed", "drop", "swap", "twice", "choice", "foreign"])
def test_the_first_differing_event_is_named_with_both_versions(change: str, tmp_path: Path) -> None:
    setup, good = raced()
    events = list(good)
    drawn = next(n for n, event in enumerate(events) if isinstance(event, e.CardsDrawn))
    speed = next(n for n, event in enumerate(events) if isinstance(event, e.SpeedSet))
    chosen = next(n for n, event in enumerate(events) if isinstance(event, e.ChoiceMade))
    match change:
        case "card":
            events[drawn] = e.CardsDrawn(0, ("4",) * 7, 7)
            place = drawn
        case "speed":
            events[speed] = e.SpeedSet(0, 99, ())
            place = speed
        case "drop":
            del events[speed]
            place = speed
        case "swap":
            events[speed], events[speed + 1] = events[speed + 1], events[speed]
            place = speed
        case "twice":
            events.insert(chosen, events[chosen - 1])
            place = chosen
        case "choice":
            events[chosen] = msgspec.structs.replace(events[chosen], decision=99)
            place = chosen
        case _:
            events[chosen] = msgspec.structs.replace(events[chosen], seat=2)
            said = verdict(tmp_path, setup, events)
            assert said.startswith(f"line {chosen + 2}: event {chosen + 1}: Car 2 has no driver")
            assert f"recorded:    {events[chosen]}" in said
            return
    said = verdict(tmp_path, setup, events)
    lines = said.splitlines()
    assert lines[:2] == [f"line {place + 2}: event {place + 1} differs", f"  recorded:    {events[place]}"]
    assert lines[2] == f"  dealt again: {'a choice follows here' if change == 'twice' else good[place]}"


def test_a_cut_file_is_named_where_it_was_cut(tmp_path: Path) -> None:
    setup, events = raced()
    data = encode_record(setup, events, "0")
    path = tmp_path / "cut.jsonl"
    path.write_bytes(data[: len(data) // 2])
    done = replay(path, "--verify")
    assert done.exit_code == 1
    assert re.fullmatch(rf"Error: {path}: line \d+: the line is cut off\n", done.stderr)
    step = next(n for n, event in enumerate(events) if isinstance(event, e.SpeedSet))
    assert verdict(tmp_path, setup, events[:step]) == (
        f"line {step + 2}: event {step + 1}: the record stops in the middle of a step\n"
    )
    asked = next(n for n, event in enumerate(events) if isinstance(event, e.ChoiceMade))
    write_record(path, setup, events[:asked])
    done = replay(path, "--verify", "--quiet")
    assert done.exit_code == 0
    assert "are the same.\nThe race is not finished: the record stops in round 1." in done.stderr
    assert verdict(tmp_path, setup, []) == "line 2: event 1: the record stops in the middle of a step\n"


def test_a_record_without_a_seed_is_told_but_not_verified(tmp_path: Path) -> None:
    """Of a running race, or with the seed cut out."""
    setup, events = raced()
    for part in (events[:5], [*events[:-1], msgspec.structs.replace(events[-1], seed=None)]):
        assert verdict(tmp_path, public_setup(setup), part).startswith("line 1: it has no seed, so")
        done = replay(tmp_path / "race.jsonl")
        assert done.exit_code == 0
        assert f"{len(part)} events fit together." in done.stderr
        assert "Starting grid, pole first: " in done.stdout


def test_the_seed_told_at_the_end_is_enough(tmp_path: Path) -> None:
    setup, events = raced()
    record = decode_record(encode_record(public_setup(setup), events, "0"))
    assert (record.setup.seed, seed_of(record)) == (None, SEED)
    assert verify_record(record).standings == fold_record(record).standings


def test_a_seed_that_does_not_print_is_spelled_out(tmp_path: Path) -> None:
    setup = setup_of(seed="\x1b[2J")
    path = tmp_path / "race.jsonl"
    write_record(path, setup, RandomPlay(setup, "x").events)
    done = replay(path, "--verify", "--quiet")
    assert r"The seed is '\x1b[2J'; its hash" in done.stderr
    assert "\x1b" not in done.stderr
