"""What the forms of a race and of a championship share: who drives, which rules, which modules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from textual import on
from textual.widget import Widget
from textual.widgets import Input, Static

from heat_core.files import box_tracks
from heat_core.options.option_table import GARAGE, LEVEL, RULES, WEATHER
from heat_core.options.settings import changes_text, printed_text
from heat_core.options.table_options import is_used, settings_of
from heat_core.race.presets import PRESETS, Rules
from heat_core.race.setup import COLOURS, MAX_CARS
from heat_tui.flow.setup import OPPONENTS, Begin, CannotBegin, Opponent, SetupController
from heat_tui.keys.bindings import bound
from heat_tui.screens.option_rows import option_row
from heat_tui.screens.rows import ActionRow, ChoiceRow, FormScreen, is_ascii, swatch
from heat_tui.screens.table_rules import TableRulesScreen

_OPPONENT: Final = "opponent"
"""What the identifiers of those rows begin with; a number from 1 follows."""


class TableForm(FormScreen):
    """A form with rows for drivers and rules."""

    BINDINGS = [bound("form.rules", "rules", "Rules")]

    def __init__(self, begin: Begin) -> None:
        """Make the form of what `begin` begins with."""
        super().__init__()
        self._begin = begin

    @cached_property
    def setup(self) -> SetupController:
        """What is chosen, as of the last `read_rows`."""
        return self._begin(self.navigator.settings, self.navigator.player_name, box_tracks())

    def driver_rows(self, *, colour: str) -> Iterator[Widget]:
        """Make the rows of cars; the one of names, `#names`, is the form's own.

        Args:
            colour: Label of the row for the first car's colour.
        """
        options = self.setup.options
        colours = [(c, swatch(c, ascii_only=is_ascii(self))) for c in COLOURS]
        yield ChoiceRow(colour, colours, options.colour, id="colour")
        opponents = self.setup.opponents + ["nobody"] * MAX_CARS
        for number, opponent in enumerate(opponents[: MAX_CARS - 1], start=1):
            label = f"Opponent {number}"
            yield ChoiceRow(label, list(OPPONENTS.items()), opponent, id=f"{_OPPONENT}{number}")
        yield option_row(LEVEL, options)

    def rule_rows(self, *modules: Widget) -> Iterator[Widget]:
        """Make the rows of rules and modules.

        Args:
            modules: More rows, behind those that every race has.
        """
        for option in (RULES, GARAGE, WEATHER):
            yield option_row(option, self.setup.options)
        yield from modules
        yield ActionRow("Rule settings ({form.rules})", id="settings")
        yield Static("", id="changes", markup=False)

    @on(ActionRow.Pressed, "#settings")
    def action_rules(self) -> None:
        """Show all settings of the rules, to be changed."""
        settings = settings_of(self.setup.options)
        race = self.setup.first_race()
        self.app.push_screen(TableRulesScreen(self.setup.rules, settings, self.take_rules, race))

    @on(ChoiceRow.Changed, "#rules")
    def _preset_chosen(self, event: ChoiceRow.Changed) -> None:
        self.take_rules(PRESETS[event.value])

    def take_rules(self, rules: Rules) -> None:
        """Show and use other rules; cars for which they have no room go."""
        self.setup.change_rules(rules)
        self.query_one("#rules", ChoiceRow).show(rules.preset)
        changes = self.query_one("#changes", Static)
        settings = settings_of(self.setup.options)
        told = "\n".join(filter(None, (printed_text(rules, settings), changes_text(rules, settings))))
        changes.update(told)
        changes.display = bool(told)
        for row in self._opponent_rows()[rules.most_cars - 1 :]:
            row.show("nobody")
        self.show_rows_in_use()

    def show_rows_in_use(self) -> None:
        """Hide the rows that mean nothing beside the others."""
        opponents = self._opponent_rows()
        for row in self.query(ChoiceRow):
            row.display = is_used(self.setup.options, str(row.id))
        for row in opponents[self.setup.rules.most_cars - 1 :]:
            row.display = False
        self.query_one(f"#{LEVEL.field}").display = any(row.value == "legend" for row in opponents)

    def begin(self) -> None:
        """Begin what the form describes.

        Raises:
            CannotBegin: Something does not fit.
        """
        raise NotImplementedError

    @on(ActionRow.Pressed, "#start")
    def action_start(self) -> None:
        """Begin; but Enter, which is the screen's key, on the row of the rules opens these."""
        if self.focused is self.query_one("#settings"):
            self.action_rules()
        else:
            self.after_typing(self._start)

    def _start(self) -> None:
        """Begin, or say why that does not work."""
        self.read_rows()
        try:
            self.begin()
        except CannotBegin as error:
            self.say(str(error))

    def read_rows(self) -> None:
        """Choose what the rows show: one may have been changed whose message has not come yet."""
        self.setup.take_names(self.query_one("#names", Input).value)
        opponents = self._opponent_rows()
        self.setup.take_opponents([row.value for row in opponents])
        for row in self.query(ChoiceRow):
            field = str(row.id)
            if field != RULES.field and row not in opponents and is_used(self.setup.options, field):
                self.setup.change(field, row.value)

    def remember(self) -> None:
        """Offer the same the next time."""
        self.navigator.change_settings(self.setup.remembered(self.navigator.settings))

    def _opponent_rows(self) -> list[ChoiceRow[Opponent]]:
        """List the rows of what drives the other places."""
        return [row for row in self.query(ChoiceRow) if str(row.id).startswith(_OPPONENT)]
