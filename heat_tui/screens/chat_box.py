"""The chat of a room: its lines, a line to write, reactions by key; over any screen of a room."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static

from heat_core.names import MOST_LINE_CELLS
from heat_core.wire.messages import Reaction, Said
from heat_tui.client.chat import REACTIONS
from heat_tui.client.company import Company
from heat_tui.keys.bindings import bound
from heat_tui.screens.base import HeatModal
from heat_tui.screens.rows import MessageLine, SteadyInput
from heat_tui.theme.colours import inked
from heat_tui.widgets.footer import KeyFooter


class ChatInput(SteadyInput):
    """A line of chat; what is pasted is taken whole or refused."""

    class Refused(Message):
        """What was pasted is not one line that fits.

        Attributes:
            reason: In one sentence.
        """

        def __init__(self, reason: str) -> None:
            """Say why."""
            super().__init__()
            self.reason = reason

    def _on_paste(self, event: events.Paste) -> None:
        """Take one line; the usual input takes the first of several, and nothing of one that is too long."""
        lines = [line for line in event.text.splitlines() if line.strip()]
        selected = abs(self.selection.end - self.selection.start)
        most = MOST_LINE_CELLS - len(self.value) + selected
        if len(lines) > 1:
            reason = f"You pasted {len(lines)} lines, so nothing was added. Paste one line at a time."
        elif lines and len(lines[0]) > most:
            reason = f"You pasted {len(lines[0])} characters, so nothing was added: there is room for {most}."
        else:
            return
        event.prevent_default()
        event.stop()
        self.post_message(self.Refused(reason))


class ChatScreen(HeatModal[None]):
    """Everything that was said; what is typed goes to all in the room."""

    DEFAULT_CSS = """
    ChatScreen { align: center bottom; }
    ChatScreen #box { width: 100%; max-width: 100; height: 80%; max-height: 36; padding: 0 1;
        background: $panel; border: round $line; }
    ChatScreen #lines { height: 1fr; align-vertical: bottom; }
    ChatScreen #said { height: auto; }
    ChatScreen Input { background: $surface; }
    """
    BINDINGS = [
        *(
            bound(f"chat.{reaction.replace(' ', '_')}", f"react('{reaction}')", reaction)
            for reaction in REACTIONS
        ),
        Binding("escape", "dismiss", "Close", key_display="Esc"),
        bound("race.chat", "dismiss", "Close", show=False),
        Binding("up", "scroll(-1)", "Up", show=False),
        Binding("down", "scroll(1)", "Down", show=False),
        Binding("pageup", "scroll(-8)", "Up", show=False),
        Binding("pagedown", "scroll(8)", "Down", show=False),
    ]
    SCROLLED = "#lines"

    def __init__(self, company: Company) -> None:
        """Show what is said in a company."""
        super().__init__()
        self._company = company
        self._saying = asyncio.Lock()
        self._refused = 0

    def compose(self) -> ComposeResult:
        """Lines, input, answers, keys."""
        with Vertical(id="box") as box:
            box.border_title = "Chat"
            with VerticalScroll(id="lines", can_focus=False):
                yield Static(id="said", markup=False)
            yield ChatInput(
                placeholder="type a message to the room, then press Enter",
                compact=True,
                max_length=MOST_LINE_CELLS,
            )
            yield MessageLine()
        yield KeyFooter(show_command_palette=False)

    def arrive(self) -> None:
        """Follow the room."""
        self._follow()

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        shown = -1
        while self._company.ended is None:
            changes, chat = self._company.changes, self._company.chat
            chat.read()
            if chat.received != shown:
                shown = chat.received
                lines = Text("\n").join(chat_lines(chat.lines))
                self.query_one("#said", Static).update(inked(lines, self.app.current_theme))
                self.call_after_refresh(self.query_one("#lines").scroll_end, animate=False, immediate=True)
            await self._company.wait(changes)
        self.dismiss()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write the line to all, and make room for the next one at once: it may be on its way already."""
        if event.value.strip():
            event.input.value = ""
            if not self._saying.locked():
                self._refused = 0
                self._answer("")
            self._say(event.value)

    @work(group="say")
    async def _say(self, text: str) -> None:
        """Write a line, once all before it have gone out; one that is refused comes back into the input."""
        async with self._saying:
            refusal = await self._company.say(text)
        if not refusal:
            return
        self._refused += 1
        line = self.query_one(ChatInput)
        if not line.value:
            line.value = text
            line.cursor_position = len(text)
        more = f" {self._refused} lines were not sent." if self._refused > 1 else ""
        self._answer(refusal + more)

    def on_chat_input_refused(self, event: ChatInput.Refused) -> None:
        """Say why nothing of what was pasted was taken."""
        self._answer(event.reason)

    def on_input_changed(self) -> None:
        """What was said of an earlier line is over once another is typed."""
        if self.query_one(ChatInput).value and not self._refused:
            self._answer("")

    def _answer(self, text: str) -> None:
        self.query_one(MessageLine).say(text)

    def action_react(self, reaction: Reaction) -> None:
        """Show all a reaction."""
        self._react(reaction)

    @work(group="say")
    async def _react(self, reaction: Reaction) -> None:
        self.query_one(MessageLine).say(await self._company.react(reaction))


def chat_lines(lines: Iterable[Said]) -> Sequence[Text]:
    """Make lines for a screen; what people wrote is no markup."""
    return [chat_line(line) for line in lines]


def chat_line(line: Said) -> Text:
    """Say who said what."""
    match line.kind:
        case "news":
            return Text(f"* {line.text}", "dim")
        case "reaction":
            return Text.assemble((line.name, "bold"), (f": {line.text}!", "italic"))
        case "chat":
            return Text.assemble((line.name, "bold"), f": {line.text}")
