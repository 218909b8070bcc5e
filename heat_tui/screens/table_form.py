"""What the forms of a race and of a championship share: who drives, by which rules, with what of the box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, TypedDict, cast

import msgspec
from textual import on
from textual.widget import Widget
from textual.widgets import Input, Static

from heat_core.bots import BotName
from heat_core.presets import LEGEND_LEVELS, PRESETS, STANDARD, LegendLevel, PresetName, Rules
from heat_core.settings import RACE_SETTINGS, Setting
from heat_core.setup import COLOURS, Colour
from heat_tui.key_bindings import bound
from heat_tui.labels import BOT_LABELS
from heat_tui.makerace import GridWishes
from heat_tui.room_options import tell_changes
from heat_tui.screens.modules import GARAGE_CHOICES, NO_GARAGE, WEATHER_CHOICES, Garage
from heat_tui.screens.rows import ActionRow, ChoiceRow, FormScreen, is_ascii, swatch
from heat_tui.screens.table_rules import RULES, TableRulesScreen

if TYPE_CHECKING:
    from heat_tui.app import HeatApp

LEVELS: Final[tuple[LegendLevel, ...]] = tuple(LEGEND_LEVELS)


class GridFields(TypedDict):
    """What of `GridWishes` the rows below say."""

    names: tuple[str, ...]
    colour: Colour
    legends: int
    level: LegendLevel
    bots: int
    bot: BotName
    rules: Rules


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

    @property
    def heat_app(self) -> HeatApp:
        """The program."""
        return cast("HeatApp", self.app)

    def driver_rows(self, *, colour: str, legends: int) -> Iterator[Widget]:
        """Make the rows of cars; the one of names, `#names`, is the form's own.

        Args:
            colour: Label of the row for the first car's colour.
            legends: How many to begin with.
        """
        colours = [(c, swatch(c, ascii_only=is_ascii(self))) for c in COLOURS]
        yield ChoiceRow(colour, colours, self.heat_app.settings.colour, id="colour")
        yield ChoiceRow("Legends", _numbers(self.rules), legends, id="legends")
        yield ChoiceRow("their level", [(level, level) for level in LEVELS], "medium", id="level")
        yield ChoiceRow("Bots", _numbers(self.rules), 0, id="bots")
        yield ChoiceRow("they drive", list(BOT_LABELS.items()), "steady", id="bot")

    def rule_rows(self, *modules: Widget) -> Iterator[Widget]:
        """Make the rows of rules and modules.

        Args:
            modules: More rows, behind those that every race has.
        """
        yield ChoiceRow("Rules", [(rules, rules) for rules in RULES], "standard", id="rules")
        yield ChoiceRow("Garage", GARAGE_CHOICES, NO_GARAGE, id="garage")
        yield ChoiceRow("Weather", WEATHER_CHOICES, False, id="weather")
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
        told = tell_changes(rules, self.settings)
        changes.update(told)
        changes.display = bool(told)
        for name in ("legends", "bots"):
            row = self.query_one(f"#{name}", ChoiceRow)
            number = min(row.value, rules.most_cars - 1)
            row.set_choices(_numbers(rules))
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

    def value_of(self, row: str) -> object:
        """Give what a row of choices says."""
        return self.query_one(f"#{row}", ChoiceRow).value

    @property
    def garage(self) -> Garage:
        """The upgrades to draft."""
        return cast(Garage, self.value_of("garage"))

    @property
    def has_weather(self) -> bool:
        """Whether there is weather."""
        return cast(bool, self.value_of("weather"))

    def grid_wishes(self, *, are_many: bool) -> GridFields:
        """Read the rows of drivers and rules.

        Args:
            are_many: Whether commas stand between several names.
        """
        typed = self.query_one("#names", Input).value
        names = tuple(name for name in typed.split(",") if name.strip()) if are_many else (typed,)
        return GridFields(
            names=names,
            colour=cast(Colour, self.value_of("colour")),
            legends=cast(int, self.value_of("legends")),
            level=cast(LegendLevel, self.value_of("level")),
            bots=cast(int, self.value_of("bots")),
            bot=cast(BotName, self.value_of("bot")),
            rules=self.rules,
        )

    def remember(self, wishes: GridWishes, *, is_named: bool) -> None:
        """Offer the same colour, and where it is the player's the same name, the next time."""
        settings = msgspec.structs.replace(self.heat_app.settings, colour=wishes.colour)
        if is_named:
            settings = msgspec.structs.replace(settings, name=wishes.names[0])
        self.heat_app.change_settings(settings)


def _numbers(rules: Rules) -> list[tuple[int, str]]:
    """List how many cars there may be besides the first one."""
    return [(number, str(number)) for number in range(rules.most_cars)]
