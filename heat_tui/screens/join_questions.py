"""What the way into a room asks, in dialogs over the form of `JoinScreen`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from textual.widgets import Input

from heat_core.names import BadName, clean_name
from heat_tui.client.server_stay import ServerStay
from heat_tui.screens.ask import AskScreen
from heat_tui.screens.dialogs import ConfirmDialog, notice_dialog

if TYPE_CHECKING:
    from heat_tui.client.connect_failed import Notice
    from heat_tui.screens.rows import FormScreen

Given = TypeVar("Given")


class JoinQuestions:
    """Asks over a form; an `Asker`."""

    def __init__(self, form: FormScreen, after_hanging_up: Callable[[], None]) -> None:
        """Prepare to ask.

        Args:
            form: Has a row `#name`.
            after_hanging_up: Brings the form up to date.
        """
        self._form = form
        self._after_hanging_up = after_hanging_up

    def say(self, text: str) -> None:
        """Show one sentence in the form's message line."""
        self._form.say(text)

    async def answered(self, asking: Coroutine[Any, Any, Given]) -> Given:
        """Wait for a server; the keys work meanwhile."""
        return await asking

    async def agrees(self, question: str) -> bool:
        """Ask a question of yes and no."""
        return await self._form.app.push_screen_wait(ConfirmDialog(question))

    async def password(self, told: str) -> str:
        """Ask for the room's password, and show why; empty: the attempt ends."""
        self.say(told)
        dialog = AskScreen(f"{told} The room's password:", is_secret=True)
        return await self._form.app.push_screen_wait(dialog) or ""

    async def other_name(self, told: str) -> str:
        """Ask until a name may be shown; the row has it then, too. Empty: the attempt ends."""
        row = self._form.query_one("#name", Input)
        typed = row.value
        while answer := await self._form.app.push_screen_wait(AskScreen(f"{told} Your name there:", typed)):
            typed = answer
            try:
                row.value = clean_name(typed)
            except BadName as error:
                told = str(error)
            else:
                return row.value
        self.say(told)
        return ""

    async def warn(self, notice: Notice) -> None:
        """Show it in a box, and wait until that is closed."""
        await self._form.app.push_screen_wait(notice_dialog(notice))

    async def hang_up(self, stay: ServerStay) -> None:
        """Close a stay in whose place another has come."""
        await self._form.navigator.stays.close(stay)
        if not self._form.is_gone:
            self._after_hanging_up()
