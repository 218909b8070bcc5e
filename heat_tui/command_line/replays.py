"""The command that looks at races that are over: `replay`."""

from __future__ import annotations

from pathlib import Path

import click

from heat_tui.command_line.options import NO_ANIMATION
from heat_tui.command_line.running import Failed, WrongUse, run


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--round", "number", type=click.IntRange(0, 1000), help="Begin with this round.")
@NO_ANIMATION
@click.pass_obj
def replay(quiet: bool, file: Path | None, number: int | None, no_animation: bool) -> None:
    """Watch a race that is over: a record of this program, or one of `heat-server export`.

    Without FILE: choose one of those that are kept by themselves.
    """
    is_animated = not (no_animation or quiet)
    if file is None:
        if number is not None:
            raise WrongUse("Say FILE: --round needs to know of which race.")
        run(is_animated=is_animated, opening=lambda app: app.show_replays())
    from heat_core.replay import BadRecord
    from heat_tui.records import read_playback

    try:
        playback = read_playback(file)
    except BadRecord as error:
        raise Failed(str(error)) from None
    place = 0 if number is None else playback.place_of_round(number)
    run(is_animated=is_animated, opening=lambda app: app.show_replay(playback, place))
