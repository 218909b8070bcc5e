"""The daily race in lines."""

from __future__ import annotations

from heat_core.names import BadName
from heat_tui.daily import today
from heat_tui.flow.daily import DailyController
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.game import race_here
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.words import dates_spoken
from heat_tui.state import Folders, load_settings


async def daily_here(terminal: LineTerminal, folders: Folders) -> None:
    """Say what today's race is and how it went, and race it as often as that is wished.

    Raises:
        GoneBack: A saved race stays instead.
        Left: Whoever typed is gone.
    """
    settings = load_settings(folders)
    daily = DailyController(folders, settings.player_name, settings.colour, today())
    _tell(terminal, daily)
    while True:
        line = (await terminal.ask("Enter races; leave goes back. For example: leave")).casefold()
        if is_leaving(line):
            return
        if is_asking(line):
            _tell(terminal, daily)
        elif line in ("", "race"):
            try:
                table = daily.table()
            except BadName as error:
                terminal.say(str(error))
                return
            await race_here(terminal, folders, table)
            _tell(terminal, daily)
        else:
            terminal.say("Press Enter, or type leave.")


def _tell(terminal: LineTerminal, daily: DailyController) -> None:
    daily.refresh()
    for line in (f"{daily.title}.", *daily.about()):
        terminal.say(dates_spoken(line))
    if results := daily.result_lines():
        terminal.say("Your result, as a line to paste, in signs and in plain characters:")
        for line in results:
            terminal.say(line)
    for line in daily.earlier():
        terminal.say(dates_spoken(line))
