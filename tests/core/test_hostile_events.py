"""Records without a seed whose events name what the race does not have: a sentence, no traceback."""

from __future__ import annotations

import msgspec
import pytest

from heat_core import events as e
from heat_core.replay import BadRecord, Record, decode_record, encode_record, fold_record
from heat_core.view import public_setup
from tests.core.support import RandomPlay, setup_of


@pytest.mark.parametrize(
    "event",
    [
        e.CornerChecked(9, 5, 0, 5, 5, (), 0, 0),
        e.GearShifted(0, 1, 9),
        e.FlipFailed(50, "boost", "gear"),
        e.HeatPaid(0, 10**11, "boost", ()),
        e.HeatCooled(0, -3),
        e.LegendCardTurned(999),
        e.SymbolUsed(0, 10**12, 1),
        e.TurnStarted(-1),
        e.RaceEnded("finished", (e.Standing(99, 1, "finished"),), None),
    ],
)
def test_an_event_that_names_what_is_not_there_does_not_fit(event: e.Event) -> None:
    setup = setup_of(seats=2, legends=1, seed="hostile")
    game = RandomPlay(setup, "hostile")
    with pytest.raises(BadRecord, match="does not fit"):
        fold_record(Record(public_setup(setup), (*game.events, event)))


def test_a_name_that_would_drive_the_terminal_is_refused() -> None:
    setup = setup_of(seats=2, seed="name")
    cars = (msgspec.structs.replace(setup.cars[0], name="\x1b]0;x\x07"), setup.cars[1])
    record = encode_record(msgspec.structs.replace(setup, cars=cars), RandomPlay(setup, "n").events, "x")
    with pytest.raises(BadRecord, match="do not print"):
        decode_record(record)
