"""The base of every screen, which may be closed at any moment, also while it opens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, cast

from textual.await_complete import AwaitComplete
from textual.css.query import NoMatches
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widgets import Input
from textual.worker import ResultType, Worker, WorkType

from heat_tui.screens.inking import ink_again
from heat_tui.screens.navigator import Navigator
from heat_tui.terminal.updates import PartsCompositor


class HeatScreen(Screen[ScreenResultType]):
    """A screen that begins only if it really stands.

    The program can end, or a screen give way to another, before the rows of a new one are there: its mounting
    continues all the same. Subclasses therefore say in `arrive` what they do first, not in `on_mount`.
    """

    SCROLLED: ClassVar[str] = "#page"
    """What `action_scroll` moves."""

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """Begin empty.

        Args:
            name: Textual's name.
            id: Textual's identifier.
            classes: Of the style sheet, with blanks between them.
        """
        super().__init__(name, id, classes)
        self._compositor = PartsCompositor()

    @property
    def navigator(self) -> Navigator:
        """The program that this screen is of, as far as screens know it."""
        return cast("Navigator", self.app)

    def on_mount(self) -> None:
        """Begin, unless the screen is on its way out already."""
        if not self.is_gone:
            self.arrive()
            self.app.theme_changed_signal.subscribe(self, partial(ink_again, self))

    def arrive(self) -> None:
        """Do what the screen does first: all its rows are there. By itself that is nothing."""

    def show_now(self) -> None:
        """Show what has changed at once: a frame of what moves waits for no message and no timer.

        What waits for a new layout, or lies below another screen, Textual shows when it comes to it.
        """
        if self.is_gone or not self.is_current or self.app.screen is not self:
            return  # who moves the cars may not have heard yet that the race was left
        shown = self._compositor.visible_widgets
        if self.app._batch_count or self._layout_required:
            return
        if self._repaint_required or any(widget._layout_required for widget in shown):
            return
        changed = {widget for widget in shown if widget._repaint_required}
        for widget in changed:
            widget._repaint_required = False
        if changed := self._dirty_widgets | changed:
            self._compositor.update_widgets(changed)
            self._compositor_refresh()

    def show_keys(self) -> None:
        """Name keys again: the player has chosen others. Subclasses name those of their own texts.

        Footers follow by themselves, once the screen is the one on top.
        """
        for row in self.query("ActionRow, MessageLine"):
            row.refresh(layout=True)

    def run_worker(self, work: WorkType[ResultType], *options: Any, **named: Any) -> Worker[ResultType]:
        """Run work as every screen does, but for as long as there is something to show it on.

        What it awaited may come when the rows are gone already, and the work is cancelled only after them.
        """
        if not named.get("thread", False):
            work = self._while_it_stands(work)
        return super().run_worker(work, *options, **named)

    def _while_it_stands(self, work: WorkType[ResultType]) -> WorkType[ResultType]:
        async def working() -> Any:
            try:
                return await (work() if callable(work) else work)  # type: ignore[misc]  # of threads it is not asked
            except NoMatches:
                if not self.is_gone:
                    raise
                return None

        return working

    def after_typing(self, do: Callable[[], None]) -> None:
        """Do something once the line that is typed in has all keys that came before.

        A key that is the screen's own is heard before letters that still wait for their line.
        """
        if isinstance(self.focused, Input):
            self.focused.call_later(do)
        else:
            do()

    def action_scroll(self, lines: int, pages: int = 0) -> None:
        """Scroll at once: keys pressed faster than the screen is drawn must add up.

        Args:
            lines: So many lines down; up where below 0.
            pages: And so many times what is seen at once.
        """
        scrolled = self.query_one(self.SCROLLED)
        lines += pages * scrolled.scrollable_content_region.height
        scrolled.scroll_relative(y=lines, animate=False, immediate=True)

    def go_back(self) -> None:
        """Go back to where one came from, once: a second key may have been on its way here."""
        if self.is_active:
            self.app.pop_screen()

    @property
    def is_gone(self) -> bool:
        """Tell whether the screen is being taken down: a worker that waited has nothing left to show.

        A screen is not displayed from the moment on at which its first row goes, and not attached when the
        program is about to end.
        """
        return not (self.is_attached and self.display)


class HeatModal(ModalScreen[ScreenResultType], HeatScreen[ScreenResultType]):
    """The same for a screen that lies over another."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close, but once: a second key or click that was on its way here would close the screen below."""
        return super().dismiss(result) if self.is_active else AwaitComplete()
