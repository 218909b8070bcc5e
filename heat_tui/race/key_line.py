"""Which keys the line at the foot of the race screen names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from heat_core.choices import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
)

Key: TypeAlias = tuple[str, str, str]
"""A key, what it does, and the screen's action for a click ("" where a click says too little)."""

_ZOOM: Final[Key] = ("+/-", "zoom", "cycle_zoom")
_ALWAYS: Final[tuple[Key, ...]] = (("l", "log", "log"), ("?", "keys", "help"), ("q", "leave", "leave"))
_WEATHER: Final[Key] = ("w", "weather", "weather")
_CARDS: Final[Key] = ("i", "cards", "cards")
_CHAT: Final[Key] = ("Tab", "chat", "chat")


def keys_for(choice: Choice | None, *, is_chosen: bool, is_salvaging: bool = False) -> list[Key]:
    """List the keys for what is asked now.

    Args:
        is_salvaging: Whether cards of the discard pile are being chosen.
    """
    enter: Key = ("Enter", "change it" if is_chosen else "confirm", "confirm")
    keys: list[Key]
    match choice:
        case GearChoice():
            keys = [("left/right", "gear", ""), enter]
        case CardsChoice() | DiscardChoice():
            keys = [("1-9", "pick", ""), ("u", "take back", "take_back"), enter]
        case ReactChoice() if is_salvaging:
            keys = [
                ("up/down", "card", ""),
                ("left/right", "count", ""),
                ("u", "back", "take_back"),
                enter,
            ]
        case ValueChoice():
            keys = [("up/down", "card", ""), ("left/right", "speed", ""), enter]
        case UnpaidChoice():
            keys = [("up/down", "select", ""), enter]
        case PickChoice():
            keys = [("1-9", "look", ""), ("i", "all explained", "cards"), ("Enter", "pick", "confirm")]
        case SwapChoice():
            keys = [("up/down", "take", ""), ("left/right", "give", ""), enter]
        case ReactChoice():
            # Each row of the list shows its own key, and can be clicked.
            keys = [("up/down", "select", ""), ("c/b/a", "use", ""), ("Enter", "do it", "confirm")]
        case SlipstreamChoice():
            keys = [("s", "slipstream", "slipstream(True)"), ("n", "not", "slipstream(False)"), enter]
        case None:
            keys = []
    if isinstance(choice, PickChoice | SwapChoice):
        return [*keys, *_ALWAYS]  # there is no map yet
    return [*keys, _ZOOM, *_ALWAYS]


def with_modules(
    keys: Sequence[Key], width: int, *, has_chat: bool, has_weather: bool, has_cards: bool
) -> list[Key]:
    """Name the keys for chat, weather and cards too, in a race that has them, as far as there is room.

    Args:
        width: Of the line, in cells.
    """
    named = [*keys]
    for key, is_there in ((_CHAT, has_chat), (_WEATHER, has_weather), (_CARDS, has_cards)):
        is_new = all(other[0] != key[0] for other in named)
        if is_there and is_new and _width([*named, key]) <= width:
            named.insert(len(named) - len(_ALWAYS), key)
    return named


def _width(keys: Sequence[Key]) -> int:
    return 1 + sum(len(key) + 1 + len(what) + 2 for key, what, _ in keys) - 2


HELP: Final = (
    ("1 to 9", "pick a card or put it back; in phase 1 the gear, in lists how many"),
    ("left, right", "gear lever; in lists how many"),
    ("up, down", "along a list of things to do"),
    ("Enter", "confirm; a secret choice may be changed until all have chosen"),
    ("space", "done: ends phase 5, else the same as Enter"),
    ("u", "take back what is picked"),
    ("c", "cool down: Heat from the hand to the engine"),
    ("b", "boost: pay 1 Heat, flip a card, move that far"),
    ("a", "adrenaline: 1 more speed and space"),
    ("p, x", "pay a card's Heat, scrap: what must be done before phase 5 ends"),
    ("m, r", "put Stress away, salvage cards of the discard pile"),
    ("e, t", "accelerate, draft behind the car ahead"),
    ("d", "play a card of the hand directly"),
    ("s, n", "slipstream, or not"),
    ("+, -", "zoom of the map"),
    ("shift+arrows", "scroll the map; f follows the cars again"),
    (", and .", "look back and ahead along the road: what stands where; so does the mouse"),
    ("v", "the whole map over the screen, and back"),
    ("#", "numbers of the spaces"),
    ("o", "the discard pile, and what the draw pile holds"),
    ("i", "each of your cards explained"),
    ("w", "weather and road: limits and sectors; in a championship the event"),
    ("l", "the whole log"),
    ("Tab", "at a server: the chat; what is new is counted in the first line"),
    ("z", "at a server: ask for a pause or agree to one; again to go on"),
    ("F8", "write the position, as you know it, to a file that can be raced on from"),
    ("k", "no more hints, in a race that explains itself"),
    ("g", "give up (asks first)"),
    ("q, Escape", "leave (asks first)"),
    ("Ctrl+P", "all of this by name"),
    ("any key", "skips a car's drive"),
    ("h", "how to play: the nine phases of a round"),
    ("", ""),
    ("standings", "lap/space, gear, Heat in the engine; of a Legend its last speed; z: away"),
    ("Legend card", "first how far short of a corner to stop, then the top speed"),
)
