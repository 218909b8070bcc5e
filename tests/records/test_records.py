"""Records of older versions replay to the same result or are refused with the reason (CORE-17)."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from heat_core.engine import abandon, step
from heat_core.race import events as e
from heat_core.race.presets import PRESETS
from heat_core.race.rules_version import RULES_VERSION
from heat_core.race.state import Race
from heat_core.race.state_dump import dump_race, load_race
from heat_core.record.record import (
    BadRecord,
    Record,
    decode_record,
    encode_record,
    fold_record,
    verify_record,
)
from tests.records.__main__ import main
from tests.records.older_form import unnamed
from tests.records.results import read_results, result_of

FOLDER = Path(__file__).parent
FOLDERS = sorted(path for path in FOLDER.iterdir() if (path / "results.json").exists())
REFUSED = ("0.1",)
"""Releases that raced by other rules than this version."""
OLD_FILES = sorted(path for name in REFUSED for path in (FOLDER / name).glob("*.jsonl"))
FILES = sorted(path for path in FOLDER.glob("*/*.jsonl") if path not in OLD_FILES)
MOST_BYTES = 1_500_000


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.spec("CORE-17")
@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_race_of_each_release_replays_byte_for_byte_and_goes_on_as_it_began(path: Path) -> None:
    data = path.read_bytes()
    record = decode_record(data)
    race = verify_record(record)
    assert dump_race(fold_record(record)) == dump_race(race)
    head = msgspec.json.decode(data.split(b"\n", 1)[0])
    again = encode_record(record.setup, record.events, head["version"])
    assert decode_record(again) == record
    assert (as_format_1(again) if head["format"] == 1 else again) == data
    assert result_of(data) == read_results(path.parent)[path.stem]

    # Kept in the middle and brought back, it goes on by its own rules on its own board to the same end.
    choices = [number for number, event in enumerate(record.events) if isinstance(event, e.ChoiceMade)]
    half = record.events[: choices[len(choices) // 2]]
    kept = load_race(dump_race(fold_record(Record(record.setup, half))))
    assert (kept.setup, kept.rules, kept.track.facts) == (
        record.setup,
        record.setup.rules,
        record.setup.track,
    )
    play_on(kept, record)
    assert dump_race(kept) == dump_race(race)

    # By other rules it would be another race.
    newer = data.replace(
        b'"rules_version":%d' % RULES_VERSION, b'"rules_version":%d' % (RULES_VERSION + 1), 1
    )
    with pytest.raises(BadRecord, match=f"begun by version {RULES_VERSION + 1} of the rules; this program"):
        decode_record(newer)


@pytest.mark.spec("CORE-17")
@pytest.mark.parametrize("path", OLD_FILES, ids=name_of)
def test_a_race_of_a_release_with_other_rules_is_refused_with_the_reason_in_words(path: Path) -> None:
    with pytest.raises(BadRecord) as refused:
        decode_record(path.read_bytes())
    assert str(refused.value) == (
        "line 1: the race was begun by version 1 of the rules, in which all played cards turned up "
        f"before the first car moved; this program plays version {RULES_VERSION}"
    )


def as_format_1(data: bytes) -> bytes:
    """Write a record as release 0.2 did: parts and symbols without the names of their fields."""
    return b"".join(
        msgspec.json.encode(unnamed(msgspec.json.decode(line))) + b"\n" for line in data.splitlines()
    )


def play_on(race: Race, record: Record) -> None:
    """Make the choices of a record that a race has not yet seen."""
    while race.event_number < len(record.events):
        said = record.events[race.event_number]
        if isinstance(said, e.ChoiceMade) and said.command is not None:
            step(race, said.seat, said.command)
        else:
            assert said == abandon(race)[0]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_file_of_a_release_was_changed_added_or_taken_away(folder: Path) -> None:
    kept = {name: result.sha256 for name, result in read_results(folder).items()}
    there = {path.stem: sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.jsonl")}
    assert there == kept
    assert sum(path.stat().st_size for path in folder.iterdir()) < MOST_BYTES


def test_the_records_of_the_newest_release_are_of_every_kind() -> None:
    newest = FOLDERS[-1]
    records = {path.stem: decode_record(path.read_bytes()) for path in FILES if path.parent == newest}
    setups = [record.setup for record in records.values()]
    assert {setup.rules.preset for setup in setups} == set(PRESETS)
    assert len({setup.track.id for setup in setups}) >= 8
    legends = {
        (car.legend.bonus, car.legend.chevrons) for setup in setups for car in setup.cars if car.legend
    }
    assert legends == {(0, False), (2, False), (4, True)}
    kinds = {type(event) for record in records.values() for event in record.events}
    assert len(kinds) >= 33, "all events that this release has, but for a rare one"
    ends = {race.end for race in map(fold_record, records.values())}
    assert ends == {"finished", "gave_up", "abandoned", None}
    late = [event for event in records["usa-rulebook-end"].events if isinstance(event, e.CarFinished)]
    assert len(late) == 3, "by the rulebook everybody races on to the finish"


def test_records_of_a_release_are_not_written_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.records.__main__.FOLDER", tmp_path)
    main()
    (folder,) = tmp_path.iterdir()
    assert len(read_results(folder)) == len(list(folder.glob("*.jsonl"))) >= 10
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    with pytest.raises(SystemExit):
        main()
    assert "never changed" in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
