"""What the race screen shows besides the race itself: keys, log, piles, the figures of what is pointed at."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from rich.text import Text
from textual import work

from heat_core.files import shown_path
from heat_core.positions.seen import NoPosition, is_beginning
from heat_core.race import events as e
from heat_core.race.state import Phase
from heat_core.track import Track
from heat_core.view.race_view import RaceView
from heat_tui.client.company import Company, presence_text
from heat_tui.client.session import Session
from heat_tui.flow.garage import is_garage
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.screen_model import People, ScreenModel
from heat_tui.keys.bindings import keys_of
from heat_tui.saved.positions import write_position
from heat_tui.screens.chat_box import ChatScreen, chat_line, chat_lines
from heat_tui.screens.dialogs import NewsDialog, PageDialog
from heat_tui.screens.log import LogScreen
from heat_tui.screens.view_pages import ViewPages
from heat_tui.theme.colours import GOLD
from heat_tui.widgets.lesson_box import LessonBox
from heat_tui.words.help_page import Feature, page_of_keys, rows_for
from heat_tui.words.log import LogLine


class RacePages(ViewPages):
    """The part of the race screen that only looks; nothing here decides anything.

    Attributes:
        viewer: Whose hand is open, None for nobody's.
        away: The seats known to be away.
        message: Why something cannot be so.
        looked_at: Which open upgrade is explained while others pick.
    """

    session: Session
    track: Track
    viewer: int | None
    message: str
    log_lines: list[LogLine]
    away: frozenset[int]
    looked_at: int = 0
    lesson: Lesson | None
    _heard: int | None = None
    _stood: bool = False
    _beginnings: Mapping[int | None, RaceView] = {}

    def shown(self) -> ScreenModel:
        """Give all that the panels show now."""
        raise NotImplementedError

    def remember_beginning(self) -> None:
        """Keep what the seats here saw where a position can begin: cars drive off from there."""
        if is_beginning(self.race_view):
            self._beginnings = {seat: self.session.view(seat) for seat in {self.viewer, *self.session.seats}}

    def action_position(self) -> None:
        """Write where the race stands, as the viewer knows it, to a file (APP-13)."""
        view = self._beginnings.get(self.viewer)
        if self.race_view.status != "running" or view is None or view.round != self.race_view.round:
            key = keys_of(self).told("race.position")
            self._refuse(
                f"A position begins in phase 1 or 2 of a round: press {key} again in the next round."
            )
            return
        since = self.session.events_since(view.event_number, self.viewer)
        folders = self.navigator.folders
        try:
            path = write_position(folders, self.session.setup, view, since, self.session.seats)
        except NoPosition as none:
            self._refuse(str(none))
            return
        lines = [f"The position as {self._whose_eyes()} knows it, from the beginning of"]
        phase = "phase 2" if view.phase is Phase.PLAY_CARDS else "phase 1"
        lines[0] += f" {phase} of round {view.round}, is in the file"
        lines += ["", shown_path(path), "", "Race on from there: heat-tui play --position FILE"]
        self.app.push_screen(PageDialog("Position", [Text(line) for line in lines]))

    def _whose_eyes(self) -> str:
        return "a spectator" if self.viewer is None else self.labels.names[self.viewer]

    def seconds_left(self) -> float | None:
        """Say how long the open decision may still take, the own one first; None where no time is set."""
        due = [decision.seat for decision in self.race_view.decisions if not decision.has_chosen]
        if self.viewer in due and self.viewer is not None:
            due = [self.viewer]
        left = [self.session.seconds_left(seat) for seat in due]
        known = [seconds for seconds in left if seconds is not None]
        return min(known) if known else None

    def tell(self, event: e.Event) -> None:
        """Add an event to the log."""
        if self.lesson is not None:
            self.lesson.hear(event, self.viewer)
        if text := self.labels.told(event):
            self.log_lines.append(self.panels.log_line(event, text))
            self.panels.show_log(self.log_lines)

    def show_lesson(self, *, is_hidden: bool = False) -> None:
        """Explain what has come up for the first time; after the race hints are off.

        Args:
            is_hidden: Something is being shown that the box would cover.
        """
        hint = None
        if self.lesson is not None and not is_hidden:
            hint = self.lesson.look(self.race_view, self.labels.setup)
            if self.race_view.status == "ended":
                self._remember_the_lesson()
        self.query_one(LessonBox).show(hint)
        self.on_track_map_window_moved()

    def on_track_map_window_moved(self) -> None:
        """Let the box with the hint not lie over one's own car."""
        track_map = self.track_map
        row = None if self.viewer is None else track_map.row_of_car(self.viewer)
        self.query_one(LessonBox).keep_clear_of(row, track_map.size.height)

    def action_end_lesson(self) -> None:
        """Explain nothing more, in later races neither."""
        if self.lesson is not None:
            self.lesson = None
            self._remember_the_lesson()
            self.show_lesson()

    def _remember_the_lesson(self) -> None:
        app = self.navigator
        app.change_settings(msgspec.structs.replace(app.settings, hints=False))

    def tell_who_is_away(self) -> None:
        """Add to the log who has gone and who is back since the last time."""
        away = frozenset(seat for seat in self.session.away if seat not in self.session.seats)
        for seat in sorted(away ^ self.away):
            text = presence_text(self.labels.names[seat], self.session.company, is_away=seat in away)
            line = self.panels.spelled(Text(text, f"bold {GOLD}"))
            self.log_lines.append(LogLine(line, "people", seat))
        self.away = away

    # --- the people at a server ----------------------------------------------------------------------------

    def rest(self) -> None:
        """Let no Enter confirm anything right after this."""
        raise NotImplementedError

    def hear(self, company: Company) -> None:
        """Put the room's news into the log, show the chat, and tell who comes back what they missed."""
        # What was said before this screen stood is the chat's to show; the log tells the race.
        heard = company.chat.received if self._heard is None else self._heard
        for line in company.chat.since(heard):
            if line.kind == "news":
                self.log_lines.append(LogLine(self.panels.spelled(chat_line(line)), "people"))
        self._heard = company.chat.received
        self.panels.show_log(self.log_lines)
        self.panels.show_chat(chat_lines(company.chat.lines))
        if self.panels.has_room_for_chat:
            company.chat.read()
        stands = bool(company.standstill_text())
        if self._stood and not stands:
            self.message = ""  # what was refused in the pause is refused no more
        self._stood = stands
        if sentences := company.take_meanwhile():
            lines = [self.panels.spelled(Text(sentence)) for sentence in sentences]
            self.app.push_screen(NewsDialog("Meanwhile", lines), lambda _: self.rest())

    def people_shown(self) -> People:
        """Give what the panels show of the people around the table."""
        company = self.session.company
        if company is None:
            return People()
        own_is_driven = any(seat in self.session.away for seat in self.session.seats)
        key = keys_of(self).told("race.pause")
        note = company.wish_text(key)
        if own_is_driven and not note:
            note = f"{company.driven_text} for you until you choose something yourself"
        return People(True, company.chat.unread, company.standstill_text(key), note, company.is_watching)

    def action_chat(self) -> None:
        """Show the chat."""
        if self.session.company is None:
            self._refuse("There is nobody to chat with: no other person is at this table.")
        else:
            self.session.company.chat.read()
            self.panels.show_banner(self.shown())
            self.app.push_screen(ChatScreen(self.session.company))

    @work(group="pause")
    async def action_pause(self) -> None:
        """Agree that the race stands still, or goes on; take that back."""
        if self.session.company is None:
            self._refuse("A race at one keyboard waits for you anyway.")
        elif refusal := await self.session.company.change_pause_wish():
            self._refuse(refusal)

    def _refuse(self, text: str) -> None:
        self.message = text
        self.panels.show(self.shown())

    def show_figures(self, text: str) -> None:
        """Show the figures of what is pointed at, till something is chosen or happens."""
        if text:
            self.message = ""
        self.hint = text
        self.panels.show_hint(self.shown())

    def action_help(self) -> None:
        """Show every key of this race."""
        rows = rows_for(self._features())
        self.app.push_screen(PageDialog("Keys", page_of_keys(rows, keys_of(self))))

    def _features(self) -> set[Feature]:
        """Tell what this race has that not every race has."""
        modules, view = self.labels.setup.modules, self.race_view
        has: dict[Feature, bool] = {
            "upgrades": any(car.upgrades for car in view.cars) or bool(view.offered) or modules.sponsorships,
            "weather": view.weather is not None or bool(view.roads) or modules.event is not None,
            "company": self.session.company is not None,
            "hints": self.lesson is not None,
        }
        return {feature for feature, is_there in has.items() if is_there}

    def action_log(self) -> None:
        """Show the whole log."""
        self.app.push_screen(LogScreen(self.log_lines, self.labels.names, leads_on=False))

    def look_at(self, row: int) -> None:
        """Explain another open upgrade while others pick."""
        if is_garage(self.race_view):
            self.looked_at = max(0, min(row, len(self.race_view.offered) - 1))
            self.panels.show(self.shown())
