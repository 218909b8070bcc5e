"""A moment of a recorded race as a position."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from heat_core.positions.file import PositionFile
from heat_core.positions.position import PHASES, setup_of_position
from heat_core.race import events as e
from heat_core.race.state import new_race
from heat_core.record.record import BadRecord, Record, follow_record

_KINDS: Final = {"shift": "gear", "play": "cards"}


def position_in(record: Record, number: int, phase: Literal["shift", "play"]) -> PositionFile:
    """Take a moment of a recorded race as a position; its seed is left out.

    Args:
        record: Unmasked.
        number: Of the round.
        phase: Which phase is about to be asked.

    Raises:
        BadRecord: The record does not come so far, or does not hold.
    """
    race, kind = new_race(record.setup), _KINDS[phase]
    for event in follow_record(record, race):
        if race.round == number and isinstance(event, e.DecisionsOpened) and event.kind == kind:
            setup = msgspec.structs.replace(setup_of_position(race), seed=None)
            return PositionFile(setup, (None,) * len(setup.cars))
    raise BadRecord(f"nobody decides anything in phase {PHASES[phase].value} of round {number}")
