"""The card of a party on the screen: every way in, who is here, and what has happened."""

from __future__ import annotations

import os
from collections.abc import Sequence
from textwrap import wrap
from typing import Final, Literal, Protocol, TypeAlias

from rich.style import Style
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from heat_tui.flow.invitation import WayIn, closed_text, link_of
from heat_tui.keys.bindings import bound, keys_of
from heat_tui.party import words
from heat_tui.party.people import Person
from heat_tui.party.qr import QrPanel
from heat_tui.party.wish import Happened
from heat_tui.race.rows import Hit
from heat_tui.screens.ask import ChooseScreen
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.qr import QrDialog
from heat_tui.screens.rows import MessageLine, is_ascii
from heat_tui.theme.colours import AMBER, BOLD, DIM, GOLD, SOFT, inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.marked_list import MarkedList
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import cut, newest_rows

CardWish: TypeAlias = Literal["play", "lines", "end"]
"""What the host wants who leaves the card."""

_GOLD: Final = Style(color=GOLD)
_WARNING: Final = Style(color=AMBER)
_SOFT: Final = Style(color=SOFT)

_NAME_CELLS: Final = 14
_WAY_CELLS: Final = 9
_SINCE_CELLS: Final = 12
_ROOM_CELLS: Final = 7
_LABEL_CELLS: Final = 12
_WIDE_CELLS: Final = 110
"""From so many columns on there is room for addresses."""
_TALL_ROWS: Final = 36
"""From so many rows on there is room for the QR code and all notes."""

_REFRESH_SECONDS: Final = 20.0


class PartyOfCard(Protocol):
    """A party, as far as its card knows it.

    Attributes:
        code: Of the room that is open; empty: none is yet.
        people: Who is here, the first who came first.
        happened: What has happened of late, the newest last.
        is_saved: Whether its race is not over, so that the room has a host.
        changes: Goes up whenever any of these changes.
    """

    code: str
    people: tuple[Person, ...]
    is_saved: bool
    changes: int

    @property
    def happened(self) -> Sequence[Happened]:
        """What has happened of late, the newest last."""

    @property
    def ways(self) -> tuple[WayIn, ...]:
        """Every way in."""

    @property
    def elsewhere(self) -> str:
        """By which other addresses this machine is reached, in a sentence; empty: by none."""

    @property
    def racing(self) -> int:
        """How many people are in races now."""

    async def wait(self, changes: int) -> None:
        """Wait until `changes` differs from a number."""

    async def remove(self, person: Person) -> str:
        """End somebody's stay; gives what came of it."""

    async def ban(self, person: Person) -> str:
        """Remove somebody and let nobody in from that address; gives what came of it."""

    def can_ban(self, person: Person) -> bool:
        """Tell whether somebody's address can be banned: not where that is this machine."""


class PartyScreen(HeatScreen[CardWish]):
    """The card: ways in above, people and what has happened below."""

    BINDINGS = [
        bound("party.play", "play"),
        bound("party.code", "code"),
        bound("party.lines", "lines"),
        bound("party.remove", "remove"),
        bound("party.end", "end"),
        *(
            Binding(str(number), f"copy({number})", f"Copy line {number}", show=False)
            for number in range(1, 6)
        ),
        Binding("question_mark", "app.show_help_panel", "Keys", show=False),
    ]
    AUTO_FOCUS = None
    VERTICAL_BREAKPOINTS = [(0, "-low"), (_TALL_ROWS, "-tall")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_WIDE_CELLS, "-wide")]

    def __init__(self, party: PartyOfCard) -> None:
        """Show a party that is open."""
        super().__init__()
        self._party = party
        self._listed: tuple[Person, ...] = ()

    def compose(self) -> ComposeResult:
        """Title, ways, people and news side by side, answers, keys."""
        yield Static("", id="title", classes="title", markup=False)
        with Container(id="card"):
            ways = TextPanel(id="ways")
            ways.border_title = "Ways in: press a number or click to copy a line"
            yield ways
            square = QrPanel(id="square")
            square.border_title = "For telephones"
            yield square
            with Vertical(id="here") as here:
                here.border_title = "Who is here"
                yield MarkedList(id="people", markup=False)
            happened = TextPanel(id="happened")
            happened.border_title = "What has happened"
            yield happened
        yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Show everything, and follow it."""
        self.set_focus(self.query_one("#people"))
        self.query_one("#ways", TextPanel).show_fitting(self._show_ways)
        self.query_one("#happened", TextPanel).show_fitting(self._show_happened)
        hosts = "" if self._party.people or self._party.is_saved else f"{words.FIRST_IS_HOST} "
        self.say(f"{hosts}{{party.play}} plays here, {{party.end}} ends everything.")
        self._follow()
        self.set_interval(_REFRESH_SECONDS, self._show)  # how long people have been here

    def on_resize(self) -> None:
        """Show more where there is more room."""
        self.call_after_refresh(self._show)

    def say(self, text: str) -> None:
        """Put one sentence in the message line; keys stand by the name of their use, in braces."""
        self.query_one(MessageLine).say(keys_of(self).fill(text))

    # --- what is shown ------------------------------------------------------------------------------------

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        while not self.is_gone:
            changes = self._party.changes
            self._show()
            await self._party.wait(changes)

    def _show(self) -> None:
        if self.is_gone:
            return
        party = self._party
        room = f"room {party.code}   " if party.code else ""
        self.query_one("#title", Static).update(
            f"Party   {room}{words.people_heading(party.people, party.racing)}"
        )
        self._show_ways()
        self._show_people()
        self._show_happened()

    def _show_ways(self) -> None:
        panel = self.query_one("#ways", TextPanel)
        if not (width := panel.content_size.width):
            return
        lines, hits = way_rows(self._party.ways, width, is_brief=self.app.size.height < _TALL_ROWS)
        if self._party.elsewhere:
            lines.append(Text(self._party.elsewhere, DIM))
        if panel.styles.height is None or panel.styles.height.value != len(lines) + 2:
            panel.styles.height = len(lines) + 2
        panel.show_lines(lines, hits)
        square = self.query_one(QrPanel)
        square.show_link(self._link)
        self.set_class(bool(square.lines), "-code")
        self.refresh_bindings()

    @property
    def _link(self) -> str:
        """The link for browsers; empty: there is none."""
        return link_of(self._party.ways)

    def _show_people(self) -> None:
        people = self.query_one("#people", MarkedList)
        chosen = self._chosen
        people.clear_options()
        self._listed = self._party.people
        for person in self._listed:
            people.add_option(Option(self._person_row(person)))
        people.highlighted = self._place_of(chosen) if self._listed else None

    def _place_of(self, chosen: Person | None) -> int:
        """Find somebody again in the list, who may be in another room by now."""
        if chosen is not None:
            for place, person in enumerate(self._listed):
                if (person.guest, person.connection) == (chosen.guest, chosen.connection):
                    return place
        return 0

    def _person_row(self, person: Person) -> Text:
        name = cut(person.name, _NAME_CELLS, is_ascii=is_ascii(self))
        name.stylize("bold")
        name.pad_right(_NAME_CELLS + 1 - name.cell_len)
        row = Text.assemble(
            name,
            f"{words.way_name(person):<{_WAY_CELLS}}{words.since_text(person.since):<{_SINCE_CELLS}}",
            (f"{person.room:<{_ROOM_CELLS}}", _GOLD),
            *([(person.address, _SOFT)] if self.app.size.width >= _WIDE_CELLS else []),
        )
        return inked(row, self.app.current_theme)

    def _show_happened(self) -> None:
        panel = self.query_one("#happened", TextPanel)
        width, height = panel.content_size
        if width < 2 or height < 1:
            return
        lines = [
            Text(words.happened_text(one), _WARNING if one.is_warning else "") for one in self._party.happened
        ]
        panel.show_lines(newest_rows(lines, width, height, self.app.console))

    # --- what the host does -------------------------------------------------------------------------------

    async def on_text_panel_pressed(self, message: TextPanel.Pressed) -> None:
        """A click on a way copies its line."""
        await self.run_action(message.action)

    def action_copy(self, number: int) -> None:
        """Copy the line of a way, of which there may be fewer."""
        ways = self._party.ways
        if number > len(ways):
            return
        if not ways[number - 1].line:
            self.say(f"There is no line to copy: {ways[number - 1].name} is not open.")
            return
        self.app.copy_to_clipboard(ways[number - 1].line)
        self.say(words.IN_TMUX if os.environ.get("TMUX") else words.COPIED)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The footer has only what can be done now."""
        return action != "code" or bool(self._link)

    def action_code(self) -> None:
        """Show the link for browsers as a QR code, alone."""
        has_pictures = self.query_one(QrPanel).has_pictures
        self.app.push_screen(QrDialog(self._link, has_pictures=has_pictures))

    def action_play(self) -> None:
        """Play at this party from this terminal; the card comes back afterwards."""
        self.dismiss("play")

    def action_lines(self) -> None:
        """Have the lines printed without a box around them, so that the mouse can mark a long one."""
        self.dismiss("lines")

    @property
    def _chosen(self) -> Person | None:
        number = self.query_one("#people", OptionList).highlighted
        return self._listed[number] if number is not None and number < len(self._listed) else None

    @on(OptionList.OptionSelected, "#people")
    def _person_chosen(self) -> None:
        self.action_remove()

    @work(exclusive=True, group="remove")
    async def action_remove(self) -> None:
        """Remove whoever is chosen, once the host has said whether with a ban."""
        person = self._chosen
        if person is None:
            self.say("There is nobody to remove.")
            return
        answers = [("r", "remove")]
        if can_ban := self._party.can_ban(person):
            answers.append(("b", words.ban_words(person)))
        question = words.remove_question(person, can_ban=can_ban)
        match await self.app.push_screen_wait(ChooseScreen(question, answers)):
            case "r":
                self.say(await self._party.remove(person))
            case "b":
                self.say(await self._party.ban(person))
            case _:
                pass

    @work(exclusive=True, group="end")
    async def action_end(self) -> None:
        """End everything; ask first where somebody would mind."""
        question = words.end_question(self._party.racing)
        if not question or await self.app.push_screen_wait(ConfirmDialog(question)):
            self.dismiss("end")


def way_rows(ways: Sequence[WayIn], width: int, *, is_brief: bool) -> tuple[list[Text], list[Hit]]:
    """Make the rows of all ways; a line that is too wide is continued, and can be clicked in all its rows.

    Args:
        width: In cells.
        is_brief: Whether to leave out what is only good to know.
    """
    rows: list[Text] = []
    hits: list[Hit] = []
    room = max(20, width - _LABEL_CELLS)
    for number, way in enumerate(ways, start=1):
        parts = [way.line[at : at + room] for at in range(0, len(way.line), room)] or [closed_text(way)]
        for place, part in enumerate(parts):
            label = f"{number} {way.name}" if place == 0 else ""
            hits.append(Hit((len(rows), 0, width, f"copy({number})")))
            rows.append(Text.assemble((f"{label:<{_LABEL_CELLS}}", _GOLD), (part, BOLD)))
        told = [(way.secret, BOLD)] if way.secret else []
        if way.secret or not way.line or not is_brief:
            told += [(note, DIM) for note in way.notes]
        rows += [
            Text.assemble(" " * _LABEL_CELLS, (part, style))
            for note, style in told
            for part in wrap(note, room)
        ]
    return rows, hits
