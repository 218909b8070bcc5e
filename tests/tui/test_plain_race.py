"""Races in lines, at a terminal in memory: what is asked and told, and that all of it can be played."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from heat_core.options.table_options import LocalOptions
from heat_core.race import commands as c
from heat_core.table import Table
from heat_tui.client.local import LocalSession
from heat_tui.flow.table_factory import make_table
from heat_tui.plain.game import race_here
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.preferences import settings_aside
from heat_tui.plain.race import PlainRace
from heat_tui.plain.telling import hand_told
from heat_tui.saved.records import record_files
from heat_tui.state import load_settings
from tests.tui.support_app import folders_in, until
from tests.tui.support_plain import (
    CONFIRM,
    HAND,
    SILENCE,
    Terminal,
    alone_at,
    by_script,
    example_in,
    first_then_examples,
    race,
)
from tests.tui.support_race import DRAW, HeldSession, table_at

pytestmark = pytest.mark.asyncio


async def test_the_voice_of_plain_mode() -> None:
    terminal, _ = await race(alone_at(round=4), by_script())
    told = (
        "Lap 1 of 2, space 31, 3rd gear, engine 4. 2 spaces left before corner 2 (limit 3). "
        "Hand: 1, 2, 3, 4, the 5, Stress, Heat. Pick 3 cards. For example: 1, 2, Stress"
    )
    assert terminal.lines[:2] == ["You are 1st, 11 spaces ahead of L1.", "Round 4."]
    assert terminal.prompts == [told]


async def test_an_answer_is_told_before_it_is_confirmed() -> None:
    terminal, _ = await race(alone_at(), by_script("4 3 1", "1 2 3", "", "leave", "yes"))
    assert terminal.prompts[1] == terminal.prompts[2] == CONFIRM
    assert (
        "Picked 4 plus 3 plus 1 equals speed 8, to space 39. Spin-out to 33, 2 Stress, 1st gear."
        in terminal.flow
    )
    assert "Corner 2 (limit 3): 8 minus 3 equals 5 Heat, you have 4." in terminal.text
    assert "Ana, 6 spaces, to 37." in terminal.text


SLIPSTREAM = {
    "Ana": f"lap 2 space 44 gear 1 engine 6 hand 2 1 3 {DRAW}",
    "Ben": "lap 1 space 47 gear 1 engine 6 hand 1 1 2",
}


@pytest.mark.parametrize("answer", ["2", "slipstream", "skip"])
async def test_a_slipstream_is_confirmed_like_any_answer(answer: str) -> None:
    table = table_at(SLIPSTREAM, drivers=("human", "steady"))
    session = LocalSession(table)
    await session.submit(0, table.view(0).own.decision, c.PlayCards(("2",)))  # type: ignore[union-attr]  # a seat's
    terminal, _ = await race(session, by_script(answer, "again", answer, ""))
    assert sum("Slipstream?" in prompt for prompt in terminal.prompts) == 1
    assert terminal.prompts.count(CONFIRM) == 3, "the answer stood until Enter confirmed it"
    assert ("Ana, slipstream, 2 spaces, to 48." in terminal.text) == (answer != "skip")


async def test_a_question_that_stands_is_not_asked_again_for_anothers_choice() -> None:
    cars = {
        "Ana": f"lap 1 space 31 gear 3 engine 4 {HAND} {DRAW}",
        "Ben": f"lap 1 space 20 gear 1 engine 6 hand 1 2 3 4 {DRAW}",
    }
    session = HeldSession(table_at(cars))
    terminal = Terminal(lambda prompt: SILENCE)
    racing = PlainRace(session, terminal.line_terminal)
    playing = asyncio.create_task(racing.run())
    await until(lambda: terminal.prompts)
    session.other_says(1, c.PlayCards(("1",)))
    await until(lambda: racing.controller.seen == session.table.event_number)
    terminal.line_terminal.hear("where")
    await until(lambda: len(terminal.prompts) > 1)
    terminal.line_terminal.end()
    with pytest.raises(Left):
        await playing
    assert len(terminal.prompts) == 2, "once at first, and once more behind what was told"


async def test_cost_only_tells() -> None:
    terminal, _ = await race(alone_at(), by_script("cost 4 3 1", "cost 9", "cost", ""))
    told = "Picked 4 plus 3 plus 1 equals speed 8, to space 39."
    assert told in terminal.text
    assert "There is no card '9' here" in terminal.text
    assert "Type cost and an answer, for example: cost 1, 2, Stress" in terminal.text
    assert "Ana plays" not in terminal.text
    assert "Enter only confirms an answer" in terminal.text, "it confirms nothing that was not told"


async def test_a_car_without_heat_is_not_said_to_pay_at_a_corner() -> None:
    car = f"lap 1 space 31 gear 2 engine 0 hand 4 3 1 2 heat heat {DRAW}"
    session = LocalSession(table_at({"Ana": car, "L1": "lap 1 space 20 legend easy"}))
    terminal, _ = await race(session, by_script("4 3!", "done!"))
    assert re.search(r"Stop on space \d+: a spin-out for 4 Heat, you have 0\.", terminal.flow)
    assert "Ana has no Heat for corner 2." in terminal.flow
    assert "pays 0 Heat" not in terminal.flow


async def test_again_repeats_what_an_answer_leads_to_and_keeps_it() -> None:
    terminal, _ = await race(alone_at(), by_script("1 2 3", "again", "words some", "hints perhaps", ""))
    assert terminal.text.count("Picked 1 plus 2 plus 3 equals speed 6, to space 37.") == 2
    assert terminal.prompts.count(CONFIRM) == 4, "nor does a setting with a wrong value drop it"
    assert "There is no card" not in terminal.text
    assert "Ana, 6 spaces, to 37." in terminal.text


async def test_wrong_input_is_one_sentence_and_asks_again() -> None:
    terminal, _ = await race(alone_at(), by_script("9", "give", "\x1b[31mx", "drive fast"))
    first, *others = terminal.prompts
    assert all(prompt == "Pick 3 cards. For example: 1, 2, Stress" for prompt in others)
    assert len(others) == 4
    assert first.startswith("Lap 1 of 2, space 31")
    for typed in ("9", "give", "drive"):
        assert terminal.flow.count(f"There is no card {typed!r} here. There are ") == 1
    assert "\x1b" not in terminal.text.replace("\x1b[31mx\n", "")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "where",
            "Round 2. You are 1st, 11 spaces ahead of L1. Lap 1 of 2, space 31, 3rd gear, engine 4.",
        ),
        ("cars", "1st Ana: lap 1, space 31, red, 3rd gear, engine 4, 7 in hand."),
        ("cars", "2nd L1: 11 behind you, lap 1, space 20, blue Legend."),
        ("legends", "No Legend card has been turned up."),
        ("seed", "The seed of all shuffles is shown after the race; its hash is "),
        ("hand", "Hand: 1, 2, 3, 4, the 5, Stress, Heat."),
        ("piles", "The engine holds 4 Heat."),
        ("piles", "Draw pile, in unknown order, 4 cards: 1, 2, 3, 4."),
        ("results", "results can be typed when the race is over; cars says how it stands."),
        ("words dog", "words can be few, usual or all."),
        ("cards", "\nStress: "),
        ("road", "From space 31 on, 25 spaces: after 33 corner 2, limit 3"),
        ("weather", "This race has no weather and no road tokens."),
        ("time", "There is no time limit."),
        ("again", "You are 1st, 11 spaces ahead of L1. Lap 1 of 2, space 31"),
        ("?", "Type the names of the cards, such as 4 3 stress"),
        ("?", "At any time: where, cars, hand"),
        ("log", "Round 2."),
        ("rules", "The parts are The aim; Your cards; Phase 1, shift;"),
        ("rules 6", "Phase 6, slipstream. If you end beside a car or right behind one"),
        ("rules legends", "speed 19 and diamond 2"),
        ("rules nothing", "The parts are The aim"),
        ("say hello", "say is for a room on a server; this race is at your own keyboard."),
    ],
)
async def test_looking_around(command: str, told: str) -> None:
    terminal, _ = await race(alone_at(), by_script(command))
    assert told.strip() in terminal.flow.split(command, 1)[1]


async def test_a_whole_race_by_prompts_alone() -> None:
    table = make_table(LocalOptions(names=("Ana",), laps=1, seed="plain", legends=2, bots=("steady",) * 2))
    terminal, end = await race(LocalSession(table))
    assert end == "over"
    ending = terminal.text.split("The race is over.\n")[1]
    assert ending.startswith("You are ")
    assert "Ana: " in ending
    assert "hash" not in terminal.text


async def test_a_whole_race_with_garage_and_weather_by_prompts_alone() -> None:
    box = LocalOptions(garage="mixed", expansion=True, weather=True)
    table = make_table(replace(box, names=("Ana",), laps=1, seed="w", legends=1, bots=("steady",)))
    terminal, end = await race(LocalSession(table))
    assert end == "over"
    assert terminal.text.count("Ana picks ") == 3
    assert "weather" in terminal.text.casefold()


async def test_weather_that_is_still_to_be_drawn_is_not_said_to_be_missing() -> None:
    table = make_table(
        LocalOptions(names=("Ana",), laps=1, seed="w", legends=1, garage="basic", weather=True)
    )
    terminal, _ = await race(LocalSession(table), by_script("weather"))
    assert "Weather and road tokens are drawn after the draft." in terminal.text
    assert "no weather" not in terminal.text


def hot_seat_table(seed: str = "hot") -> Table:
    return make_table(LocalOptions(names=("Ana", "Ben"), laps=1, seed=seed, legends=1))


async def test_around_one_keyboard_hands_are_covered() -> None:
    session = LocalSession(hot_seat_table())
    terminal, end = await race(session)
    assert end == "over"
    calls = [place for place, line in enumerate(terminal.lines) if line.startswith("Pass the keyboard to ")]
    assert {terminal.lines[place].split()[4].rstrip(",") for place in calls} == {"Ana", "Ben"}
    for place in calls[1:]:
        before = terminal.lines[:place]
        hand = max(n for n, line in enumerate(before) if "Hand: " in line or "Your cards give" in line)
        blank = sum(not line for line in before[hand:])
        assert blank >= 23, "the last hand is out of sight"
    hidden = [line.removesuffix("'s hand above is hidden.") for line in terminal.lines if "hidden" in line]
    assert {"Ana", "Ben"} == set(hidden), "which is said, too"
    asked = [prompt for prompt in terminal.prompts if "Pick" in prompt or "Choose" in prompt]
    assert all(prompt.startswith(("Ana: ", "Ben: ")) for prompt in asked), "whose question it is"


async def test_a_hand_that_leaves_nothing_is_asked_like_any_other_around_one_keyboard() -> None:
    hands = {
        "Ana": "lap 1 space 30 gear 3 engine 2 hand 1 1 2 2 3 heat 4 draw 4 4 3",
        "Ben": "lap 1 space 20 gear 3 engine 2 hand heat heat heat heat heat stress 3 draw 1 2 4",
        "Cy": "lap 1 space 10 gear 3 engine 2 hand heat heat heat heat 1 2 3 draw 1 2 4",
    }
    table = table_at(hands, laps=1)
    terminal, end = await race(LocalSession(table))
    assert end == "over"
    text = terminal.flow
    assert "Your hand is cluttered: you can play no card, and the car will not move. Type none." in text
    assert "You can discard nothing. Type none." in text
    calls = [
        line.split()[4].rstrip(",") for line in terminal.lines if line.startswith("Pass the keyboard to ")
    ]
    assert calls[:3] == ["Ana", "Ben", "Cy"]


async def test_the_hand_says_which_cards_lie_face_down_until_the_own_turn() -> None:
    cars = {
        "Ana": "lap 1 space 20 gear 2 engine 5 hand 1 2 3 4 heat draw 1 2",
        "Ben": "lap 1 space 40 gear 1 engine 5 hand 1 2 3 4 draw 1 2",
    }
    table = table_at(cars)
    for seat, cards in ((0, ("3", "4")), (1, ("1",))):
        own = table.view(seat).own
        assert own is not None
        table.submit(seat, own.decision, c.PlayCards(cards))
    told = "Hand: 1, 2, 3, 4, Heat. Played, face down until your turn: 3, 4."
    assert hand_told(table.observation(0)) == [told]
    assert hand_told(table.observation(1)) == ["Hand: 2, 3, 4."]


async def test_nothing_of_a_hand_is_told_at_the_curtain() -> None:
    terminal, _ = await race(
        LocalSession(hot_seat_table()), by_script("hand", "where", "piles", "4", "?", "cost 4", "cars")
    )
    assert "Nobody's hand is open now." in terminal.text
    assert "Hand: " not in terminal.text
    assert "Only the driver named should look now" in terminal.text
    assert "1st Ana" in terminal.text


async def test_a_race_goes_again_as_long_as_that_is_wished(tmp_path: Path) -> None:
    count = 0

    def answer(prompt: str) -> str:
        nonlocal count
        if "again for another race" in prompt or "Type again," in prompt:
            count += 1
            return ("nonsense", "?", "again", "exit")[count - 1]
        return example_in(prompt)

    terminal = Terminal(answer)
    table = make_table(LocalOptions(names=("Ana",), laps=1, seed="again", legends=1))
    await race_here(terminal.line_terminal, folders_in(tmp_path), table)
    assert len(record_files(folders_in(tmp_path))) == 2, "both are kept"
    assert terminal.text.count("The race is over") == 2
    assert terminal.text.count("There is no 'nonsense' here.") == 1
    assert "again starts another race with the same drivers" in terminal.text


async def test_after_the_flag_the_race_can_be_asked_about(tmp_path: Path) -> None:
    table = make_table(LocalOptions(names=("Ana",), laps=1, seed="s", legends=1))
    table.submit(0, None, c.GiveUp())
    words = ("results", "places", "cars", "log 2", "seed", "analysis", "settings", "nothing", "leave")
    terminal, folders = Terminal(by_script(*words)), folders_in(tmp_path)
    terminal.line_terminal.settings = partial(settings_aside, terminal.line_terminal, folders)
    await race_here(terminal.line_terminal, folders, table)
    said = dict(zip(words, re.split(r" > .+\n", terminal.text)[1:], strict=False))
    assert said["results"].startswith("You are 2nd of 2: gave up.\n1st Legend 1: ")
    assert "Round 1: " in said["places"] or "Nothing is known of the rounds." in said["places"]
    assert said["cars"].startswith("1st Legend 1: on the grid, ")
    assert said["analysis"].startswith("Analysing the race: 0 of "), "before the first result"
    assert said["settings"].startswith("name ")
    assert said["log 2"].splitlines()[1].startswith("The race is over")
    assert "All cards were dealt from the seed s." in said["seed"]
    assert "There is no 'nothing' here." in said["nothing"]


async def test_settings_are_seen_and_changed_in_a_race(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    table = make_table(LocalOptions(names=("Ana",), laps=1, seed="s", legends=1))
    script = by_script("settings", "settings ghost off", "settings hints off", "settings dog", "leave", "yes")
    terminal = Terminal(script)
    terminal.line_terminal.settings = partial(settings_aside, terminal.line_terminal, folders)
    await race_here(terminal.line_terminal, folders, table)
    assert "words usual: how much is said, few, usual or all." in terminal.text
    assert "Saved: ghost off: no ghost." in terminal.text
    assert not load_settings(folders).ghost
    assert not load_settings(folders).hints
    assert "The settings are name, colour, " in terminal.text


async def test_time_is_told_on_asking_and_when_it_grows_short() -> None:
    table = table_at(
        {
            "Ana": f"lap 1 space 31 gear 3 engine 4 {HAND} {DRAW}",
            "Ben": f"lap 1 space 20 gear 3 engine 4 {HAND} {DRAW}",
        }
    )
    session = HeldSession(table)
    terminal = Terminal(lambda prompt: SILENCE)
    loop = asyncio.get_running_loop()
    asked: list[float] = []

    def seconds_left(seat: int) -> float:
        asked.append(loop.time())
        return 30.02 - (asked[-1] - asked[0])

    session.seconds_left = seconds_left  # type: ignore[method-assign]
    playing = asyncio.create_task(PlainRace(session, terminal.line_terminal).run())
    await until(lambda: "30 seconds left, then 1, 2, Stress are played." in terminal.text)
    terminal.line_terminal.hear("time")
    await until(lambda: "Ana has 30 seconds left." in terminal.text)
    assert terminal.text.count("\n30 seconds left,") == 1
    terminal.line_terminal.end()
    with pytest.raises(Left):
        await playing


async def test_hashes_are_said_whole_only_on_asking() -> None:
    terminal, _ = await race(alone_at(round=4), by_script("log 99", "log all", "seed"))
    _, log, whole, seed = re.split(r" > .+\n", terminal.text)
    assert re.search(r"its hash is [0-9a-f]{8} and so on\.", log)
    assert not re.search(r"[0-9a-f]{32}", log)
    assert all(re.search(r"[0-9a-f]{64}", text) for text in (whole, seed))


async def test_signs_are_spoken_as_words() -> None:
    table = make_table(LocalOptions(names=("Ana",), laps=1, seed="signs", legends=5))
    terminal, _ = await race(LocalSession(table), first_then_examples("1!", "log all", "1!", "legends"))
    assert terminal.text.isascii()
    assert "Legend card: Legend 1 speed" in terminal.text
