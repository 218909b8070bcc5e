"""What a championship carries from race to race, and what it forgets."""

from __future__ import annotations

from collections import Counter

from heat_core.cards import SPONSORSHIP_CARDS, UPGRADES
from heat_core.data.weather import WEATHER
from heat_core.engine import start_race
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.apply import fold
from heat_core.race.cars import Seat
from heat_core.race.presets import RULEBOOK
from heat_core.race.setup import RaceSetup
from heat_core.season.state import Season
from heat_core.season.view import view_season
from heat_core.table import Table
from tests.core.seasons import ALL_MODULES, begin, race_on, race_with, season_setup


def given_up(season: Season) -> list[e.Event]:
    """Have everybody give up at once: the quickest whole race."""
    table = Table(season.race_setup(len(season.state.races) - 1), season.drivers)
    seats = list(season.drivers)
    for seat in seats:
        table.submit(seat, None, c.GiveUp())
    return table.log


def carried(season: Season) -> list[RaceSetup]:
    return [table.setup for table in race_on(season)]


def test_by_the_standard_rules_nothing_but_the_grid_is_carried() -> None:
    season = begin(season_setup(modules=ALL_MODULES))
    for setup in carried(season):
        assert setup.modules.draft == "three"
        assert (setup.carried.upgrades, setup.carried.sponsorships) == ((), ())
    assert (view_season(season, 0).upgrades, view_season(season, 0).sponsorships) == ((), ())


def test_as_printed_upgrades_add_up_one_a_race_and_unplayed_sponsorships_stay() -> None:
    """One pick before each race; what a car owns cannot be dealt again, and what it kept lies in its deck."""
    kept = 0
    for number in range(6):
        setup = season_setup(
            "usa", "italy", "france", "gb", legends=1, rules=RULEBOOK, modules=ALL_MODULES, seed=f"{number}"
        )
        season = begin(setup)
        for race, table in enumerate(race_on(season)):
            before, end = table.setup.carried, fold(table.setup, table.log)
            assert before.upgrades == (() if race == 0 else season.state.upgrades)
            dealt = [event for event in table.log if isinstance(event, e.UpgradesDealt)]
            assert len(dealt) == 1
            owned = Counter(card for cards in before.upgrades for card in cards)
            assert all(owned[card] + dealt[0].cards.count(card) <= 2 for card in UPGRADES)
            for car in end.cars:
                if isinstance(car, Seat):
                    assert len(car.upgrades) == race + 1
                    piles = [*car.hand, *car.draw_pile, *car.discard_pile, *car.played]
                    assert not {"start-0", "start-5"} & set(piles), "no starting upgrades"
            if race:
                made = {event.seat: event for event in table.log if isinstance(event, e.PilesMade)}
                for seat, piles_made in made.items():
                    assert piles_made.draw_pile is not None
                    cards = [card for card in piles_made.draw_pile if card in SPONSORSHIP_CARDS]
                    assert Counter(cards) == Counter(before.sponsorships[seat])
                    kept += len(cards)
                assert before.upgrades[3] == before.sponsorships[3] == (), "a Legend owns nothing"
        assert [len(cards) for cards in season.state.upgrades] == [4, 4, 4, 0]
    assert kept > 5


def test_without_a_garage_and_sponsorships_nothing_is_kept_as_printed_either() -> None:
    season = begin(season_setup(seats=2, rules=RULEBOOK))
    season.finish_race(race_with(season).log)
    assert (season.state.upgrades, season.state.sponsorships) == ((), ())


def test_stress_and_spent_sponsorships_are_forgotten() -> None:
    season = begin(season_setup(modules=ALL_MODULES))
    decks = []
    for table in race_on(season):
        begun, _ = start_race(table.setup)
        decks.append(sorted(begun.sponsorship_deck))
        for event in table.log:
            if isinstance(event, e.PilesMade):
                assert event.draw_pile is not None
                assert event.draw_pile.count("stress") == stress_at_start(table)
    assert decks[0] == decks[1] == decks[2], "the whole box, whoever gained what before"


def stress_at_start(table: Table) -> int:
    weather = next(event.weather for event in table.log if isinstance(event, e.WeatherDrawn))
    return max(0, table.setup.track.stress + WEATHER[weather].stress)
