"""A race by its controller alone, as both faces drive it: to the end, around one keyboard, over a server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from heat_core.decisions import CardsChoice, DiscardChoice, only_answer
from heat_core.options.table_options import LocalOptions
from heat_core.view.endings import Way, way_of
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.local import LocalSession
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from heat_tui.flow.draft_marks import draft_marks
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.painted_road import paint_road
from heat_tui.flow.race import RaceController
from heat_tui.flow.race_news import News
from heat_tui.flow.table_factory import make_table
from heat_tui.flow.verdict import stays_of, verdict_on
from heat_tui.race.presenter import asked
from heat_tui.words.race_talk import NO_VOTE_NEEDED
from heat_tui.words.wording import forecast_lines
from tests.tui.support_app import folders_in, server_process, until
from tests.tui.support_controller import CARS, answer, catch_up, choose_the_default, drive, held, log_of
from tests.tui.support_race import HeldSession, table_at

pytestmark = pytest.mark.asyncio


async def test_a_choice_is_forecast_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    worked_out = []

    def counted(*args: Any, **more: Any) -> Way:
        worked_out.append(args)
        return way_of(*args, **more)

    monkeypatch.setattr("heat_core.view.forecast.way_of", counted)
    race = RaceController(HeldSession(table_at(CARS)))
    catch_up(race)
    observation, choosing = race.observation, race.choosing
    assert observation is not None
    assert choosing is not None
    paint_road(observation, choosing.draft)
    assert (all_open := len(worked_out)) > 5
    for number in (1, 2, 3):
        choosing.number(number)
        race.renew()
        assert race.observation is observation, "nothing has happened"
        draft_marks(observation, choosing.draft)
        verdict_on(observation, choosing.draft)
        stays_of(observation, choosing.draft)
        forecast_lines(observation, choosing.draft)
        paint_road(observation, choosing.draft)
    assert len(worked_out) - all_open <= 3, "of a choice that is not whole, each of the first two picks"
    await answer(race)
    catch_up(race)
    assert race.observation is not observation


# --- to the end --------------------------------------------------------------------------------------------


async def test_a_race_from_the_grid_to_its_record() -> None:
    options = LocalOptions(
        names=("Ana",), track="italy", laps=1, bots=("steady",) * 2, legends=1, seed="controller"
    )
    session = LocalSession(make_table(options))
    race = RaceController(session)
    assert race.leave_question().startswith("Leave the race? It is played only in this terminal")
    assert await drive(race) == [], "nobody is called who has the keyboard alone"
    assert sorted(standing.car for standing in race.view.standings) == [0, 1, 2, 3]
    assert any(text.startswith("The race is over: 1st") for text in log_of(race))
    assert race.leave_question() == "", "nothing is lost any more"
    (record,) = await session.records()
    assert record.events == tuple(session.table.log)


async def test_a_lesson_explains_and_ends_with_the_race() -> None:
    options = LocalOptions(names=("Ana",), track="italy", laps=1, legends=1, seed="controller")
    race = RaceController(LocalSession(make_table(options)), lesson=Lesson())
    titles: list[str] = []

    def look() -> None:
        if (hint := race.hint()) is not None and hint.title not in titles:
            titles.append(hint.title)

    await drive(race, look=look)
    assert titles[0] == "Gear"
    assert len(titles) > 5
    assert race.is_lesson_over


# --- around one keyboard -----------------------------------------------------------------------------------


def hot_seat(seed: str = "7", **options: object) -> RaceController:
    usual = LocalOptions(names=("Ana", "Ben"), track="italy", laps=1, legends=1, bots=("steady",), seed=seed)
    return RaceController(LocalSession(make_table(replace(usual, **options))), lesson=Lesson())


async def test_two_take_turns_at_the_keyboard_and_the_curtain_covers_their_hands() -> None:
    race = hot_seat()
    assert race.lesson is None, "people around one keyboard are not lectured"
    last: int | None = None
    stayed = 0

    def look() -> None:
        nonlocal last, stayed
        if race.curtain is not None:
            assert race.curtain != last, "whoever decides next keeps the keyboard"
            assert (race.viewer, race.view.own, race.choosing, race.observation) == (None,) * 4
            last = race.curtain
        elif race.owes_a_choice:
            assert race.viewer == last
            stayed += 1

    called = await drive(race, look=look)
    assert set(called) == {0, 1}, "nobody is called for a bot"
    assert stayed > len(called), "some seats decided twice in a row"
    events = race.session.events_since(0, None)
    told = [text for event in events if (text := race.labels.told(event))]
    seen = [line for line in log_of(race) if not line.startswith("* ")]
    assert seen == told, "only what everybody may know"
    moments = [line for line in log_of(race) if line.startswith("* ")]
    assert moments[0] == "* The lights go out."
    assert moments[1].endswith(" has crossed the finish line: this is the last round.")


async def test_the_same_seed_and_answers_give_the_same_race() -> None:
    races = [hot_seat(), hot_seat()]
    for race in races:
        await drive(race, rounds=3)
    assert log_of(races[0]) == log_of(races[1])
    assert len(races[0].log) > 20


async def test_a_garage_is_open_to_all_and_the_hands_behind_it_are_covered() -> None:
    race = hot_seat(garage="mixed", bots=())
    picked: list[int | None] = []

    def look() -> None:
        if race.view.status == "set_up":
            assert race.curtain is None
            picked.append(race.viewer)

    called = await drive(race, rounds=1, look=look)
    back, front, *_ = picked
    assert picked == [back, front, front, back, back, front]
    assert called[0] == back, "who picked last goes on with the own hand; the next one is called"


FREE = "lap 1 space 30 gear 3 engine 2 hand 1 1 2 2 3 heat 4 draw 4 4 3"
FORCED = {
    "your hand is cluttered": "lap 1 space 10 gear 3 engine 2 hand heat heat heat heat heat stress 3 draw 1",
    "you can discard nothing": "lap 1 space 10 gear 3 engine 2 hand heat heat heat heat 1 2 3 draw 1 2 4",
}


@pytest.mark.parametrize("forced", FORCED)
async def test_a_seat_with_nothing_to_choose_is_called_all_the_same(forced: str) -> None:
    """Else all around the keyboard would know what that hand is like."""
    table = table_at({"Ana": FREE, "Ben": FORCED[forced], "Cy": FREE.replace("30", "20")})
    race = RaceController(LocalSession(table))
    asked_of: set[tuple[type[object], int]] = set()
    words: set[str] = set()

    def look() -> None:
        choosing = race.choosing
        if choosing is not None and isinstance(choosing.choice, CardsChoice | DiscardChoice):
            asked_of.add((type(choosing.choice), choosing.observation.own.seat))
            if only_answer(choosing.choice) is not None:
                words.add(asked(race.view))

    await drive(race, rounds=2, look=look)
    assert {(CardsChoice, seat) for seat in range(3)} <= asked_of
    if forced == "you can discard nothing":
        assert {(DiscardChoice, seat) for seat in range(3)} <= asked_of
    assert forced in words


# --- the table and its people ------------------------------------------------------------------------------


async def test_each_change_around_the_table_is_news_once() -> None:
    race, session = held()
    session.driven, session.connection_state = (1,), "reconnecting"
    news = catch_up(race)
    assert news.presence == ("Ben is away; if that lasts, the server makes the simplest choices",)
    assert news.connection == "The connection was lost; trying again."
    assert catch_up(race) == News((), "", "", False)
    session.driven, session.connection_state = (), "connected"
    assert catch_up(race) == News(("Ben is back",), "Connected again.", "", False)
    assert [text for text in log_of(race) if text.startswith("Ben is")] == [
        "Ben is away; if that lasts, the server makes the simplest choices",
        "Ben is back",
    ]


async def test_a_table_that_is_gone_says_why_to_who_waits_and_to_who_answers() -> None:
    race, session = held()
    waiting = asyncio.create_task(race.wait())
    await session.break_off("The server has closed the room.")
    await waiting
    assert race.ending == "The server has closed the room."
    race, session = held()
    await session.close()
    choose_the_default(race)
    reply = race.confirm()
    assert reply is not None
    assert not await race.submit(reply)
    assert race.ending


async def test_the_own_time_counts_and_else_the_shortest() -> None:
    race, session = held()
    assert race.seconds_left() is None
    session.seconds_left = {0: 20.0, 1: 10.0}.get  # type: ignore[method-assign, assignment]
    assert race.times_left() == {0: 20.0, 1: 10.0}
    assert race.seconds_left() == 20.0
    await answer(race)
    catch_up(race)
    assert race.seconds_left() == 10.0


async def test_a_race_at_one_keyboard_needs_no_vote() -> None:
    race, _ = held()
    await race.vote_for_pause()
    assert race.message == NO_VOTE_NEEDED


async def seated(path: Path, address: Address) -> tuple[RaceController, RaceController]:
    """Sit two people down at a server, and start their race."""
    ana = await ServerStay.begin(folders_in(path / "ana"), address)
    await ana.create("Ana", "red", m.RoomOptions(cars=3, legends=1, laps=1))
    await until(lambda: ana.link.room)
    assert ana.link.room is not None
    ben = await ServerStay.begin(folders_in(path / "ben"), address)
    await ben.join(ana.link.room.code, "Ben", "blue", None)
    await ben.link.request(m.TakeSeat(0, ready=True))
    await ana.link.request(m.Start(0))
    await until(lambda: RemoteSession.is_ready(ana.link) and RemoteSession.is_ready(ben.link))
    return RaceController(ana.race_session()), RaceController(ben.race_session())


async def test_two_race_at_a_server_and_a_pause_needs_both(tmp_path: Path) -> None:
    with server_process() as address:
        ana, ben = await seated(tmp_path, address)
        catch_up(ana)
        for race in (ana, ben):
            await race.vote_for_pause()
            assert race.message == ""
        await until(lambda: ana.around.shown("z").standstill)
        assert ana.hear() == ()
        choose_the_default(ana)
        reply = ana.confirm()
        assert reply is not None
        assert not await ana.submit(reply)
        assert "paused" in ana.message
        for race in (ana, ben):
            await race.vote_for_pause()
        await until(lambda: not ana.around.shown("z").standstill)
        ana.message = "The race is paused."
        ana.hear()
        assert ana.message == "", "what was refused in the pause is refused no more"
        await asyncio.gather(drive(ana), drive(ben))
        assert ana.view.standings == ben.view.standings
        assert ana.ending == ben.ending == ""
        for race in (ana, ben):
            await race.session.close()
