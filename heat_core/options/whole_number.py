"""Whole numbers on a command line, refused in the programs' own words."""

from __future__ import annotations

from typing import Any, Final

import click

_MOST_SHOWN: Final = 24


class WholeNumber(click.IntRange):
    """A whole number from `min` to `max`, both included; without `max`, of any size."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number.

        Raises:
            BadParameter: It is none, or out of range; the text names the value and the range.
        """
        try:
            number: int = super().convert(value, param, ctx)
        except click.BadParameter:
            most = "" if self.max is None else f" to {self.max}"
            self.fail(
                f"{str(value)[:_MOST_SHOWN]!a} is not a whole number from {self.min}{most}.", param, ctx
            )
        return number
