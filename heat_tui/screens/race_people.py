"""The people around the table of a race: what they say and want is shown as it comes."""

from __future__ import annotations

from collections.abc import Callable

from heat_tui.client.company import Company
from heat_tui.flow.race import RaceController
from heat_tui.screens.chat_box import chat_lines
from heat_tui.screens.race_exit import RaceExit
from heat_tui.screens.race_pages import RacePages
from heat_tui.screens.race_panels import RacePanels


class RacePeople:
    """Follows the people of a room for a race screen."""

    def __init__(
        self, company: Company, race: RaceController, panels: RacePanels, pages: RacePages, leaving: RaceExit
    ) -> None:
        """Begin with nothing heard.

        Args:
            company: The people.
            race: Their race.
            panels: Show it.
            pages: Show what happened while the player was away.
            leaving: Follows those who leave the race for the lobby.
        """
        self._company = company
        self._race = race
        self._panels = panels
        self._pages = pages
        self._leaving = leaving

    async def follow(self, show: Callable[[], None], rest: Callable[[], None]) -> None:
        """Hear what people say and want, in the race and after it.

        Args:
            show: Brings the screen up to date.
            rest: Is called when news that cover the screen have been read.
        """
        company = self._company
        while company.ended is None:
            changes = company.changes
            if self._leaving.follows_the_others(company):
                return
            self._pages.show_meanwhile(self._race.hear(), rest)
            self._panels.show_log(self._race.log)
            self.show_chat()
            show()
            await company.wait(changes)
        if company.notice is not None and not self._race.is_over:
            self._leaving.tell_the_end(company.notice)

    def show_chat(self) -> None:
        """Show the chat; where there is room for it, it is read."""
        self._panels.show_chat(chat_lines(self._company.chat.lines))
        if self._panels.has_room_for_chat:
            self._company.chat.read()
