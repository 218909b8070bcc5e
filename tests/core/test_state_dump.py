"""The bytes of a race hold every attribute of its state, under its name."""

from __future__ import annotations

import msgspec

from heat_core.race.cars import Legend, Seat
from heat_core.race.setup import LegendSetup
from heat_core.race.state import OpenDecision, Race, Turn, new_race
from heat_core.race.state_dump import dump_race
from tests.core.support import attributes_of, setup_of

FOLLOWING = {"event_card", "finish_line", "hand_size", "rules", "track", "_seed_key", "seed_key", "status"}
"""What follows from the set-up or from other attributes, and is in no bytes: properties too, which look like
attributes once compiled.
"""


def whole_race() -> Race:
    race = new_race(setup_of("usa", seats=1, legends=1))
    race.turn = Turn(0, 1, 0)
    race.open[0] = OpenDecision(1, "gear")
    return race


def test_every_attribute_is_in_the_bytes() -> None:
    race = whole_race()
    told = msgspec.json.decode(dump_race(race))["race"]
    assert {*told} == {*attributes_of(race)} - FOLLOWING
    assert {*told["turn"]} == {*attributes_of(Turn(0, 1, 0))}
    assert {*told["open"]["0"]} == {*attributes_of(OpenDecision(1, "gear"))}
    seat, legend = told["cars"]
    assert {*seat} == {"type", *attributes_of(Seat(0))}
    assert {*legend} == {"type", *attributes_of(Legend(1, LegendSetup()))}
