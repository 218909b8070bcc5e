"""Rows of the options of a table, in forms and in a lobby, made from `heat_core.options.option_table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.css.query import DOMQuery

from heat_core.options.option import Option
from heat_core.options.option_table import values_of
from heat_core.options.table_options import TableOptions, is_used, value_in
from heat_tui.screens.rows import ChoiceRow


def choices(
    option: Option, options: TableOptions, tracks: Mapping[str, str] = {}
) -> list[tuple[object, str]]:
    """List what a row offers: values and labels; arguments as of `option_row`."""
    return [(value.value, value.label) for value in values_of(option, options, tracks)]


def option_row(option: Option, options: TableOptions, tracks: Mapping[str, str] = {}) -> ChoiceRow[object]:
    """Make the row of an option; its id is the option's field.

    Args:
        options: As they are.
        tracks: Names of those to choose from, by identifier.
    """
    value = value_in(options, option.field)
    return ChoiceRow(option.label, choices(option, options, tracks), value, id=option.field)


def show_rows(
    rows: DOMQuery[ChoiceRow[object]],
    shown: Sequence[Option],
    options: TableOptions,
    tracks: Mapping[str, str],
    *,
    is_locked: bool,
) -> None:
    """Show other options in rows; those that mean nothing beside the others go.

    Args:
        rows: All there are.
        shown: The options that have a row.
        is_locked: Whether they cannot be changed here.
    """
    by_field = {row.id: row for row in rows}
    for option in shown:
        row = by_field[option.field]
        row.display = is_used(options, option.field)
        row.set_choices(choices(option, options, tracks))
        row.show(value_in(options, option.field))
        row.lock_to(is_locked)
