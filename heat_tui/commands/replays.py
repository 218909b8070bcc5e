"""The command that shows finished races: `replay`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from heat_core.options.option_flags import WrongUse
from heat_core.options.whole_number import WholeNumber
from heat_tui.commands.options import NO_ANIMATION, PLAIN
from heat_tui.commands.running import Failed, run, run_in_lines

if TYPE_CHECKING:
    from heat_core.record.playback import Playback


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--round", "number", type=WholeNumber(0, 1000), help="Start at this round.")
@click.option(
    "--export-text",
    "text",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write the race to this file as text.",
)
@click.option(
    "--export-svg",
    "picture",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write a picture of the start of that round, or of the end, to this file (SVG).",
)
@NO_ANIMATION
@PLAIN
@click.pass_obj
def replay(
    quiet: bool,
    file: Path | None,
    number: int | None,
    text: Path | None,
    picture: Path | None,
    no_animation: bool,
    plain: bool,
) -> None:
    """Watch a finished race, step by step or as a film: a record of this program or of `heat-server export`.

    Without FILE, choose from the saved ones.
    """
    is_animated = not (no_animation or quiet)
    if file is None:
        if number is not None or text is not None or picture is not None:
            raise WrongUse("--round, --export-text and --export-svg need FILE, the record.")
        if plain:
            from heat_tui.plain.replays import replays_here

            run_in_lines(replays_here)
        run(is_animated=is_animated, opening=lambda app: app.show_replays())
    from heat_core.record.record import BadRecord
    from heat_tui.saved.records import read_playback

    try:
        playback = read_playback(file)
    except BadRecord as error:
        raise Failed(str(error)) from None
    if number is not None and (problem := playback.round_problem(number)):
        raise WrongUse(problem)
    if text is not None or picture is not None:
        _export(playback, number, text, picture)
        return
    place = 0 if number is None else playback.place_of_round(number)
    if plain:
        from heat_tui.plain.replay import PlainReplay

        run_in_lines(lambda terminal, folders: PlainReplay(playback, terminal, folders, place).run())
    from heat_tui.flow.replay_start import ReplayStart

    run(is_animated=is_animated, opening=lambda app: app.show_replay(playback, ReplayStart(place)))


def _export(playback: Playback, number: int | None, text: Path | None, picture: Path | None) -> None:
    """Write what is asked for; nothing is shown.

    Raises:
        Failed: A file cannot be written.
    """
    from heat_core.files import shown_path
    from heat_tui.flow.exports import race_text
    from heat_tui.screenshot import picture_of

    place = playback.last if number is None else playback.place_of_round(number)
    try:
        if text is not None:
            text.write_text(race_text(playback), encoding="utf-8")
        if picture is not None:
            picture.write_text(asyncio.run(picture_of(playback, place)), encoding="utf-8")
    except OSError as error:
        raise Failed(f"{shown_path(error.filename or picture or text or '')}: {error.strerror}") from None
