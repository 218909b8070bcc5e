"""Phases 3 to 6: reveal, flips, moves, adrenaline, reactions, slipstream."""

from __future__ import annotations

from itertools import product

import pytest

from heat_core.cards import HEAT
from heat_core.decisions import ReactChoice, SlipstreamChoice, choice_of
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, RULEBOOK, STANDARD, PresetName
from heat_core.race.state import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rules.offers import SymbolUse
from tests.core.support import least_command, position

BEHIND = "lap 1 space 2 gear 1 hand 1 2 3 draw 4 4 4"


def reveal(race: Race, *cards: str) -> list[e.Event]:
    """Let every other seat play its first card, and seat 0 these."""
    for seat in list(race.open):
        if seat:
            gear = race.seat(seat).gear
            step(race, seat, c.PlayCards(tuple(race.seat(seat).hand[:gear])))
    return step(race, 0, c.PlayCards(cards))


def place(race: Race, seat: int = 0) -> int:
    return race.track.space(race.cars[seat].progress)


def symbols(race: Race, seat: int = 0) -> dict[tuple[str, str], SymbolUse]:
    choice = choice_of(race, seat)
    assert isinstance(choice, ReactChoice)
    return {(use.symbol.kind, use.symbol.source): use for use in choice.symbols}


def use(race: Race, kind: str, source: str, amount: int = 1, seat: int = 0) -> list[e.Event]:
    number = list(symbols(race, seat)).index((kind, source))
    return step(race, seat, c.UseSymbol(number, amount))


@pytest.mark.spec("TURN-7")
def test_stress_flips_until_a_speed_card_and_reshuffles_in_the_middle() -> None:
    words = "lap 1 space 30 gear 2 hand stress 1 4 draw start-5 heat discard stress 2"
    race = position({"ana": words, "ben": BEHIND})
    events = reveal(race, "stress", "1")
    flips = [(event.card, event.value) for event in events if isinstance(event, e.CardFlipped)]
    assert flips[:2] == [("start-5", 0), ("heat", 0)]
    assert flips[-1] == ("2", 2)
    shuffled = [event for event in events if isinstance(event, e.PileReshuffled)]
    # The cards just passed over are discarded at once, so the reshuffle takes them in.
    assert [sorted(event.order or ()) for event in shuffled] == [["2", "heat", "start-5", "stress"]]
    assert place(race) == 33
    assert sorted(race.seat(0).played) == ["1", "2", "stress"]


def test_a_flip_without_a_speed_card_gives_nothing_and_turns_nothing() -> None:
    words = "lap 1 space 30 gear 2 hand stress 1 4 draw start-5 heat discard stress start-0"
    race = position({"ana": words, "ben": BEHIND})
    events = reveal(race, "stress", "1")
    assert any(isinstance(event, e.FlipFailed) for event in events)
    assert race.seat(0).draw_pile == ["heat", "start-5"]
    assert place(race) == 31


@pytest.mark.spec("TURN-8")
def test_cars_pass_and_end_on_free_spots_by_place_whatever_the_laps() -> None:
    still = "gear 1 hand start-0 2 draw 4 4 4"
    race = position(
        {
            "ana": "lap 1 space 30 spot other gear 1 hand 3 1 start-0 draw 4 4",
            "ben": f"lap 2 space 31 {still}",
            "cy": f"lap 2 space 31 {still}",
            "dora": f"lap 2 space 33 spot race {still}",
        }
    )
    for seat in (1, 2, 3):
        step(race, seat, c.PlayCards(("start-0",)))
    at_rest = race.copy()
    step(race, 0, c.PlayCards(("3",)))
    step(at_rest, 0, c.PlayCards(("start-0",)))
    for game in (race, at_rest):
        while game.turn is not None and game.turn.car != 0:
            (seat,) = game.open
            step(game, seat, c.EndReact() if game.open[seat].kind == "react" else c.Slipstream(0))
    assert (place(race), race.cars[0].spot) == (33, 1), "two full spaces were passed, the other spot taken"
    assert (place(at_rest), at_rest.cars[0].spot) == (30, 1), "a move of 0 keeps its spot"
    use(race, "speed", "adrenaline")
    assert (place(race), race.cars[0].spot) == (34, 0), "each moving symbol is a move of its own"


@pytest.mark.parametrize(("spot", "number"), [("race", 0), ("other", 1)])
def test_by_the_rulebook_a_move_that_comes_to_nothing_keeps_its_spot(spot: str, number: int) -> None:
    """31 and 32 are full; on 30 the race line is free, and a car on the other spot does not take it."""
    still = "gear 1 hand start-0 2 draw 4 4 4"
    cars = {f"c{n}": f"lap 2 space {31 + n // 2} {still}" for n in range(4)}
    ana = f"lap 1 space 30 spot {spot} gear 1 hand 2 3 draw 4 4"
    race = position({"ana": ana} | cars, rules=RULEBOOK)
    for seat in (1, 2, 3, 4):
        step(race, seat, c.PlayCards(("start-0",)))
    step(race, 0, c.PlayCards(("2",)))
    while race.open.keys() != {0}:
        step(race, *next((seat, least_command(race, seat)) for seat in race.open))
    assert (place(race), race.cars[0].spot) == (30, number)
    assert race.turn is not None
    assert race.turn.speed == 2, "spaces lost to full ones do not change the speed"


@pytest.mark.parametrize(("kind", "source", "gain"), [("speed", "adrenaline", 1), ("boost", "gear", 3)])
def test_what_is_gained_on_a_speed_of_zero_counts_from_zero(kind: str, source: str, gain: int) -> None:
    words = "lap 1 space 33 gear 1 engine 6 hand start-0 1 draw 3 4"
    race = position({"ana": words, "ben": "lap 1 space 60 gear 1 hand 1 2 draw 4"}, rules=RULEBOOK)
    step(race, 1, c.PlayCards(("1",)))
    step(race, 0, c.PlayCards(("start-0",)))
    while race.open.keys() != {0}:
        step(race, *next((seat, least_command(race, seat)) for seat in race.open))
    use(race, kind, source)
    assert race.turn is not None
    assert (race.turn.speed, place(race)) == (gain, 33 + gain)


@pytest.mark.spec("TURN-9")
@pytest.mark.parametrize(
    ("cars", "legend_at"),
    [(2, None), *product((3, 4, 5, 6, 8), ("last", "last but one")), (4, None), (5, None)],
)
def test_the_last_cars_of_the_order_have_adrenaline_once(cars: int, legend_at: str | None) -> None:
    """Legends fill up in front, and may be among the last: they count there and get nothing."""
    last = {"last": "lap 1 space 2 legend hard", "last but one": "lap 1 space 12 legend hard"}
    words = "gear 2 hand 1 2 heat heat heat draw 4 4 4"
    seats = {"ana": f"lap 1 space 20 {words}", "ben": f"lap 1 space 8 {words}"}
    behind = {"robot": last[legend_at]} if legend_at else {}
    front = {f"l{n}": f"lap 1 space {40 + n} legend easy" for n in range(cars - 2 - len(behind))}
    race = position({**seats, **behind, **front})
    for seat in (0, 1):
        step(race, seat, c.PlayCards(("1", "2")))
    tail = {None: [0, 1], "last": [0, 1, 2], "last but one": [0, 2, 1]}[legend_at]
    assert list(race.turn_order[-len(tail) :]) == tail
    expected = tail[-2 if cars >= 5 else -1 :]
    assert list(race.adrenaline) == expected
    for seat in (0, 1):
        assert list(race.open) == [seat]
        # Whatever has moved by now, who is last is what the order fixed for the round says.
        assert list(race.adrenaline) == expected
        known = symbols(race, seat)
        assert (("speed", "adrenaline") in known) == (seat in expected)
        assert (("cooldown", "adrenaline") in known) == (seat in expected)
        if seat in expected:
            check_adrenaline(race, seat)
        step(race, seat, c.EndReact())
    assert race.phase is Phase.DISCARD
    assert race.turn is None, "what was not used is gone with the turn"


def check_adrenaline(race: Race, seat: int) -> None:
    turn = race.turn
    assert turn is not None
    before, speed = place(race, seat), turn.speed
    assert speed is not None
    use(race, "speed", "adrenaline", seat=seat)
    assert (place(race, seat), turn.speed) == (before + 1, speed + 1)
    assert symbols(race, seat)["cooldown", "adrenaline"].most == 1
    use(race, "cooldown", "adrenaline", seat=seat)
    assert race.seat(seat).hand.count(HEAT) == 2
    for kind in ("speed", "cooldown"):
        with pytest.raises(Refused) as refused:
            use(race, kind, "adrenaline", seat=seat)
        assert refused.value.code == RefusalCode.SYMBOL_USED


def test_the_car_that_is_passed_in_the_round_does_not_get_adrenaline() -> None:
    """Ana, ahead, creeps and is passed by Ben, the last of the order, who has adrenaline all the same."""
    race = position(
        {
            "ana": "lap 1 space 20 gear 1 hand start-0 2 draw 4 4",
            "ben": "lap 1 space 19 gear 1 hand 4 2 draw 4 4",
        }
    )
    step(race, 0, c.PlayCards(("start-0",)))
    step(race, 1, c.PlayCards(("4",)))
    assert ("speed", "adrenaline") not in symbols(race, 0)
    step(race, 0, c.EndReact())
    assert place(race, 1) > place(race, 0)
    assert ("speed", "adrenaline") in symbols(race, 1)


@pytest.mark.spec("TURN-10")
def test_symbols_are_used_in_any_order_each_once_or_not_at_all() -> None:
    words = "lap 1 space 5 gear 2 engine 3 hand 1 1 heat heat draw 3 2 4"
    for order in (
        [("cooldown", "gear"), ("speed", "adrenaline"), ("cooldown", "adrenaline")],
        [("speed", "adrenaline"), ("cooldown", "adrenaline"), ("cooldown", "gear")],
        [("cooldown", "adrenaline")],
        [],
    ):
        race = position({"ana": words, "ben": "lap 1 space 20 gear 1 hand 1 2 draw 4 4 4"})
        reveal(race, "1", "1")
        step(race, 1, c.EndReact())
        for kind, source in order:
            use(race, kind, source)
        used = [key for key, symbol in symbols(race).items() if symbol.is_used]
        assert sorted(used) == sorted(order)
        step(race, 0, c.EndReact())
        assert race.seat(0).engine == 3 + sum(kind == "cooldown" for kind, _ in order)


@pytest.mark.spec("TURN-11")
def test_cooldown_takes_up_to_n_heat_from_hand_to_engine() -> None:
    for gear, most in ((1, 3), (2, 1), (3, 0), (4, 0)):
        for held in range(6):
            heat = " heat" * held
            words = f"lap 1 space 34 gear {gear} engine 1 hand 1 2 3 4{heat} draw 4 4"
            race = position({"ana": words, "ben": BEHIND})
            reveal(race, *("1", "2", "3", "4")[:gear])
            known = symbols(race)
            assert (("cooldown", "gear") in known) == (most > 0)
            for amount in range(1, min(most, held) + 1):
                after = race.copy()
                use(after, "cooldown", "gear", amount)
                assert after.seat(0).engine == 1 + amount
                assert after.seat(0).hand.count(HEAT) == held - amount
                assert after.seat(0).discard_pile == race.seat(0).discard_pile
            if most:
                assert known["cooldown", "gear"].most == min(most, held)
                with pytest.raises(Refused):
                    use(race, "cooldown", "gear", min(most, held) + 1)


@pytest.mark.spec("TURN-12")
@pytest.mark.parametrize("gear", [1, 2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_boost_pays_one_heat_flips_moves_and_counts_for_corners_once_a_turn(
    preset: PresetName, gear: int
) -> None:
    cards = ("1", "1", "1", "2")[:gear]
    words = f"lap 1 space 32 gear {gear} engine 1 hand 1 1 1 2 draw heat stress start-5 3 4 4"
    race = position({"ana": words, "ben": BEHIND}, rules=PRESETS[preset])
    reveal(race, *cards)
    speed = sum(int(card) for card in cards)
    assert place(race) == 32 + speed
    has_boost = gear == 4 if preset == "standard" else True
    assert (("boost", "gear") in symbols(race)) == has_boost
    if not has_boost:
        return
    events = use(race, "boost", "gear")
    flipped = [event.card for event in events if isinstance(event, e.CardFlipped)]
    assert flipped == ["heat", "stress", "start-5", "3"]
    assert place(race) == 32 + speed + 3
    assert race.seat(0).engine == 0
    assert race.seat(0).discard_pile == [HEAT, "heat", "stress", "start-5"]
    assert race.seat(0).played == [*cards, "3"]
    with pytest.raises(Refused) as refused:
        use(race, "boost", "gear")
    assert refused.value.code == RefusalCode.SYMBOL_USED
    events = step(race, 0, c.EndReact())
    (checked,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (checked.speed, checked.limit, checked.owed) == (speed + 3, 3, speed)


def test_a_boost_that_reshuffles_in_the_middle() -> None:
    words = "lap 1 space 30 gear 4 engine 6 hand 1 1 1 2 draw heat discard stress 4"
    race = position({"ana": words, "ben": BEHIND})
    reveal(race, "1", "1", "1", "2")
    events = use(race, "boost", "gear")
    (shuffled,) = [event for event in events if isinstance(event, e.PileReshuffled)]
    # The Heat that paid for the boost and the Heat passed over lie in the discard pile by then.
    assert sorted(shuffled.order or ()) == ["4", "heat", "heat", "stress"]
    assert race.turn is not None
    assert (race.turn.speed, place(race)) == (9, 39)
    events = step(race, 0, c.EndReact())
    (checked,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (checked.speed, checked.owed, checked.paid) == (9, 6, 5)


@pytest.mark.parametrize("gear", [1, 2, 3, 4])
def test_which_gears_boost_is_the_presets_business(gear: int) -> None:
    words = f"lap 1 space 30 gear {gear} engine 2 hand 1 1 2 2 draw 4 4"
    for rules, gears in ((STANDARD, (4,)), (RULEBOOK, (1, 2, 3, 4))):
        race = position({"ana": words, "ben": BEHIND}, rules=rules)
        reveal(race, *("1", "1", "2", "2")[:gear])
        assert (("boost", "gear") in symbols(race)) == (gear in gears)


def test_no_boost_without_heat_or_without_a_speed_card() -> None:
    for engine, draw, reason in ((0, "4 4", "no Heat"), (2, "heat stress", "no Speed card")):
        words = f"lap 1 space 30 gear 4 engine {engine} hand 1 1 2 2 draw {draw}"
        race = position({"ana": words, "ben": BEHIND})
        reveal(race, "1", "1", "2", "2")
        boost = symbols(race)["boost", "gear"]
        assert boost.most == 0
        assert reason in boost.reason
        with pytest.raises(Refused) as refused:
            use(race, "boost", "gear")
        assert refused.value.code == RefusalCode.SYMBOL_NOT_AVAILABLE


@pytest.mark.spec("TURN-13")
def test_slipstream_beside_or_right_behind_two_spaces_further() -> None:
    places = ((32, True), (33, True), (34, False), (31, False))
    for (other, possible), lap, spot in product(places, (1, 2), ("race", "other")):
        for card, speed in (("1", 1), ("start-0", 0)):
            own = " spot " + {"race": "other", "other": "race"}[spot] if speed == 0 else ""
            words = f"lap 1 space {32 - speed}{own} gear 1 hand 1 2 start-0 heat draw 4 4"
            still = f"lap {lap} space {other} spot {spot} gear 1 hand start-0 2 draw 4 4 4"
            race = position({"ana": words, "ben": still, "cy": BEHIND})
            step(race, 1, c.PlayCards(("start-0",)))
            step(race, 2, c.PlayCards(("1",)))
            step(race, 0, c.PlayCards((card,)))
            while race.open.keys() != {0}:
                (seat,) = race.open
                step(race, seat, c.EndReact() if race.open[seat].kind == "react" else c.Slipstream(0))
            assert place(race) == 32
            events = step(race, 0, c.EndReact())
            assert (0 in race.open and race.open[0].kind == "slipstream") == possible, (other, card)
            if possible:
                start = race.cars[0].progress
                assert choice_of(race, 0) == SlipstreamChoice((0, 2), (start, start + 2))
                events = step(race, 0, c.Slipstream(2))
                assert place(race) == 34
                (checked,) = [event for event in events if isinstance(event, e.CornerChecked)]
                assert (checked.corner, checked.speed, checked.owed) == (1, speed, 0)


def test_a_slipstream_over_the_last_finish_line_is_the_presets_business() -> None:
    for rules, asked in ((STANDARD, True), (RULEBOOK, False)):
        race = position(
            {
                "ana": "lap 2 space 66 gear 1 hand 2 3 draw 4 4",
                "ben": "lap 2 space 69 gear 1 hand start-0 2 draw 4 4 4",
            },
            rules=rules,
        )
        step(race, 1, c.PlayCards(("start-0",)))
        step(race, 0, c.PlayCards(("2",)))
        step(race, 1, c.EndReact())
        if rules is RULEBOOK:
            step(race, 1, c.Discard(()))
        step(race, 0, c.EndReact())
        assert (0 in race.open and race.open[0].kind == "slipstream") == asked


def test_a_symbol_says_all_of_what_it_may_do_and_why_not() -> None:
    """Used, not to be used, to be used: each with its amounts, its cost and its reason."""
    last = "lap 1 space 2 gear 1 engine 3 hand 1 2 3 heat heat draw 4 4 4"
    race = position({"ana": last, "ben": "lap 1 space 30 gear 1 hand 1 2 3 draw 4 4 4"})
    reveal(race, "1")
    step(race, 1, c.EndReact())
    told = symbols(race)
    cooldown, adrenaline = told["cooldown", "gear"], told["cooldown", "adrenaline"]
    assert cooldown == SymbolUse(e.Symbol("cooldown", 3, "gear"), False, 1, 2, 0, "")
    assert told["speed", "adrenaline"] == SymbolUse(e.Symbol("speed", 1, "adrenaline"), False, 1, 1, 0, "")
    assert adrenaline == SymbolUse(e.Symbol("cooldown", 1, "adrenaline"), False, 1, 1, 0, "")
    step(race, 0, c.UseSymbol(0, 2))
    assert symbols(race)["cooldown", "gear"] == SymbolUse(cooldown.symbol, True, 0, 0, 0, "Already used.")
    assert symbols(race)["cooldown", "adrenaline"] == SymbolUse(
        adrenaline.symbol, False, 1, 0, 0, "You have no Heat in your hand."
    )


def test_a_boost_says_what_it_costs_and_what_is_missing_for_it() -> None:
    boost = e.Symbol("boost", 1, "gear")
    behind = "lap 1 space 20 gear 1 hand 1 2 3 draw 4 4 4"
    for engine, draw, least_most, reason in (
        (3, "4 4", 1, ""),
        (0, "4 4", 0, "Your engine has no Heat."),
        (3, "stress start-5", 0, "You have no Speed card left to flip."),
    ):
        words = f"lap 1 space 30 gear 4 engine {engine} hand 1 1 1 2 draw {draw}"
        race = position({"ana": words, "ben": behind})
        reveal(race, "1", "1", "1", "2")
        assert symbols(race)["boost", "gear"] == SymbolUse(boost, False, 1, least_most, 1, reason)
