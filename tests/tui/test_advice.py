"""Advice in a race: asked for by a key or a line, beside each choice, and only where it may be."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from heat_core.coach.wording import spaces_text
from heat_core.race import commands as c
from heat_core.table import Table
from heat_tui.client.local import LocalSession
from heat_tui.client.remote import NO_ADVICE_IN_ROOM, RemoteSession
from heat_tui.flow.advising import NOTHING_TO_DECIDE, THINKING
from heat_tui.flow.race import RaceController
from heat_tui.flow.worths import Worths
from heat_tui.plain.race import PlainRace
from heat_tui.race.draft import DONE
from heat_tui.widgets.hand import HandRow
from heat_tui.widgets.lesson_box import LessonBox
from tests.tui.fake_server import FakeRace
from tests.tui.support_app import shown, until
from tests.tui.support_company import Told
from tests.tui.support_plain import Terminal, by_script
from tests.tui.support_race import begin, race_app, table_at

pytestmark = pytest.mark.asyncio

CARS = {
    "ana": "lap 1 space 30 gear 3 engine 6 hand 1 1 2 4 4 draw 1 2 3",
    "ben": "lap 1 space 2 gear 1 hand 1 1 1 draw 2 2 2",
}
MOST_WORK_SECONDS = 0.02


def at(table: Table) -> RaceController:
    race = RaceController(LocalSession(table))
    race.settle(race.unseen())
    return race


def worths_of(race: RaceController) -> Worths:
    worths = race.worths
    assert worths is not None
    return worths


def shifting() -> Table:
    return table_at(CARS, phase="shift", drivers=("human", "steady"))


async def test_thinking_never_holds_the_loop_up() -> None:
    race = at(shifting())
    race.turn_advice()
    worked: list[float] = []

    async def tick() -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.001)
            worked.append(time.thread_time() - before)

    ticking = asyncio.create_task(tick())
    assert race.advising.text(race.open_decision) == THINKING
    assert await race.think()
    ticking.cancel()
    assert race.advising.text(race.open_decision).startswith("3rd gear, play 1 + 1 + 2: 4 spaces")
    assert not await race.think(), "once for each decision"
    assert len(worked) > 20
    assert max(worked) < MOST_WORK_SECONDS


async def test_an_error_in_the_worker_is_told_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heat_tui.flow.advising._advise", divmod)  # raises TypeError
    race = at(shifting())
    race.turn_advice()
    await race.think()
    assert race.advising.text(race.open_decision) == "No advice could be worked out for this choice."


async def test_each_choice_has_its_worth_with_what_is_picked_so_far() -> None:
    race = at(table_at(CARS, drivers=("human", "steady")))
    race.turn_advice()
    assert not race.worths
    await race.think()
    worths = worths_of(race)
    assert worths.cards()[:3] == ("0", "0", "0")
    assert worths.chosen() == ""
    assert race.draft is not None
    race.draft.picked = [3, 4]
    assert all(float(worth) < -1 for worth in worths_of(race).cards())
    assert len(set(worths_of(race).cards()[:2])) == 1
    race.draft.picked = [3, 4, 0]
    assert float(worths_of(race).chosen()) < -1
    race.turn_advice()
    assert not race.worths
    assert race.advising.text(race.open_decision) == ""


async def test_what_can_be_used_has_its_worth_and_a_new_decision_is_thought_about_anew() -> None:
    table = table_at(
        {"ana": "lap 2 space 58 gear 4 engine 6 hand 1 1 2 2 3 draw 3 4 4 4", "ben": CARS["ben"]},
        drivers=("human", "steady"),
    )
    race = at(table)
    race.turn_advice()
    await race.think()
    own = race.view.own
    assert own is not None
    await race.session.submit(0, own.decision, c.PlayCards(("1", "1", "2", "2")))
    await race.session.changed(race.seen)
    race.settle(race.unseen())
    assert not race.worths
    await race.think()
    worths = worths_of(race)
    assert race.advising.text(race.open_decision).startswith("Boost for 1 Heat: the flip adds 3 (25 %)")
    assert worths.row(0) == "0"
    assert float(worths.row(DONE)) < 0


async def test_what_advice_says_of_the_own_choice_is_not_said_twice() -> None:
    race = at(shifting())
    race.turn_advice()
    await race.think()
    worths = worths_of(race)
    own = worths.draft.gear
    (behind,) = [-each.spaces for each in worths.advice.worths if each.command == c.ShiftGear(4)]
    chosen = worths._replace(draft=replace(worths.draft, gear=4))
    worse = f"is {spaces_text(behind)} worse"
    assert own != 4
    for sentence, told in (
        ("play 2", f"Your choice {worse}."),
        (f"play 2; 4th gear {worse}", ""),
        (f"play 2; 4th gear {worse}.", ""),
    ):
        advice = msgspec.structs.replace(worths.advice, sentence=sentence)
        assert chosen._replace(advice=advice).chosen_told() == told


@pytest.mark.spec("BOT-3")
async def test_advice_stands_beside_each_choice_and_goes_again(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS, phase="shift", drivers=("human", "steady"))
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        box = app.screen.query_one("#lesson", LessonBox)
        assert " y advice " in shown(pilot).splitlines()[-1]
        await pilot.press("y")
        await until(lambda: app.controller.worths is not None and box.display)
        await pilot.pause()
        assert box.hint is not None
        assert "Advice (numbers are spaces). 3rd" in shown(pilot)
        assert box.hint.text.startswith("3rd gear, play 1 + 1 + 2: 4 spaces through corner 2 for 1 Heat")
        worths = worths_of(app.controller)
        lines = shown(pilot).splitlines()
        (number,) = [number for number, line in enumerate(lines) if "gear " in line and "‹3›" in line]
        costs, below = lines[number].partition("gear ")[2].split(), lines[number + 1].split()
        assert {"free", "‹3›1▮"} <= {*costs} | {f"‹3›{cost}" for cost in costs}, "what each gear costs stays"
        assert {worths.gears()[3], worths.gears()[4]} <= {*below}, "what it is worth stands below"
        await pilot.press("4")
        assert box.hint.doing == f"Your choice is {worths.gears()[4].removeprefix('-')} spaces worse."
        await pilot.press("y")
        await pilot.pause()
        assert not box.display
        assert not app.controller.worths
        assert "‹4›" in shown(pilot)


async def test_around_one_keyboard_only_who_asked_has_advice() -> None:
    race = at(table_at(CARS, phase="shift"))
    race.turn_advice()
    assert race.message == NOTHING_TO_DECIDE, "the curtain covers all hands"
    race.lift_curtain()
    race.turn_advice()
    assert race.advising.is_on(race.viewer)
    own = race.view.own
    assert own is not None
    await race.session.submit(own.seat, own.decision, c.ShiftGear(3))
    race.settle(race.unseen())
    race.lift_curtain()
    assert race.viewer is not None
    assert not race.advising.is_on(race.viewer)


async def test_in_a_room_there_is_advice_only_if_the_host_allows_it() -> None:
    fake = FakeRace()
    link = Told(fake)
    race = RaceController(RemoteSession(link))
    race.settle(race.unseen())
    race.turn_advice()
    assert race.message == NO_ADVICE_IN_ROOM
    assert not race.advising.is_due(race.open_decision)
    room = fake.room()
    allowing = msgspec.structs.replace(room.options, advice=True)
    link.tell(msgspec.structs.replace(room, options=allowing))
    race.turn_advice()
    assert race.message == ""
    assert race.advising.is_due(race.open_decision)
    link.tell(room)
    assert not race.advising.is_due(race.open_decision), "the host has changed their mind"


async def test_plain_mode_speaks_advice_once_or_before_each_question() -> None:
    terminal = Terminal(
        by_script("advice", "advice on", "3", "", "advice off", "advice", "y", "leave", "yes")
    )
    async with asyncio.timeout(60):
        await PlainRace(LocalSession(shifting()), terminal.line_terminal).run()
    lines = terminal.text.splitlines()
    gears, cards, again = [line for line in lines if line.startswith("Advice: ")]
    assert gears.startswith("Advice: 3rd gear, play 1 plus 1 plus 2: 4 spaces through corner 2 for 1 Heat;")
    assert cards.startswith("Advice: Play 1 plus 1 plus 2: 4 spaces"), "by itself, while it is on"
    assert again == cards
    assert terminal.text.count("'y'") == 1, "y says yes, and is no other word for advice"
    assert any(line.startswith("In spaces against the best: 3rd gear: 0; ") for line in lines)


async def test_advice_writes_nothing_over_the_face_of_a_card(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS, drivers=("human", "steady"))
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(pilot)
        hand = app.race.query_one(HandRow)
        faces, numbers = hand.lines[:-1], hand.lines[-1].split()
        await pilot.press("y")
        await until(lambda: app.controller.worths is not None)
        await pilot.pause()
        assert hand.lines[:-1] == faces
        assert hand.lines[-1].split()[::2] == numbers
        assert hand.lines[-1].split()[1::2] == [*worths_of(app.controller).cards()]
