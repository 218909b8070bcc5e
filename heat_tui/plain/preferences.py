"""The settings that matter in plain mode, shown and changed in lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, get_args

import msgspec

from heat_core.names import BadName, clean_name
from heat_core.race.setup import COLOURS
from heat_core.text import listed
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.news import NEWS_TOLD
from heat_tui.plain.voice import LEVELS
from heat_tui.race.bell import RINGINGS
from heat_tui.saved.records import MOST_KEPT
from heat_tui.state import Folders, News, Settings, load_settings, login_name, save_settings

_SWITCHES: Final[Mapping[str, tuple[str, str]]] = {
    "hints": ("the next race explains each phase", "no hints"),
    "ghost": ("each round of a race says how far off your best race on the board was", "no ghost"),
    "replays": (f"the newest {MOST_KEPT} races are saved", "races are not saved"),
    "bell": ("the terminal rings", "the terminal is silent"),
    "nearby": ("the program looks for servers on the local network", "the program does not look for servers"),
}
"""By a setting's name: what it means where it is on, and where it is off."""

_LEVELS: Final[Mapping[str, Sequence[str]]] = {"words": LEVELS, "news": get_args(News)}
"""By a setting's name: its values. With one of them it is changed at any question, before it is read here."""

SAID_AT_ANY_QUESTION: Final = (*_LEVELS, "hints")
"""The settings whose names need no `settings` in front; with a wrong value they are no answer either."""


async def settings_here(terminal: LineTerminal, folders: Folders) -> None:
    """Tell the settings and change them, until that is left.

    Raises:
        Left: Whoever typed is gone.
    """
    _tell(terminal, load_settings(folders))
    while True:
        line = await terminal.ask(
            f"Type {listed(list(_TOLD), 'or')} and a new value; Enter goes back. For example: colour blue"
        )
        if not line or is_leaving(line):
            return
        if is_asking(line):
            _tell(terminal, load_settings(folders))
            terminal.say(
                f"The colours are {listed(COLOURS, 'or')}; {listed(list(_SWITCHES), 'and')} are on or off; "
                f"bell {listed(list(RINGINGS), 'or')} off silences that alone; "
                f"it rings {listed([ringing.about for ringing in RINGINGS.values()], 'and')}."
            )
            continue
        terminal.say(_change(folders, line))


def settings_aside(terminal: LineTerminal, folders: Folders, typed: str) -> list[str]:
    """Give the settings at any question, or change the one that is typed: `bell on`, `words few`."""
    if not typed:
        return [*_told(load_settings(folders)), "For example: settings hints off"]
    aside = terminal.at_any_question.get(typed.casefold())
    return [aside() if aside is not None else _change(folders, typed)]


def wrong_value(name: str) -> str:
    """Say what a setting can be that was given another value."""
    return f"{name} can be {listed(_LEVELS.get(name, ('on', 'off')), 'or')}."


def _change(folders: Folders, typed: str) -> str:
    """Change a setting; gives a sentence about that, or why not."""
    try:
        changed = _changed(load_settings(folders), typed)
    except (BadAnswer, BadName) as error:
        return str(error)
    if save_settings(folders, changed):
        return f"Saved: {_TOLD[typed.split()[0].casefold()](changed)}."
    return "The settings cannot be saved, so nothing has changed."


def _tell(terminal: LineTerminal, settings: Settings) -> None:
    for line in _told(settings):
        terminal.say(line)


def _told(settings: Settings) -> list[str]:
    return [f"{told(settings)}." for told in _TOLD.values()]


def _changed(settings: Settings, line: str) -> Settings:
    name, _, value = line.partition(" ")
    name, value = name.casefold(), value.strip()
    if name == "name":
        return msgspec.structs.replace(settings, name=clean_name(value))
    if name == "colour":
        if value.casefold() not in COLOURS:
            raise BadAnswer(f"The colours are {listed(COLOURS, 'or')}.")
        return msgspec.structs.replace(settings, colour=value.casefold())
    if name == "bell" and value.casefold() not in ("on", "off"):
        return _with_bell(settings, value.casefold())
    if name in _SWITCHES:
        if value.casefold() not in ("on", "off"):
            raise BadAnswer(wrong_value(name))
        return msgspec.structs.replace(settings, **{name: value.casefold() == "on"})
    if name in _LEVELS:
        raise BadAnswer(wrong_value(name))
    raise BadAnswer(f"The settings are {', '.join(_TOLD)}.")


def _with_bell(settings: Settings, typed: str) -> Settings:
    """Have the bell ring for one thing or not: `turn off`."""
    occasion, _, value = typed.partition(" ")
    if occasion not in RINGINGS or value not in ("on", "off"):
        raise BadAnswer(f"bell can be on or off, or {listed(list(RINGINGS), 'or')} on or off.")
    chosen = [one for one in RINGINGS if (value == "on" if one == occasion else one in settings.bell_at)]
    return msgspec.structs.replace(settings, bell=settings.bell or value == "on", bell_at=tuple(chosen))


def _told_bell(settings: Settings) -> str:
    rings = listed(settings.bell_at, "and") or "nothing"
    return f"bell on: it rings for {rings}" if settings.bell else "bell off"


def _told_switch(name: str) -> Callable[[Settings], str]:
    def told(settings: Settings) -> str:
        is_on = getattr(settings, name)
        on, off = _SWITCHES[name]
        return f"{name} on: {on}" if is_on else f"{name} off: {off}"

    return told


_TOLD: Final[Mapping[str, Callable[[Settings], str]]] = {
    "name": lambda settings: f"name {settings.name or f'{login_name()}, your login name'}",
    "colour": lambda settings: f"colour {settings.colour}",
    **{name: _told_switch(name) for name in _SWITCHES},
    "words": lambda settings: f"words {settings.words}: how much is said, few, usual or all",
    "bell": _told_bell,
    "news": lambda settings: f"news {settings.news}: {NEWS_TOLD[settings.news]}",
}
"""By a setting's name: shows its value."""
