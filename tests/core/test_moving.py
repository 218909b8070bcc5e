"""Phases 3 to 6: reveal, flips, moves, adrenaline, reactions, slipstream."""

from __future__ import annotations

import pytest

from heat_core import commands as c
from heat_core import events as e
from heat_core.cards import HEAT
from heat_core.choices import ReactChoice, SlipstreamChoice, choice_of
from heat_core.engine import step
from heat_core.presets import RULEBOOK, STANDARD
from heat_core.race import Race
from heat_core.refusal import RefusalCode, Refused
from heat_core.rules.effects import SymbolUse
from tests.core.support import position

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


@pytest.mark.spec("TURN-9")
@pytest.mark.parametrize(("cars", "last"), [(2, 1), (4, 1), (5, 2), (6, 2)])
def test_the_last_cars_of_the_order_have_adrenaline_once(cars: int, last: int) -> None:
    """Two seats drive last; Legends fill up in front, so the places of the order are known."""
    grid = {f"l{n}": f"lap 1 space {40 + n} legend easy" for n in range(cars - 2)}
    words = "gear 2 hand 1 2 heat draw 4 4 4"
    seats = {"ana": f"lap 1 space 20 {words}", "ben": f"lap 1 space 8 {words}"}
    race = position({**seats, **grid})
    for seat in (0, 1):
        step(race, seat, c.PlayCards(("1", "2")))
    assert race.adrenaline == ((0, 1) if last == 2 else (1,))
    for seat in (0, 1):
        assert list(race.open) == [seat]
        has_it = seat in race.adrenaline
        assert (("speed", "adrenaline") in symbols(race, seat)) == has_it
        assert (("cooldown", "adrenaline") in symbols(race, seat)) == has_it
        if has_it:
            before, speed = place(race, seat), race.turn.speed if race.turn else None
            use(race, "speed", "adrenaline", seat=seat)
            assert place(race, seat) == before + 1
            assert race.turn is not None
            assert speed is not None
            assert race.turn.speed == speed + 1
            assert symbols(race, seat)["speed", "adrenaline"].is_used
            use(race, "cooldown", "adrenaline", seat=seat)
            assert race.seat(seat).hand.count(HEAT) == 0
            with pytest.raises(Refused) as refused:
                use(race, "cooldown", "adrenaline", seat=seat)
            assert refused.value.code == RefusalCode.SYMBOL_USED
        step(race, seat, c.EndReact())


def test_a_legend_among_the_last_uses_its_adrenaline_up() -> None:
    words = "gear 1 hand 1 2 3 draw 4 4 4"
    race = position(
        {"ana": f"lap 1 space 20 {words}", "ben": f"lap 1 space 30 {words}", "l": "lap 1 space 5 legend easy"}
    )
    reveal(race, "1")
    assert race.adrenaline == (2,)
    assert ("speed", "adrenaline") not in symbols(race, 1)
    step(race, 1, c.EndReact())
    assert ("speed", "adrenaline") not in symbols(race, 0)


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
        for held in range(4):
            heat = " heat" * held
            words = f"lap 1 space 30 gear {gear} engine 1 hand 1 2 3 4{heat} draw 4 4"
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
def test_a_boost_pays_one_heat_flips_and_moves_once_a_turn() -> None:
    words = "lap 1 space 15 gear 4 engine 2 hand 1 1 2 2 draw heat stress 3 1 1"
    race = position({"ana": words.replace("1 1", "1 4", 1), "ben": BEHIND})
    reveal(race, "1", "4", "2", "2")
    assert place(race) == 24
    events = use(race, "boost", "gear")
    assert [event.card for event in events if isinstance(event, e.CardFlipped)] == ["heat", "stress", "3"]
    assert place(race) == 27
    assert race.turn is not None
    assert race.turn.speed == 12
    assert race.seat(0).engine == 1
    assert race.seat(0).discard_pile == [HEAT, "heat", "stress"]
    assert symbols(race)["boost", "gear"].is_used
    events = step(race, 0, c.EndReact())
    assert not [event for event in events if isinstance(event, e.CornerChecked)]


def test_a_boost_counts_for_the_corner_and_reshuffles_in_the_middle() -> None:
    words = "lap 1 space 30 gear 4 engine 6 hand 1 1 1 2 draw heat discard stress 4"
    race = position({"ana": words, "ben": BEHIND})
    reveal(race, "1", "1", "1", "2")
    events = use(race, "boost", "gear")
    assert any(isinstance(event, e.PileReshuffled) for event in events)
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
    for engine, draw, reason in ((0, "4 4", "no Heat"), (2, "heat stress", "No Speed card")):
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
    for other, lap, possible in ((32, 1, True), (33, 2, True), (34, 1, False), (31, 1, False)):
        for card, speed in (("1", 1), ("start-0", 0)):
            words = f"lap 1 space {32 - speed} gear 1 hand 1 2 start-0 heat draw 4 4"
            still = f"lap {lap} space {other} gear 1 hand start-0 2 draw 4 4 4"
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
