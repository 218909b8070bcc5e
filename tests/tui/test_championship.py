"""A championship in this terminal: whole seasons by keys, left and gone on with, seats handed over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heat_core.data.event_cards import EVENTS
from heat_core.season.view import view_season
from heat_tui.app import HeatApp
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.new_championship import NewChampionshipScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.screens.rows import ChoiceRow
from heat_tui.screens.season import SeasonScreen
from heat_tui.screens.track_picture import TrackPicture
from tests.tui.support_app import LARGE, SMALL, folders_in, message, show_opponents, shown, until
from tests.tui.support_season import (
    begun,
    newest,
    race_by_giving_up,
    race_once,
    season,
    season_app,
    to_race,
    to_season,
)

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_season_by_keys_from_home_to_the_final_table(tmp_path: Path, size: tuple[int, int]) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False, player_name="Ana")
    async with app.run_test(size=size) as pilot:
        await pilot.press("c")
        await until(lambda: isinstance(app.screen, NewChampionshipScreen))
        await pilot.pause()
        show_opponents(app, "legend")
        app.screen.query_one("#laps", ChoiceRow).show(1)
        await pilot.press("enter")
        await to_season(pilot)
        assert "before the first of 3 races" in shown(pilot)
        for number, track in enumerate(("Great Britain", "USA", "Italy"), start=1):
            assert f"Race {number} of 3: {track}, 1 lap." in shown(pilot)
            await race_by_giving_up(pilot)
        text = shown(pilot)
        assert "Championship 1961: the final table" in text
        assert "Legend 1 is champion with 14 points." in text
        assert "Its hash is the one shown at the start" in text
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        assert "Continue" not in shown(pilot), "what is over and was seen is not offered again"


async def test_a_race_is_left_in_the_middle_and_gone_on_with_at_the_same_moment(tmp_path: Path) -> None:
    app = season_app(tmp_path, season("Ana", bots=0))
    async with app.run_test(size=SMALL) as pilot:
        await to_season(pilot)
        await pilot.press("enter")
        race = await to_race(pilot)
        await pilot.press("2", "enter")
        await until(lambda: "cards" in {decision.kind for decision in race.controller.view.decisions})
        moment = race.controller.view
        await pilot.press("q")
        await pilot.pause()
        assert "It is saved" in shown(pilot)
        await pilot.press("y")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        assert "Championship 1961, race 1 of 3" in shown(pilot)
        await pilot.press("g")
        assert (await to_race(pilot)).controller.view == moment
    again = HeatApp(folders_in(tmp_path), animate=False)
    async with again.run_test(size=SMALL) as pilot:
        await pilot.press("g")
        assert (await to_race(pilot)).controller.view == moment, "after the program was ended in mid-race too"


async def test_the_event_is_explained_in_the_race_too(tmp_path: Path) -> None:
    app = season_app(tmp_path, season("Ana", bots=0))
    async with app.run_test(size=LARGE) as pilot:
        await to_season(pilot)
        await pilot.press("enter")
        await to_race(pilot)
        await pilot.press("w")
        await pilot.pause()
        await pilot.pause()
        assert "Event: Grandstand. The first three cars to complete lap 1 each gain" in shown(pilot)


async def test_go_on_leads_to_the_season_between_races_by_mouse_too(tmp_path: Path) -> None:
    begun(tmp_path, races=1).close()
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await pilot.click("#menu", offset=(5, 0))
        await to_season(pilot)
        assert "after race 1 of 3" in shown(pilot)
        assert "[ Start race 2 on USA ]" in shown(pilot)
        await pilot.click("#start")
        await to_race(pilot)


async def test_the_final_table_is_kept_until_it_was_seen(tmp_path: Path) -> None:
    begun(tmp_path, races=3).close()
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert "Championship 1961, the final table" in shown(pilot)
        await pilot.press("g")
        await to_season(pilot)
        assert "is champion with" in shown(pilot)
        await pilot.press("x")
        await pilot.pause()
        assert isinstance(app.screen, SeasonScreen), "what is over cannot be ended"
        assert message(app) == "The championship is over."
        await pilot.click("#start")
        await until(lambda: isinstance(app.screen, HomeScreen))
    assert newest(tmp_path) is None


async def test_seats_change_between_races_but_one_stays_at_the_keyboard(tmp_path: Path) -> None:
    app = season_app(tmp_path, season("Ana", "Ben", bots=0))
    async with app.run_test(size=SMALL) as pilot:
        await to_season(pilot)
        app.screen.query_one("#seat1").focus()
        await pilot.press("right")
        app.screen.query_one("#seat0").focus()
        await pilot.press("right")
        assert message(app) == "At least one car must be driven at this keyboard."
        assert app.screen.query_one("#seat0", ChoiceRow).value == "human"
        await race_by_giving_up(pilot)
        assert app.screen.query_one("#seat1", ChoiceRow).value == "easy"
        await pilot.click("#seat1", offset=(14, 0))
        assert app.screen.query_one("#seat1", ChoiceRow).value == "human"
        app.screen.query_one("#start").focus()
        await pilot.press("enter")
        race = await to_race(pilot)
        assert race.controller.session.seats == (0, 1)


async def test_a_championship_is_ended_before_its_last_race_after_a_question(tmp_path: Path) -> None:
    begun(tmp_path, races=1).close()
    app = season_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await to_season(pilot)
        await pilot.press("x", "n")
        await pilot.pause()
        assert "after race 1 of 3" in shown(pilot)
        await pilot.press("x", "y")
        await pilot.pause()
        assert "ended before its last race" in shown(pilot)
        assert "from the seed 5" in shown(pilot)
        assert not app.screen.query(ChoiceRow)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        assert "Continue" not in shown(pilot)


async def test_home_is_one_key_away_from_the_results_and_the_season_waits_there(tmp_path: Path) -> None:
    app = season_app(tmp_path, season("Ana", bots=0))
    async with app.run_test(size=SMALL) as pilot:
        await to_season(pilot)
        await pilot.press("enter")
        race = await to_race(pilot)
        await pilot.press("g", "y")
        await until(lambda: race.controller.view.status == "ended")
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.pause()
        assert "Enter Championship" in shown(pilot)
        assert "Race again" not in shown(pilot)
        await pilot.press("s")
        await pilot.pause()
        assert "The seed stays hidden" in shown(pilot), "the races to come are dealt from it"
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        assert "Championship 1961, race 2 of 3" in shown(pilot)


async def test_another_championship_hides_none_and_says_so(tmp_path: Path) -> None:
    begun(tmp_path, begins=season("Dana", "Eli")).close()
    app = season_app(tmp_path, season("Fay", year=1962))
    async with app.run_test(size=SMALL) as pilot:
        await to_season(pilot)
        assert message(app) == "Also saved: Championship 1961, race 1 of 3. Continue it from home."
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        assert "Championship 1962, race 1 of 3: Fay" in shown(pilot)
        assert "Championship 1961, race 1 of 3: Dana, Eli" in shown(pilot)
        await pilot.press("home", "down", "enter")
        assert (await to_season(pilot)).season.names[:2] == ["Dana", "Eli"]
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        await pilot.press("g")
        assert (await to_season(pilot)).season.names[:2] == ["Dana", "Eli"], "the one left last"


async def test_what_another_window_plays_is_not_offered(tmp_path: Path) -> None:
    mine = begun(tmp_path)
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert "Continue" not in shown(pilot)
        mine.close()
        await pilot.press("s", "escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        assert "Continue" in shown(pilot)
        taken = newest(tmp_path)
        await pilot.press("g")
        await pilot.pause()
        assert message(app) == "It is already open in another window."
        assert taken is not None
        taken.close()


async def test_a_machine_that_saves_nothing_plays_all_the_same_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")
    app = season_app(tmp_path, season("Ana", bots=0))
    async with app.run_test(size=SMALL) as pilot:
        await to_season(pilot)
        assert "It cannot be saved (Not a directory), so it ends with this program." in message(app)
        await race_by_giving_up(pilot)
        assert "after race 1 of 3" in shown(pilot)


async def test_no_championship_is_saved_by_looking_at_home(tmp_path: Path) -> None:
    app = season_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, NewChampionshipScreen))
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
    assert newest(tmp_path) is None


async def test_every_event_is_shown_before_its_race_in_a_sentence(tmp_path: Path) -> None:
    championship = begun(tmp_path, begins=season(year=1963))
    app = HeatApp(folders_in(tmp_path), animate=False)
    for name in ("title-sponsor", "live-television", "safety-rules", "sponsor-withdraws"):
        assert view_season(championship.season, None).races[championship.view().race - 1].event == name
        championship.close()
        app = season_app(tmp_path)
        async with app.run_test(size=LARGE) as pilot:
            await to_season(pilot)
            left = app.screen.query_one("#form").region.right  # the circuit is at the right of it
            words = " ".join(line[:left] for line in shown(pilot).split("\n")).split()
            assert (EVENTS[name].text or "No special rule.") in " ".join(words)
        found = newest(tmp_path)
        assert found is not None
        championship = found
        race_once(championship)
    assert championship.season.is_over
    championship.close()


async def test_the_next_circuit_is_beside_the_table_where_there_is_room(tmp_path: Path) -> None:
    begun(tmp_path, begins=season(year=1963)).close()
    app = season_app(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await to_season(pilot)
        await pilot.pause()
        facts = app.screen.query_one(TrackPicture).facts
        assert facts is not None
        assert facts.name == "USA"
        assert "of 69 spaces" in shown(pilot)
        await pilot.resize_terminal(*SMALL)
        await until(lambda: not app.screen.query(TrackPicture))


async def test_all_circuits_are_below_the_table_of_a_big_terminal_with_who_won(tmp_path: Path) -> None:
    begun(tmp_path, races=3).close()
    app = season_app(tmp_path)
    async with app.run_test(size=(200, 60)) as pilot:
        await to_season(pilot)
        await pilot.pause()
        text = shown(pilot)
        for number in (1, 2, 3):
            assert re.search(rf"{number}\. [A-Z][A-Za-z ]+: .+ won", text)
