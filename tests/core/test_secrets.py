"""What a seat is told before and besides the events; that nothing hidden shows is a property.

See `tests.core.properties_seen`.
"""

from __future__ import annotations

from typing import get_args

from msgspec.structs import replace

from heat_core.decisions import choice_of, enumerate_commands
from heat_core.positions.position import make_position
from heat_core.race.commands import ANSWERED, SECRET_COMMANDS, SECRET_KINDS, Command
from heat_core.race.events import ChoiceMade, DecisionKind
from heat_core.record.record import encode_record
from heat_core.rules import phases
from heat_core.table import Table
from heat_core.view.secrecy import public_setup, view_event, view_race
from tests.core.support import RandomPlay, setup_of, track_facts


def test_public_set_ups_tell_neither_seed_nor_position() -> None:
    cars = {"ana": "lap 1 space 30 hand 4 start-0", "ben": "lap 1 space 20 hand start-5 draw 4"}
    setup = make_position(track_facts("usa"), cars, seed="secret!")
    told = public_setup(setup)
    assert told.seed is None
    assert told.position is None
    record = encode_record(told, (), "0")
    assert b"secret!" not in record
    assert b"start-" not in record
    assert replace(told, seed=setup.seed, position=setup.position) == setup
    assert Table(setup, {0: "human", 1: "human"}).observation(0).setup == told


def test_a_choice_is_told_to_its_owner_alone() -> None:
    game = RandomPlay(setup_of(seats=2, seed="own"), "own")
    race = game.race
    assert view_race(race, None).own is None
    for seat in (0, 1):
        own = view_race(race, seat).own
        assert own is not None
        assert own.seat == seat
        assert own.choice == choice_of(race, seat)
        assert list(own.hand) == race.seat(seat).hand
        assert list(enumerate_commands(choice_of(race, seat)))


def test_one_list_says_which_choices_are_secret_and_all_that_depends_on_it_agrees() -> None:
    assert set(ANSWERED) == set(get_args(Command))
    assert {kind for kind in ANSWERED.values() if kind} == set(get_args(DecisionKind))
    assert {ANSWERED[command] for command in SECRET_COMMANDS} == SECRET_KINDS
    assert {*phases._TURN_UP, "cards"} == SECRET_KINDS, "cards turn up car by car, the others for all at once"
    race = RandomPlay(setup_of(seats=2, seed="kinds"), "kinds").race
    for command in enumerate_commands(choice_of(race, 0)):
        said = ChoiceMade(0, 1, command)
        assert view_event(said, 1) == view_event(said, None) == ChoiceMade(0, 1, None)
        assert view_event(said, 0) == said
