"""`heat-server drain`: starts the drain of a running server, and shows how far it is until it is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import Final

import click

from heat_core.text import counted
from heat_core.wire.operator import AskDrain, Draining, OperatorAnswer, OperatorRequest
from heat_server.operator.status import phases_text

LOOK_SECONDS: Final = 1.0

CANCELLED: Final = "the drain was cancelled: the server takes rooms again"
GOES_ON: Final = "The drain goes on; `heat-server drain --cancel` cancels it."

Ask = Callable[[OperatorRequest], OperatorAnswer]


def follow_drain(ask: Ask, first: Draining, pause: Callable[[float], None] = time.sleep) -> None:
    """Write how far a drain is, a line for each change, until no rooms are left.

    Args:
        ask: Asks the server.
        first: What it answered when the drain began.
        pause: Waits.

    Raises:
        ClickException: The drain was cancelled, or the server answers no more.
    """
    progress, shown = first, ""
    try:
        while progress.is_on and (progress.rooms_left or progress.waits_for):
            if (line := drain_line(progress)) != shown:
                click.echo(line)
                shown = line
            pause(LOOK_SECONDS)
            answer = ask(AskDrain())
            assert isinstance(answer, Draining)
            progress = answer
    except KeyboardInterrupt:
        click.echo(f"\n{GOES_ON}")
        raise click.exceptions.Exit(1) from None
    if not progress.is_on:
        raise click.ClickException(CANCELLED)
    click.echo(drain_line(progress))


def drain_line(progress: Draining) -> str:
    """Say in one line how far a drain is."""
    if not progress.rooms_left and not progress.waits_for:
        others = ""
        if progress.connections:
            others = f" {counted(progress.connections, 'connection')} in no room will go to another server."
        return f"No rooms are left: stop the server now.{others}"
    left = [phases_text(progress.rooms, all_of_them=False)] if any(progress.rooms.values()) else []
    if progress.sleeping:
        left.append(f"{progress.sleeping:,} asleep")
    rooms = "room" if progress.rooms_left == 1 else "rooms"
    line = f"{progress.rooms_left:,} {rooms} left: {', '.join(left)}" if left else "no rooms are left"
    if progress.waits_for:
        return f"{line}; waiting, as {progress.waits_for}"
    if progress.rules_only_here is not None:
        return f"{line}{_races_that_stay(progress)}"
    if progress.rooms["racing"] and progress.seconds_left is None:
        return f"{line}; races move when they end"
    if progress.rooms["racing"] and progress.seconds_left:
        minutes = counted(ceil(progress.seconds_left / 60), "minute")
        return f"{line}; races move when they end, in {minutes} at the latest"
    return line


def _races_that_stay(progress: Draining) -> str:
    """Say which races no other server can continue; "": none of them is here any more."""
    races = progress.rooms["racing"] + progress.rooms["between"] + progress.sleeping
    if not races:
        return ""
    play, end = ("race plays", "It ends here.") if races == 1 else ("races play", "They end here.")
    rules = progress.rules_only_here
    return f". {races:,} {play} version {rules} of the rules, which no other server plays. {end}"
