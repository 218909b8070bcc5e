"""The rules of a race or a championship: a preset, and the settings changed from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from heat_core.options.settings import BY_NAME, Setting, changes_of, make_rules
from heat_core.race.presets import PRESETS, Rules
from heat_tui.flow.first_race import FirstRace
from heat_tui.keys.bindings import bound
from heat_tui.screens.rows import ActionRow, ChoiceRow, FormScreen, MessageLine
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.widgets.footer import KeyFooter

_HINT: Final = "* marks what differs from the preset. Choosing a preset resets everything."
_LOCKED_HINT: Final = "Only the host can change these. * marks what differs from the preset."


class TableRulesScreen(FormScreen):
    """All settings in a list; every change is shown at once."""

    BINDINGS = [
        bound("form.reset", "reset"),
    ]

    def __init__(
        self,
        rules: Rules,
        settings: Sequence[Setting],
        change: Callable[[Rules], None],
        race: FirstRace | None,
        *,
        is_locked: bool = False,
    ) -> None:
        """Make the form.

        Args:
            rules: As they are.
            settings: Those that mean something here.
            change: Called with the new rules after each change.
            race: To be shown beside them; None: its circuit is not known.
            is_locked: Only show them.
        """
        super().__init__()
        self._rules = rules
        self._settings = settings
        self._change = change
        self._race = race
        self._is_locked = is_locked

    def compose(self) -> ComposeResult:
        """The preset, then the settings; what the chosen one decides, and the circuit of the race."""
        yield Static("Rules of this race", classes="title")
        with Horizontal(classes="columns"):
            with VerticalScroll(id="form", can_focus=False):
                yield ChoiceRow("Preset", [(name, name) for name in PRESETS], self._rules.preset, id="preset")
                yield Static("", classes="gap")
                for setting in self._settings:
                    yield ChoiceRow(
                        setting.label,
                        _choices(setting, self._rules),
                        setting.word_in(self._rules),
                        id=setting.name,
                    )
                yield ActionRow("Reset to the preset", id="reset")
                yield Static("", id="told", markup=False)
            yield TrackPicture(id="picture", classes="beside")
        yield MessageLine(_LOCKED_HINT if self._is_locked else _HINT)
        yield KeyFooter()

    def arrive(self) -> None:
        """Begin at the first row."""
        self.show(self._rules, is_locked=self._is_locked)
        if self._race is not None:
            self.query_one(TrackPicture).show(*self._race)
        if not self._is_locked:
            self.set_focus(self.query_one("#preset"))

    def show(self, rules: Rules, *, is_locked: bool) -> None:
        """Show other rules, without telling anybody."""
        self._rules = rules
        self._is_locked = is_locked
        if not self.query("#preset"):
            return  # the rows are not there yet; `arrive` shows them
        self.query_one("#preset", ChoiceRow).show(rules.preset)
        for setting in self._settings:
            row = self.query_one(f"#{setting.name}", ChoiceRow)
            row.set_choices(_choices(setting, rules))
            row.show(setting.word_in(rules))
        for row in self.query(ChoiceRow):
            row.lock_to(is_locked)
        self.query_one("#reset").display = not is_locked
        self.refresh_bindings()

    def why_not(self, action: str) -> str:
        """Nothing is reset by somebody who may only look."""
        return "Only the host can change the settings." if action == "reset" and self._is_locked else ""

    @on(events.DescendantFocus)
    def _say_what_it_decides(self) -> None:
        row = self.focused
        setting = None if row is None else BY_NAME.get(str(row.id))
        self.query_one("#told", Static).update("" if setting is None else setting.help)

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Take a new preset or a single change."""
        name, value = str(event.row.id), event.value
        if name == "preset":
            self._take(PRESETS[value])
        else:
            self._take(make_rules(self._rules.preset, changes_of(self._rules) | {name: value}))

    @on(ActionRow.Pressed, "#reset")
    def action_reset(self) -> None:
        """Take back every single change."""
        self._take(PRESETS[self._rules.preset])

    def _take(self, rules: Rules) -> None:
        self.show(rules, is_locked=self._is_locked)
        self._change(rules)


def _choices(setting: Setting, rules: Rules) -> list[tuple[str, Text]]:
    """List the values of a setting; those that the preset does not have are marked."""
    usual = setting.word_in(PRESETS[rules.preset])
    choices = []
    for value in setting.values:
        text = Text(value.label, "bold")
        if value.word != usual:
            text.append("  * changed", "italic")
        choices.append((value.word, text))
    return choices
