"""The races that each release leaves as records: short ones, one of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from heat_core.engine import abandon
from heat_core.files import load_track
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race.apply import fold
from heat_core.race.presets import PRESETS, PresetName
from heat_core.record.record import encode_record
from heat_core.simulation import make_table
from heat_core.table import Table
from tests.core.support import roomy

OWN_TRACK = str(Path(__file__).parents[2] / "examples" / "oval.json")

_NOBODY: Mapping[int, int] = MappingProxyType({})
_POSITION = {
    "Ana": "lap 1 space 30 gear 3 engine 5 hand 4 3 2 stress heat",
    "Ben": "lap 1 space 31 spot other gear 4 engine 0 hand heat heat heat heat heat 1 2",
    "Cy": "lap 0 space 68 gear 2",
    "Leg": "lap 1 space 12 legend hard",
}


class RecordedRace(NamedTuple):
    """A race of one lap.

    Attributes:
        drivers: As `parse_drivers` reads them.
        quits: Seat -> after how many decisions it gives up, or as soon after as it may.
        stops: How the record ends before the race does, after `stops_after` decisions.
    """

    name: str
    track: str
    preset: PresetName
    drivers: str
    quits: Mapping[int, int] = _NOBODY
    stops: Literal["abandoned", "cut"] | None = None
    stops_after: int = 60
    is_position: bool = False


RACES = (
    RecordedRace("usa", "usa", "standard", "steady,random,legend:hard"),
    RecordedRace("usa-rulebook-end", "usa", "rulebook", "steady,steady,legend:medium"),
    RecordedRace("italy-giving-up", "italy", "standard", "steady,random,legend:easy", {1: 40}),
    RecordedRace("italy-giving-up-rulebook", "italy", "rulebook", "random,steady,steady", {0: 40}),
    RecordedRace("gb-all-give-up", "gb", "standard", "steady,legend:easy,random", {0: 20, 2: 30}),
    RecordedRace("france-abandoned", "france", "standard", "steady,steady", stops="abandoned"),
    RecordedRace("france-running", "france", "rulebook", "steady,random", stops="cut"),
    RecordedRace("japan-legends", "japan", "rulebook", "legend:easy,legend:medium,legend:hard,steady"),
    RecordedRace("mexico-random", "mexico", "standard", "random,random"),
    RecordedRace(
        "netherlands-eight", "netherlands", "standard", ",".join(["steady"] * 5 + ["legend:hard"] * 3)
    ),
    RecordedRace("spain", "spain", "standard", "steady,legend:medium"),
    RecordedRace("position", "usa", "standard", "steady,random,steady,legend:hard", is_position=True),
    RecordedRace("own-track", OWN_TRACK, "rulebook", "steady,legend:easy"),
)


def _begin(race: RecordedRace) -> Table:
    track = load_track(race.track)
    drivers = race.drivers.split(",")
    rules = roomy(PRESETS[race.preset], len(drivers))
    if not race.is_position:
        return make_table(track, 1, drivers, rules, f"records/{race.name}")
    setup = make_position(track, _POSITION, round=4, laps=1, rules=rules, seed=f"records/{race.name}")
    return Table(setup, {0: "steady", 1: "random", 2: "steady"})


def drive(race: RecordedRace, program: str) -> bytes:
    """Drive a race and give its record, as this version of the program writes it."""
    table = _begin(race)
    quits = dict(race.quits)
    decisions = 0
    while not table.is_over and not (race.stops and decisions >= race.stops_after):
        for seat in [seat for seat, after in quits.items() if decisions >= after]:
            own = table.view(seat).own
            if own is not None and own.may_give_up and not table.is_over:
                table.submit(seat, None, c.GiveUp())
                del quits[seat]
        if table.bot_due():
            table.step_bot()
        decisions += 1
    events = list(table.log)
    if race.stops == "abandoned":
        events += abandon(fold(table.setup, events))
    return encode_record(table.setup, events, program)
