"""Rows of a reaction: what must be used is selected, none is cut or unmarked out of sight, keys differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from rich.cells import cell_len

from heat_core.decisions import (
    ReactChoice,
    SlipstreamChoice,
    UnpaidChoice,
    ValueChoice,
    choice_of,
    sample_command,
)
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race.phase import Phase
from heat_core.race.state import Race
from heat_core.rng import Stream
from heat_core.view.observation import Observation
from heat_core.view.secrecy import public_setup, view_race
from heat_tui.flow.asking import draft_for
from heat_tui.flow.reaction_rows import reaction_rows
from heat_tui.keys.table import Keys
from heat_tui.race.draft import DONE
from heat_tui.race.rows import Row
from heat_tui.widgets.hand import HandRow
from heat_tui.widgets.reactions import ROWS_BESIDE_HAND, ReactionList
from heat_tui.words.symbol_text import SHORT_CELLS
from tests.core.random_setups import random_module_setup
from tests.core.support import RandomPlay
from tests.tui.support_app import LARGE, SMALL, until
from tests.tui.support_race import HeldSession, RaceApp
from tests.tui.test_race_modules import app_at, play

DRAW = "draw 3 2 2 3 4"
HUGE = (200, 60)
CARDS = {
    5: "1 body-1 cooling-2 gas-1",
    8: "body-1 cooling-2 cooling-3 wings-1",
    12: "body-5 tyres-1 turbo-2 intake-1",
}
"""By how many rows they make in 4th gear, in which the first is the boost."""


def app_with(path: Path, cards: str) -> RaceApp:
    upgrades = " ".join(card for card in cards.split() if not card.isdigit())
    hand = f"lap 1 space 14 gear 4 engine 3 hand {cards} stress heat discard 4 heat heat"
    return app_at(path, f"{hand} upgrades {upgrades} {DRAW}")


def rows_in(app: RaceApp) -> list[Row]:
    assert app.controller.observation is not None
    assert app.controller.draft is not None
    return reaction_rows(app.controller.observation, app.controller.draft)


def check_list(app: RaceApp) -> None:
    """The selected row is in sight, no row is cut, and the marks count those that are not in sight."""
    rows, lines = rows_in(app), app.panel("reactions").split("\n")
    (selected,) = [line for line in lines if line.startswith("▶")]
    (row,) = [row for row in rows if row.is_selected]
    assert selected.startswith(f"▶ {row.key:<6}")
    assert "…" not in app.panel("reactions")
    above = [int(count) for count in re.findall(r"↑(\d+)", app.panel("reactions"))]
    below = [int(count) for count in re.findall(r"↓(\d+)", app.panel("reactions"))]
    first = rows.index(next(row for row in rows if lines[0][2:].startswith(f"{row.key:<6}")))
    assert above == ([first] if first else [])
    left = len(rows) - first - len(lines)
    assert below == ([left] if left else [])


def said_in(app: RaceApp) -> list[c.Command]:
    assert isinstance(app.session, HeldSession)
    return [command for _, _, command in app.session.said]


def is_past(app: RaceApp, decision: int | None) -> bool:
    """Tell whether something else is asked now, or nothing."""
    return app.controller.draft is None or app.controller.draft.decision != decision


def must_rows(app: RaceApp) -> list[Row]:
    return [row for row in rows_in(app) if row.is_usable and row.text.startswith("must: ")]


@pytest.mark.asyncio
@pytest.mark.parametrize("count", list(CARDS))
async def test_of_many_rows_the_one_that_must_be_used_is_selected_and_in_sight(
    tmp_path: Path, count: int
) -> None:
    async with app_with(tmp_path, CARDS[count]).run_test(size=SMALL) as pilot:
        app = await play(pilot, *"1234")
        assert len(rows_in(app)) == count
        assert must_rows(app)[0].is_selected
        check_list(app)
        for key in ["up"] * count + ["down"] * count:
            await pilot.press(key)
            await pilot.pause()
            check_list(app)


@pytest.mark.asyncio
@pytest.mark.spec("LOOK-4")
@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE])
@pytest.mark.parametrize("count", list(CARDS))
async def test_in_every_size_no_row_is_cut_or_out_of_sight_without_a_mark(
    tmp_path: Path, size: tuple[int, int], count: int
) -> None:
    async with app_with(tmp_path, CARDS[count]).run_test(size=size) as pilot:
        app = await play(pilot, *"1234")
        rows, panel = rows_in(app), app.race.query_one(ReactionList)
        text = app.panel("reactions")
        hits = {action: (line, first, behind) for line, first, behind, action in panel._hits}
        assert must_rows(app)[0].is_selected
        assert must_rows(app)[0].action in hits
        marks = re.findall(r"(\d+) more (?:above|below)|[↑↓](\d+)", text)
        assert sum(int(wordy or short) for wordy, short in marks) == len(rows) - len(hits)
        for row in rows:
            if row.action in hits:
                line, first, behind = hits[row.action]
                words = panel.lines[line][first:behind]
                assert any(told and told in words for told in (row.text, row.short)), "it is whole"
        columns = {first for _, first, _ in hits.values()}
        has_hand = app.race.query_one(HandRow).display
        assert has_hand == (size != SMALL and len(rows) <= ROWS_BESIDE_HAND), "beside as many as fit there"
        assert len(columns) == (2 if size == HUGE and not has_hand else 1)
        assert len(hits) == (len(rows) if size == HUGE else min(len(rows), panel.size.height))


@pytest.mark.asyncio
@pytest.mark.parametrize("count", list(CARDS))
async def test_enter_alone_uses_what_must_be_used_and_then_ends_the_reaction(
    tmp_path: Path, count: int
) -> None:
    async with app_with(tmp_path, CARDS[count]).run_test(size=SMALL) as pilot:
        app = await play(pilot, *"1234")
        while (must := must_rows(app)) and app.controller.draft is not None:
            check_list(app)
            decision = app.controller.draft.decision
            await pilot.press("enter")
            await until(partial(is_past, app, decision))
            command = said_in(app)[-1]
            assert isinstance(command, c.UseSymbol)
            assert command.number == must[0].number
        check_list(app)
        await pilot.press("enter")
        await until(lambda: c.EndReact() in said_in(app))


@pytest.mark.asyncio
@pytest.mark.parametrize("count", list(CARDS))
async def test_every_row_is_reached_by_a_key_of_its_own(tmp_path: Path, count: int) -> None:
    async with app_with(tmp_path, CARDS[count]).run_test(size=SMALL) as pilot:
        app = await play(pilot, *"1234")
        said = said_in(app)
        for row in rows_in(app):
            if row.number == DONE:
                continue
            await pilot.press(row.key)
            await pilot.pause()
            (selected,) = [other for other in rows_in(app) if other.is_selected]
            assert selected.number == row.number
            check_list(app)
            if not row.is_usable:
                assert app.controller.observation is not None
                choice = app.controller.observation.own.choice
                assert isinstance(choice, ReactChoice)
                reason = choice.symbols[row.number].reason
                assert reason.rstrip(".").casefold() in app.panel("forecast").casefold()
                await pilot.press("enter")
                await pilot.pause()
                assert reason in app.panel("forecast")
        assert said_in(app) == said, "a key only selects"


def open_lists(races: int) -> Iterator[tuple[Race, int]]:
    """Play races with all modules at random, and stop wherever a list is asked of a seat."""
    for number in range(races):
        stream = Stream(f"rows/{number}")
        race = RandomPlay(random_module_setup(stream), stream).race
        for _ in range(150):
            if race.phase is Phase.ENDED:
                break
            seat = next(seat for seat, decision in race.open.items() if decision.chosen is None)
            if isinstance(choice_of(race, seat), LISTS):
                yield race, seat
            step(race, seat, sample_command(choice_of(race, seat), stream))


LISTS = (ReactChoice, SlipstreamChoice, UnpaidChoice, ValueChoice)


def test_whatever_is_offered_is_whole_has_a_key_and_begins_with_what_enter_can_do() -> None:
    seen = Counter[str]()
    for race, seat in open_lists(40):
        observation = Observation(public_setup(race.setup), view_race(race, seat))
        draft = draft_for(observation, None)
        assert draft is not None
        rows = reaction_rows(observation, draft)
        seen.update(type(observation.own.choice).__name__ for _ in rows)
        assert sum(row.is_selected for row in rows) == 1
        assert not isinstance(draft.command(observation.own), str), "Enter is refused"
        keys = [row.key for row in rows]
        assert all(keys)
        assert len(set(keys)) == len(keys)
        for row in rows:
            draft.row = row.number
            for other in reaction_rows(observation, draft):
                assert cell_len(other.text_for(SHORT_CELLS)) <= SHORT_CELLS, other
    assert set(seen) == {kind.__name__ for kind in LISTS}


def test_keys_of_rows_leave_those_that_the_player_has_chosen() -> None:
    letters = Keys({"race.cool": "C", "view.piles": "A"}).free_letters("race")
    assert letters[0] == "B"
    assert "C" not in letters
    assert len(letters) == 24
