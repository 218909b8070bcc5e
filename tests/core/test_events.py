"""The event cards of a championship: each one's special rule with its awkward case. docs/rules.md: Events."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT, SPONSORSHIP_CARDS, STRESS
from heat_core.data.event_cards import EVENTS, NO_EVENT, EventFacts
from heat_core.decisions import DiscardChoice, choice_of
from heat_core.engine import start_race, step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import PRESETS, RULEBOOK, PresetName
from heat_core.race.setup import COLOURS, CarSetup, Modules, make_setup
from heat_core.race.state import Phase, Race
from heat_core.rules.order import standings
from heat_core.season.setup import YEARS, PlannedRace, make_season, plan_year
from tests.core.seasons import begin as begin_season
from tests.core.seasons import cars_of, race_on
from tests.core.support import track_facts
from tests.core.support_turns import (
    FAR,
    begin,
    discard,
    leave_react,
    refusal,
    reveal,
    slipstream_choice,
    space,
    speed,
    to_discard,
    use,
)

SLOW = "gear 1 engine 6 hand 4 1 draw 1 2"
FOURS = "gear 1 engine 6 hand 4 4 draw 1 2"


def begun(event: str, *, on: str | None = None, laps: int | None = None) -> tuple[Race, list[e.Event]]:
    """Begin a race with an event on the grid of its own board."""
    cars = [CarSetup(name, COLOURS[number]) for number, name in enumerate(("ana", "ben", "cy"))]
    facts = track_facts(on or EVENTS[event].track)
    return start_race(
        make_setup(facts, cars, seed="x", laps=laps, modules=Modules(sponsorships=True, event=event))
    )


def gains(events: list[e.Event], reason: str = "event") -> list[int]:
    return [
        event.seat for event in events if isinstance(event, e.SponsorshipGained) and event.reason == reason
    ]


# what a race begins with


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_changes_what_all_begin_with(event: str) -> None:
    facts = EVENTS[event]
    laps, heat, stress, hand = {
        "strike": (-1, 0, 0, 7),
        "restrictions-lifted": (0, 1, 0, 7),
        "record-crowds": (1, 0, 0, 8),
        "safety-rules": (0, -2, -1, 6),
        "sponsor-withdraws": (0, 0, 1, 7),
        "pressure-cooker": (1, 0, 0, 7),
    }.get(event, (0, 0, 0, 7))
    race, events = begun(event)
    track = race.setup.track
    assert race.setup.laps == track.laps + laps
    for number in race.seats():
        seat = race.seat(number)
        assert seat.engine == track.heat + heat
        assert Counter([*seat.hand, *seat.draw_pile])[STRESS] == track.stress + stress
        assert len(seat.hand) == hand
        # Sponsorships of the start are in the hand and count in it.
        assert sum(card in SPONSORSHIP_CARDS for card in seat.hand) == facts.sponsorships
    assert gains(events, "start") == [n for n in range(3) for _ in range(facts.sponsorships)]


def test_no_event_takes_the_last_lap() -> None:
    race, _ = begun("strike", laps=1)
    assert race.setup.laps == 1
    race, _ = begun("strike", on="spain")
    assert race.setup.laps == 1
    race, _ = begun("strike", laps=3)
    assert race.setup.laps == 2


@pytest.mark.spec("CHAMP-5")
def test_each_race_has_one_event_as_printed_for_its_year_or_drawn_without_replacement() -> None:
    """And each but one has a rule of its own, which this file proves; no race loses its last lap."""
    rules = EventFacts._fields.index("text") + 1
    without_rule = [name for name, facts in EVENTS.items() if facts[rules:] == NO_EVENT[rules:]]
    assert without_rule == ["title-sponsor"]
    for year in YEARS:
        season = begin_season(make_season(plan_year(year, track_facts, laps=1), cars_of(2), seed="x"))
        setups = [table.setup for table in race_on(season)]
        assert [(setup.modules.event, setup.track.id) for setup in setups] == [
            (name, facts.track) for name, facts in EVENTS.items() if facts.year == year
        ]
        assert all(setup.laps == max(1, 1 + setup.event_card.laps) for setup in setups)
    for seed in range(10):
        races = tuple(PlannedRace(track_facts("usa"), 1) for _ in range(4))
        season = begin_season(make_season(races, cars_of(2), seed=str(seed), draws_events=True))
        drawn = [table.setup.modules.event for table in race_on(season)]
        assert len(set(drawn)) == 4
        assert set(drawn) <= set(EVENTS)


def test_events_that_give_points_are_data_for_the_season() -> None:
    points = {name: facts.points for name, facts in EVENTS.items() if facts.points}
    assert points == {"strike": (2,), "corruption": (1, 1, 1)}


@pytest.mark.spec("CORE-7", "TURN-17")
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("event", "size"), [(None, 7), ("record-crowds", 8), ("safety-rules", 6)])
def test_the_hand_is_drawn_up_to_seven_or_as_the_event_says_with_a_reshuffle_and_a_full_hand_stays(
    event: str | None, size: int, preset: PresetName
) -> None:
    ana = "lap 1 space 20 gear 1 engine 3 hand 4 4 4 3 draw 1 1 2 discard 2 3 stress"
    race = begin(
        {"ana": ana, "ben": f"{FAR} discard 3 3 4 4"}, event=event, garage="none", rules=PRESETS[preset]
    )
    reveal(race, "4")
    leave_react(race)
    events = discard(race, "3")
    assert len(race.seat(0).hand) == size
    assert any(isinstance(item, e.PileReshuffled) and item.seat == 0 for item in events)
    assert Counter(["4", "4", "1", "1", "2"]) <= Counter(race.seat(0).hand), "the old pile is drawn first"
    ana = "lap 1 space 20 gear 1 hand 4 4 4 3 3 3 2 2 1 1 draw 1 2"
    race = begin({"ana": ana, "ben": FAR}, event=event, garage="none", rules=PRESETS[preset])
    reveal(race, "4")
    leave_react(race)
    discard(race)
    assert len(race.seat(0).hand) == 9, "a larger hand stays"


# 1961


def test_grandstand_rewards_the_first_three_cars_and_a_legend_uses_up_a_place() -> None:
    race = begin(
        {
            "ana": f"lap 1 space 62 {SLOW}",
            "ben": f"lap 1 space 61 {SLOW}",
            "cy": f"lap 1 space 60 {SLOW}",
            "max": "lap 1 space 63 legend easy",
        },
        on="gb",
        event="grandstand",
        laps=2,
    )
    events = play_round(race, "4")
    laps = [(event.car, event.lap) for event in events if isinstance(event, e.LapCompleted)]
    assert laps == [(3, 1), (0, 1), (1, 1), (2, 1)]
    assert gains(events) == [0, 1]
    assert race.first_lap == (3, 0, 1, 2)


def test_grandstand_gives_nothing_in_a_turn_with_a_spin_out_which_uses_up_its_place() -> None:
    race = begin(
        {
            "ana": "lap 1 space 54 gear 4 engine 0 hand 4 4 3 1 draw 1 2",
            "ben": f"lap 1 space 53 {FOURS}",
            "cy": f"lap 1 space 52 {FOURS}",
            "dan": f"lap 1 space 51 {FOURS}",
        },
        on="italy",
        event="grandstand",
    )
    reveal(race, "4", "4", "3", "1")
    events = leave_react(race)
    assert any(isinstance(event, e.SpunOut) for event in events)
    assert gains(events) == []
    events = pass_on(race)
    assert gains(events) == [1, 2]


def test_grandstand_counts_the_first_lap_only() -> None:
    race = begin({"ana": f"lap 2 space 62 {SLOW}", "ben": FAR}, on="gb", event="grandstand", laps=3)
    reveal(race, "4")
    events = leave_react(race)
    assert [event.lap for event in events if isinstance(event, e.LapCompleted)] == [2]
    assert gains(events) == []


@pytest.mark.parametrize(
    ("cards", "engine", "gain"), [("4 4 4 3", 6, True), ("4 4 4 2", 6, False), ("4 4 4 3", 0, False)]
)
def test_speed_record_asks_for_15_without_a_spin_out(cards: str, engine: int, gain: bool) -> None:
    start = 14 if engine else 28
    race = begin(
        f"lap 1 space {start} gear 4 engine {engine} hand {cards} draw 1",
        event="speed-record",
        rules=RULEBOOK,
    )
    reveal(race, *cards.split())
    events = leave_react(race)
    assert any(isinstance(event, e.SpunOut) for event in events) == (engine == 0)
    assert gains(events) == [0] * gain


def test_a_boost_counts_for_the_speed_record() -> None:
    race = begin(
        "lap 1 space 14 gear 4 engine 6 hand 4 4 4 2 draw 1 2",
        event="speed-record",
    )
    reveal(race, "4", "4", "4", "2")
    use(race, "boost", "gear")
    assert speed(race) == 15
    assert gains(leave_react(race)) == [0]


# 1963


@pytest.mark.parametrize(
    ("others", "gain"),
    [
        ((21, 22, 23), True),
        ((21, 22, 22), True),
        ((20, 22, 23), False),  # beside the start
        ((21, 22, 24), False),  # where it ends
        ((21, 22, 40), False),
    ],
)
def test_live_television_asks_for_three_cars_strictly_between(others: tuple[int, ...], gain: bool) -> None:
    cars = {"ana": "lap 2 space 20 gear 1 hand 4 1 draw 1"}
    # They are a lap behind, move after ana, and count by their place on the board.
    cars |= {f"c{number}": f"lap 1 space {place} {SLOW}" for number, place in enumerate(others)}
    race = begin(cars, event="live-television", on="gb", laps=3)
    reveal(race, "4")
    assert space(race) == 24
    events = step(race, 0, c.EndReact())
    if 0 in race.open and race.open[0].kind == "slipstream":
        events += step(race, 0, c.Slipstream(0))
    assert gains(events) == [0] * gain


def test_live_television_counts_a_slipstream_and_a_start_line_between() -> None:
    cars = {"ana": "lap 1 space 62 gear 1 hand 3 1 draw 1"}
    cars |= {"ben": f"lap 1 space 63 {SLOW}", "cy": f"lap 2 space 1 {SLOW}", "dan": f"lap 2 space 2 {SLOW}"}
    race = begin(cars, event="live-television", on="gb", laps=3)
    for number in (1, 2, 3):
        step(race, number, c.PlayCards(("1",)))
    step(race, 0, c.PlayCards(("3",)))
    while race.open.keys() != {0}:
        (seat,) = race.open
        step(race, seat, c.EndReact() if race.open[seat].kind == "react" else c.Slipstream(0))
    assert [space(race, car) for car in range(4)] == [2, 1, 2, 3]
    step(race, 0, c.EndReact())
    assert gains(step(race, 0, c.Slipstream(2))) == [0]
    assert space(race) == 4


def test_sponsor_withdraws_puts_a_car_that_spins_out_out_of_the_race_behind_all() -> None:
    race = begin(
        {
            "ana": "lap 1 space 32 gear 1 engine 0 hand 4 1 draw 1 discard heat heat",
            "ben": "lap 1 space 2 gear 1 hand 1 1 1 draw 2 2 2",
            "cy": "lap 1 space 31 gear 1 engine 0 hand 4 1 draw 1 discard heat heat",
        },
        event="sponsor-withdraws",
    )
    step(race, 1, c.PlayCards(("1",)))
    step(race, 2, c.PlayCards(("4",)))
    step(race, 0, c.PlayCards(("4",)))
    events = step(race, 0, c.EndReact())
    assert [event.reason for event in events if isinstance(event, e.CarOut)] == ["spun_out"]
    assert race.cars[0].status == "spun_out"
    assert race.open.keys() == {2}
    step(race, 2, c.EndReact())
    assert race.open.keys() == {1}
    assert [(item.car, item.place, item.status) for item in standings(race)] == [
        (1, 1, "racing"),
        (2, 2, "spun_out"),
        (0, 3, "spun_out"),
    ]
    assert not any(spot in race.occupied(1) for spot in (33 * 2, 33 * 2 + 1)), "it has left the track"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_race_ends_when_the_last_seat_has_spun_out_of_it(preset: PresetName) -> None:
    race = begin(
        {
            "ana": "lap 1 space 32 gear 1 engine 0 hand 4 1 draw 1 discard heat heat",
            "max": "lap 1 space 20 legend easy",
        },
        event="sponsor-withdraws",
        rules=PRESETS[preset],
    )
    step(race, 0, c.PlayCards(("4",)))
    events = step(race, 0, c.EndReact())
    assert race.phase is Phase.ENDED
    assert isinstance(events[-1], e.RaceEnded)
    assert [(item.car, item.status) for item in race.standings] == [(1, "racing"), (0, "spun_out")]


# 1964


def test_going_global_gives_two_cards_at_a_press_corner_and_no_more_than_are_left() -> None:
    for left, count in ((35, 2), (1, 1)):
        race = begin("lap 1 space 32 gear 2 hand 3 2 draw 1", event="going-global")
        del race.sponsorship_deck[left:]
        reveal(race, "3", "2")
        assert gains(leave_react(race), "press") == [0] * count


@pytest.mark.parametrize(
    ("gear", "cards", "possible"), [(1, "3", False), (2, "2 1", False), (3, "1 1 1", True)]
)
def test_turbulent_winds_leave_a_slipstream_to_high_gears(gear: int, cards: str, possible: bool) -> None:
    cars = {
        "ana": f"lap 1 space 20 gear {gear} hand {cards} 4 4 draw 2",
        "ben": "lap 1 space 23 gear 1 hand 1 1 draw 1",
    }
    race = begin(cars, event="turbulent-winds")
    reveal(race, *cards.split())
    events = step(race, 0, c.EndReact())
    asked = any(isinstance(event, e.DecisionsOpened) and event.kind == "slipstream" for event in events)
    assert asked == possible
    if possible:
        assert slipstream_choice(race).spaces == (0, 2)


@pytest.mark.parametrize(
    ("event", "card", "other"), [("chicanes", HEAT, STRESS), ("tunnel-vision", STRESS, HEAT)]
)
def test_an_event_lets_heat_or_stress_be_discarded_but_not_in_a_tunnel(
    event: str, card: str, other: str
) -> None:
    words = "gear 1 engine 2 hand 1 4 stress stress heat heat draw 1"
    race = begin(f"lap 1 space 25 {words}", event=event, on="spain", garage="none")
    reveal(race, "1")
    leave_react(race)
    to_discard(race)
    choice = choice_of(race, 0)
    assert isinstance(choice, DiscardChoice)
    assert (choice.pool, choice.most) == (("4", card, card), 3)
    assert refusal(race, c.Discard((other,))) == f"The card {other!r} cannot be discarded now."
    events = step(race, 0, c.Discard((card, card, "4")))
    assert isinstance(events[0], e.ChoiceMade)
    race = begin(f"lap 1 space 17 {words}", event=event, on="spain", garage="none")
    reveal(race, "1")
    leave_react(race)
    to_discard(race)
    assert refusal(race, c.Discard((card,))) == f"The card {card!r} cannot be discarded now."


def test_sudden_rain_takes_the_adrenaline_away() -> None:
    for event, cars in ((None, (1,)), ("sudden-rain", ())):
        race = begin("lap 1 space 20 gear 1 hand 1 4 draw 1", event=event)
        reveal(race, "1")
        assert race.adrenaline == cars


# 1965


def test_hold_tight_allows_one_hand_card_a_turn_and_any_refresh() -> None:
    race = begin(
        "lap 1 space 20 gear 2 hand suspension-3 suspension-1 4 4 1 draw 1 1",
        event="hold-tight",
    )
    reveal(race, "suspension-1", "suspension-3")
    leave_react(race)
    to_discard(race)
    assert refusal(race, c.Discard(("4", "4"))) == "At most 1 card may be discarded each turn."
    step(race, 0, c.Discard(("4",), ("suspension-1", "suspension-3")))
    assert race.open[0].chosen is not None


@pytest.mark.parametrize(
    ("cards", "roads", "gain"),
    [
        ("1 1", "", True),
        ("2 1", "", False),  # 3 at a limit of 3
        ("2 1", "- limit+1 - -", True),
        ("4 2", "", False),  # pressing gains nothing
    ],
)
def test_smile_and_wave_rewards_who_crosses_below_the_limit(cards: str, roads: str, gain: bool) -> None:
    race = begin(
        f"lap 1 space 32 gear 2 hand {cards} draw 3",
        event="smile-and-wave",
        weather="snow" if roads else None,
        roads=roads,
    )
    reveal(race, *cards.split())
    assert gains(leave_react(race), "press") == [0] * gain


def test_smile_and_wave_does_not_care_for_slipstreams_but_for_the_speed() -> None:
    for card, gain in (("2", [0]), ("3", [])):
        race = begin(
            {
                "ana": f"lap 1 space {33 - int(card)} gear 1 hand {card} 1 draw 1",
                "ben": "lap 1 space 33 gear 1 hand 1 1 draw 1",
            },
            event="smile-and-wave",
        )
        reveal(race, card)
        events = leave_react(race, slipstream=2)
        assert space(race) == 35
        assert gains(events, "press") == gain
        assert gains(events, "slipstream") == []


def test_smile_and_wave_rewards_a_car_that_stands_still_and_slipstreams_over_the_slowest_corner() -> None:
    facts = track_facts("usa")
    hairpin = replace(facts.corners[1], limit=1)
    circuit = replace(facts, corners=(facts.corners[0], hairpin, *facts.corners[2:]))
    race = begin(
        {
            "ana": "lap 1 space 33 gear 1 hand start-0 1 draw 1",
            "ben": "lap 1 space 33 spot other gear 1 hand start-0 1 draw 1",
        },
        on=circuit,
        event="smile-and-wave",
        garage="none",
    )
    reveal(race, "start-0")
    assert (speed(race), space(race)) == (0, 33)
    assert gains(leave_react(race, slipstream=2), "press") == [0]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("engine 1 hand 4 heat draw heat 1 discard heat", "engine"),
        ("engine 0 hand 4 heat draw heat 1 discard heat", "hand"),
        ("engine 0 hand 4 4 draw heat 1 discard heat", "discard_pile"),
        ("engine 0 hand 4 4 draw heat 1", "draw_pile"),
        ("engine 0 hand 4 4 draw 1 1", None),
    ],
)
def test_pressure_cooker_takes_a_heat_card_from_the_first_place_that_has_one(
    words: str, place: str | None
) -> None:
    race = begin(
        {"ana": f"lap 1 space 68 gear 1 {words}", "ben": FAR}, event="pressure-cooker", garage="none"
    )
    before = heat_of(race)
    reveal(race, "4")
    events = leave_react(race)
    assert not any(isinstance(event, e.HeatLost) for event in events), "it is lost in phase 8"
    events = discard(race)
    lost = [event.place for event in events if isinstance(event, e.HeatLost)]
    assert lost == ([place] if place else [])
    assert heat_of(race) == before - len(lost)


def heat_of(race: Race) -> int:
    seat = race.seat(0)
    return seat.engine + [*seat.hand, *seat.draw_pile, *seat.discard_pile].count(HEAT)


def test_pressure_cooker_counts_a_lap_in_a_turn_with_a_spin_out_and_not_the_last_one() -> None:
    race = begin(
        {"ana": "lap 1 space 54 gear 4 engine 0 hand 4 4 3 1 heat draw 1 2", "ben": FAR},
        on="italy",
        event="pressure-cooker",
        garage="none",
    )
    reveal(race, "4", "4", "3", "1")
    events = leave_react(race)
    assert any(isinstance(event, e.SpunOut) for event in events)
    events = discard(race)
    assert [event.place for event in events if isinstance(event, e.HeatLost)] == ["hand"]
    race = begin(
        {"ana": f"lap 2 space 53 {SLOW}", "ben": FAR},
        on="italy",
        event="pressure-cooker",
        garage="none",
        laps=1,
        rules=RULEBOOK,
    )
    reveal(race, "4")
    events = leave_react(race)
    assert [event.lap for event in events if isinstance(event, e.LapCompleted)] == [2]
    assert race.cars[0].status == "finished"
    assert race.seat(0).heat_to_lose == 0


def play_round(race: Race, card: str) -> list[e.Event]:
    """Let all seats play one card and do no more until phase 8."""
    events: list[e.Event] = []
    for seat in tuple(race.owing):
        events += step(race, seat, c.PlayCards((card,)))
    return events + pass_on(race)


def pass_on(race: Race) -> list[e.Event]:
    """Let seats use nothing until phase 8 is asked."""
    events: list[e.Event] = []
    while next(iter(race.open.values())).kind in ("react", "slipstream"):
        (seat,) = race.open
        command = c.EndReact() if race.open[seat].kind == "react" else c.Slipstream(0)
        events += step(race, seat, command)
    return events
