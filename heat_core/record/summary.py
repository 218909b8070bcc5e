"""What a list of records shows of each: read from a record's first and last lines, without its events."""

from __future__ import annotations

from typing import Final

import msgspec

from heat_core.race import events as e
from heat_core.race.setup import RaceSetup
from heat_core.record.record import decode_head, decode_line

_ROUND: Final = b'"type":"RoundStarted"'


class RecordSummary(msgspec.Struct, frozen=True):
    """A record from afar.

    Attributes:
        rounds: How many began.
        end: The race's end; None where the record stops before.
    """

    setup: RaceSetup
    rounds: int
    end: e.RaceEnded | None

    @property
    def winner(self) -> int | None:
        """Give the car that won, None where nobody did."""
        if self.end is None or self.end.reason != "finished" or not self.end.standings:
            return None
        return self.end.standings[0].car


def summarise_record(data: bytes) -> RecordSummary:
    """Read as much of a record as a list of records shows; a fault in its middle stays unseen.

    Raises:
        BadRecord: The first line or the last does not hold, or another version wrote them.
    """
    first, _, rest = data.partition(b"\n")
    setup = decode_head(first)
    lines = 1 + rest.count(b"\n")
    last: e.Event | None = None
    if rest:
        if not rest.endswith(b"\n"):
            lines += 1
        last = decode_line(rest[rest[:-1].rfind(b"\n") + 1 :].removesuffix(b"\n"), lines)
    at = rest.rfind(_ROUND)
    began: e.Event | None = None
    if at >= 0:
        start = rest.rfind(b"\n", 0, at) + 1
        began = decode_line(rest[start : rest.find(b"\n", at)], 2 + rest.count(b"\n", 0, start))
    rounds = began.round if isinstance(began, e.RoundStarted) else 0
    return RecordSummary(setup, rounds, last if isinstance(last, e.RaceEnded) else None)
