"""The results of a race: the place of each car and what it did."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.events import Key, Resize
from textual.widgets import Static

from heat_core.race.events import Event
from heat_core.record.playback import Playback
from heat_core.text import counted
from heat_core.view.race_view import RaceView
from heat_tui.client.company import Company
from heat_tui.flow.analysis import AnalysisController
from heat_tui.flow.replay_start import ReplayStart
from heat_tui.flow.results import ResultsController
from heat_tui.flow.room_rights import why_not
from heat_tui.keys.bindings import bound, keys_of
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.analysis import AnalysisScreen
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.blocks import Block
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.exporting import ask_for_export
from heat_tui.screens.results_page import ALL, PageLook, Reveal, result_pages, seed_page
from heat_tui.screens.results_ways import ways_block
from heat_tui.screens.rows import MessageLine, is_ascii
from heat_tui.theme.colours import inked
from heat_tui.theme.glyphs import spelled
from heat_tui.theme.paints import theme_named
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.race_talk import CONNECTION_NEWS
from heat_tui.words.result_words import result_heading, result_text

_NEXT_RACE = "The host starts the next race; you join it automatically. The championship's table"
_STEP_SECONDS: Final = 0.15
_CHART_SECONDS: Final = 0.8
_FRAME_SECONDS: Final = 0.05
"""How long a step of the podium and all of the chart take to come, and how long the chart stays as it is."""


class ResultsScreen(HeatScreen[None]):
    """Places, gaps and figures; of a race at a server, the place where all wait for a rematch.

    What does not fit is on further pages; the keys at the foot say so.

    Attributes:
        results: What is shown.
    """

    DEFAULT_CSS = """
    ResultsScreen #title { height: 1; background: $raised; color: $ink; text-style: bold; padding: 0 1; }
    ResultsScreen #told { height: auto; padding: 0 1; text-style: bold; }
    ResultsScreen #page { height: 1fr; padding: 0 1; }
    ResultsScreen #ways { padding: 0 1; }
    """
    BINDINGS = [
        Binding("enter", "onward", "Championship", show=False),
        Binding("enter", "home", "Home", show=False),
        Binding("enter", "back", "Back", show=False),
        Binding("escape", "home", "Home", show=False),
        Binding("escape", "back", "Back", show=False),
        bound("view.leave", "home", "Home", show=False),
        bound("view.leave", "back", "Back", show=False),
        bound("results.again", "again", show=False),
        bound("room.rematch", "rematch", show=False),
        bound("room.chat", "chat", show=False),
        bound("results.watch", "watch", show=False),
        bound("results.moments", "moments", show=False),
        bound("results.circuit", "circuit", show=False),
        bound("results.analysis", "analysis", show=False),
        bound("replay.export", "export", show=False),
        Binding("1", "moment(1)", "Watch a moment", key_display="1-5"),
        *(
            Binding(str(number), f"moment({number})", f"Watch moment {number}", show=False)
            for number in range(2, 6)
        ),
        bound("results.seed", "seed"),
        Binding("pagedown", "turn(1)", "Next page", priority=True, key_display="PgDn"),
        Binding("pageup", "turn(-1)", "Previous page", show=False, priority=True),
    ]

    def __init__(
        self,
        labels: RaceLabels,
        view: RaceView,
        events: Sequence[Event],
        own: Sequence[int],
        *,
        again: Callable[[], None] | None = None,
        onward: Callable[[], None] | None = None,
        company: Company | None = None,
        follows: Callable[[Company], bool] | None = None,
        leave: Callable[[], Awaitable[None]] | None = None,
        playback: Playback | None = None,
        to_replay: Callable[[int], None] | None = None,
    ) -> None:
        """Make the screen.

        Args:
            view: After the end.
            events: Of the whole race, as far as this terminal has seen them.
            own: The seats played here.
            again: Starts another race of the same kind, None where that cannot be done from here.
            onward: Goes on to the race's championship, None where it belongs to none.
            company: The people who raced; None where they sit around this keyboard.
            follows: Goes with them where they go, and says whether they do.
            leave: Leaves the table; None: it has been left.
            playback: The race's record, None where there is none.
            to_replay: Shows a place of the replay that is below this screen; None: there is none below.
        """
        super().__init__()
        self.results = ResultsController(labels, view, events, own, playback)
        self._bests: list[str] = []
        self._page = 0
        self._pages = 1
        self._is_on_seed = False
        self._reveal = ALL
        self._again = again
        self._onward = onward
        self._company = company
        self._follows = follows
        self._leave = leave
        self._analysis = AnalysisController(playback) if playback is not None else None
        self._to_replay = to_replay

    def compose(self) -> ComposeResult:
        """Title, the result in words, a page, what to do next, keys."""
        yield Static(id="title")
        yield Static(id="told")
        yield TextPanel(id="page")
        yield TextPanel(id="ways")
        if self._company is not None:
            yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Say the result, show the first page bit by bit, look for bests, follow the others."""
        self._say_result()
        if self._to_replay is None:
            self._find_bests()
            if self.navigator.pace:
                self._reveal_page(self.navigator.pace)
        if self._company is not None:
            self._follow(self._company)

    def _say_result(self) -> None:
        theme, has_glyphs = self.app.current_theme, not is_ascii(self)
        title = result_heading(self.results.labels, self.results.view)
        results = self.results
        told = result_text(results.labels, results.view, results.own_result, results.own)
        self.query_one("#title", Static).update(inked(spelled(title, is_ascii=not has_glyphs), theme))
        self.query_one("#told", Static).update(inked(spelled(told, is_ascii=not has_glyphs), theme))

    @work(group="reveal")
    async def _reveal_page(self, pace: float) -> None:
        """Let the podium's steps come one by one, then the chart from its first round on."""
        frames = round(_CHART_SECONDS / _FRAME_SECONDS)
        film = [(Reveal(steps, 0.0), _STEP_SECONDS) for steps in range(1, 4)]
        film += [(Reveal(3, number / frames), _FRAME_SECONDS) for number in range(1, frames)]
        for self._reveal, seconds in film:
            self._show_page()
            await asyncio.sleep(seconds * pace)
        self._end_reveal()

    def on_key(self, event: Key) -> None:
        """Any key ends what comes bit by bit; what it does besides is not delayed."""
        self._end_reveal()

    def on_click(self) -> None:
        """The same by mouse."""
        self._end_reveal()

    def _end_reveal(self) -> None:
        if self._reveal != ALL:
            self._reveal = ALL
            self.workers.cancel_group(self, "reveal")
            self._show_page()

    @work(group="bests")
    async def _find_bests(self) -> None:
        app = self.navigator
        who = app.folders, app.player_name
        self._bests = await asyncio.to_thread(self.results.bests, *who)
        self._bests += await asyncio.to_thread(
            partial(self.results.daily_line, *who, is_plain=is_ascii(self))
        )
        if not self.is_gone:
            self._show_page()

    def on_resize(self, event: Resize) -> None:
        """Divide it into pages again."""
        self.call_after_refresh(self._show_page)

    @work(exclusive=True, group="follow")
    async def _follow(self, company: Company) -> None:
        while company.ended is None:
            changes = company.changes
            if self._follows is not None and self._follows(company):
                return
            if not self.is_mounted:
                return
            self._say(_news(company), names_keys=True)
            self._show_page()
            await company.wait(changes)
        self._say(company.ended)

    def _say(self, text: str, *, names_keys: bool = False) -> None:
        for line in self.query(MessageLine):
            line.say(text, names_keys=names_keys)

    def _show_page(self) -> None:
        """Show the page that is turned to, and below it what to do next."""
        page, ways = self.query_one("#page", TextPanel), self.query_one("#ways", TextPanel)
        if not page.content_size:
            return  # it has not been laid out yet, and is shown when it is
        block = ways_block(
            self._is_offered, ways.content_size.width, keys_of(self), has_colours=page.has_pictures
        )
        ways.styles.height = len(block.lines)
        ways.show_lines(block.lines, block.hits)
        look = PageLook(
            page.content_size.width,
            max(1, page.content_size.height),
            theme_named(self.app.current_theme.name) if page.has_pictures else None,
            has_watch=self.results.playback is not None,
            reveal=self._reveal,
        )
        pages = result_pages(self.results, self._bests, look)
        self._pages = len(pages)
        self._page %= len(pages)
        shown = Block([*seed_page(self.results).split("\n")]) if self._is_on_seed else pages[self._page]
        page.show_lines([spelled(line, is_ascii=is_ascii(self)) for line in shown.lines], shown.hits)
        self.refresh_bindings()

    def _is_offered(self, action: str) -> bool:
        return bool(self.check_action(action, ()))

    async def on_text_panel_pressed(self, message: TextPanel.Pressed) -> None:
        """Do what was clicked."""
        await self.run_action(message.action)

    def action_turn(self, pages: int) -> None:
        """Turn to another page."""
        self._is_on_seed = False
        self._page += pages
        self._show_page()

    def action_seed(self) -> None:
        """Show the seed and its hash, or the page again."""
        self._is_on_seed = not self._is_on_seed
        self._show_page()

    def action_moment(self, number: int) -> None:
        """Watch one of the moments in the replay."""
        if (place := self.results.place_of(number)) is not None:
            self._watch_from(place)

    def action_again(self) -> None:
        """Race once more: the same drivers on the same track, with other luck."""
        if self._again is not None:
            self._again()

    def action_onward(self) -> None:
        """Go on to the championship."""
        if self._onward is not None:
            self._onward()

    @work(group="ask")
    async def action_rematch(self) -> None:
        """Lead all back into the lobby."""
        if self._company is not None and (refusal := await self._company.rematch()):
            self._say(refusal)

    def action_watch(self) -> None:
        """Watch the race once more."""
        self._watch_from(0)

    def _watch_from(self, place: int) -> None:
        if self._to_replay is not None:
            self.go_back()
            self._to_replay(place)
        elif self.results.playback is not None:
            self.navigator.show_replay(self.results.playback, ReplayStart(place))

    def _watch_choice(self, choice: int) -> None:
        if self.results.playback is not None:
            self.navigator.show_replay(self.results.playback, ReplayStart(choice=choice))

    def action_moments(self) -> None:
        """Watch the moments one after the other."""
        if (playback := self.results.playback) is not None:
            scenes = self.results.scenes
            self.navigator.show_replay(playback, ReplayStart(scenes[0][0], scenes))

    def action_circuit(self) -> None:
        """Set up another race."""
        self.navigator.show_new_race(is_hot_seat=len(self.results.own) > 1)

    def action_export(self) -> None:
        """Write the whole race as a text, or the results as a picture."""
        if (playback := self.results.playback) is not None:
            ask_for_export(self, playback, "these results")

    def action_analysis(self) -> None:
        """Show what choices cost, and how much was luck."""
        if self._analysis is not None:
            self.app.push_screen(
                AnalysisScreen(self._analysis, self.results.labels, self.results.own, self._watch_choice)
            )

    def action_chat(self) -> None:
        """Show the chat."""
        if self._company is not None:
            self.app.push_screen(ChatScreen(self._company))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only the ways on that there are."""
        ways = {
            "again": self._again is not None,
            "onward": self._onward is not None,
            "rematch": self._company is not None and not why_not(self._company.room, "rematch"),
            "chat": self._company is not None,
            "watch": self.results.playback is not None and self._to_replay is None,
            "moment": self.results.playback is not None and bool(self.results.highlights),
            "moments": bool(self.results.scenes) and self._to_replay is None,
            "circuit": self._again is not None,
            "export": self.results.playback is not None
            and self._to_replay is None
            and self.navigator.folders.guest_of is None,
            "turn": self._pages > 1,
            # The replay below has a key for the analysis itself.
            "analysis": self._analysis is not None and not self._analysis.fault and self._to_replay is None,
            "home": self._to_replay is None,
            "back": self._to_replay is not None,
        }
        return ways.get(action, True)

    def action_back(self) -> None:
        """Go back to the replay."""
        self.go_back()

    @work(group="leave", exclusive=True)
    async def action_home(self) -> None:
        """Leave the table and go Home."""
        if self._leave is not None:
            await self._leave()
        if self.is_current:
            self.app.pop_screen()


def _news(company: Company) -> str:
    """Say what the others do and what may come next; before that, what the link waits for."""
    if company.trouble or company.connection != "connected":
        return company.trouble or CONNECTION_NEWS[company.connection]
    if company.chat.unread:
        return f"{counted(company.chat.unread, 'new line')} in the chat: {{room.chat}} shows it."
    if not why_not(company.room, "rematch"):
        return (
            "{room.rematch} takes everyone who is still here back to the lobby, with the same seats and "
            "settings."
        )
    if company.is_between_races:
        start = "You start the next race from the championship's table" if company.is_host else _NEXT_RACE
        return f"{start}: Enter."
    return "The host can call a rematch; you join it automatically." if not company.is_host else ""
