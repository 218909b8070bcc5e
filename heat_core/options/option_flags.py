"""The options of a table on a command line, made from `heat_core.options.option_table`.

Shared by the programs that make tables: `python -m heat_core` and `heat-tui`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeAlias, cast

import click

from heat_core.options import option_table as table
from heat_core.options.option import BadOption, Option, read_bots
from heat_core.options.settings import (
    RACE_SETTINGS,
    SETTINGS,
    BadSetting,
    changes_of,
    make_rules,
    parse_changes,
)
from heat_core.options.table_options import SeasonOptions, TableOptions
from heat_core.options.whole_number import WholeNumber
from heat_core.race.setup import GARAGES
from heat_core.season.setup import YEARS

_Command: TypeAlias = Callable[..., None]
_Decorator: TypeAlias = Callable[[_Command], _Command]


class WrongUse(click.ClickException):
    """One line for a wrong value, without the usage text around it."""

    exit_code = 2


_RACE: Final = (table.LAPS, table.RULES, table.SETTING, table.GARAGE, table.WEATHER)

_SEASON_FLAGS: Final = (
    click.option(
        "--year", type=click.Choice([str(year) for year in YEARS]), help="The year of a printed season."
    ),
    click.option("--tracks", help="Instead of a year, 3 or 4 tracks or track files, separated by commas."),
)


def table_flags(kind: type[TableOptions], *more: Option, is_season: bool = False, **notes: str) -> _Decorator:
    """Add the options of a table to a command, which gets them as one `options`.

    Args:
        kind: What `options` is.
        more: Options besides those that every race has.
        is_season: Whether the command races championships: `options.season` is None where neither `--year`
            nor `--tracks` is given.
        notes: By field, sentences that follow the option's help.
    """
    added: list[_Decorator] = [*_SEASON_FLAGS] if is_season else []
    options = (*more, *_RACE, *((table.EVENTS, table.SPONSORSHIPS) if is_season else ()))
    fields = [option.field for option in options] + ["expansion"]
    for option in options:
        added += _flags(option, getattr(kind(), option.field, None), notes.get(option.field, ""))

    def decorate(command: _Command) -> _Command:
        @wraps(command)
        def gather(*arguments: Any, **values: Any) -> None:
            chosen = {field: values.pop(field) for field in fields}
            if is_season:
                chosen["season"] = _season(chosen, values.pop("year"), values.pop("tracks"))
            chosen["settings"] = _settings(chosen["rules"], chosen["settings"], is_season=is_season)
            command(*arguments, options=kind(**chosen), **values)

        gathered: _Command = gather
        for flag in reversed(added):
            gathered = flag(gathered)
        return gathered

    return decorate


class _Bots(click.ParamType[Any]):
    """How many bots, or which."""

    name = "bots"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read them as a typed line is read."""
        try:
            return read_bots(value) if isinstance(value, str) else value
        except BadOption as error:
            self.fail(str(error), param, ctx)


def _flags(option: Option, usual: object, note: str) -> list[_Decorator]:
    """Make an option's flag, of the garage also the one for its other field."""
    help = f"{option.help[0].upper()}{option.help[1:]}. {note}".strip()
    name = f"--{option.word}"
    if option is table.SETTING:
        return [click.option("--set", option.field, multiple=True, metavar="NAME=VALUE", help=help)]
    if option is table.GARAGE:
        return [
            click.option(name, type=click.Choice(GARAGES), default=usual, show_default=True, help=help),
            click.option(
                "--expansion",
                is_flag=True,
                help="Add the upgrades of the expansion; needs --garage advanced or mixed.",
            ),
        ]
    if option is table.BOTS:
        help = f"{help} For example: 3, or 2 easy,hard."
        return [click.option(name, option.field, type=_Bots(), default="0", show_default=True, help=help)]
    values = [value for value in option.values if value.value is not None]
    form: dict[str, Any] = {"default": usual, "show_default": usual is not None}
    if values and isinstance(values[0].value, bool):
        form = {"is_flag": True}
    elif values and isinstance(values[0].value, int):
        form["type"] = WholeNumber(values[0].value, cast(int, values[-1].value))
    elif values:
        form["type"] = click.Choice([value.word for value in values])
    return [click.option(name, option.field, help=help, **form)]


_MOST_SHOWN: Final = 40
"""Characters of a wrong setting that its refusal repeats."""


def _settings(preset: Any, changes: tuple[str, ...], *, is_season: bool) -> dict[str, str]:
    settings = SETTINGS if is_season else RACE_SETTINGS
    for change in changes:  # one by one: which of several is wrong
        try:
            make_rules(preset, parse_changes([change]), settings)
        except BadSetting as error:
            raise WrongUse(f"--set {change[:_MOST_SHOWN]!a}: {error}") from None
    return changes_of(make_rules(preset, parse_changes(changes), settings))


def _season(chosen: dict[str, Any], year: str | None, tracks: str | None) -> SeasonOptions | None:
    events, sponsorships = chosen.pop("events"), chosen.pop("sponsorships")
    if year is not None and tracks is not None:
        raise WrongUse("Give --tracks or --year, not both.")
    if year is None and tracks is None:
        return None
    names = tuple(name.strip() for name in tracks.split(",")) if tracks is not None else ()
    return SeasonOptions(None if year is None else int(year), names, events, sponsorships)


IN_THE_POSITION: Final = "The position file already sets this: leave out {}."


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
