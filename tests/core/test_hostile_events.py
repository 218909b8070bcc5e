"""Records without a seed whose events name what the race does not have: a sentence, no traceback."""

from __future__ import annotations

import json
from typing import get_args

import msgspec
import pytest

from heat_core.engine import start_race, step
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import APPLIERS
from heat_core.race.presets import RULEBOOK
from heat_core.race.setup import Carried, Modules, garage_cards
from heat_core.race.state_dump import dump_race
from heat_core.record.record import BadRecord, decode_record, encode_record, fold_record
from heat_core.view.secrecy import public_setup
from tests.core.support import RandomPlay, setup_of, track_facts, without_seed


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
def test_an_event_that_names_what_is_not_there_is_refused(event: e.Event) -> None:
    setup = setup_of(seats=2, legends=1, seed="hostile")
    game = RandomPlay(setup, "hostile")
    with pytest.raises(BadRecord, match=rf"^line {len(game.events) + 2}: "):
        fold_record(decode_record(with_event(encode_record(public_setup(setup), game.events, "x"), event)))


def with_event(data: bytes, event: e.Event) -> bytes:
    """Write an event behind the others of a record, with whatever numbers it has."""
    number = data.count(b"\n")
    told = json.dumps({"number": number, "event": msgspec.to_builtins(event)})
    return data + told.encode() + b"\n"


def test_a_name_that_would_drive_the_terminal_is_refused() -> None:
    setup = setup_of(seats=2, seed="name")
    cars = (msgspec.structs.replace(setup.cars[0], name="\x1b]0;x\x07"), setup.cars[1])
    record = encode_record(msgspec.structs.replace(setup, cars=cars), RandomPlay(setup, "n").events, "x")
    with pytest.raises(BadRecord, match="invisible characters"):
        decode_record(record)


def test_a_round_in_which_nobody_has_a_turn_fits() -> None:
    """The last one gives up in phase 2, one has finished before: phase 8 follows on phase 2."""
    rules = msgspec.structs.replace(RULEBOOK, discards="together")
    setup = make_position(
        track_facts("usa"),
        {"Ana": "lap 2 space 3 finished 1", "Ben": "lap 1 space 60"},
        phase="play",
        laps=1,
        rules=rules,
    )
    race, events = start_race(setup)
    events += step(race, 1, c.GiveUp())
    assert e.PhaseEntered(8) in events
    folded = fold_record(without_seed(setup, events))
    folded.setup = setup
    assert dump_race(folded) == dump_race(race)


def test_a_garage_that_has_run_out_of_upgrades_fits() -> None:
    """Its round of picks is dealt all the same, and nobody picks."""
    setup = msgspec.structs.replace(setup_of(), modules=Modules("basic", draft="one"))
    owned = tuple(garage_cards(setup))
    setup = msgspec.structs.replace(setup, carried=Carried(upgrades=(owned, ())))
    events = RandomPlay(setup, "garage").events
    assert e.UpgradesDealt((), ()) in events
    assert fold_record(without_seed(setup, events)).round == 1


def test_every_kind_of_event_can_be_applied() -> None:
    """A kind that the table lacked would end the reading of a record with a traceback."""
    assert set(APPLIERS) == set(get_args(e.Event))
