"""Positions with the right result, computed from docs/rules.md by an independent program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from heat_core.data.weather import RoadName
from heat_core.race.cars import Seat
from heat_core.race.presets import PRESETS
from heat_core.rules.corners import settle_corners
from heat_core.rules.legends import legend_move
from heat_core.rules.movement import end_of_move, end_of_slipstream, first_free_behind
from heat_core.rules.order import adrenaline_cars, by_place
from heat_core.track import Track
from tests.core.support import track

SPOTS = {"race": 0, "other": 1}
Case = dict[str, Any]


def cases(name: str) -> list[Any]:
    lines = (Path(__file__).parent / "vectors" / f"{name}.jsonl").read_bytes().splitlines()
    return [pytest.param(msgspec.json.decode(line), id=f"{name}-{n}") for n, line in enumerate(lines, 1)]


def place(circuit: Track, where: list[Any]) -> tuple[int, int]:
    lap, space, spot = where
    return circuit.progress(lap, space), SPOTS[spot]


def occupied(circuit: Track, others: list[Any]) -> set[int]:
    return {space * 2 + SPOTS[spot] for _, space, spot in others}


@pytest.mark.parametrize("case", cases("move"))
def test_move(case: Case) -> None:
    circuit = track(case["track"])
    start, spot = place(circuit, case["car"])
    rules = PRESETS[case["preset"]]
    end = end_of_move(circuit, rules, occupied(circuit, case["others"]), start, spot, case["spaces"])
    assert end == place(circuit, case["end"])
    assert end[0] - start == case["gained"]
    lines = circuit.lines_crossed(start, end[0], circuit.finish_line(case["laps"]))
    assert [circuit.space(line) for line in lines] == case["corners"]


@pytest.mark.parametrize("case", cases("slipstream"))
def test_slipstream(case: Case) -> None:
    circuit = track(case["track"])
    start, spot = place(circuit, case["car"])
    end = end_of_slipstream(
        circuit,
        PRESETS[case["preset"]],
        occupied(circuit, case["others"]),
        start,
        spot,
        circuit.finish_line(case["laps"]),
        case["further"],
    )
    assert end == (place(circuit, case["end"]) if case["end"] else None)


@pytest.mark.parametrize("case", cases("legend"))
def test_legend(case: Case) -> None:
    circuit = track(case["track"])
    start, spot = place(circuit, case["car"])
    diamond, top_speed = case["card"]
    move = legend_move(
        circuit,
        PRESETS[case["preset"]],
        occupied(circuit, case["others"]),
        start,
        spot,
        circuit.finish_line(case["laps"]),
        diamond=diamond,
        top_speed=top_speed + case["bonus"],
        chevrons=case["chevrons"],
    )
    expect = case["expect"]
    assert (move.end, move.spot) == place(circuit, expect["end"])
    assert (move.speed, move.case) == (expect["speed"], expect["case"])


@pytest.mark.parametrize("case", cases("order"))
def test_order(case: Case) -> None:
    circuit = track(case["track"])
    cars = [Seat(number) for number in range(len(case["cars"]))]
    for car, where in zip(cars, case["cars"], strict=True):
        car.progress, car.spot = place(circuit, where)
    order = by_place(cars)
    assert list(order) == case["order"]
    assert sorted(adrenaline_cars(order, len(order))) == sorted(case["adrenaline"])


@pytest.mark.parametrize("case", cases("turn"))
def test_turn(case: Case) -> None:
    circuit = track(case["track"])
    start, spot = place(circuit, case["car"])
    finish = circuit.finish_line(case["laps"])
    end, spot = place(circuit, case["moved_to"])
    lines = circuit.lines_crossed(start, end, finish)
    if case["slipped_to"]:
        before = end
        end, spot = place(circuit, case["slipped_to"])
        lines += circuit.lines_crossed(before, end, finish)
    roads: list[RoadName | None] = [None] * len(circuit.corners)
    for line, token in case["tokens"].items():
        roads[circuit.corner_at(int(line))] = token
    settled = settle_corners(
        circuit,
        lines,
        speed=case["speed"],
        engine=case["engine"],
        gear=case["gear"],
        roads=roads,
        adjust=case["adjust"],
    )
    expect = case["expect"]
    bills = [
        {"corner": circuit.space(bill.line), "limit": bill.limit, "owed": bill.owed, "paid": bill.paid}
        for bill in settled.bills
    ]
    assert bills == expect["bills"]
    assert (settled.spin_line is not None) == expect["spin_out"]
    if settled.spin_line is not None:
        end, spot = first_free_behind(circuit, occupied(circuit, case["others"]), settled.spin_line)
    assert (end, spot) == place(circuit, expect["end"])
    assert settled.engine_left == expect["engine"]
    assert settled.stress == expect["stress"]
    assert (1 if settled.spin_line is not None else case["gear"]) == expect["gear"]
