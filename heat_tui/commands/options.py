"""The options that several commands share."""

from __future__ import annotations

from typing import Final

import click

NO_ANIMATION: Final = click.option(
    "--no-animation", is_flag=True, help="Reduced motion: cars jump instead of driving."
)

PLAIN: Final = click.option(
    "--plain",
    is_flag=True,
    envvar=["HEAT_TUI_PLAIN", "ACCESSIBLE"],
    help="Show lines and prompts instead of screens, for screen readers, pipes and any terminal.",
)

NAME: Final = click.option("--name", help="Your name. Without this option, the one in the settings.")
