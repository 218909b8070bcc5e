"""Choosing keys: a list of the actions, and a question for the new key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from heat_core.text import counted
from heat_tui.keys.bindings import keys_of
from heat_tui.keys.table import GROUPS, KEY_USES, KeyUse, pressed_key
from heat_tui.screens.base import HeatModal
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.rows import ActionRow, FormScreen, MessageLine
from heat_tui.theme.colours import inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.marked_list import MarkedList

_WHAT_CELLS: Final = 32
_KEY_CELLS: Final = 12
_HEADING: Final = f"   {'action':<{_WHAT_CELLS}}{'key':<{_KEY_CELLS}}default"
_HINT: Final = "Press Enter or click, then press the new key. * marks keys that you changed."


def changed_words(changed: Mapping[str, str]) -> str:
    """Say how many keys are not the default ones."""
    return f"{len(changed)} changed" if changed else "default keys"


def kept_sentence(is_kept: bool) -> str:
    """Say what became of a setting."""
    return "Saved." if is_kept else "The settings cannot be saved. They apply until the program ends."


class KeysScreen(FormScreen):
    """One line a thing to do, grouped by where; each change holds from now on."""

    BINDINGS = [
        Binding("enter", "choose", "Choose a key", priority=True),
        Binding("x", "usual", "Default key"),
        Binding("a", "all_usual", "All defaults"),
    ]

    def compose(self) -> ComposeResult:
        """Heading, list, one line for answers, keys."""
        yield Static("Keys", classes="title")
        yield Static(_HEADING, classes="heading", markup=False)
        yield MarkedList(id="uses", markup=False)
        yield MessageLine(_HINT)
        yield KeyFooter()

    def arrive(self) -> None:
        """List all of them and begin at the first."""
        uses = self.query_one(OptionList)
        for group, heading in GROUPS.items():
            uses.add_option(Option(Text(heading, "bold"), disabled=True))
            uses.add_options(
                Option(self._line(use), id=use.name) for use in KEY_USES.values() if use.group == group
            )
        uses.focus()
        uses.highlighted = 1

    def show_keys(self) -> None:
        """Write the lines again."""
        super().show_keys()
        uses = self.query_one(OptionList)
        for use in KEY_USES.values():
            uses.replace_option_prompt(use.name, self._line(use))

    def _line(self, use: KeyUse) -> Text:
        keys = keys_of(self)
        is_changed = use.name in keys.changed
        line = Text(f" {'*' if is_changed else ' '} {use.what:<{_WHAT_CELLS}}")
        told = " ".join(keys.told_key(key) for key in keys.all_of(use.name))
        line.append(f"{told:<{_KEY_CELLS}}", "bold")
        line.append(" ".join(keys.told_key(key) for key in use.usual), "" if is_changed else "dim")
        return inked(line, self.app.current_theme)

    @property
    def _chosen(self) -> KeyUse:
        uses = self.query_one(OptionList)
        assert uses.highlighted is not None  # headings cannot be chosen, and there is always a line that can
        return KEY_USES[str(uses.get_option_at_index(uses.highlighted).id)]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the key of the line."""
        self.action_choose()

    def action_choose(self) -> None:
        """Ask for another key of the chosen line, and take it."""
        use = self._chosen

        def answered(key: str | None) -> None:
            if key is not None:
                self._keep(keys_of(self).with_key(use.name, key))

        self.app.push_screen(PressKeyScreen(use), answered)

    def action_usual(self) -> None:
        """Take the usual key of the chosen line again."""
        use, keys = self._chosen, keys_of(self)
        refusals = [keys.why_not(use.name, key) for key in use.usual]
        if refusal := next(filter(None, refusals), ""):
            self.say(refusal)
        else:
            self._keep(keys.with_key(use.name, use.usual[0]))

    def action_all_usual(self) -> None:
        """Ask, then take all usual keys again."""
        changed = keys_of(self).changed
        if not changed:
            self.say("All keys are the default ones.")
            return

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._keep({})

        question = f"Reset all keys to the default ones? You lose {counted(len(changed), 'change')}."
        self.app.push_screen(ConfirmDialog(question), answered)

    def _keep(self, changed: Mapping[str, str]) -> None:
        app = self.navigator
        self.say(
            kept_sentence(app.change_settings(msgspec.structs.replace(app.settings, keys=dict(changed))))
        )


class PressKeyScreen(HeatModal[str | None]):
    """A question for a key; gives the first one pressed that can be used, or None."""

    DEFAULT_CSS = """
    PressKeyScreen { align: center middle; }
    PressKeyScreen #box { width: 60; max-width: 100%; height: auto; padding: 1 2;
        background: $panel; border: round $line; }
    PressKeyScreen #refusal { color: $ink; height: 3; margin: 1 0 0 0; }
    """
    AUTO_FOCUS = None

    def __init__(self, use: KeyUse) -> None:
        """Ask for the key of something."""
        super().__init__()
        self._use = use

    def compose(self) -> ComposeResult:
        """The question, why a key is none, the way out."""
        now = " ".join(keys_of(self).told_key(key) for key in keys_of(self).all_of(self._use.name))
        with Vertical(id="box"):
            yield Static(
                Text.assemble("Press the new key for: ", (self._use.what, "bold"), f" (now {now})"),
                id="question",
            )
            yield Static(id="refusal", markup=False)
            yield ActionRow("Esc  keep the key", id="leave")

    def on_key(self, event: events.Key) -> None:
        """Take a key, whatever it means elsewhere."""
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
            return
        key = pressed_key(event.key, event.character)
        if refusal := keys_of(self).why_not(self._use.name, key):
            self.query_one("#refusal", Static).update(refusal)
        else:
            self.dismiss(key)

    def on_action_row_pressed(self) -> None:
        """Leave by mouse."""
        self.dismiss(None)
