"""The garage before a race: what is dealt, who picks when, what becomes of it. docs/rules.md: Setting up."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT, UPGRADES, deck_card, upgrade_deck
from heat_core.data.facts import HEAT_FAMILY
from heat_core.decisions import PickChoice, SwapChoice, choice_of
from heat_core.engine import start_race, step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.setup import (
    COLOURS,
    BadSetup,
    Carried,
    CarSetup,
    GarageName,
    LegendSetup,
    Modules,
    make_setup,
)
from heat_core.race.state import Race
from heat_core.refusal import Refused
from heat_core.rules.order import by_place
from heat_core.view.secrecy import view_race
from tests.core.support import track_facts

DECKS: dict[GarageName, dict[str, bool]] = {
    "basic": {"basic": True, "advanced": False},
    "advanced": {"basic": False, "advanced": True},
    "mixed": {"basic": True, "advanced": True},
}


def begin(
    modules: Modules,
    *,
    seats: int = 3,
    legends: int = 0,
    carried: Carried | None = None,
    on: str = "usa",
) -> tuple[Race, list[e.Event]]:
    cars = [CarSetup(f"seat {number}", COLOURS[number]) for number in range(seats)]
    cars += [CarSetup(f"legend {n}", COLOURS[n], LegendSetup()) for n in range(seats, seats + legends)]
    return start_race(
        make_setup(track_facts(on), cars, seed="x", modules=modules, carried=carried or Carried())
    )


def pick_all(race: Race) -> list[e.Event]:
    """Let each seat take the first card that lies open, until nobody picks any more."""
    events: list[e.Event] = []
    while race.open and next(iter(race.open.values())).kind == "pick":
        (seat,) = race.open
        events += step(race, seat, c.PickUpgrade(race.offered[0]))
    return events


def of(kind: type[e.UpgradesDealt], events: list[e.Event]) -> list[e.UpgradesDealt]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.spec("GARAGE-1")
@pytest.mark.parametrize(("seats", "legends"), [(1, 3), (2, 0), (3, 2), (6, 0)])
def test_three_times_as_many_upgrades_as_seats_and_three_more_are_picked_back_front_back(
    seats: int, legends: int
) -> None:
    race, events = begin(Modules("mixed"), seats=seats, legends=legends)
    grid = next(event.order for event in events if isinstance(event, e.GridDrawn))
    front = [car for car in grid if car < seats]
    events += pick_all(race)
    dealt = of(e.UpgradesDealt, events)
    assert [len(event.cards) for event in dealt] == [seats + 3] * 3
    assert [list(event.order) for event in dealt] == [front[::-1], front, front[::-1]]
    picks = [event.seat for event in events if isinstance(event, e.UpgradePicked)]
    assert picks == front[::-1] + front + front[::-1]
    for seat in range(seats):
        assert len(race.seat(seat).upgrades) == 3
    # A card that was left does not come again.
    assert not Counter(card for event in dealt for card in event.cards) - Counter(
        upgrade_deck(basic=True, advanced=True, expansion=False)
    )


@pytest.mark.spec("GARAGE-1")
def test_picks_go_by_the_numbers_of_the_grid_places_whatever_side_of_the_road_they_are_on() -> None:
    """A board of one's own may number a row's places from the side off the race line."""
    facts = track_facts("usa")
    turned = tuple((space, "left" if side == "right" else "right") for space, side in facts.grid)
    board = replace(facts, grid=turned)
    cars = [CarSetup(f"seat {number}", COLOURS[number]) for number in range(4)]
    race, events = start_race(make_setup(board, cars, seed="x", modules=Modules("basic")))
    grid = next(event.order for event in events if isinstance(event, e.GridDrawn))
    assert by_place(race.cars) != grid, "on the track the race line is ahead"
    events += pick_all(race)
    picks = [event.seat for event in events if isinstance(event, e.UpgradePicked)]
    assert picks == [*grid[::-1], *grid, *grid[::-1]]


def test_a_pick_is_open_and_one_of_those_that_lie_there() -> None:
    race, _ = begin(Modules("basic"), seats=2)
    (first,) = race.open
    choice = choice_of(race, first)
    assert choice == PickChoice(tuple(race.offered))
    other = next(card for card in UPGRADES if card not in race.offered)
    with pytest.raises(Refused, match="is not on offer"):
        step(race, first, c.PickUpgrade(other))
    with pytest.raises(Refused, match="not your turn"):
        step(race, 1 - first, c.PickUpgrade(race.offered[0]))
    card = race.offered[2]
    step(race, first, c.PickUpgrade(card))
    for seat in (0, 1, None):
        view = view_race(race, seat)
        assert view.cars[first].upgrades == (card,)
        assert (view.offered, view.picking[0]) == (tuple(race.offered), 1 - first)


@pytest.mark.spec("GARAGE-2")
@pytest.mark.parametrize("garage", DECKS)
def test_what_is_drafted_replaces_the_starting_upgrades_and_the_rest_leaves(garage: GarageName) -> None:
    race, events = begin(Modules(garage), seats=2)
    events += pick_all(race)
    made = [event for event in events if isinstance(event, e.PilesMade)]
    for piles in made:
        cards = Counter(piles.draw_pile)
        own = race.seat(piles.seat).upgrades
        plain = {"1": 3, "2": 3, "3": 3, "4": 3, "stress": 3}
        assert cards - Counter(plain) == Counter(deck_card(card) for card in own)
        assert not cards & Counter(["start-0", "start-5"])
    assert (race.offered, race.upgrade_deck, race.picking) == ([], [], ())


def test_a_plain_heat_card_of_the_garage_is_a_heat_card_in_the_deck() -> None:
    plain = [name for name, facts in UPGRADES.items() if facts.family == HEAT_FAMILY]
    assert plain == ["heat-basic", "heat-advanced"]
    for card in plain:
        assert deck_card(card) == HEAT
    owned = Carried(upgrades=(("heat-basic", "heat-advanced"), ()))
    race, events = begin(Modules("mixed", draft="one"), seats=2, carried=owned)
    events += pick_all(race)
    (seat,) = race.open
    events += step(race, seat, c.SwapUpgrade(None, None))
    made = {event.seat: event for event in events if isinstance(event, e.PilesMade)}
    assert Counter(made[0].draw_pile)[HEAT] == 2 + (deck_card(race.seat(0).upgrades[2]) == HEAT)


@pytest.mark.parametrize("garage", DECKS)
@pytest.mark.parametrize("expansion", [False, True])
def test_the_room_says_which_cards_are_in_the_garage(garage: GarageName, expansion: bool) -> None:
    race, events = begin(Modules(garage, expansion=expansion), seats=2)
    dealt = Counter(card for event in of(e.UpgradesDealt, events) for card in event.cards)
    box = Counter(upgrade_deck(**DECKS[garage], expansion=expansion and garage != "basic"))
    assert Counter(race.upgrade_deck) + dealt == box
    assert set(box.values()) == {2}


def test_where_cards_run_short_there_are_as_many_as_there_are() -> None:
    # Two copies of 17 cards are 34; six seats are dealt 9 three times.
    race, events = begin(Modules("basic"), seats=6)
    events += pick_all(race)
    assert sum(len(event.cards) for event in of(e.UpgradesDealt, events)) == 27
    # What the cars own already is not there to be dealt.
    deck = upgrade_deck(basic=True, advanced=False, expansion=False)
    owned = (tuple(deck[:14]), tuple(deck[14:28]), ())
    race, events = begin(Modules("basic", draft="three"), carried=Carried(upgrades=owned))
    events += pick_all(race)
    dealt = of(e.UpgradesDealt, events)
    assert [len(event.cards) for event in dealt] == [6, 0, 0]
    assert [len(event.order) for event in dealt] == [3, 0, 0]


def test_the_last_cards_of_the_box_can_be_swapped_for_and_then_leave() -> None:
    deck = upgrade_deck(basic=True, advanced=False, expansion=False)
    owned = Carried(upgrades=(tuple(deck[:14]), tuple(deck[14:28]), ()))
    race, events = begin(Modules("basic", draft="one"), carried=owned)
    events += pick_all(race)
    assert race.upgrade_deck == [], "all that nobody owns was dealt"
    (first,) = race.open
    assert choice_of(race, first) == SwapChoice(race.seat(first).upgrades, tuple(race.offered))
    events = step(race, first, c.SwapUpgrade(None, None))
    assert isinstance(events[1], e.GarageClosed)
    assert (race.offered, race.round) == ([], 1)


def test_in_the_form_that_adds_up_the_first_picker_may_swap_one_of_the_own_for_one_left() -> None:
    owned = Carried(upgrades=(("body-1",), ("body-2",), ("body-3",)))
    race, events = begin(Modules("basic", draft="one"), carried=owned)
    (deal,) = of(e.UpgradesDealt, events)
    first = deal.order[0]
    assert "body-1" in race.upgrade_deck + list(deal.cards), "there are two copies of each"
    pick_all(race)
    assert [len(race.seat(seat).upgrades) for seat in range(3)] == [2, 2, 2]
    assert {seat: decision.kind for seat, decision in race.open.items()} == {first: "swap"}
    own, left = race.seat(first).upgrades, tuple(race.offered)
    assert choice_of(race, first) == SwapChoice(own, left)
    for give, take in ((own[0], None), (None, left[0]), (left[0], own[0])):
        with pytest.raises(Refused, match="and one that was left, or neither"):
            step(race, first, c.SwapUpgrade(give, take))
    events = step(race, first, c.SwapUpgrade(own[0], left[0]))
    assert race.seat(first).upgrades == (left[0], own[1])
    made = next(event for event in events if isinstance(event, e.PilesMade) and event.seat == first)
    assert deck_card(left[0]) in (made.draw_pile or ())


def test_who_gives_up_before_the_race_picks_no_more() -> None:
    race, events = begin(Modules("basic"), seats=3)
    quitter = race.picking[1]
    step(race, quitter, c.GiveUp())
    events = pick_all(race)
    assert quitter not in [event.seat for event in events if isinstance(event, e.UpgradePicked)]
    assert [len(event.order) for event in of(e.UpgradesDealt, events)] == [2, 2]
    assert len(of(e.UpgradesDealt, events)[0].cards) == 2 + 3
    assert race.round == 1


def test_without_a_garage_nobody_picks() -> None:
    race, events = begin(Modules())
    assert not any(isinstance(event, e.UpgradesDealt | e.GarageClosed) for event in events)
    assert race.round == 1


def test_carried_cards_that_do_not_fit_are_refused() -> None:
    for carried, reason in (
        (Carried(upgrades=(("body-9",), (), ())), "there is no upgrade 'body-9'"),
        (Carried(upgrades=(("body-1",),)), "cards are carried for 1 cars of 3"),
        (Carried(upgrades=(("body-1", "body-1"), ("body-1",), ())), "3 of the upgrade 'body-1' are carried"),
        (Carried(grid=(0, 0, 1)), "the grid must name each car once"),
    ):
        with pytest.raises(BadSetup, match=reason):
            begin(Modules("basic"), carried=carried)
