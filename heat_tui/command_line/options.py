"""The options that several commands share, and what a table is made from by them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NamedTuple, TypeAlias

import click

from heat_core.presets import LEGEND_LEVELS, PRESETS, LegendLevel, PresetName, Rules
from heat_core.setup import GARAGES, GarageName
from heat_tui.command_line.running import WrongUse

_Command: TypeAlias = Callable[..., None]


class TableOptions(NamedTuple):
    """What `play`, `hotseat` and `championship` are all told of their table.

    Attributes:
        laps: None: the track's own.
        legends: None: as many as the command has by itself.
        seed: None: drawn from the system.
        preset: Of the rules.
        changes: Single settings, each as `name=value`.
    """

    laps: int | None
    legends: int | None
    level: LegendLevel
    bots: int
    seed: str | None
    preset: PresetName
    changes: tuple[str, ...]
    garage: GarageName
    expansion: bool
    weather: bool

    def rules(self, *, is_season: bool) -> Rules:
        """Make the rules of the table.

        Args:
            is_season: For a championship, which knows more settings.

        Raises:
            WrongUse: There is no such setting or value.
        """
        from heat_core.settings import RACE_SETTINGS, SETTINGS, BadSetting, make_rules, parse_changes

        settings = SETTINGS if is_season else RACE_SETTINGS
        try:
            return make_rules(self.preset, parse_changes(self.changes), settings)
        except BadSetting as error:
            raise WrongUse(str(error)) from None


NO_ANIMATION: Final = click.option("--no-animation", is_flag=True, help="Cars jump instead of driving.")

PLAIN: Final = click.option(
    "--plain",
    is_flag=True,
    envvar="HEAT_TUI_PLAIN",
    help="Lines and prompts instead of screens: for screen readers, pipes, any terminal.",
)

NAME: Final = click.option("--name", help="Yours. Not given: the one in the settings.")

TRACK: Final = click.option(
    "--track",
    default="usa",
    show_default=True,
    help="A track's name, one of your own too, or a track file that ends in .json.",
)


def table_options(*, usual_legends: str) -> Callable[[_Command], _Command]:
    """Add the options of a table to a command, which gets them as one `options`.

    Args:
        usual_legends: How many Legends there are where none are asked for, in words.
    """
    added = (
        click.option("--laps", type=click.IntRange(1, 4), help="Instead of the track's own."),
        click.option(
            "--legends", type=click.IntRange(0, 7), help=f"Automated cars. Not given: {usual_legends}."
        ),
        click.option(
            "--level",
            type=click.Choice(list(LEGEND_LEVELS)),
            default="medium",
            show_default=True,
            help="Of Legends.",
        ),
        click.option(
            "--bots",
            type=click.IntRange(0, 7),
            default=0,
            show_default=True,
            help="Opponents that play cards.",
        ),
        click.option("--seed", help="Any text: the same race again. Drawn from the system if not given."),
        click.option(
            "--rules", "preset", type=click.Choice(list(PRESETS)), default="standard", show_default=True
        ),
        click.option(
            "--set",
            "changes",
            multiple=True,
            metavar="NAME=VALUE",
            help="Change a single setting of the rules.",
        ),
        click.option(
            "--garage",
            type=click.Choice(GARAGES),
            default="none",
            show_default=True,
            help="Draft upgrades before the race, of these cards.",
        ),
        click.option(
            "--expansion", is_flag=True, help="The expansion's upgrades too, with advanced or mixed."
        ),
        click.option("--weather", is_flag=True, help="Weather and road tokens."),
    )

    def decorate(command: _Command) -> _Command:
        @wraps(command)
        def gathered(*arguments: Any, **values: Any) -> None:
            options = TableOptions(**{name: values.pop(name) for name in TableOptions._fields})
            command(*arguments, options=options, **values)

        for option in reversed(added):
            gathered = option(gathered)
        return gathered

    return decorate


def refuse_beside(context: click.Context, refusal: str, *, allowed: tuple[str, ...]) -> None:
    """Refuse options that another one, or its absence, has the last word on.

    Args:
        refusal: What is said; `{}` becomes the option.
        allowed: The names of the parameters that may be given.

    Raises:
        WrongUse: Another one was given.
    """
    for parameter in context.command.params:
        if parameter.name in allowed:
            continue
        if context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE:
            raise WrongUse(refusal.format(parameter.opts[0]))
