"""A replay in lines: event by event, turn by turn, round by round.

Going forward says every moment on the way, for a race is followed by hearing it. Going back, or to a round by
its number, says only the moment that is reached.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from heat_core.bot_names import without_level
from heat_core.files import shown_path
from heat_core.record.playback import NOT_VERIFIED, Playback
from heat_core.sentences.card_words import cards_text
from heat_core.text import counted, listed
from heat_tui.flow.exports import NotExported, export_path, race_heading, race_text, typed_path, write_export
from heat_tui.flow.replay import ReplayController, Viewpoint, Walk
from heat_tui.flow.results import ResultsController
from heat_tui.plain.analysis import PlainAnalysis
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.labels import spoken_labels
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.looking import Scene, looked_at
from heat_tui.plain.narrator import is_left_out
from heat_tui.plain.telling import cars_told, places_told, results_told, where_told
from heat_tui.plain.words import sentence_of, without_hashes
from heat_tui.state import Folders
from heat_tui.words.replay_lines import NO_HANDS

_PROMPT: Final = (
    "Enter shows what comes next; turn, round, back, end, leave, or help for all. For example: turn"
)
_SHORT_PROMPT: Final = "Enter continues; help for all. For example: turn"
"""Once the other one has been heard."""
_PROMPT_AT_THE_END: Final = (
    "The record ends here. Type results, back, start, leave, or help for all. For example: leave"
)
_MOST_STEPS: Final = 9999


class PlainReplay:
    """A race that is over, or a record of one."""

    def __init__(self, playback: Playback, terminal: LineTerminal, folders: Folders, place: int = 0) -> None:
        """Make it; `run` walks.

        Args:
            folders: For what is written without a name.
            place: Of the moment to begin with.
        """
        self._terminal = terminal
        self._replay = ReplayController(playback, spoken_labels(playback.record.setup), place)
        self._folders = folders
        self._analysis = PlainAnalysis(playback, self._replay.labels, terminal)
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "next": self._next,
            "back": self._back,
            "turn": self._turn,
            "round": self._round,
            "start": lambda rest: self._jump("start"),
            "end": lambda rest: self._jump("end"),
            "again": self._again,
            "seat": self._seat,
            "hand": self._hand,
            "where": self._where,
            "places": self._places,
            "results": self._results,
            "analysis": self._tell_analysis,
            "mistake": self._mistake,
            "moment": self._moment,
            "write": self._write,
        }

    async def run(self) -> None:
        """Walk until that is left.

        Raises:
            Left: Whoever typed is gone.
        """
        self._introduce()
        await self._again("")
        prompt = _PROMPT
        while True:
            line = await self._terminal.ask(_PROMPT_AT_THE_END if self._replay.is_at_end else prompt)
            prompt = _SHORT_PROMPT
            if is_leaving(line):
                return
            await self._hear(line)

    def _introduce(self) -> None:
        playback = self._replay.playback
        title, drivers = race_heading(playback.record.setup)
        self._terminal.say(f"{title}: {drivers}.")
        if not playback.is_verified:
            self._terminal.say(f"{NOT_VERIFIED}.")
        rounds = counted(len(playback.rounds), "round")
        self._terminal.say(f"{rounds}. All hands are shown; seat and a name shows one driver's view.")

    async def _hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if is_asking(line):
            self._help()
        elif command := self._commands.get(word or "next"):
            try:
                await command(rest)
            except BadAnswer as error:
                self._terminal.say(str(error))
        else:
            replay = self._replay
            log, happened = replay.texts[: replay.place + 1], replay.playback.events_until(replay.place)
            scene = Scene(replay.labels, replay.view, replay.viewpoint.seat, log, events=happened)
            lines = looked_at(scene, word, rest)
            if lines is None:
                lines = [f"There is no {word!r} here; help shows what you can type."]
            self._say(*lines)

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._terminal.say(line)

    def _help(self) -> None:
        self._terminal.say(
            "Enter or next shows what comes next, next 5 the next five; turn goes to the next turn and "
            "round to the next round, showing what happens on the way. back, turn back and round back go "
            "back; round 3, start and end go there; again repeats this moment."
        )
        self._terminal.say(
            "seat and a name shows what that driver saw, seat open all hands, seat none what a spectator "
            "sees. where, hand, cars, piles, cards (explains them), road, weather, log, log all, rules and "
            "places (who was where after each round) show this moment; results shows the end, moment and a "
            "number goes to one of the moments that it names."
        )
        self._terminal.say(
            "analysis says what choices cost and how much was luck; mistake and a number goes to that moment."
        )
        self._terminal.say("write and a file's name writes the whole race as text; leave goes back.")

    # --- walking -------------------------------------------------------------------------------------------

    def _tell_moment(self, place: int) -> None:
        self._terminal.say(sentence_of(without_hashes(self._replay.texts[place])))

    def _tell_all(self, places: range) -> None:
        """Tell what happened on the way; what moves say, or is asked for, only where it is all there is."""
        moments = self._replay.playback.moments
        told = [place for place in places if not is_left_out(moments[place].event)]
        for place in told or places[-1:]:
            self._tell_moment(place)

    async def _jump(self, way: Walk, number: int = 0) -> None:
        """Go to a moment, and tell it alone."""
        self._replay.walk(way, number)
        await self._again("")

    async def _again(self, rest: str) -> None:
        """Tell the present moment, and in which round that is."""
        round_text = f"Round {self._replay.moment.round}"
        if self._replay.moment.round and self._replay.text != round_text:
            self._terminal.say(f"{round_text}.")
        self._tell_moment(self._replay.place)

    async def _next(self, rest: str) -> None:
        steps = read_number(rest, 1, _MOST_STEPS, "The number of steps") if rest else 1
        self._tell_all(self._replay.walk("event", steps))

    async def _back(self, rest: str) -> None:
        steps = read_number(rest, 1, _MOST_STEPS, "The number of steps back") if rest else 1
        await self._jump("event", -steps)

    async def _turn(self, rest: str) -> None:
        if rest.casefold() == "back":
            await self._jump("turn", -1)
        elif not rest:
            self._tell_all(self._replay.walk("turn", 1))
        else:
            raise BadAnswer("Type turn for the next turn, or turn back.")

    async def _round(self, rest: str) -> None:
        rounds = self._replay.playback.rounds
        if not rounds:
            raise BadAnswer("This record has no rounds.")
        if not rest:
            self._tell_all(self._replay.walk("round", 1))
        elif rest.casefold() == "back":
            await self._jump("round", -1)
        else:
            await self._jump("to_round", read_number(rest, rounds[0], rounds[-1], "A round of this record"))

    # --- looking -------------------------------------------------------------------------------------------

    async def _seat(self, rest: str) -> None:
        names = {self._name_of(viewpoint): viewpoint for viewpoint in self._replay.viewpoints}
        typed = without_level(rest.casefold())
        known = [name for name in names if name.casefold() == typed]
        found = known[:1] or [name for name in names if typed and name.casefold().startswith(typed)]
        if len(found) != 1:
            raise BadAnswer(f"The view can be {listed(names, 'or')}; for example: seat none")
        viewpoint = self._replay.viewpoint = names[found[0]]
        if viewpoint.seat is not None:
            self._terminal.say(f"You see what {found[0]} saw; hand says the cards.")
        else:
            self._terminal.say("All hands are shown." if viewpoint.is_open else NO_HANDS)

    def _name_of(self, viewpoint: Viewpoint) -> str:
        if viewpoint.is_open:
            return "open"
        return "none" if viewpoint.seat is None else self._replay.labels.names[viewpoint.seat]

    async def _hand(self, rest: str) -> None:
        names = self._replay.labels.names
        hands = [
            f"{names[seat]} holds {cards_text(hand) or 'no cards'}." for seat, hand in self._replay.hands
        ]
        self._say(*(hands or [NO_HANDS]))

    async def _where(self, rest: str) -> None:
        labels, moment, observation = self._replay.labels, self._replay.moment, self._replay.observation
        count = self._replay.count
        self._terminal.say(f"Round {moment.round}, {count}." if moment.round else "Before the start.")
        if observation is None:
            self._say(*cars_told(self._replay.view, labels, (), None))
        else:
            self._terminal.say(f"As {labels.names[observation.own.seat]} sees it:")
            self._say(*where_told(observation, labels)[1:])  # the round has been said

    async def _places(self, rest: str) -> None:
        self._say(*places_told(self._replay.places, self._replay.labels.names))

    async def _results(self, rest: str) -> None:
        replay = self._replay
        if replay.no_result:
            raise BadAnswer(replay.no_result)
        for line in results_told(ResultsController(replay.labels, replay.end, (), (), replay.playback)):
            self._terminal.say(line)

    async def _moment(self, rest: str) -> None:
        """Go to one of the moments worth watching."""
        replay = self._replay
        results = ResultsController(replay.labels, replay.end, (), (), replay.playback)
        if not results.highlights:
            raise BadAnswer("There are no moments worth watching in this record.")
        place = results.place_of(read_number(rest, 1, len(results.highlights), "The moment"))
        await self._jump("to_moment", place or 0)

    async def _tell_analysis(self, rest: str) -> None:
        await self._analysis.tell()

    async def _mistake(self, rest: str) -> None:
        await self._jump("to_moment", await self._analysis.place_of_mistake(rest))

    # --- taking along --------------------------------------------------------------------------------------

    async def _write(self, rest: str) -> None:
        """Write the whole race as a text, under a name of the player's choice or one of its own."""
        text = race_text(self._replay.playback)
        try:
            path = (
                typed_path(self._folders, rest)
                if rest
                else export_path(self._folders, self._replay.playback, ".txt")
            )
            if path.is_file() and not await self._terminal.agrees(
                f"The file {shown_path(path)} exists. Overwrite it?"
            ):
                return
            write_export(path, text)
        except NotExported as error:
            raise BadAnswer(str(error)) from None
        self._terminal.say(f"The whole race was written to {shown_path(path)}.")
