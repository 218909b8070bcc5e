"""Every key that a player may choose: what it does, its default, and on which screens it works.

Theory of operation. Each thing that a key does has a name, such as `race.boost`; the bindings of the screens
carry it as their id, and texts that tell a key carry it in braces: "{race.boost} boosts". What the player has
chosen is a mapping from such names to keys, only of those that differ. A key is written as what it types
("b", "+"), or by name ("f8", "tab"). Two things on one screen never have the same key.

Arrows, Enter, Escape, PageUp, PageDown, Home, End, digits and what is pressed with Ctrl are the same for
everybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import ascii_uppercase
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.cells import cell_len

KeyContext: TypeAlias = Literal[
    "race",
    "replay",
    "race_log",
    "replay_log",
    "chat",
    "lobby",
    "between",
    "results",
    "season",
    "form",
    "rules",
    "join",
    "records",
    "how_to_play",
    "party",
    "invitation",
]
"""A screen, or several that have the same keys."""

CONTEXT_WORDS: Final[dict[KeyContext, str]] = {
    "race": "in a race",
    "replay": "in a replay",
    "race_log": "in the log",
    "replay_log": "in the log",
    "chat": "in the chat",
    "lobby": "in a lobby",
    "between": "between races in a room",
    "results": "after a race",
    "season": "in a championship",
    "form": "when setting up a race",
    "rules": "in the rule settings",
    "join": "on the join screen",
    "records": "in the list of replays",
    "how_to_play": "in How to play",
    "party": "on the card of a party",
    "invitation": "on an invitation",
}

_WITH_ROWS: Final = frozenset({"lobby", "between", "season", "form", "rules", "join", "how_to_play"})
"""Places whose rows or pages need keys of their own: those below."""
_KEYS_OF_ROWS: Final = frozenset({"space", "tab", "shift+tab"})

_ROAD: Final = ("race", "replay")
_LOGS: Final = ("race_log", "replay_log")


class KeyUse(NamedTuple):
    """Something that a key does.

    Attributes:
        name: Of the group and of what is done, as in `race.boost`.
        usual: The keys as long as the player has chosen none; texts show the first of them.
        what: In a few words.
        places: Where the key acts.
        is_beside_text: Whether text is typed where it acts.
    """

    name: str
    usual: tuple[str, ...]
    what: str
    places: tuple[KeyContext, ...]
    is_beside_text: bool = False

    @property
    def group(self) -> str:
        """The part of the name that says where it belongs."""
        return self.name.partition(".")[0]


GROUPS: Final[dict[str, str]] = {
    "race": "In a race",
    "view": "In a race and in a replay",
    "map": "The map",
    "replay": "In a replay",
    "log": "In the log",
    "room": "In a room on a server",
    "lobby": "In a lobby",
    "chat": "In the chat",
    "results": "After a race",
    "season": "In a championship",
    "form": "Setting up a race",
    "join": "On the join screen",
    "records": "In the list of replays",
    "page": "In How to play",
    "party": "On the card of a party",
}
"""The headings of the list of keys, in its order."""


def _uses() -> Iterator[KeyUse]:
    yield KeyUse("race.done", ("space",), "Done", ("race",))
    yield KeyUse("race.take_back", ("u",), "Take back", ("race",))
    yield KeyUse("race.cool", ("c",), "Cool down", ("race",))
    yield KeyUse("race.boost", ("b",), "Boost", ("race",))
    yield KeyUse("race.adrenaline", ("a",), "Adrenaline", ("race",))
    yield KeyUse("race.pay", ("p",), "Pay a card's Heat", ("race",))
    yield KeyUse("race.scrap", ("x",), "Scrap", ("race",))
    yield KeyUse("race.salvage", ("r",), "Salvage", ("race",))
    yield KeyUse("race.stress", ("m",), "Discard Stress", ("race",))
    yield KeyUse("race.accelerate", ("e",), "Accelerate", ("race",))
    yield KeyUse("race.draft", ("t",), "Draft behind a car", ("race",))
    yield KeyUse("race.direct", ("d",), "Play a card directly", ("race",))
    yield KeyUse("race.slipstream", ("s",), "Slipstream", ("race",))
    yield KeyUse("race.no_slipstream", ("n",), "No slipstream", ("race",))
    yield KeyUse("race.log", ("l",), "Log", ("race", "race_log"))
    yield KeyUse("race.chat", ("tab",), "Chat", ("race", "chat"))
    yield KeyUse("race.pause", ("z",), "Pause or resume", ("race",))
    yield KeyUse("race.position", ("f8",), "Save the position", ("race",))
    yield KeyUse("race.more_time", ("f9",), "More time for a driver", ("race",))
    yield KeyUse("race.invite", ("f6",), "Invitation for others", ("race", "invitation"))
    yield KeyUse("race.advice", ("y",), "Advice", ("race",))
    yield KeyUse("race.give_up", ("g",), "Give up", ("race",))
    yield KeyUse("race.end_hints", ("k",), "End the hints", ("race",))
    yield KeyUse("view.piles", ("o",), "Piles", _ROAD)
    yield KeyUse("view.cards", ("i",), "Explain my cards", _ROAD)
    yield KeyUse("view.weather", ("w",), "Weather and road", _ROAD)
    yield KeyUse("view.signs", ("/",), "Explain the signs", _ROAD)
    yield KeyUse("view.how_to_play", ("h",), "How to play", _ROAD)
    yield KeyUse("view.help", ("?",), "All keys", _ROAD)
    yield KeyUse("view.leave", ("q",), "Leave", (*_ROAD, *_LOGS, "results", "records", "invitation"))
    yield KeyUse("map.zoom_in", ("+", "="), "Zoom in", _ROAD)
    yield KeyUse("map.zoom_out", ("-", "_"), "Zoom out", _ROAD)
    yield KeyUse("map.follow", ("f",), "Follow the cars", _ROAD)
    yield KeyUse("map.look_back", (",",), "Look back along the road", _ROAD)
    yield KeyUse("map.look_ahead", (".",), "Look ahead along the road", _ROAD)
    yield KeyUse("map.whole", ("v",), "Whole map", _ROAD)
    yield KeyUse("map.numbers", ("#",), "Space numbers", _ROAD)
    yield KeyUse("replay.round", ("g",), "Go to a round", ("replay",))
    yield KeyUse("replay.play", ("space",), "Play, pause", ("replay",))
    yield KeyUse("replay.faster", ("s",), "Faster", ("replay",))
    yield KeyUse("replay.slower", ("S",), "Slower", ("replay",))
    yield KeyUse("replay.next_view", ("tab",), "Next view", ("replay",))
    yield KeyUse("replay.view_before", ("shift+tab",), "Previous view", ("replay",))
    yield KeyUse("replay.list", ("e", "l"), "Log", ("replay", "replay_log"))
    yield KeyUse("replay.plot", ("p",), "Positions over the rounds", ("replay",))
    yield KeyUse("replay.results", ("t",), "Results", ("replay",))
    yield KeyUse("replay.export", ("x",), "Export", ("replay", "results"))
    yield KeyUse("log.topic", ("w",), "Next topic", _LOGS)
    yield KeyUse("room.ready", ("r",), "Ready", ("lobby", "between"))
    yield KeyUse("room.start", ("s",), "Start", ("lobby", "between"))
    yield KeyUse("room.rematch", ("m",), "Rematch", ("between", "results"))
    yield KeyUse("room.chat", ("t",), "Chat", ("lobby", "between", "results"))
    yield KeyUse("room.bots", ("b",), "Bots for absent players", ("between",))
    yield KeyUse("lobby.name", ("n",), "Change your name", ("lobby",))
    yield KeyUse("lobby.colour", ("c",), "Change car colour", ("lobby",))
    yield KeyUse("lobby.bot", ("b",), "Add a bot", ("lobby",))
    yield KeyUse("lobby.legend", ("l",), "Add a Legend", ("lobby",))
    yield KeyUse("lobby.clear", ("x",), "Clear a place", ("lobby",))
    yield KeyUse("lobby.lock", ("p",), "Password", ("lobby",))
    yield KeyUse("lobby.kick", ("k",), "Remove", ("lobby",))
    yield KeyUse("lobby.time", ("o",), "More time", ("lobby",))
    yield KeyUse("chat.bravo", ("f2",), "bravo", ("chat",), is_beside_text=True)
    yield KeyUse("chat.ouch", ("f3",), "ouch", ("chat",), is_beside_text=True)
    yield KeyUse("chat.hurry", ("f4",), "hurry", ("chat",), is_beside_text=True)
    yield KeyUse("chat.sorry", ("f5",), "sorry", ("chat",), is_beside_text=True)
    yield KeyUse("chat.thanks", ("f6",), "thanks", ("chat",), is_beside_text=True)
    yield KeyUse("chat.good_race", ("f7",), "good race", ("chat",), is_beside_text=True)
    yield KeyUse("results.again", ("r",), "Race again", ("results",))
    yield KeyUse("results.watch", ("w",), "Watch the replay", ("results",))
    yield KeyUse("results.moments", ("v",), "Watch the moments", ("results",))
    yield KeyUse("results.circuit", ("n",), "Another circuit", ("results",))
    yield KeyUse("results.analysis", ("a",), "Analysis", ("results", "replay"))
    yield KeyUse("results.seed", ("s",), "Seed and hash", ("results",))
    yield KeyUse("season.abandon", ("x",), "End the championship", ("season",))
    yield KeyUse("form.rules", ("f3",), "Rule settings", ("form", "lobby"), is_beside_text=True)
    yield KeyUse("form.reset", ("r",), "Reset to the preset", ("rules",))
    yield KeyUse("join.refresh", ("f5",), "Refresh", ("join",), is_beside_text=True)
    yield KeyUse("join.create", ("f2",), "New room", ("join",), is_beside_text=True)
    yield KeyUse("join.watch", ("f6",), "Watch", ("join",), is_beside_text=True)
    yield KeyUse("records.delete", ("x",), "Delete", ("records",))
    yield KeyUse("page.learn", ("l",), "Start a first race", ("how_to_play",))
    yield KeyUse("party.play", ("p",), "Play here", ("party",))
    yield KeyUse("party.code", ("s",), "QR code", ("party", "invitation"))
    yield KeyUse("party.lines", ("l",), "Lines to mark", ("party",))
    yield KeyUse("party.remove", ("x",), "Remove", ("party",))
    yield KeyUse("party.end", ("q",), "End the party", ("party",))


KEY_USES: Final[dict[str, KeyUse]] = {use.name: use for use in _uses()}
"""All that has a key of the player's choice, by name."""

_FUNCTION_KEYS: Final[dict[str, str]] = {f"f{number}": f"F{number}" for number in range(1, 25)}
_NAMED_KEYS: Final[dict[str, str]] = _FUNCTION_KEYS | {
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "space": "space",
    "backspace": "Bksp",
    "delete": "Del",
    "insert": "Ins",
}
"""Keys that type no sign, and how texts show them."""

_FOR_EVERYBODY: Final[dict[str, str]] = {
    "enter": "Enter",
    "escape": "Escape",
    "up": "Up arrow",
    "down": "Down arrow",
    "left": "Left arrow",
    "right": "Right arrow",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "home": "Home",
    "end": "End",
}

_TOLD_KEY: Final = re.compile(r"\{([a-z_]+\.[a-z_]+)\}")


def pressed_key(name: str, character: str | None) -> str:
    """Say which key was pressed, as it is kept.

    Args:
        name: As the terminal's library calls it.
        character: What it types; None for nothing.
    """
    return character if character is not None and character.isprintable() and character != " " else name


def why_unusable(key: str) -> str:
    """Say why a key cannot be anybody's choice; empty where it can."""
    if key in _FOR_EVERYBODY:
        return f"{_FOR_EVERYBODY[key]} cannot be changed. Choose another key."
    if len(key) == 1 and key.isdigit():
        return "Digits cannot be changed. Choose another key."
    if key in _NAMED_KEYS or (len(key) == 1 and key.isprintable() and key != " " and cell_len(key) == 1):
        return ""
    return "This key cannot be used. Choose a letter, a symbol, a function key, space or Tab."


class Keys:
    """The keys of one player.

    Attributes:
        changed: The keys that are not the usual ones, by the name of what they do; nothing in it clashes.
    """

    def __init__(self, changed: Mapping[str, str] | None = None, *, is_ascii: bool = False) -> None:
        """Take what the player has chosen.

        Args:
            changed: As `sound_changes` gives it; None for nothing.
            is_ascii: Whether texts may have plain ASCII only.
        """
        self.changed: Mapping[str, str] = changed or {}
        self._is_ascii = is_ascii

    def all_of(self, use: str) -> tuple[str, ...]:
        """Give the keys that do something, the one to tell first."""
        chosen = self.changed.get(use)
        return KEY_USES[use].usual if chosen is None else (chosen,)

    def told(self, use: str) -> str:
        """Give the key that does something as texts show it: "b", "F8", "Tab"."""
        return self.told_key(self.all_of(use)[0])

    def told_key(self, key: str) -> str:
        """Give a key as texts show it; what is no ASCII by its number, where only ASCII is shown."""
        if self._is_ascii and not key.isascii():
            return f"U+{ord(key):04X}"
        return _NAMED_KEYS.get(key, key)

    def free_letters(self, place: KeyContext) -> tuple[str, ...]:
        """List the capital letters that do nothing on a screen: for rows that need a key of their own."""
        uses = [use.name for use in KEY_USES.values() if place in use.places]
        taken = {key for use in uses for key in self.all_of(use)}
        return tuple(letter for letter in ascii_uppercase if letter not in taken)

    def fill(self, text: str) -> str:
        """Put keys in the place of the names that stand in braces in a text of the program's own."""
        return _TOLD_KEY.sub(lambda found: self.told(found[1]), text)

    def why_not(self, use: str, key: str) -> str:
        """Say why a key cannot do something now; empty where it can."""
        if refusal := why_unusable(key):
            return refusal
        wanted = KEY_USES[use]
        if wanted.is_beside_text and key not in _FUNCTION_KEYS:
            return "Text is typed there, so choose a function key, F1 to F24."
        if key in _KEYS_OF_ROWS and not _WITH_ROWS.isdisjoint(wanted.places):
            return f"{self.told_key(key)} is needed for rows and pages there. Choose another key."
        for other in KEY_USES.values():
            common = [place for place in wanted.places if place in other.places]
            if common and other is not wanted and key in self.all_of(other.name):
                return f"{self.told_key(key)} is taken {CONTEXT_WORDS[common[0]]}: {other.what}."
        return ""

    def with_key(self, use: str, key: str) -> dict[str, str]:
        """Give what is changed when a key does something from now on."""
        others = {name: chosen for name, chosen in self.changed.items() if name != use}
        return others if key == KEY_USES[use].usual[0] else others | {use: key}


USUAL: Final = Keys()
"""The keys of who has chosen none."""


def usual_key(use: str) -> str:
    """Give the key that does something as long as nobody has chosen another."""
    return KEY_USES[use].usual[0]


def sound_changes(found: object) -> dict[str, str]:
    """Give what of a settings file can be the player's choice of keys; the rest counts as absent.

    Of two things that would have one key on the same screen, the changed ones keep their usual keys.
    """
    if not isinstance(found, dict):
        return {}
    changed: dict[str, str] = {}
    for use in KEY_USES:
        key = found.get(use)
        if isinstance(key, str) and key:
            key = key if len(key) == 1 else key.lower()
            changed |= {} if key == usual_key(use) else {use: key}
    while clashing := [use for use, key in changed.items() if Keys(changed).why_not(use, key)]:
        for use in clashing:
            del changed[use]
    return changed
