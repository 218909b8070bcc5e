"""What came of a record, as it is kept beside the records of a release."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from heat_core.race.events import Standing
from heat_core.record.record import decode_record, verify_record


class Result(msgspec.Struct, frozen=True):
    """What a record comes to when it is dealt anew.

    Attributes:
        sha256: Of the whole file.
        status: `running` where the record stops before the race's end.
    """

    sha256: str
    events: int
    rounds: int
    status: str
    end: str | None
    standings: tuple[Standing, ...]


def result_of(data: bytes) -> Result:
    """Deal a record anew and say what it came to."""
    record = decode_record(data)
    race = verify_record(record)
    return Result(
        sha256(data).hexdigest(),
        len(record.events),
        race.round,
        race.status,
        race.end,
        race.standings,
    )


def write_results(folder: Path, results: dict[str, Result]) -> None:
    """Keep the results of a folder."""
    text = msgspec.json.format(msgspec.json.encode(results), indent=1)
    (folder / "results.json").write_bytes(text + b"\n")


def read_results(folder: Path) -> dict[str, Result]:
    """Give the results of a folder."""
    return msgspec.json.decode((folder / "results.json").read_bytes(), type=dict[str, Result])
