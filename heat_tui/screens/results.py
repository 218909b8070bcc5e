"""The results of a race: the place of each car and what it did."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from rich.style import Style
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.events import Resize
from textual.widgets import Static

from heat_core.race.events import Event
from heat_core.record.playback import Playback
from heat_core.text import counted
from heat_core.view.race_view import RaceView
from heat_tui.client.company import Company
from heat_tui.flow.analysis import AnalysisController
from heat_tui.flow.results import ResultsController
from heat_tui.flow.room_rights import why_not
from heat_tui.keys.bindings import bound, keys_of
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.analysis import AnalysisScreen
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.results_page import PageLook, result_pages, seed_page
from heat_tui.screens.rows import MessageLine, is_ascii
from heat_tui.theme.colours import GOLD, inked
from heat_tui.theme.glyphs import spelled
from heat_tui.theme.paints import theme_named
from heat_tui.widgets.footer import KeyFooter

_NEXT_RACE = "The host starts the next race; you join it automatically. The championship's table"
_REASONS = {
    "finished": "The race is over.",
    "gave_up": "The race is over: everyone has given up.",
    "spun_out": "The race is over: everyone is out after spinning out.",
    "gave_up_or_spun_out": "The race is over: everyone has given up or is out.",
    "abandoned": "The race was abandoned.",
}


class ResultsScreen(HeatScreen[None]):
    """Places, gaps and figures; of a race at a server, the place where all wait for a rematch.

    What does not fit lies on further pages; `#more` says so.

    Attributes:
        results: What is shown.
    """

    DEFAULT_CSS = """
    ResultsScreen #title { height: 1; background: $raised; color: $ink; text-style: bold; padding: 0 1; }
    ResultsScreen #told { height: auto; padding: 0 1; }
    ResultsScreen #page { height: 1fr; padding: 0 1; }
    ResultsScreen #more { height: 1; padding: 0 1; }
    """
    BINDINGS = [
        Binding("enter", "onward", "Championship"),
        Binding("enter", "home", "Home"),
        Binding("enter", "back", "Back"),
        Binding("escape", "home", "Home"),
        Binding("escape", "back", "Back"),
        bound("view.leave", "home", "Home", show=False),
        bound("view.leave", "back", "Back", show=False),
        bound("results.again", "again"),
        bound("room.rematch", "rematch"),
        bound("room.chat", "chat"),
        bound("results.watch", "watch"),
        bound("results.analysis", "analysis"),
        Binding("pagedown", "turn(1)", "Next page", show=False, priority=True),
        Binding("pageup", "turn(-1)", "Previous page", show=False, priority=True),
        *(
            Binding(str(number), f"moment({number})", f"Watch moment {number}", show=False)
            for number in range(1, 6)
        ),
        bound("results.seed", "seed", show=False),
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
        self._is_on_seed = False
        self._again = again
        self._onward = onward
        self._company = company
        self._follows = follows
        self._leave = leave
        self._analysis = AnalysisController(playback) if playback is not None else None
        self._to_replay = to_replay

    def compose(self) -> ComposeResult:
        """Title, the result in words, a page, which page, keys."""
        setup = self.results.labels.setup
        laps, rounds = counted(setup.laps, "lap"), counted(self.results.view.round, "round")
        title = Text(f"Results: {setup.track.name} · {laps} · {rounds}")
        yield Static(spelled(title, is_ascii=is_ascii(self)), id="title")
        yield Static(self._told(), id="told")
        yield Static(id="page")
        yield Static(id="more", markup=False)
        if self._company is not None:
            yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Show the first page, look for bests, follow the others."""
        if self._to_replay is None:
            self._find_bests()
        if self._company is not None:
            self._follow(self._company)

    @work(group="bests")
    async def _find_bests(self) -> None:
        app = self.navigator
        self._bests = await asyncio.to_thread(
            partial(self.results.bests, app.folders, app.player_name, is_plain=is_ascii(self))
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
            self.refresh_bindings()
            await company.wait(changes)
        self._say(company.ended)

    def _say(self, text: str, *, names_keys: bool = False) -> None:
        for line in self.query(MessageLine):
            line.say(text, names_keys=names_keys)

    def _told(self) -> Text:
        """Say why the race ended, who won, and where oneself came."""
        view, names = self.results.view, self.results.labels.names
        text = Text()
        if view.end == "finished":
            text.append(f"{names[view.standings[0].car]} wins. ", Style(bold=True, color=GOLD))
        text.append(_REASONS[view.end or "finished"], Style(bold=True))
        for sentence in self.results.own_result:
            text.append(f"\n{sentence}", Style(bold=True))
        return inked(text, self.app.current_theme)

    def _show_page(self) -> None:
        """Show the page that is turned to, and say which others there are."""
        page, theme = self.query_one("#page", Static), self.app.current_theme.name
        is_plain = is_ascii(self) or "NO_COLOR" in os.environ
        look = PageLook(
            page.content_size.width,
            max(1, page.content_size.height),
            None if is_plain else theme_named(theme),
            has_watch=self.results.playback is not None,
        )
        pages = result_pages(self.results, self._bests, look)
        self._page %= len(pages)
        shown = seed_page(self.results) if self._is_on_seed else pages[self._page]
        page.update(spelled(inked(shown, self.app.current_theme), is_ascii=is_ascii(self)))
        more = [f"page {self._page + 1} of {len(pages)}: PgDn shows the next"] if len(pages) > 1 else []
        if look.has_watch and self.results.highlights:
            count = len(self.results.highlights)
            more.append("1 watches the moment" if count == 1 else f"1 to {count} watch a moment")
        more.append(f"{keys_of(self).told('results.seed')} seed and hash")
        self.query_one("#more", Static).update("; ".join(more))

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
            self.app.pop_screen()
            self._to_replay(place)
        elif self.results.playback is not None:
            self.navigator.show_replay(self.results.playback, place)

    def action_analysis(self) -> None:
        """Show what choices cost, and how much was luck."""
        if self._analysis is not None:
            self.app.push_screen(
                AnalysisScreen(self._analysis, self.results.labels, self.results.own, self._watch_from)
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
            "moment": self.results.playback is not None,
            # The replay below has a key for the analysis itself.
            "analysis": self._analysis is not None and not self._analysis.fault and self._to_replay is None,
            "home": self._to_replay is None,
            "back": self._to_replay is not None,
        }
        return ways.get(action, True)

    def action_back(self) -> None:
        """Go back to the replay."""
        self.app.pop_screen()

    @work(group="leave", exclusive=True)
    async def action_home(self) -> None:
        """Leave the table and go Home."""
        if self._leave is not None:
            await self._leave()
        if self.is_current:
            self.app.pop_screen()


def _news(company: Company) -> str:
    """Say what the others do and what may come next."""
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
