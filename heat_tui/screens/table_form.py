"""What the forms of a race and of a championship share: who drives, by which rules, with what of the box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, cast

import msgspec
from textual import on
from textual.widget import Widget
from textual.widgets import Input, Static

from heat_core.options.option_table import BOT, BOTS, GARAGE, LEGENDS, LEVEL, RULES, WEATHER, Option
from heat_core.options.settings import RACE_SETTINGS, Setting, changes_text
from heat_core.options.table_options import LocalOptions, change, is_used, with_rules
from heat_core.race.presets import PRESETS, STANDARD, PresetName, Rules
from heat_core.race.setup import COLOURS
from heat_tui.keys.bindings import bound
from heat_tui.screens.option_rows import choices, option_row
from heat_tui.screens.rows import ActionRow, ChoiceRow, FormScreen, is_ascii, swatch
from heat_tui.screens.table_rules import TableRulesScreen

_USUAL: Final = LocalOptions()


class TableForm(FormScreen):
    """A form with rows for drivers and rules.

    Attributes:
        rules: As they are chosen.
    """

    BINDINGS = [bound("form.rules", "rules", "Rules")]

    settings: ClassVar[Sequence[Setting]] = RACE_SETTINGS
    """The single settings that mean something here."""

    def __init__(self) -> None:
        """Begin with the standard rules."""
        super().__init__()
        self.rules = STANDARD

    def driver_rows(self, *, colour: str, legends: int) -> Iterator[Widget]:
        """Make the rows of cars; the one of names, `#names`, is the form's own.

        Args:
            colour: Label of the row for the first car's colour.
            legends: How many to begin with.
        """
        colours = [(c, swatch(c, ascii_only=is_ascii(self))) for c in COLOURS]
        yield ChoiceRow(colour, colours, self.navigator.settings.colour, id="colour")
        yield ChoiceRow(LEGENDS.label, _numbers(LEGENDS, self.rules), legends, id=LEGENDS.field)
        yield option_row(LEVEL, _USUAL)
        yield ChoiceRow(BOTS.label, _numbers(BOTS, self.rules), _USUAL.bots, id=BOTS.field)
        yield option_row(BOT, _USUAL)

    def rule_rows(self, *modules: Widget) -> Iterator[Widget]:
        """Make the rows of rules and modules.

        Args:
            modules: More rows, behind those that every race has.
        """
        for option in (RULES, GARAGE, WEATHER):
            yield option_row(option, _USUAL)
        yield from modules
        yield ActionRow("Single settings ({form.rules})", id="settings")
        yield Static("", id="changes", markup=False)

    @on(ActionRow.Pressed, "#settings")
    def action_rules(self) -> None:
        """Show all settings of the rules, to be changed."""
        self.app.push_screen(TableRulesScreen(self.rules, self.settings, self.take_rules))

    @on(ChoiceRow.Changed, "#rules")
    def _preset_chosen(self, event: ChoiceRow.Changed) -> None:
        self.take_rules(PRESETS[cast(PresetName, event.value)])

    def take_rules(self, rules: Rules) -> None:
        """Show and use other rules."""
        self.rules = rules
        self.query_one("#rules", ChoiceRow).show(rules.preset)
        changes = self.query_one("#changes", Static)
        told = changes_text(rules, self.settings)
        changes.update(told)
        changes.display = bool(told)
        for option in (LEGENDS, BOTS):
            row = self.query_one(f"#{option.field}", ChoiceRow)
            number = min(row.value, rules.most_cars - 1)
            row.set_choices(_numbers(option, rules))
            row.show(number)

    def is_for_rules(self) -> bool:
        """Open the settings where Enter, which is the screen's key, means the row that it is pressed on.

        Returns:
            Whether it did.
        """
        if self.focused is not self.query_one("#settings"):
            return False
        self.action_rules()
        return True

    def chosen(self, *, are_many: bool) -> LocalOptions:
        """Read all rows.

        Args:
            are_many: Whether commas stand between several names.
        """
        typed = self.query_one("#names", Input).value
        names = tuple(name for name in typed.split(",") if name.strip()) if are_many else (typed,)
        options = with_rules(LocalOptions(names=names), self.rules)
        for row in self.query(ChoiceRow):
            field = str(row.id)
            if field != RULES.field and is_used(options, field):
                options = change(options, field, row.value)
        return options

    def remember(self, options: LocalOptions, *, is_named: bool) -> None:
        """Offer the same colour, and where it is the player's the same name, the next time."""
        settings = msgspec.structs.replace(self.navigator.settings, colour=options.colour)
        if is_named:
            settings = msgspec.structs.replace(settings, name=options.names[0])
        self.navigator.change_settings(settings)


def _numbers(option: Option, rules: Rules) -> list[tuple[object, str]]:
    """List how many cars of a kind there may be besides the first one."""
    offered = choices(option, with_rules(_USUAL, rules))
    return [(number, label) for number, label in offered if number is not None]
