"""Phase 7: corners crossed, paid, and spun out of."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT
from heat_core.data.weather import RoadName
from heat_core.engine import start_race, step
from heat_core.positions.position import make_position
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.state import Race
from heat_core.rules.corners import settle_corners
from heat_core.track import compile_track
from heat_core.track_facts import Corner
from tests.core.support import position, track, track_facts

ANSWERS: dict[str, c.Command] = {
    "react": c.EndReact(),
    "slipstream": c.Slipstream(0),
    "discard": c.Discard(()),
}
AWAY = "lap 1 space 60 gear 1 hand 1 2 3 draw 4 4 4"


def drive(race: Race, *cards: str, symbol: str | None = None, slipstream: int = 0) -> list[e.Event]:
    """Let the others stand or creep, and seat 0 play these cards, use a symbol, and check its corners."""
    for seat in list(race.open):
        if seat:
            hand = race.seat(seat).hand
            step(race, seat, c.PlayCards(("start-0",) if "start-0" in hand else (hand[0],)))
    events = step(race, 0, c.PlayCards(cards))
    while race.turn is not None and race.turn.car != 0:
        (seat,) = race.open
        events += step(race, seat, ANSWERS[race.open[seat].kind])
    if symbol and race.turn:
        number = next(n for n, known in enumerate(race.turn.symbols) if known.kind == symbol)
        events += step(race, 0, c.UseSymbol(number))
    while race.turn is not None and race.turn.car == 0 and race.phase < Phase.DISCARD:
        (seat,) = race.open
        asked = race.open[seat].kind
        events += step(race, seat, c.Slipstream(slipstream) if asked == "slipstream" else ANSWERS[asked])
    return events


def place(race: Race, seat: int = 0) -> tuple[int, int]:
    progress = race.cars[seat].progress
    return race.track.lap(progress), race.track.space(progress)


def checks(events: list[e.Event]) -> list[tuple[int, int, int]]:
    return [
        (event.corner + 1, event.owed, event.paid)
        for event in events
        if isinstance(event, e.CornerChecked) and event.seat == 0
    ]


@pytest.mark.spec("TRACK-5")
def test_a_move_crosses_each_line_between_its_ends_several_too_and_again_on_a_later_lap() -> None:
    """Italy: lines after 10 (limit 5), 19 (2), 26 (3)."""
    for start, card, lines in (
        (9, "1", []),
        (10, "1", [1]),
        (10, "start-5", [1]),
        (11, "4", []),
        (6, "4", []),
    ):
        race = position(
            {"ana": f"lap 1 space {start} gear 1 hand {card} 2 draw 3", "ben": AWAY.replace("60", "40")},
            on="italy",
        )
        assert [corner for corner, _, _ in checks(drive(race, card))] == lines
    for lap in (1, 2, 3):
        race = position(
            {"ana": f"lap {lap} space 9 gear 4 hand 4 4 2 1 3 draw 3", "ben": AWAY.replace("60", "40")},
            on="italy",
        )
        race.seat(0).engine = 20
        assert [corner for corner, _, _ in checks(drive(race, "4", "4", "2", "1"))] == [1, 2]
        assert place(race) == (lap, 20)


@pytest.mark.spec("TURN-14")
def test_every_line_is_checked_by_itself_in_the_order_crossed_by_speed_alone() -> None:
    # Italy: lines after 10 (limit 5), 19 (2), 26 (3). Played, flipped, boosted, adrenaline: all count.
    words = "lap 1 space 9 gear 4 engine 6 hand 4 1 1 stress draw 3 4 2"
    race = position({"ana": words, "ben": AWAY.replace("60", "40")}, on="italy")
    assert checks(drive(race, "4", "1", "1", "stress")) == [(1, 4, 4)]
    assert (place(race), race.seat(0).engine) == ((1, 18), 2)
    race = position(
        {"ana": words.replace("engine 6", "engine 0"), "ben": AWAY.replace("60", "8")}, on="italy"
    )
    race.seat(0).engine = 30
    assert checks(drive(race, "4", "1", "1", "stress", symbol="boost")) == [(1, 8, 8), (2, 11, 11)]
    assert (place(race), race.seat(0).engine) == ((1, 22), 30 - 1 - 8 - 11)
    # At the limit, nothing; one above it, one Heat.
    for cards, owed in ((("3", "2"), 0), (("4", "2"), 1)):
        hand = " ".join(cards)
        race = position(
            {"ana": f"lap 1 space 8 gear 2 engine 6 hand {hand} draw 1", "ben": AWAY.replace("60", "40")},
            on="italy",
        )
        assert checks(drive(race, *cards)) == [(1, owed, owed)]
    # Adrenaline counts: 5 + 1.
    race = position(
        {"ana": "lap 1 space 8 gear 2 engine 6 hand 3 2 draw 1", "ben": AWAY.replace("60", "40")}, on="italy"
    )
    assert checks(drive(race, "3", "2", symbol="speed")) == [(1, 1, 1)]
    # A slipstream does not: 5 to space 10, two further over the line.
    race = position(
        {
            "ana": "lap 1 space 5 gear 2 engine 6 hand 3 2 draw 1",
            "ben": "lap 1 space 11 gear 1 hand start-0 1 draw 3",
        },
        on="italy",
    )
    assert checks(drive(race, "3", "2", slipstream=2)) == [(1, 0, 0)]
    assert place(race) == (1, 12)
    # A full end space moves the car over a line without changing its speed; by the rulebook back before it.
    by_preset: tuple[tuple[PresetName, list[tuple[int, int, int]], int], ...] = (
        ("standard", [(2, 0, 0)], 20),
        ("rulebook", [], 18),
    )
    for preset, expected, space in by_preset:
        race = position(
            {
                "ana": "lap 1 space 17 gear 1 hand 2 1 heat draw 3 3",
                "ben": "lap 1 space 19 gear 1 hand start-0 1 draw 3 3",
                "cy": "lap 1 space 19 gear 1 hand start-0 1 draw 3 3",
            },
            on="italy",
            rules=PRESETS[preset],
        )
        assert checks(drive(race, "2")) == expected
        assert place(race) == (1, space)


def three_corners_round_the_finish() -> Race:
    """A short oval: lines after 18 and 20 before the finish line, and after 1 behind it."""
    facts = track_facts("italy")
    corner = Corner(after_space=1, limit=4, legends_line_after_space=15, race_line_from_here="left")
    lines = [
        corner,
        *(replace(corner, after_space=after, limit=limit) for after, limit in ((18, 6), (20, 5))),
    ]
    oval = replace(
        facts,
        spaces=20,
        corners=tuple(lines),
        grid=((17, "left"), (17, "right")),
        outline=tuple(point for point in facts.outline if point[0] <= 20),
    )
    words = "lap 1 space 18 gear 4 engine 5 hand 4 1 1 1 draw 2 2"
    cars = {"ana": words, "ben": "lap 1 space 10 gear 1 hand 1 2 3 draw 4 4 4"}
    race, _ = start_race(make_position(oval, cars, phase="play", laps=3))
    return race


def test_three_corners_and_the_lap_line_in_one_move_and_a_spin_out_back_over_it() -> None:
    race = three_corners_round_the_finish()
    race.seat(0).engine = 6
    assert checks(drive(race, "4", "1", "1", "1")) == [(2, 1, 1), (3, 2, 2), (1, 3, 3)]
    assert place(race) == (2, 5)
    race = three_corners_round_the_finish()
    events = drive(race, "4", "1", "1", "1")
    assert checks(events) == [(2, 1, 1), (3, 2, 2), (1, 3, 2)]
    assert place(race) == (2, 1), "back behind the line it had crossed in lap 2"
    race = three_corners_round_the_finish()
    race.seat(0).engine = 2
    assert checks(drive(race, "4", "1", "1", "1")) == [(2, 1, 1), (3, 2, 1)]
    assert place(race) == (1, 20), "back over the lap line, the lap taken away"


@pytest.mark.spec("TRACK-8")
def test_laps_count_at_the_line_and_a_spin_out_takes_the_lap_away() -> None:
    facts = track_facts("italy")
    late = replace(facts.corners[-1], after_space=54, limit=1, legends_line_after_space=40)
    circuit = replace(facts, corners=(*facts.corners, late))
    for engine, lap, space in ((6, 2, 3), (1, 1, 54)):
        words = f"lap 1 space 53 gear 1 engine {engine} hand 4 1 draw 3"
        cars = {"ana": words, "ben": "lap 1 space 5 gear 1 hand 1 2 draw 4 4"}
        race, _ = start_race(make_position(circuit, cars, phase="play"))
        drive(race, "4")
        assert place(race) == (lap, space)


STILL = "gear 1 hand start-0 2 draw 4 4 4"


@pytest.mark.spec("TURN-15")
@pytest.mark.parametrize("full", [0, 1, 4])
@pytest.mark.parametrize(("gear", "stress"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_a_spin_out_pays_what_is_there_and_goes_back_with_stress_in_first_gear(
    gear: int, stress: int, full: int
) -> None:
    """France: lines after 20 (limit 2) and 27 (limit 4), both crossed from 2nd gear on."""
    hand = ["start-5", "4", "3", "1"][:gear]
    words = f"lap 1 space 19 spot other gear {gear} engine 2 hand {' '.join(hand)} 2 draw 2 2 4 4"
    # Behind 20 and 19 (there the race line alone, Ana's own spot being free) come 18 and 17.
    others = [(20, "race"), (20, "other"), (19, "race"), (18, "race"), (18, "other")]
    cars = {"ana": words} | {
        f"c{space}{spot}": f"lap 1 space {space} spot {spot} {STILL}"
        for space, spot in others[: {0: 0, 1: 2, 4: 5}[full]]
    }
    race = position(cars | {"far": AWAY.replace("60", "50")}, on="france")
    events = drive(race, *hand)
    (spin_out,) = [event for event in events if isinstance(event, e.SpunOut)]
    speed = sum({"start-5": 5}.get(card) or int(card) for card in hand)
    assert spin_out.start == race.track.progress(1, 19 + speed)
    assert spin_out.stress == stress
    assert checks(events) == [(2, speed - 2, 2)], "corners beyond were not crossed then"
    ana = race.seat(0)
    assert (place(race), ana.spot) == {0: ((1, 20), 0), 1: ((1, 19), 0), 4: ((1, 19), 1)}[full]
    assert (ana.gear, ana.engine, ana.hand.count("stress")) == (1, 0, stress)
    assert ana.discard_pile.count(HEAT) == 2


def test_a_spin_out_searches_back_past_several_full_spaces() -> None:
    """From 30: the spaces 33, 32 and 31 are full, and on 30 another has taken the other spot."""
    still = {
        f"c{space}{spot}": f"lap {lap} space {space} spot {spot} {STILL}"
        for lap, space in ((1, 33), (2, 32), (1, 31))
        for spot in ("race", "other")
    }
    ana = "lap 1 space 28 gear 3 engine 0 hand 4 3 2 1 draw 2 2"
    race = position({"ana": ana, **still})
    drive(race, "4", "3", "2")
    assert (place(race), race.cars[0].spot) == ((1, 30), 0)
    race = position({"ana": ana, **still, "last": f"lap 1 space 30 spot race {STILL}"})
    drive(race, "4", "3", "2")
    assert (place(race), race.cars[0].spot) == ((1, 30), 1)


def test_a_spin_out_in_the_first_round_may_end_behind_the_start_line() -> None:
    """A corner right behind the start line: line after 1, and both spots of space 1 taken."""
    facts = track_facts("usa")
    first = replace(facts.corners[0], after_space=1, limit=1, legends_line_after_space=69)
    circuit = replace(facts, corners=(first, *facts.corners[1:]))
    still = "gear 1 hand start-0 2 draw 4 4 4"
    cars = {
        "ana": "lap 0 space 69 gear 2 engine 0 hand 4 3 1 draw 2 2",
        "ben": f"lap 1 space 1 {still}",
        "cy": f"lap 1 space 1 {still}",
    }
    race, _ = start_race(make_position(circuit, cars, phase="play"))
    drive(race, "4", "3")
    assert place(race) == (0, 69)


def test_corner_lines_behind_the_last_finish_line_do_not_count() -> None:
    for lap, expected in ((1, [(1, 7, 7)]), (2, [])):
        race = position(
            {
                "ana": f"lap {lap} space 68 gear 4 engine 7 hand 4 4 3 3 draw 1 1 1",
                "ben": "lap 1 space 5 gear 1 hand 1 2 draw 4 4",
            }
        )
        race.seat(0).engine = 9
        assert checks(drive(race, "4", "4", "3", "3", symbol="boost"))[:1] == [
            (corner, owed + 1, paid + 1) for corner, owed, paid in expected
        ]


def test_lines_seen_from_every_space() -> None:
    """A brute-force count of the lines between any two places agrees with the look-up."""
    for name in ("usa", "netherlands"):
        circuit = compile_track(track_facts(name))
        spaces = circuit.spaces
        after = {corner.after_space for corner in circuit.corners}
        for start in range(spaces, 2 * spaces):
            for length in (0, 1, 2, 7, 23, spaces, spaces + 3):
                expected = tuple(p for p in range(start, start + length) if circuit.space(p) in after)
                assert circuit.lines_crossed(start, start + length, 10 * spaces) == expected


def test_each_line_of_a_bill_names_its_rule() -> None:
    """The corner of the USA behind space 33 has the limit 3."""
    circuit = track("usa")
    line = circuit.progress(1, 33)
    roads: list[RoadName | None] = [None] * len(circuit.corners)

    def bill(token: RoadName, adjust: int) -> tuple[tuple[e.Part, ...], tuple[e.Part, ...]]:
        roads[circuit.corner_at(line)] = token
        settled = settle_corners(circuit, (line,), speed=9, engine=9, gear=3, roads=roads, adjust=adjust)
        return settled.bills[0].limit_parts, settled.bills[0].owed_parts

    limit, owed = bill("limit-1", 2)
    assert limit == (e.Part("printed limit", 3), e.Part("road token", -1), e.Part("adjust", 2))
    assert owed == (e.Part("over the limit", 5),)
    limit, owed = bill("overheat", 0)
    assert limit == (e.Part("printed limit", 3),)
    assert owed == (e.Part("over the limit", 6), e.Part("overheat", 1))


def test_what_is_paid_at_a_corner_is_told_with_its_line_and_its_bill() -> None:
    ana = "lap 1 space 31 gear 2 engine 6 hand 4 1 draw 3"
    race = position({"ana": ana, "ben": AWAY})
    events = drive(race, "4", "1")
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    limit = (e.Part("printed limit", 3),)
    assert bill == e.CornerChecked(0, race.track.progress(1, 33), 1, 5, 3, limit, 2, 2)
    (paid,) = [event for event in events if isinstance(event, e.HeatPaid)]
    assert paid == e.HeatPaid(0, 2, "corner", (e.Part("over the limit", 2),))
