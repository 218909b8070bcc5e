"""All upgrade cards by their lines of data, each symbol once, and many together in one turn."""

from __future__ import annotations

import pytest

from heat_core.cards import CATALOGUE, REACT_SYMBOLS
from heat_core.data.facts import HEAT_FAMILY
from heat_core.data.upgrades import ADVANCED_UPGRADES, BASIC_UPGRADES, EXPANSION_UPGRADES
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.state import Race
from heat_core.view.secrecy import view_race
from tests.core.support_turns import (
    FLIPS,
    GEAR_1,
    GEAR_2,
    begin,
    discard,
    flipped,
    leave_react,
    play_directly,
    react_choice,
    reveal,
    slipstream_choice,
    space,
    speed,
    symbol,
    use,
)

ALL = [
    facts.name
    for facts in (*BASIC_UPGRADES, *ADVANCED_UPGRADES, *EXPANSION_UPGRADES)
    if facts.family != HEAT_FAMILY
]


@pytest.mark.spec("GARAGE-3")
@pytest.mark.parametrize("card", ALL)
def test_every_card_plays_by_its_line_of_data(card: str) -> None:
    race = begin(f"{GEAR_1} engine 6 hand {card} 1 {FLIPS}")
    facts = CATALOGUE[card]
    events = reveal(race, card, values=(facts.speeds[-1],) if len(facts.speeds) > 1 else ())
    flips = [value for _, value in flipped(events) if value]
    assert len(flips) == sum(number for kind, number in facts.symbols if kind == "flip")
    assert speed(race) == facts.speeds[-1] + sum(flips)
    got = [(use.symbol.kind, use.symbol.number) for use in react_choice(race).symbols if use.symbol.card]
    assert got == list(REACT_SYMBOLS[card]) == [item for item in facts.symbols if item[0] != "flip"]
    for kind, _ in got:
        if kind in ("heat", "scrap"):
            use(race, kind, card)
    leave_react(race)
    assert view_race(race, 1).cars[0].engine == race.seat(0).engine


def mandatory_left(race: Race) -> str:
    return react_choice(race).must


def test_mandatory_symbols_keep_the_seat_in_phase_5_until_the_last_is_used() -> None:
    race = begin(f"{GEAR_2} engine 6 hand wings-3 turbo-2 {FLIPS}")
    reveal(race, "turbo-2", "wings-3")
    assert mandatory_left(race) == "3 Heat must be paid first."
    use(race, "heat", "wings-3")
    assert mandatory_left(race) == "1 Heat must be paid first."
    use(race, "heat", "turbo-2")
    assert mandatory_left(race) == "6 cards must be scrapped first for Turbocharger 8."
    assert (react_choice(race).must_kind, react_choice(race).must_amount) == ("scrap", 6)
    use(race, "scrap", "turbo-2")
    assert mandatory_left(race) == ""
    leave_react(race)


SYMBOLS: list[tuple[str, str, str, int | None, dict[str, object]]] = [
    # card, what lies about, symbol used (none: by itself), amount, what comes of it
    ("4wd-1", "draw 3", "", None, {"speed": 7, "played": ["4wd-1", "3"]}),
    ("gas-3", "draw 1 2 3", "scrap", None, {"discard": ["1", "2", "3"], "draw": []}),
    ("intake-4", "draw 2 2 2 discard heat", "super_cool", None, {"engine": 5, "discard": []}),
    ("intake-1", "draw 1 discard 4 4 4", "salvage", 3, {"draw_size": 4, "discard": []}),
    ("cooling-2", "draw 1", "cooldown", 2, {"engine": 6, "hand": ["1"]}),
    ("body-1", "draw 1", "reduce_stress", 1, {"discard": ["stress"]}),
    ("4wd-4", "draw 3", "accelerate", None, {"speed": 4, "space": 24}),
    ("front-wing-3", "draw 1", "draft", 2, {"speed": 2, "space": 24}),
    ("turbo-2", "draw 1", "heat", None, {"engine": 3, "discard": ["heat"]}),
]


@pytest.mark.spec("GARAGE-4")
@pytest.mark.parametrize(("card", "piles", "kind", "amount", "result"), SYMBOLS)
def test_each_symbol_does_what_it_says(
    card: str, piles: str, kind: str, amount: int | None, result: dict[str, object]
) -> None:
    """With those below, each symbol of the cards once; mandatory ones hold the seat back, others do not."""
    hand = {"cooldown": "heat heat", "reduce_stress": "stress"}.get(kind, "")
    race = begin(
        {"ana": f"{GEAR_1} engine 4 hand {card} 1 {hand} {piles}", "ben": "lap 1 space 24 hand 1 1 draw 1"}
    )
    reveal(race, card)
    assert bool(mandatory_left(race)) == any(name in ("heat", "scrap") for name, _ in REACT_SYMBOLS[card])
    if kind:
        cards = ("4",) * (amount or 0) if kind == "salvage" else ()
        use(race, kind, card, amount, cards)
    seat = race.seat(0)
    now: dict[str, object] = {
        "speed": speed(race),
        "space": space(race),
        "engine": seat.engine,
        "hand": seat.hand,
        "played": seat.played,
        "discard": seat.discard_pile,
        "draw": seat.draw_pile,
        "draw_size": len(seat.draw_pile),
    }
    assert {name: now[name] for name in result} == result


@pytest.mark.spec("GARAGE-4")
def test_symbols_of_other_phases_do_what_they_say() -> None:
    """Direct play, a boost, a choice of speed, slipstream, adjust and refresh, all in one turn."""
    ana = "lap 1 space 45 gear 4 hand brakes-2 tyres-6 suspension-4 gas-1 1 4 4 4 3 3 draw 1 2 2 stress 1 3"
    race = begin({"ana": ana, "ben": "lap 1 space 54 gear 1 hand 1 1 draw 1"}, sponsorships=False)
    reveal(race, "brakes-2", "tyres-6", "suspension-4", "1", values=(1,))
    assert speed(race) == 1 + (1 + 2) + 1 + 1
    use(race, "boost", "gear")
    play_directly(race, "gas-1", 1)
    use(race, "scrap", "gas-1")
    assert (speed(race), space(race), race.seat(0).engine) == (9, 54, 5)
    step(race, 0, c.EndReact())
    assert slipstream_choice(race).spaces == (0, 2, 3)
    events = step(race, 0, c.Slipstream(3))
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (bill.limit, bill.owed, space(race), race.seat(0).engine) == (3 + 2, 4, 57, 1)
    discard(race, refresh=("suspension-4",))
    # It is the first to be drawn again; of the seven cards one more is missing.
    assert race.seat(0).hand == ["1", "3", "3", "4", "4", "4", "suspension-4"]
    assert race.seat(0).draw_pile == ["3"]


@pytest.mark.spec("GARAGE-5")
def test_one_turn_with_corners_stress_boost_adrenaline_and_symbols_together() -> None:
    ana = "lap 1 space 27 gear 4 engine 3 hand 4wd-4 stress tyres-6 body-2 heat heat draw 1 1 2 2 3"
    race = begin({"ana": ana, "ben": "lap 1 space 41 gear 1 hand 1 1 draw 1"}, weather="snow")
    reveal(race, "4wd-4", "stress", "tyres-6", "body-2")
    # Four flips: 1 of the drive, 1 of Stress, 2 + 2 of the tyres; and the body's 5.
    assert (speed(race), space(race)) == (11, 38)
    assert symbol(race, "cooldown", "sector").most == 1
    use(race, "speed", "adrenaline")
    use(race, "boost", "gear")
    assert (speed(race), space(race), race.seat(0).engine) == (15, 42, 2)
    use(race, "accelerate", "4wd-4")
    assert (speed(race), space(race)) == (20, 47), "five flips, the boost's among them"
    use(race, "cooldown", "adrenaline")
    use(race, "cooldown", "sector")
    assert race.seat(0).engine == 4
    events = leave_react(race)
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (bill.limit, bill.owed, bill.paid) == (3 + 2, 15, 4), "the limit is adjusted, and it spins out"
    spin = next(event for event in events if isinstance(event, e.SpunOut))
    assert (spin.stress, space(race)) == (2, 33)


def test_whatever_is_paid_moved_or_used_in_a_turn_is_told_with_its_rule() -> None:
    ana = "lap 1 space 14 gear 4 engine 2 hand 4wd-4 turbo-2 1 1 gas-4 heat draw 3 4 1 2 2 3 3 4"
    race = begin({"ana": ana, "ben": "lap 1 space 60 hand 1 1 draw 1"})
    log = reveal(race, "4wd-4", "turbo-2", "1", "1")
    log += use(race, "boost", "gear")
    log += use(race, "speed", "adrenaline")
    log += use(race, "accelerate", "4wd-4")
    log += use(race, "heat", "turbo-2")
    log += play_directly(race, "gas-4", 4)
    log += use(race, "scrap", "turbo-2")
    own = [event for event in log if getattr(event, "seat", getattr(event, "car", None)) == 0]
    assert [(event.amount, event.reason, event.parts) for event in own if isinstance(event, e.HeatPaid)] == [
        (1, "boost", (e.Part("boost", 1),)),
        (1, "card", (e.Part("turbo-2", 1),)),
        (1, "card", (e.Part("gas-4", 1),)),
    ]
    assert [(event.reason, event.spaces) for event in own if isinstance(event, e.CarMoved)] == [
        ("cards", 13),
        ("boost", 4),
        ("adrenaline", 1),
        ("accelerate", 2),
        ("direct", 4),
    ]
    moves = [event for event in own if isinstance(event, e.CarMoved)]
    assert all(move.end - move.start == move.spaces for move in moves)
    speeds = [event for event in own if isinstance(event, e.SpeedSet)]
    assert [event.speed for event in speeds] == [13, 17, 18, 20, 24]
    assert speeds[-1].parts == (
        e.Part("1", 1),
        e.Part("1", 1),
        e.Part("turbo-2", 8, 1),
        e.Part("4wd-4", 0, 2),
        e.Part("4wd-4", 3),
        e.Part("boost", 4),
        e.Part("adrenaline", 1),
        e.Part("accelerate", 2),
        e.Part("gas-4", 4, 3),
    )
    assert [(event.reason, event.source) for event in own if isinstance(event, e.CardFlipped)] == [
        ("card", "4wd-4"),
        ("boost", "gear"),
    ]
    # Boost, adrenaline, accelerate, Heat; cooldown and Heat of the direct card; scrap.
    assert [event.amount for event in own if isinstance(event, e.SymbolUsed)] == [1, 1, 1, 1, 1, 1, 6]
    scrapped = [event.card for event in own if isinstance(event, e.CardScrapped)]
    assert scrapped == ["1", "2", "2", "3", "3", "4"]
    gained = [event.symbols[0].source for event in own if isinstance(event, e.SymbolsGained)]
    assert gained == ["turbo-2", "gas-4"]
