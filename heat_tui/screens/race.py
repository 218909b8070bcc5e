"""The race screen: one table, seen and driven from one terminal.

Theory of operation. The screen has a controller (`heat_tui.flow.race`), which knows the race, and panels,
which show it. A worker follows the table: it shows what happened (moves are animated), has the controller
settle on the view behind it, and waits for more. Keys and clicks change the controller's draft, and the
panels say at once what it would cost; Enter sends it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual import events, on, work
from textual.app import ComposeResult

from heat_core.race import events as e
from heat_tui.client.session import Session
from heat_tui.flow.asking import Reply
from heat_tui.flow.choosing import Choosing
from heat_tui.flow.garage import is_garage
from heat_tui.flow.ghost import GhostFinder
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.race import RaceController
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.flow.turn_replay import TurnReplay, is_shown
from heat_tui.keys.bindings import keys_of
from heat_tui.keys.race_bindings import RACE_BINDINGS
from heat_tui.keys.table import pressed_key
from heat_tui.map.widget import TrackMap
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.enter_key import EnterKey
from heat_tui.screens.map_keys import MapAct, Pointer, use_map
from heat_tui.screens.navigator import HOME_ONLY, WaysOn
from heat_tui.screens.race_call import RaceCall
from heat_tui.screens.race_exit import RaceExit
from heat_tui.screens.race_film import RaceFilm
from heat_tui.screens.race_pages import RacePageName, RacePages
from heat_tui.screens.race_panels import RacePanels
from heat_tui.screens.race_people import RacePeople
from heat_tui.widgets.panel import TextPanel


class RaceScreen(HeatScreen[None]):
    """A race, until it is over or left.

    Attributes:
        controller: The race; what is not about showing it is there.
        panels: What shows it.
        enter: Which presses of Enter count.
    """

    CSS_PATH = "race.tcss"
    BINDINGS = RACE_BINDINGS

    def __init__(
        self,
        session: Session,
        ways_on: WaysOn = HOME_ONLY,
        *,
        lesson: Lesson | None = None,
        find_ghost: GhostFinder | None = None,
    ) -> None:
        """Make the screen.

        Args:
            lesson: Explains what happens for the first time; None: the player knows.
            find_ghost: Reads the race that drives along; None: none does.
        """
        super().__init__()
        self.controller = RaceController(session, lesson=lesson)
        labels = self.controller.labels
        self.enter = EnterKey(self, self._confirm, lambda: self.controller.open_decision)
        self.pages = RacePages(self, self.controller)
        self.film = RaceFilm(self, TurnReplay(labels, labels.track))
        self._pointer = Pointer(labels)
        self._call = RaceCall(self, session)
        self._looked_at = 0
        self._find_ghost = find_ghost
        self._people: RacePeople | None = None
        self._exit = RaceExit(self, self.controller, ways_on, send=self._send)

    def compose(self) -> ComposeResult:
        """Banner, map and side, road, hand and instruments, forecast, keys."""
        yield from RacePanels.compose(self.navigator.folders.plain_way)

    def arrive(self) -> None:
        """Begin to follow the table."""
        self.panels = RacePanels(self, self.controller.labels)
        self.panels.start()
        self.set_interval(1.0, self._show_banner)
        self.set_interval(1.0, self._call.look_at_the_time)
        self.show_again()
        self._follow()
        if self._find_ghost is not None:
            self._show_ghost(self._find_ghost)
        if (company := self.controller.session.company) is not None:
            self._people = RacePeople(company, self.controller, self.panels, self.pages, self._exit)
            following = self._people.follow(self._show_unless_filming, lambda: self.enter.guard.rest())
            self.run_worker(following, exclusive=True, group="company")

    @work(group="ghost")
    async def _show_ghost(self, find: GhostFinder) -> None:
        """Show the race that drives along once it is read; keys and the first picture do not wait for it."""
        self.panels.ghost = await asyncio.to_thread(find)
        self._show_unless_filming()

    # --- following the table --------------------------------------------------------------------------------

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        race = self.controller
        while not race.ending:
            await self._catch_up()
            if not race.is_over and await race.answer_forced_choices():
                continue
            self._call.look()
            if race.is_over:
                self._exit.keep_records()
                return
            await race.wait()
        self.show_again()

    async def _catch_up(self) -> None:
        """Show the events not seen yet, then the view after them."""
        unseen, asked = self.controller.unseen(), self.controller.open_decision
        is_film = bool(self.navigator.pace and self.controller.seen and is_shown(unseen.events))
        if is_film:
            self.pages.show_lesson(is_hidden=True)
            unseen = await self.film.play(self.controller.unseen, self.panels, self._take_in, self.shown)
        else:
            for event in unseen.events:
                self._take_in(event)
        if unseen.events:
            self._pointer.stop(self.track_map)
        if self.controller.settle(unseen).has_new_curtain:
            self.enter.guard.hand_over()
        elif is_film or self.controller.open_decision != asked:
            self.enter.guard.end(is_skipped=is_film and self.film.was_skipped)
        self.show_again()
        self.panels.moments.play(self.controller.moments, self.navigator.pace, self.controller.viewer)

    def _take_in(self, event: e.Event) -> None:
        self.panels.hear(event)
        if self.controller.take_in(event) is not None:
            self.panels.show_log(self.controller.log)

    @property
    def track_map(self) -> TrackMap:
        """The map."""
        return self.query_one(TrackMap)

    def show_keys(self) -> None:
        """Name keys again; while cars drive none are named."""
        super().show_keys()
        self._show_anew()

    def _show_anew(self) -> None:
        """Show all with the keys and in the sizes of now; a chat that is on the screen is read."""
        if self._people is not None:
            self._people.show_chat()
        self._show_unless_filming()

    def _show_unless_filming(self) -> None:
        if not self.film.is_running:
            self.show_again()

    def show_again(self) -> None:
        """Bring every panel up to date."""
        self.controller.renew()
        self.pages.beginnings.remember()
        self.panels.show(self.shown())
        self.pages.show_lesson()
        self.pages.think(self.show_again, lambda: self.film.is_running)

    def shown(self) -> ScreenModel:
        """Give all that the panels show now."""
        return ScreenModel.of(
            self.controller,
            turn_replay=self.film.turn_replay if self.film.is_running else None,
            hint=self._pointer.figures,
            looked_at=self._looked_at,
            pause_key=keys_of(self).told("race.pause"),
        )

    def _show_banner(self) -> None:
        self.panels.show_banner(self.shown())

    def on_screen_resume(self) -> None:
        """Show what has changed below another screen: lines of the chat have been read there."""
        if self.controller.seen:
            self._show_banner()

    def on_resize(self, event: events.Resize) -> None:
        """Open up where there is room; say what is needed where there is too little."""
        RacePanels.fit(self, event.size)
        self.call_after_refresh(self._show_anew)

    # --- looking around ------------------------------------------------------------------------------------

    def action_map(self, act: MapAct, by: int = 0, rows: int = 0) -> None:
        """Look about on the map; see `use_map`."""
        use_map(self, act, by, rows)

    def on_track_map_window_moved(self) -> None:
        """Let the box with the hint not lie over your own car."""
        self.pages.keep_lesson_clear()

    @on(TrackMap.SpotHovered)
    @on(TrackMap.SpotClicked)
    def point(self, message: TrackMap.SpotHovered | TrackMap.SpotClicked) -> None:
        """Show the figures of what is pointed at, till something is chosen or happens."""
        if self._pointer.point(message, self.controller.view):
            self.controller.message = ""
        self.panels.show_hint(self.shown())

    def _look_at(self, row: int) -> None:
        """Explain another open upgrade while others pick."""
        if is_garage(self.controller.view):
            self._looked_at = max(0, min(row, len(self.controller.view.offered) - 1))
            self.panels.show(self.shown())

    def action_page(self, name: RacePageName) -> None:
        """Open a page over the race, or say why not."""
        if refusal := self.pages.open(name):
            self.controller.message = refusal
        self.panels.show(self.shown())

    def action_end_lesson(self) -> None:
        """Explain nothing more, in later races neither."""
        self.pages.end_lesson()

    @work(group="pause")
    async def action_pause(self) -> None:
        """Vote to pause or to resume; take that back."""
        await self.controller.vote_for_pause()
        self.panels.show(self.shown())

    def action_advice(self) -> None:
        """Show advice on each choice, or no more."""
        self.controller.turn_advice()
        self.show_again()

    # --- choosing ------------------------------------------------------------------------------------------

    def _changed(self, refusal: str | None) -> None:
        """Show the draft and its cost as they are now, and why something cannot be so; None: as before."""
        if refusal is not None:
            self._pointer.stop(self.track_map)
            self.controller.message = refusal
            self.panels.show(self.shown())
            self.pages.show_lesson()

    @property
    def _choosing(self) -> Choosing | None:
        """What a key or click that comes now is for: nothing that was not there when it was pressed."""
        return None if self.enter.guard.is_early() else self.controller.choosing

    def _choose(self, change: Callable[[Choosing], str | None]) -> None:
        """Change the draft, while something is asked."""
        if (choosing := self._choosing) is not None:
            self._changed(change(choosing))

    def action_card(self, number: int) -> None:
        """Pick card `number` of the hand, from 1; see `Choosing.number`."""
        if self.controller.choosing is None:
            self._look_at(number - 1)
        self._choose(lambda choosing: choosing.number(number))

    def action_gear(self, gear: int) -> None:
        """Put the gear lever on a gear."""
        self._choose(lambda choosing: choosing.gear(gear))

    def action_sideways(self, step: int) -> None:
        """Go left (-1) or right; see `Choosing.sideways`."""
        self._choose(lambda choosing: choosing.sideways(step))

    def action_select(self, step: int) -> None:
        """Go up (-1) or down; see `Choosing.select`."""
        if self.controller.choosing is None:
            self._look_at(self._looked_at + step)
        self._choose(lambda choosing: choosing.select(step))

    def action_symbol(self, use: str) -> None:
        """Select the next thing to do of a kind; see `Choosing.symbol`."""
        self._choose(lambda choosing: choosing.symbol(use))

    def action_slipstream(self, wants: bool) -> None:
        """Choose to slipstream, or not to."""
        self._choose(lambda choosing: choosing.slipstream(wants=wants))

    def action_take_back(self) -> None:
        """Put the card back that was picked last; in a list select what ends it."""
        self._choose(Choosing.take_back)

    def action_give(self, place: int) -> None:
        """Choose the own upgrade to swap away."""
        self._choose(lambda choosing: choosing.give(place))

    def action_press(self, row: int) -> None:
        """Select a row of a list, or use it if it is selected."""
        if (choosing := self._choosing) is None:
            self._look_at(row)
        elif (refusal := choosing.press(row)) is not None:
            self._changed(refusal)
        else:
            self.action_confirm()

    def action_done(self) -> None:
        """End phase 5 whatever is selected; else the same as Enter."""
        if (choosing := self._choosing) is not None and (refusal := choosing.done()):
            self._changed(refusal)
        else:
            self.action_confirm()

    def on_key(self, event: events.Key) -> None:
        """Skip what is being shown; else select the row of a list that a key belongs to.

        What keys do elsewhere comes after that.
        """
        self.enter.guard.note(event.key)
        choosing, keys = self._choosing, keys_of(self)
        self.panels.moments.end()
        if self.film.is_running:
            self._skip()
        elif event.key == "enter":
            return
        else:
            self.enter.confirm_what_is_due()
            pressed = keys.told_key(pressed_key(event.key, event.character))
            refusal = choosing.press_key(pressed, keys) if choosing is not None else None
            if refusal is None:
                return
            self._changed(refusal)
        event.stop()
        event.prevent_default()

    def on_click(self) -> None:
        """A click anywhere skips like a key."""
        self.enter.guard.note(str(self.app.mouse_position))
        if self.film.is_running:
            self._skip()

    async def on_text_panel_pressed(self, message: TextPanel.Pressed) -> None:
        """Do what was clicked; while cars drive, a click skips like a key."""
        self.enter.guard.note(str(self.app.mouse_position))
        self._skip() if self.film.is_running else await self.run_action(message.action)

    def _skip(self) -> None:
        self.panels.moments.end()
        self.film.skip()
        self.enter.guard.skip()

    def action_confirm(self) -> None:
        """Take Enter, unless it is one of a key that is held down or was meant for before."""
        self.enter.press()

    def _confirm(self) -> None:
        """Send what is picked; lift the curtain; at the end continue to the results."""
        race = self.controller
        if race.ending:
            self._exit.go_on()
        elif race.is_over:
            self._exit.show_results()
        elif race.curtain is not None:
            self.enter.guard.hand_over()
            race.lift_curtain()
            self.show_again()
        elif race.choosing is not None:
            reply = race.confirm()
            if not race.message:
                self.enter.guard.rest()
            self._changed(race.message)
            if reply is not None:
                self._send(reply)

    @work(group="send")
    async def _send(self, reply: Reply) -> None:
        """Send an answer, and show why it is not accepted."""
        if not await self.controller.submit(reply):
            self.show_again()

    def action_give_up(self) -> None:
        """Ask, then leave the race but stay at the table."""
        if (reply := self.controller.give_up()) is not None:
            self._exit.give_up(reply)
        elif self.controller.view.own is not None:
            self._changed(self.controller.message)

    def action_leave(self) -> None:
        """Ask, then go Home."""
        self._exit.leave()

    def action_close_or_leave(self) -> None:
        """Stop pointing; where nothing is pointed at, leave."""
        if self._pointer.figures:
            self._pointer.stop(self.track_map)
            self.show_again()
        else:
            self._exit.leave()
