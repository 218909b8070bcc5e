"""Automated cars: the deck, the levels, and what they count for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from heat_core.data.legends import LEGEND_CARDS, Helmet
from heat_core.engine import start_race, step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import apply
from heat_core.race.cars import Legend
from heat_core.race.presets import LEGEND_LEVELS, PRESETS, STANDARD, Rules
from heat_core.race.setup import COLOURS, BadSetup, CarSetup, LegendSetup, make_setup
from heat_core.rules.legends import legend_move
from heat_core.track import Track
from tests.core.support import RandomPlay, pass_all, position, setup_of, track, track_facts

ANA = "lap 1 space 60 gear 1 hand 1 2 3 draw 4 4 4"


def turned(events: list[e.Event]) -> list[int]:
    return [event.card for event in events if isinstance(event, e.LegendCardTurned)]


@pytest.mark.spec("LEGEND-1")
def test_one_card_a_round_for_all_by_helmet_and_level_and_reshuffled_when_used_up() -> None:
    race, _ = start_race(setup_of("spain", seats=1, legends=3, laps=2, seed="deck"))
    rounds: list[list[e.Event]] = []
    while race.round <= 12:
        rounds.append(pass_all(race))
    cards = [turned(told) for told in rounds]
    assert all(len(card) == 1 for card in cards)
    order = [card for (card,) in cards]
    assert sorted(order[:10]) == list(range(10))
    shuffles = [sum(isinstance(event, e.LegendCardsShuffled) for event in told) for told in rounds]
    assert shuffles == [0] * 10 + [1, 0]
    assert len(LEGEND_CARDS) == 10
    for level, bonus in (("easy", 0), ("medium", 2), ("hard", 4)):
        for helmets in (("black", "blue"), ("green", "red"), ("grey", "yellow")):
            card, moved = moves_of_legends(58, level, *helmets)
            assert moved == [LEGEND_CARDS[card][helmet][1] + bonus for helmet in helmets]
        # On the chevrons before the corner behind space 95; another line lies behind 98.
        _, (spaces,) = moves_of_legends(95, level, "black", on="spain")
        assert (spaces > 3) == (level == "hard")


def moves_of_legends(space: int, level: str, *helmets: Helmet, on: str = "usa") -> tuple[int, list[int]]:
    """Give the card of a round and how far it moves Legends, by the longest straight unless said."""
    cars: dict[str, str] = {
        helmet: f"lap 1 space {space} spot {spot} legend {level} helmet {helmet}"
        for helmet, spot in zip(helmets, ("race", "other"), strict=False)
    }
    events = pass_all(position({"ana": ANA, **cars}, on=on))
    (card,) = turned(events)
    moved = {event.car: event.spaces for event in events if isinstance(event, e.CarMoved) and event.car}
    return card, [moved[car] for car in range(1, len(helmets) + 1)]


@pytest.mark.spec("LEGEND-2")
def test_behind_its_line_a_legend_drives_the_cards_speed_or_stops_at_the_diamonds_distance() -> None:
    circuit = track("usa")
    for diamond, top_speed, space in ((0, 5, 45), (2, 9, 49), (2, 10, 47), (0, 14, 49), (3, 14, 46)):
        start = circuit.progress(1, 40)
        move = legend_move(
            circuit, STANDARD, set(), start, 0, 10_000, diamond=diamond, top_speed=top_speed, chevrons=False
        )
        assert (circuit.space(move.end), move.case) == (space, "B")
        assert move.speed == min(top_speed, space - 40)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_a_legend_never_stops_behind_where_it_began(rules: Rules) -> None:
    """A board whose Legends line lies 2 before the corner line (after 49): the stop may be behind the car."""
    facts = track_facts("usa")
    near = replace(facts.corners[2], legends_line_after_space=47)
    circuit = Track(replace(facts, corners=(*facts.corners[:2], near, facts.corners[3])))
    lap = circuit.progress(1, 0)

    def drive(start: int, diamond: int, taken: set[int]) -> tuple[int, int, int]:
        occupied = {2 * space + spot for space in taken for spot in (0, 1)}
        move = legend_move(
            circuit, rules, occupied, lap + start, 1, 10_000, diamond=diamond, top_speed=11, chevrons=False
        )
        assert move.case == "B"
        return move.end - lap, move.spot, move.speed

    assert drive(47, 3, set()) == (47, 1, 0), "the stop, 46, lies behind"
    assert drive(47, 2, set()) == (47, 1, 0), "the stop, 47, is where it stands"
    assert drive(47, 1, set()) == (48, 0, 1)
    assert drive(46, 0, {49}) == (48, 0, 3), "the stop is full: the first free space behind, the speed kept"
    assert drive(46, 0, {47, 48, 49}) == (46, 1, 3), "nothing free ahead of it: it stays"


def test_chevrons_let_a_legend_cross_one_or_two_lines_more_and_stop_before_the_next() -> None:
    """Five lines, one behind each of the spaces 50 to 54; chevrons on the first from 46, double from 48."""
    facts = track_facts("usa")
    line = replace(facts.corners[2], after_space=50, limit=9, legends_line_after_space=43)
    lines = [replace(line, after_space=space) for space in range(50, 55)]
    lines[0] = replace(lines[0], chevron_within=5, double_chevron_within=3)
    circuit = Track(replace(facts, corners=(*facts.corners[:2], *lines)))
    lap = circuit.progress(1, 0)
    for start, chevrons, plain in ((44, 51, 51), (45, 51, 51), (46, 52, 51), (47, 52, 51), (48, 53, 51)):
        for on, stop in ((True, chevrons), (False, plain)):
            move = legend_move(
                circuit, STANDARD, set(), lap + start, 0, 10_000, diamond=3, top_speed=19, chevrons=on
            )
            assert (move.end - lap, move.case, move.speed) == (stop, "A", min(12, stop - start))
            crossed = circuit.lines_crossed(lap + start, move.end, 10_000)
            assert len(crossed) == stop - 50


def test_a_corner_line_on_the_last_finish_line_counts_and_one_behind_it_does_not() -> None:
    facts = track_facts("usa")
    for after, ends in ((69, (2, 69)), (5, (3, 9))):
        corner = replace(
            facts.corners[0], after_space=after, legends_line_after_space=66 if after == 5 else 60
        )
        corners = sorted((*facts.corners[1:], corner), key=lambda known: known.after_space)
        circuit = Track(replace(facts, corners=tuple(corners)))
        start = circuit.progress(2, 59)
        move = legend_move(
            circuit,
            STANDARD,
            set(),
            start,
            0,
            circuit.finish_line(2),
            diamond=0,
            top_speed=19,
            chevrons=False,
        )
        assert (circuit.lap(move.end), circuit.space(move.end)) == ends


@pytest.mark.spec("LEGEND-3")
def test_between_its_line_and_the_corner_a_legend_drives_limit_plus_diamond() -> None:
    circuit = track("usa")
    for diamond in range(4):
        start = circuit.progress(1, 47)
        move = legend_move(
            circuit, STANDARD, set(), start, 0, 10_000, diamond=diamond, top_speed=19, chevrons=False
        )
        assert (circuit.space(move.end), move.speed, move.case) == (50 + diamond, 3 + diamond, "A")


@pytest.mark.spec("LEGEND-4")
def test_legends_have_no_cards_but_count_for_slipstream_adrenaline_order_and_standings() -> None:
    game = RandomPlay(setup_of("gb", seats=2, legends=3, laps=1, seed="count"), "d")
    race = game.run()
    legends = {number for number, car in enumerate(race.cars) if type(car) is Legend}
    assert legends == {2, 3, 4}
    for event in game.events:
        if isinstance(
            event, e.HeatPaid | e.HeatCooled | e.CardFlipped | e.SpunOut | e.HandCluttered | e.ChoiceMade
        ):
            assert event.seat not in legends
        if isinstance(event, e.CarMoved) and event.car in legends:
            assert event.reason == "legend"
        if isinstance(event, e.TurnOrderFixed):
            assert legends <= set(event.order)
    assert legends <= {standing.car for standing in race.standings}
    assert any(
        isinstance(event, e.TurnOrderFixed) and legends & set(event.adrenaline) for event in game.events
    )
    assert slipstreams_behind_a_legend()


def slipstreams_behind_a_legend() -> bool:
    """Put a Legend right ahead of a seat that is about to end its reaction."""
    race = position(
        {"ana": "lap 1 space 12 gear 1 hand 1 2 draw 4 4", "l": "lap 1 space 2 legend easy", "ben": ANA}
    )
    step(race, 2, c.PlayCards(("1",)))
    step(race, 0, c.PlayCards(("1",)))
    step(race, 2, c.EndReact())
    start, ahead = race.cars[1].progress, race.cars[0].progress + 1
    apply(race, e.CarMoved(1, "legend", ahead - start, start, ahead, 0, ()))
    step(race, 0, c.EndReact())
    return 0 in race.open and race.open[0].kind == "slipstream"


@pytest.mark.spec("LEGEND-5")
def test_one_to_five_legends_and_seven_in_a_race_of_eight() -> None:
    for legends in (1, 2, 3, 4, 5, 7):
        setup = setup_of(seats=1, legends=legends, legend=LegendSetup(*LEGEND_LEVELS["hard"]))
        helmets = [car.legend.helmet for car in setup.cars if car.legend]
        assert None not in helmets
        assert len(set(helmets)) == min(legends, 6)
        race, _ = start_race(setup)
        pass_all(race)
        assert race.round == 2


def test_a_legend_wears_its_colours_helmet_where_free() -> None:
    legend = LegendSetup()
    cars = [CarSetup("ana", "black"), CarSetup("l1", "grey", legend), CarSetup("l2", "orange", legend)]
    setup = make_setup(track_facts("usa"), cars, seed="x")
    assert [car.legend.helmet for car in setup.cars if car.legend] == ["grey", "black"]


def test_a_race_of_legends_alone_is_no_race() -> None:
    cars = [CarSetup(f"l{n}", COLOURS[n], LegendSetup()) for n in range(3)]
    with pytest.raises(BadSetup, match="needs a driver"):
        make_setup(track_facts("usa"), cars, seed="x")
