"""Sponsorship cards: how they are gained, and how they leave. docs/rules.md: Sponsorships (CHAMP-4)."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from heat_core.cards import SPONSORSHIP_CARDS, sponsorship_deck
from heat_core.data.event_cards import EVENTS
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import RULEBOOK, STANDARD, Rules
from heat_core.race.state import Race
from heat_core.rules.sponsors import press_corners
from heat_core.view.secrecy import view_event, view_race
from tests.core.support import track, track_facts
from tests.core.support_turns import FAR, begin, discard, leave_react, reveal, space, to_discard, use


def gained(events: list[e.Event]) -> list[tuple[int, str, int | None]]:
    return [
        (event.seat, event.reason, event.corner) for event in events if isinstance(event, e.SponsorshipGained)
    ]


def turn(
    words: str,
    *cards: str,
    rules: Rules = STANDARD,
    event: str | None = None,
    on: str = "usa",
    ben: str = FAR,
    slipstream: int = 0,
) -> tuple[Race, list[e.Event]]:
    """Play one turn of seat 0 without any reaction."""
    race = begin(
        {"ana": f"{words} draw 1", "ben": ben},
        rules=rules,
        event=event,
        on=on,
    )
    reveal(race, *cards)
    return race, leave_react(race, slipstream=slipstream)


@pytest.mark.parametrize(
    ("cards", "roads", "gain"),
    [
        (("3", "2"), "", True),  # 5 at a limit of 3
        (("3", "1"), "", False),  # 4
        (("3", "1"), "- limit-1 - -", True),  # the token counts
        (("3", "2"), "- limit+1 - -", False),
        (("4", "tyres-3"), "", True),  # 6; the adjust symbol does not count
        (("3", "tyres-1"), "", True),  # 5, whatever the adjust symbol
        (("2", "tyres-1"), "", False),  # 4
    ],
)
def test_a_corner_is_pressed_at_two_above_its_limit_with_the_token_without_adjust(
    cards: tuple[str, str], roads: str, gain: bool
) -> None:
    race = begin(
        {"ana": f"lap 1 space 32 gear 2 engine 6 hand {' '.join(cards)} draw 1 1 2", "ben": FAR},
        weather="fog" if roads else None,
        roads=roads,
    )
    reveal(race, *cards)
    if "tyres-3" in cards:
        use(race, "scrap", "tyres-3")
    events = leave_react(race)
    assert gained(events) == ([(0, "press", 1)] if gain else [])
    assert sum(card in SPONSORSHIP_CARDS for card in race.seat(0).hand) == gain


@pytest.mark.parametrize(("card", "gain"), [("1", []), ("2", [(0, "press", 1)])])
def test_a_limit_that_its_token_takes_to_nothing_is_pressed_at_two(
    card: str, gain: list[tuple[int, str, int | None]]
) -> None:
    facts = track_facts("usa")
    hairpin = replace(facts.corners[1], limit=1)
    circuit = replace(facts, corners=(facts.corners[0], hairpin, *facts.corners[2:]))
    words = f"lap 1 space 33 gear 1 engine 3 hand {card} 1 draw 1"
    race = begin(words, on=circuit, weather="fog", roads="- limit-1 - -")
    reveal(race, card)
    assert gained(leave_react(race)) == gain


def test_a_slipstream_over_a_corner_gains_a_card_whatever_the_speed() -> None:
    ben = "lap 1 space 33 gear 1 hand start-0 1 draw 1"
    race = begin({"ana": "lap 1 space 31 gear 1 hand 2 1 draw 1", "ben": ben}, garage="none")
    reveal(race, "2")
    assert (space(race), space(race, 1)) == (33, 34)
    events = leave_react(race, slipstream=2)
    assert gained(events) == [(0, "slipstream", 1)]


def test_a_corner_gives_one_card_a_turn_be_it_pressed_and_slipstreamed_over() -> None:
    ben = "lap 1 space 33 gear 1 hand 1 1 draw 1"
    _, events = turn("lap 1 space 28 gear 2 engine 6 hand 3 2", "3", "2", ben=ben, slipstream=2)
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (bill.speed, bill.limit) == (5, 3)
    assert gained(events) == [(0, "slipstream", 1)]


def test_a_corner_crossed_twice_in_a_turn_gives_one_card() -> None:
    facts = track_facts("italy")
    bend = replace(facts.corners[0], after_space=5, limit=10, legends_line_after_space=2)
    oval = replace(
        facts,
        spaces=10,
        corners=(bend,),
        grid=((9, "left"), (9, "right")),
        outline=tuple(point for point in facts.outline if point[0] <= 10),
    )
    cars = {"ana": "lap 1 space 4 gear 3 engine 6 hand 4 4 4 draw 1", "ben": "lap 1 space 1 hand 1 1 draw 1"}
    race = begin(cars, on=oval, laps=3, garage="none")
    reveal(race, "4", "4", "4")
    events = leave_react(race)
    assert [event.corner for event in events if isinstance(event, e.CornerChecked)] == [0, 0]
    assert gained(events) == [(0, "press", 0)]


def test_two_corners_of_one_turn_give_a_card_each() -> None:
    ana = "lap 1 space 36 gear 4 engine 6 hand 3 2 1 1"
    race, events = turn(ana, "3", "2", "1", "1", on="gb")
    assert space(race) == 43
    assert [corner for _, _, corner in gained(events)] == [2]
    ben = "lap 1 space 43 gear 1 hand 1 1 draw 2"
    race, events = turn(ana, "3", "2", "1", "1", on="gb", ben=ben, slipstream=2)
    assert gained(events) == [(0, "press", 2), (0, "slipstream", 3)]


def test_a_turn_with_a_spin_out_gains_nothing() -> None:
    # The first corner is pressed and paid, the second spins the car out.
    _, events = turn("lap 1 space 36 gear 4 engine 3 hand 3 2 2 1", "3", "2", "2", "1", on="gb")
    bills = [event.paid for event in events if isinstance(event, e.CornerChecked)]
    assert bills == [3, 0]
    assert any(isinstance(event, e.SpunOut) for event in events)
    assert gained(events) == []


def test_of_a_chicane_only_the_second_line_gains() -> None:
    race, events = turn("lap 1 space 8 gear 2 engine 7 hand 2 1", "2", "1", on="japan")
    assert (space(race), gained(events)) == (11, [])
    race, events = turn("lap 1 space 5 gear 2 engine 7 hand 4 2", "4", "2", on="japan")
    assert (space(race), gained(events)) == (11, []), "the first line, at 6 with a limit of 4"
    race, events = turn("lap 1 space 9 gear 2 engine 7 hand 4 2", "4", "2", on="japan")
    assert gained(events) == [(0, "press", 1)]


@pytest.mark.parametrize(
    ("rules", "event", "gain"),
    [
        (STANDARD, None, True),
        (STANDARD, "speed-record", True),
        (STANDARD, "strike", True),
        (RULEBOOK, None, True),
        (RULEBOOK, "speed-record", True),  # press at corner 2, the one behind 33
        (RULEBOOK, "strike", False),  # at corner 3
        (RULEBOOK, "sudden-rain", False),  # at none
    ],
)
def test_the_preset_says_at_which_corners_the_press_stands(
    rules: Rules, event: str | None, gain: bool
) -> None:
    _, events = turn("lap 1 space 32 gear 2 hand 3 2", "3", "2", rules=rules, event=event)
    assert bool(gained(events)) == gain


@pytest.mark.parametrize(
    ("board", "event", "corners"),
    [
        ("gb", "grandstand", {0}),
        ("usa", "restrictions-lifted", {0}),  # 5 of 4 corners wraps
        (
            "japan",
            "going-global",
            {2, 3},
        ),  # the chicane counts once, so 2 and 3 are the third and fourth line
        ("japan", "grandstand", {1}),  # and presses at its second line
        ("japan", "restrictions-lifted", {1}),  # 5 wraps to the chicane
        ("spain", "tunnel-vision", {1, 5}),  # places in the track's own list: corners 2 and 6
        ("spain", "speed-record", {3}),  # corner 4, the second line of a chicane
        ("spain", "restrictions-lifted", {9}),
        ("italy", "sudden-rain", set()),
    ],
)
def test_press_corners_of_events_wrap_and_count_chicanes_once(
    board: str, event: str, corners: set[int]
) -> None:
    assert press_corners(track(board), EVENTS[event], everywhere=False) == corners
    every = press_corners(track(board), EVENTS[event], everywhere=True)
    chicanes = {facts.chicane_with_corner - 1 for facts in track(board).facts.corners}
    assert every == {corner for corner in range(len(track(board).corners)) if corner not in chicanes}


def test_without_the_module_nothing_is_gained() -> None:
    race = begin("lap 1 space 32 gear 2 hand 3 2 draw 1", sponsorships=False)
    reveal(race, "3", "2")
    assert gained(leave_react(race)) == []
    assert race.sponsorship_deck == []


def test_where_no_card_is_left_none_is_gained() -> None:
    race = begin("lap 1 space 32 gear 2 hand 3 2 draw 1")
    race.sponsorship_deck.clear()
    reveal(race, "3", "2")
    assert gained(leave_react(race)) == []


def test_which_card_it_is_only_its_owner_learns() -> None:
    race, events = turn("lap 1 space 32 gear 2 hand 3 2", "3", "2")
    (event,) = [event for event in events if isinstance(event, e.SponsorshipGained)]
    assert view_event(event, 0) == event
    for seat in (1, None):
        shown = view_event(event, seat)
        assert isinstance(shown, e.SponsorshipGained)
        assert (shown.card, shown.reason) == (None, "press")
    left = len(sponsorship_deck(expansion=True)) - 1
    assert view_race(race, 1).sponsorships_left == left
    assert event.card not in view_race(race, 1).cars[0].discard_pile


@pytest.mark.spec("CHAMP-4")
def test_a_card_is_gained_by_pressing_or_slipstreaming_and_leaves_the_game_once_played() -> None:
    race = begin(
        {
            "ana": "lap 1 space 31 gear 2 engine 6 hand sponsor-2 1 sponsor-4 3 3 3 2 draw 1 1",
            "ben": "lap 1 space 36 gear 1 hand 1 1 draw 1",
        }
    )
    everything = box(race)
    reveal(race, "1", "sponsor-2")
    assert space(race) == 36, "it is a card of speed 4 with a cooldown"
    events = leave_react(race, slipstream=2)
    assert gained(events) == [(0, "press", 1)]
    (card,) = [event.card for event in events if isinstance(event, e.SponsorshipGained)]
    assert card in race.seat(0).hand
    events = discard(race, "sponsor-4")
    assert [event.cards for event in events if isinstance(event, e.SponsorshipsSpent)] == [("sponsor-2",)]
    assert "sponsor-4" in race.seat(0).discard_pile, "one that is discarded goes to the own pile"
    assert everything - box(race) == Counter(["sponsor-2"])


def box(race: Race) -> Counter[str]:
    """Count the Sponsorships that are in the game."""
    cards = Counter(race.sponsorship_deck)
    for number in race.seats():
        seat = race.seat(number)
        cards += Counter([*seat.hand, *seat.draw_pile, *seat.discard_pile, *seat.played])
    return Counter({card: count for card, count in cards.items() if card in SPONSORSHIP_CARDS})


def test_a_cluttered_hand_takes_its_sponsorships_out_of_the_game() -> None:
    race = begin("lap 1 space 20 gear 3 engine 2 hand sponsor-1 2 heat heat heat draw 1 1 3")
    everything = box(race)
    for seat in (1, 0):
        step(race, seat, c.PlayCards(("1",) if seat else ()))
    assert race.seat(0).is_cluttered
    assert race.seat(0).discard_pile == ["2", "heat"]
    assert everything - box(race) == Counter(["sponsor-1"])


def test_in_a_tunnel_a_sponsorship_stays_in_the_hand_but_a_played_one_leaves() -> None:
    race = begin("lap 1 space 17 gear 1 hand sponsor-5 sponsor-4 1 draw 1 1", on="spain")
    reveal(race, "sponsor-5")
    leave_react(race)
    to_discard(race)
    events = discard(race)
    assert any(isinstance(event, e.SponsorshipsSpent) for event in events)
    assert "sponsor-4" in race.seat(0).hand
