"""A recorded race in lines: walked event by event, turn by turn, round by round.

Theory of operation. As on the screen, there is a place among the moments of a playback, and eyes through
which it is seen. Going on tells every moment on the way, for a race is followed by hearing it; going back, or
to a round by its number, tells only the one where that leads.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from heat_core.files import shown_path
from heat_core.record.figures import race_figures
from heat_core.record.playback import NOT_VERIFIED, Playback
from heat_core.sentences.card_words import cards_text
from heat_core.text import counted, listed
from heat_core.view.race_view import RaceView
from heat_tui.flow.exports import export_path, race_text
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.looking import Scene, looked_at, spoken_labels
from heat_tui.plain.telling import cars_told, results_told, where_told
from heat_tui.plain.words import sentence_of, without_hashes
from heat_tui.state import Folders
from heat_tui.words.replay_lines import Eyes, all_eyes
from heat_tui.words.result_table import places_by_round

_PROMPT: Final = "Enter shows what comes next; turn, round, back, end, quit, or ? for all. For example: turn"
_SHORT_PROMPT: Final = "Enter continues; ? for all. For example: turn"
"""Once the other one has been heard."""
_PROMPT_AT_THE_END: Final = (
    "The record ends here. Type results, back, start, quit, or ? for all. For example: quit"
)
_MOST_STEPS: Final = 9999


class PlainReplay:
    """A race that is over, or a record of one."""

    def __init__(self, playback: Playback, voice: LineTerminal, folders: Folders, place: int = 0) -> None:
        """Make it; `run` walks.

        Args:
            folders: For what is written without a name.
            place: Of the moment to begin with.
        """
        self.voice = voice
        self.labels = spoken_labels(playback.record.setup)
        self._playback = playback
        self._folders = folders
        self._place = place
        self._eyes = Eyes(is_open=True)
        self._texts = [self.labels.told(moment.event) or moment.text for moment in playback.moments]
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "next": self._next,
            "back": self._back,
            "turn": self._turn,
            "round": self._round,
            "start": self._start,
            "end": self._end,
            "again": self._again,
            "seat": self._seat,
            "hand": self._hand,
            "where": self._where,
            "places": self._places,
            "results": self._results,
            "write": self._write,
        }

    @property
    def race_view(self) -> RaceView:
        """The present moment, as the eyes see it."""
        return self._playback.view(self._place, self._eyes.seat)

    @property
    def _scene(self) -> Scene:
        return Scene(self.labels, self.race_view, self._eyes.seat, self._texts[: self._place + 1])

    async def run(self) -> None:
        """Walk until that is left.

        Raises:
            Left: Whoever typed is gone.
        """
        self._introduce()
        await self._again("")
        prompt = _PROMPT
        while True:
            is_at_end = self._place == self._playback.last
            line = await self.voice.ask(_PROMPT_AT_THE_END if is_at_end else prompt)
            prompt = _SHORT_PROMPT
            if is_leaving(line):
                return
            await self._hear(line)

    def _introduce(self) -> None:
        setup, rounds = self.labels.setup, self._playback.rounds
        cars = ", ".join(f"{car.name} (Legend)" if car.legend else car.name for car in setup.cars)
        self.voice.say(
            f"{setup.track.name}, {counted(setup.laps, 'lap')}, {setup.rules.preset} rules: {cars}."
        )
        if not self._playback.is_verified:
            self.voice.say(f"{NOT_VERIFIED}.")
        self.voice.say(
            f"{counted(len(rounds), 'round')}. All hands are open; seat and a name takes one view."
        )

    async def _hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if is_asking(line):
            self._help()
        elif command := self._commands.get(word or "next"):
            try:
                await command(rest)
            except BadAnswer as error:
                self.voice.say(str(error))
        else:
            lines = looked_at(self._scene, word, rest)
            if lines is None:
                lines = [f"There is no {word!r} here; ? shows what you can type."]
            for told in lines:
                self.voice.say(told)

    def _help(self) -> None:
        self.voice.say(
            "Enter or next shows what comes next, next 5 the next five; turn goes to the next turn and "
            "round to the next round, with all that happens on the way. back, turn back and round back go "
            "back; round 3, start and end go there; again tells the moment once more."
        )
        self.voice.say(
            "seat and a name sees what that driver saw, seat open all hands, seat none what a spectator "
            "sees. where, hand, cars, piles, cards (explains them), road, weather, log, log all, rules and "
            "places (who was where after each round) tell how things stood at this moment; results tell the "
            "end."
        )
        self.voice.say("write and a file's name writes the whole race as a text; quit leaves.")

    # --- walking -------------------------------------------------------------------------------------------

    def _tell_moment(self, *, has_jumped: bool = False) -> None:
        moment, text = self._playback.moments[self._place], self._texts[self._place]
        round_text = f"Round {moment.round}"
        if has_jumped and moment.round and text != round_text:
            self.voice.say(f"{round_text}.")
        self.voice.say(sentence_of(without_hashes(text)))

    def _go_on(self, place: int) -> None:
        """Tell every moment up to a later one."""
        while self._place < place:
            self._place += 1
            self._tell_moment()

    def _jump(self, place: int) -> None:
        self._place = place
        self._tell_moment(has_jumped=True)

    async def _next(self, rest: str) -> None:
        steps = read_number(rest, 1, _MOST_STEPS, "How many steps") if rest else 1
        self._go_on(self._playback.step(self._place, steps))

    async def _back(self, rest: str) -> None:
        steps = read_number(rest, 1, _MOST_STEPS, "How many to go back") if rest else 1
        self._jump(self._playback.step(self._place, -steps))

    async def _turn(self, rest: str) -> None:
        if rest.casefold() == "back":
            self._jump(self._playback.step_turns(self._place, -1))
        elif not rest:
            self._go_on(self._playback.step_turns(self._place, 1))
        else:
            raise BadAnswer("Type turn for the next turn, or turn back.")

    async def _round(self, rest: str) -> None:
        rounds = self._playback.rounds
        if not rounds:
            raise BadAnswer("No round begins in this record.")
        if rest.casefold() == "back":
            self._jump(self._playback.step_rounds(self._place, -1))
        elif rest:
            number = read_number(rest, rounds[0], rounds[-1], "A round of this record")
            self._jump(self._playback.place_of_round(number))
        else:
            self._go_on(self._playback.step_rounds(self._place, 1))

    async def _start(self, rest: str) -> None:
        self._jump(0)

    async def _end(self, rest: str) -> None:
        self._jump(self._playback.last)

    async def _again(self, rest: str) -> None:
        self._tell_moment(has_jumped=True)

    # --- looking -------------------------------------------------------------------------------------------

    async def _seat(self, rest: str) -> None:
        names = {self._name_of(eyes).casefold(): eyes for eyes in all_eyes(self.labels)}
        typed = rest.casefold()
        begun = [eyes for name, eyes in names.items() if typed and name.startswith(typed)]
        if typed in names:
            self._eyes = names[typed]
        elif len(begun) == 1:
            self._eyes = begun[0]
        else:
            known = listed([self._name_of(eyes) for eyes in all_eyes(self.labels)], "or")
            raise BadAnswer(f"The view can be {known}; for example: seat none")
        await self._hand("")

    def _name_of(self, eyes: Eyes) -> str:
        if eyes.is_open:
            return "open"
        return "none" if eyes.seat is None else self.labels.names[eyes.seat]

    async def _hand(self, rest: str) -> None:
        if self._eyes == Eyes():
            self.voice.say("A spectator sees no hands.")
            return
        race = self._playback.race_at(self._place)
        for number in race.seats() if self._eyes.seat is None else [self._eyes.seat]:
            hand = cards_text(race.seat(number).hand) or "no cards"
            self.voice.say(f"{self.labels.names[number]} holds {hand}.")

    async def _where(self, rest: str) -> None:
        moment, view, observation = (
            self._playback.moments[self._place],
            self.race_view,
            self._scene.observation,
        )
        around = f"Round {moment.round}" if moment.round else "Before the first round"
        self.voice.say(f"{around}, event {moment.last} of {self._playback.moments[-1].last}.")
        if observation is None:
            told = cars_told(view, self.labels, ())
        else:
            told = [
                f"As {self.labels.names[observation.own.seat]} sees it:",
                *where_told(observation, self.labels),
            ]
        for line in told:
            self.voice.say(line)

    async def _places(self, rest: str) -> None:
        view = self.race_view
        events = self._playback.events_until(self._place)
        orders = places_by_round(view, race_figures(self.labels.setup, events))
        first = view.round - len(orders) + 1
        for number, order in enumerate(orders, start=first):
            self.voice.say(f"Round {number}: {', '.join(self.labels.names[car] for car in order)}.")

    async def _results(self, rest: str) -> None:
        view = self._playback.view(self._playback.last, None)
        if view.status != "ended":
            raise BadAnswer(f"The record stops in round {view.round}: there is no result.")
        for line in results_told(self.labels, view, self._playback.record.events):
            self.voice.say(without_hashes(line))

    # --- taking along --------------------------------------------------------------------------------------

    async def _write(self, rest: str) -> None:
        """Write the whole race as a text, under a name of the player's choice or one of its own."""
        text = race_text(self._playback)
        try:
            path = _path_of(rest) or export_path(self._folders, self._playback, ".txt")
            if _is_file(path) and not await self.voice.agrees(
                f"There is a file {shown_path(path)} already. Write over it?"
            ):
                return
            _write_text(path, text, makes_folder=not rest)
        except OSError as error:
            raise BadAnswer(f"{shown_path(error.filename or rest)}: {error.strerror}.") from None
        except (RuntimeError, ValueError):  # no such home, or a character that no name of a file has
            raise BadAnswer(f"{rest[:80]!r} cannot be the name of a file.") from None
        self.voice.say(f"The whole race is in the file {shown_path(path)}.")


def _path_of(typed: str) -> Path | None:
    return Path(typed).expanduser() if typed else None


def _is_file(path: Path) -> bool:
    return path.exists() and not path.is_dir()


def _write_text(path: Path, text: str, *, makes_folder: bool) -> None:
    if makes_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
