"""The commands for reasons to come back: `daily`, `puzzles`, `career`."""

from __future__ import annotations

import click

from heat_tui.commands.options import NO_ANIMATION, PLAIN
from heat_tui.commands.running import run, run_in_lines


@click.command()
@NO_ANIMATION
@PLAIN
@click.pass_obj
def daily(quiet: bool, no_animation: bool, plain: bool) -> None:
    """Race today's race, which is the same for everybody."""
    if plain:
        from heat_tui.plain.daily import daily_here

        run_in_lines(daily_here)
    run(is_animated=not (no_animation or quiet), opening=lambda app: app.show_daily())


@click.command()
@NO_ANIMATION
@PLAIN
@click.pass_obj
def puzzles(quiet: bool, no_animation: bool, plain: bool) -> None:
    """Find the best answer to one decision."""
    if plain:
        from heat_tui.plain.puzzles import puzzles_here

        run_in_lines(puzzles_here)
    run(is_animated=not (no_animation or quiet), opening=lambda app: app.show_puzzles())


@click.command()
@PLAIN
@click.pass_obj
def career(quiet: bool, plain: bool) -> None:
    """Show all your races: bests, streaks and badges."""
    if plain:
        from heat_tui.plain.career import career_here

        run_in_lines(career_here)
    run(is_animated=not quiet, opening=lambda app: app.show_career())
