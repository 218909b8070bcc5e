"""What opens over the race screen and decides nothing: pages, log, chat, hints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import msgspec
from rich.text import Text

from heat_core.positions.seen import NoPosition
from heat_core.view.race_view import RaceView
from heat_tui.client.company import Company
from heat_tui.flow.beginnings import Beginnings
from heat_tui.flow.invitation import invitation_to
from heat_tui.flow.race import RaceController
from heat_tui.flow.view_pages import PageName, view_page
from heat_tui.keys.bindings import keys_of
from heat_tui.map.widget import TrackMap
from heat_tui.race.presenter import RaceLabels
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.chat_box import ChatScreen
from heat_tui.screens.dialogs import NewsDialog, PageDialog
from heat_tui.screens.invitation import InvitationDialog
from heat_tui.screens.log import LogScreen
from heat_tui.screens.weather import WeatherDialog
from heat_tui.theme.glyphs import spelled
from heat_tui.widgets.lesson_box import LessonBox
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.help_page import Feature, page_of_keys, rows_for
from heat_tui.words.hints import Hint

RacePageName: TypeAlias = PageName | Literal["log", "help", "chat", "invite", "position", "more_time"]


def show_view_page(screen: HeatScreen[None], name: PageName, view: RaceView, labels: RaceLabels) -> None:
    """Open a page that explains what a view shows, unless it is of a hand and none is open."""
    if name == "weather" and (view.weather is not None or view.roads):
        screen.app.push_screen(WeatherDialog(view, labels, is_ascii=screen.app.has_class("-ascii")))
        return
    page = view_page(name, view, labels, screen.query_one(TrackMap).look)
    if page is not None:
        screen.app.push_screen(PageDialog(page.title, _spelled(screen, page.lines)))


def _spelled(screen: HeatScreen[None], lines: Sequence[Text]) -> list[Text]:
    return [spelled(line, is_ascii=screen.app.has_class("-ascii")) for line in lines]


class RacePages:
    """The pages and hints of one race screen.

    Attributes:
        beginnings: Where a position file can begin.
    """

    def __init__(self, screen: HeatScreen[None], race: RaceController) -> None:
        """Open pages over a screen of a race."""
        self._screen = screen
        self._race = race
        self.beginnings = Beginnings(race)

    def open(self, name: RacePageName) -> str:
        """Open a page; gives why not, or nothing."""
        match name:
            case "log":
                page = LogScreen(self._race.log, self._race.labels.names, leads_on=False)
                self._screen.app.push_screen(page)
            case "help":
                rows = rows_for(self._features())
                self._screen.app.push_screen(PageDialog("Keys", page_of_keys(rows, keys_of(self._screen))))
            case "chat":
                return self._show_chat()
            case "invite":
                return self._show_invitation()
            case "position":
                return self._write_position()
            case "more_time":
                return self._offer_time()
            case _:
                show_view_page(self._screen, name, self._race.view, self._race.labels)
        return ""

    def _show_chat(self) -> str:
        company = self._race.session.company
        if company is None:
            return "There is nobody to chat with: nobody has joined this race over a network."
        company.chat.read()
        self._screen.app.push_screen(ChatScreen(company))
        return ""

    def _show_invitation(self) -> str:
        company = self._race.session.company
        if company is None or company.room is None:
            return "Nobody can come to this race: it is at your own keyboard."
        invitation = invitation_to(company.room, company.address, self._screen.navigator.ways_in)
        has_pictures = self._screen.query(TextPanel).first().has_pictures
        self._screen.app.push_screen(InvitationDialog(invitation, has_pictures=has_pictures))
        return ""

    def _features(self) -> set[Feature]:
        """Find what this race has that not every race has."""
        modules, view = self._race.labels.setup.modules, self._race.view
        has: dict[Feature, bool] = {
            "upgrades": any(car.upgrades for car in view.cars) or bool(view.offered) or modules.sponsorships,
            "weather": view.weather is not None or bool(view.roads) or modules.event is not None,
            "company": self._race.session.company is not None,
            "hints": self._race.lesson is not None,
        }
        return {feature for feature, is_there in has.items() if is_there}

    def _write_position(self) -> str:
        """Write where the race stands, as the viewer knows it, to a file (APP-13)."""
        try:
            key = keys_of(self._screen).told("race.position")
            lines = self.beginnings.write(self._screen.navigator.folders, key)
        except NoPosition as none:
            return str(none)
        self._screen.app.push_screen(PageDialog("Position", [Text(line) for line in lines]))
        return ""

    # --- the people ----------------------------------------------------------------------------------------

    def show_meanwhile(self, sentences: Sequence[str], then: Callable[[], None]) -> None:
        """Show those who come back what they missed.

        Args:
            then: Is called when that has been read.
        """
        if sentences:
            lines = _spelled(self._screen, [Text(sentence) for sentence in sentences])
            self._screen.app.push_screen(NewsDialog("Meanwhile", lines), lambda _: then())

    def _offer_time(self) -> str:
        """Ask the host who gets more time for each decision; gives why not, or nothing."""
        company = self._race.session.company
        offers = [*company.time_offers().items()] if company is not None else []
        if company is None or not offers:
            return "Only the host of a room can give a driver more time."

        def chosen(key: str | None) -> None:
            if key is not None:
                self._screen.run_worker(self._give_time(company, *offers[int(key) - 1]), group="time")

        answers = [
            (str(number), f"{name}: {f'{seconds} seconds more' if seconds else 'no more than the others'}")
            for number, (name, seconds) in enumerate(offers, start=1)
        ]
        self._screen.app.push_screen(ChooseScreen("Who gets more time for each decision?", answers), chosen)
        return ""

    async def _give_time(self, company: Company, name: str, seconds: int) -> None:
        if refusal := await company.give_time(name, seconds):
            self._screen.app.push_screen(PageDialog("More time", [Text(refusal)]))

    # --- hints ---------------------------------------------------------------------------------------------

    def show_lesson(self, *, is_hidden: bool = False) -> None:
        """Show advice, or explain what has come up for the first time; after the race hints are off.

        Args:
            is_hidden: Something is being shown that the box would cover.
        """
        hint = None if is_hidden else self._advice() or self._race.hint()
        if self._race.lesson is not None and self._race.is_lesson_over:
            self._remember_the_lesson()
        for box in self._screen.query(LessonBox):
            box.show(hint)
        self.keep_lesson_clear()

    def think(self, show: Callable[[], None], is_hidden: Callable[[], bool]) -> None:
        """Have the advice thought out that is due, in the background.

        Args:
            show: Shows it then, unless `is_hidden`.
        """
        if self._race.advising.is_due(self._race.open_decision):
            self._screen.run_worker(self._think(show, is_hidden), group="advice")

    async def _think(self, show: Callable[[], None], is_hidden: Callable[[], bool]) -> None:
        if await self._race.think() and not is_hidden():
            show()

    def _advice(self) -> Hint | None:
        """Give the advice that was asked for: it comes before what explains itself."""
        race = self._race
        text = race.advising.text(race.open_decision)
        if not text:
            return None
        if race.worths is None:
            return Hint("Advice", text, "", is_final=True)
        return Hint("Advice (numbers are spaces)", text, race.worths.chosen_told(), is_final=True)

    def keep_lesson_clear(self) -> None:
        """Let the box with the hint not lie over the viewer's own car."""
        track_map, viewer = self._screen.query_one(TrackMap), self._race.viewer
        row = None if viewer is None else track_map.row_of_car(viewer)
        self._screen.query_one("#lesson", LessonBox).keep_clear_of(row, track_map.size.height)

    def end_lesson(self) -> None:
        """Explain nothing more, in later races neither."""
        if self._race.lesson is not None:
            self._race.end_lesson()
            self._remember_the_lesson()
            self.show_lesson()

    def _remember_the_lesson(self) -> None:
        navigator = self._screen.navigator
        navigator.change_settings(msgspec.structs.replace(navigator.settings, hints=False))
