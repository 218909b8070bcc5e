"""Plain mode at the real server, over TCP: rooms, races, talk, championships, watching, coming back."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from heat_core.wire.address import Address
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.server import play_there
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_app import folders_in, until
from tests.tui.support_plain import SILENCE, Terminal, example_in, program

pytestmark = pytest.mark.asyncio


class Guest:
    """Somebody at a terminal in memory, who reads prompts only.

    Attributes:
        script: What to type first, a line a prompt.
        waits_for: What must have been said before anything more is typed.
    """

    def __init__(self, path: Path, name: str, *script: str, waits_for: str = "") -> None:
        self.folders = folders_in(path / name)
        self.name = name
        self.script = list(script)
        self.waits_for = waits_for
        self.terminal = Terminal(self._answer)

    def _answer(self, prompt: str) -> str | None:
        if self.script:
            return self.script.pop(0)
        is_idle = "For example: who" in prompt or "For example: leave" in prompt
        return SILENCE if is_idle or self.waits_for not in self.text else example_in(prompt)

    async def play(
        self,
        address: Address,
        code: str | None = None,
        *,
        is_host: bool = False,
        is_watching: bool = False,
    ) -> int:
        """Play until the room is left; gives the exit code."""
        try:
            stay = await ServerStay.begin(self.folders, address)
            await play_there(
                self.terminal.line_terminal,
                self.folders,
                stay,
                name=self.name,
                colour="red",
                code=code,
                is_host=is_host,
                is_watching=is_watching,
            )
        except Left as left:
            return left.code
        return 0

    @property
    def text(self) -> str:
        return self.terminal.text

    def type(self, line: str) -> None:
        self.terminal.type(line)

    async def hears(self, text: str, seconds: float = 30.0) -> None:
        await until(lambda: text in self.text, seconds)

    async def code(self) -> str:
        await self.hears("For others to join")
        found = re.search(r"Room (\w+)", self.text)
        assert found is not None
        return found[1]

    async def leaves(self) -> None:
        self.waits_for = "never"
        self.type("leave")
        await until(lambda: "yes or no" in self.terminal.prompts[-1])
        self.type("yes")


def host_of(path: Path, *script: str) -> Guest:
    """Open a room for two people and a Legend, and start once Ben is ready."""
    return Guest(
        path, "Ana", "set laps 1", "set places 3", "set legends 1", *script, waits_for="Ben is ready."
    )


def running(guest: Guest, address: Address, code: str | None = None, **options: bool) -> asyncio.Task[int]:
    return asyncio.create_task(guest.play(address, code, **options))


async def test_two_people_race_talk_and_race_again_by_prompts_alone(tmp_path: Path, address: Address) -> None:
    ana = host_of(tmp_path)
    playing = [running(ana, address, is_host=True)]
    ben = Guest(tmp_path, "Ben", "say hello there", "react bravo", "react x", "say", "who", "nonsense", "?")
    playing.append(running(ben, address, await ana.code()))
    await ana.hears("The race is over", 60)
    await ben.hears("The race is over", 60)
    await until(lambda: "rematch" in ana.terminal.prompts[-1])
    ana.waits_for = ben.waits_for = "never"
    ben.type("analysis")
    await ben.hears("Ben: accuracy", 60)
    ben.type("moment 99")
    await ben.hears("The moment must be")
    ben.type("mistake 1")
    await ben.hears("All hands are shown")
    ana.type("rematch")
    await ben.hears("A rematch: same seats, same options.")
    await ana.leaves()
    await until(lambda: "You are the host." in ben.terminal.prompts[-1])
    ben.terminal.line_terminal.end()
    assert await asyncio.gather(*playing) == [0, 0]
    for said in ("Ben has joined.", "Ben says: hello there", "Ben: bravo!", "Ben is ready."):
        assert said in ana.text
    for said in ("Type react and bravo, ouch", "1: Ana, red, host.", "There is no 'nonsense' here"):
        assert said in ben.text
    for said in ("Ben has joined.", "Ben is ready."):
        assert said not in ben.text, "to himself that is no news"
    assert ben.text.count("Meanwhile help shows what you can type.") == 5, "five times is enough"
    assert ana.text.count("You are the host.") == 2, "once a stay in the lobby"
    for guest in (ana, ben):
        assert "For others to join: heat-tui connect" in guest.text
        assert "USA, 1 lap." in guest.text
        assert "Waiting for " in guest.text
    result = re.search(r"\n1st .*\n2nd .*\n3rd .*\n", ana.text)
    assert result is not None
    assert result[0] in ben.text
    assert saved_sessions(ana.folders) == []


async def test_looking_on_a_race_that_has_begun(tmp_path: Path, address: Address) -> None:
    ana = host_of(tmp_path, "bot", "clear 2", "clear 9", "bot dog", "legend", "legend x", "set places 2")
    ana.waits_for = ""
    playing = [running(ana, address, is_host=True)]
    code = await ana.code()
    await ana.hears("Round 2")
    eve = Guest(tmp_path, "Eve", "no", "leave")
    assert await eve.play(address, code) == 0
    assert "That race has started.\nWatch it?" in eve.text
    kim = Guest(tmp_path, "Kim")
    playing.append(running(kim, address, code, is_watching=True))
    await kim.hears("The race is over", 60)
    assert "Ana plays" in kim.text
    assert "Hand: " not in kim.text
    await ana.leaves()
    for guest in (ana, kim):
        guest.terminal.line_terminal.end()
    await asyncio.gather(*playing)


async def test_a_private_room_asks_for_its_password(tmp_path: Path, address: Address) -> None:
    ana = Guest(tmp_path, "Ana", "password", "password lemon", waits_for="never")
    playing = [running(ana, address, is_host=True)]
    code = await ana.code()
    await ana.hears("The room is private now.")
    ben = Guest(tmp_path, "Ben", "apple", "lemon", waits_for="never")
    playing.append(running(ben, address, code))
    await ana.hears("Ben has joined.")
    assert ben.text.count("The room's password") == 2
    ana.type("kick Ben")
    await until(lambda: "Remove Ben from the room" in ana.terminal.prompts[-1])
    ana.type("yes")
    assert await playing[1] == 0
    await ana.hears("The host has removed Ben.")
    ana.terminal.line_terminal.end()
    assert await playing[0] == 0


async def test_a_room_is_found_in_the_list(tmp_path: Path, address: Address) -> None:
    ana = Guest(tmp_path, "Ana", waits_for="never")
    playing = [running(ana, address, is_host=True)]
    code = await ana.code()
    ben = Guest(tmp_path, "Ben", "rooms", "ZZZZZ", "a-b", f"watch {code}", waits_for="never")
    playing.append(running(ben, address))
    await ana.hears("Ben is watching.")
    assert f"{code}: USA, 2 laps, 1 of 6 cars, open, host Ana." in ben.text
    assert "The code of a room has letters and digits only" in ben.text
    await until(lambda: "You are watching." in ben.terminal.prompts[-1])
    eve = Guest(tmp_path, "Eve", "?", "help", "exit")
    assert await eve.play(address) == 0
    assert eve.text.count("A room is a table for a race or a championship") == 2
    assert "No room" not in eve.text, "none of these words is a code"
    ana_too = Guest(tmp_path, "Ana", "?", "x" * 17, "leave", "leave")
    assert await ana_too.play(address, code) == 0
    assert "Everybody in a room needs a different name" in ana_too.text
    assert "A name has at most 16 cells" in ana_too.text
    assert "Type a room's code to join" in ana_too.terminal.prompts[-1]
    await ben.leaves()
    await ana.hears("Ben has left.")
    await ana.leaves()
    assert await asyncio.gather(*playing) == [0, 0]


@pytest.mark.parametrize("is_watching", [False, True])
async def test_a_race_that_was_left_can_be_gone_back_to(
    tmp_path: Path, address: Address, *, is_watching: bool
) -> None:
    ana = host_of(tmp_path)
    playing = [running(ana, address, is_host=True)]
    ben = Guest(tmp_path, "Ben")
    code = await ana.code()
    leaving = running(ben, address, code)
    await ben.hears("Round 2")
    ben.terminal.line_terminal.end()
    assert await leaving == 0
    again = Guest(tmp_path, "Ben", "yes")
    playing.append(running(again, address, code if is_watching else None, is_watching=is_watching))
    await ana.hears("The race is over", 60)
    await again.hears("The race is over", 60)
    assert "Go back to room" in again.text
    state = again.text.index("You are ")
    missed = re.search(r"\d+ things happened meanwhile; log all shows them\.", again.text)
    assert missed is not None
    assert state < missed.start(), "how the race stands comes first"
    for guest in (ana, again):
        guest.terminal.line_terminal.end()
    assert await asyncio.gather(*playing) == [0, 0]


async def test_a_room_without_a_clock_and_a_driver_with_more_time(tmp_path: Path, address: Address) -> None:
    script = ("set time none", "time", "time Eve 30", "time Ana x", "time ana 30", "who", "set time 60")
    ana = Guest(tmp_path, "Ana", *script, "set places 2", "set legends 1", waits_for="for each decision.")
    playing = running(ana, address, is_host=True)
    await ana.hears("No clock: take as long as you like for a decision;")
    await ana.hears("Ana has 30 seconds more for each decision.")
    for said in (
        "The host types time, a driver's name",
        "No driver here is called 'Eve'.",
        "30 seconds more",
    ):
        assert said in ana.text
    await ana.hears("Choose gear")
    ana.type("time")
    await until(lambda: re.search(r"Ana has (8\d|90) seconds left", ana.text))
    ana.terminal.line_terminal.end()
    assert await playing == 0


async def test_all_agree_to_a_pause_and_go_on(tmp_path: Path, address: Address) -> None:
    ana, ben = host_of(tmp_path), Guest(tmp_path, "Ben")
    playing = [running(ana, address, is_host=True), running(ben, address, await ana.code())]
    await ben.hears("Choose gear")
    ana.waits_for = ben.waits_for = "never"
    ana.type("pause")
    await ben.hears("Ana voted to pause: pause votes too.")
    ben.type("pause")
    await ana.hears("The race is paused until Ana and Ben vote to resume.")
    ana.type("pause")
    await ana.hears("Ben votes to resume")
    ben.type("pause")
    await ana.hears("The race continues.")
    for guest in (ana, ben):
        guest.terminal.line_terminal.end()
    assert await asyncio.gather(*playing) == [0, 0]


async def test_a_championship_at_a_server(tmp_path: Path, address: Address) -> None:
    ana = host_of(tmp_path, "set season usa usa usa", "set events on", "season")
    ben = Guest(tmp_path, "Ben")
    playing = [running(ana, address, is_host=True), running(ben, address, await ana.code())]
    for race in (1, 2):
        await ana.hears(f"after race {race} of 3", 60)
        await ana.hears(f"Race {race + 1} of 3: USA")
    await ana.hears("is champion with", 60)
    await ben.hears("is champion with", 60)
    for guest in (ana, ben):
        assert guest.text.count("The race is over") == 3
        guest.terminal.line_terminal.end()
    assert await asyncio.gather(*playing) == [0, 0]


@pytest.mark.spec("APP-10.4")
async def test_a_whole_race_at_a_server_through_pipes(tmp_path: Path, address: Address) -> None:
    def answer(prompt: str) -> str:
        if "rematch" in prompt:
            return "leave"
        if "yes or no" in prompt:
            return "yes"
        return script.pop(0) if script and "Type start" in prompt else example_in(prompt)

    script = ["set laps 1", "set places 2", "set legends 1"]
    arguments = ("connect", str(address), "--name", "Ana", "--no-animation")
    with program(tmp_path, *arguments) as run:
        text = await asyncio.to_thread(run.play, answer)
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert "The race is over" in text
    assert "\x1b" not in text
