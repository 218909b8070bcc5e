"""Which keys the line at the foot of the race screen names."""

from __future__ import annotations

from typing import Final

from heat_core.choices import CardsChoice, Choice, DiscardChoice, GearChoice, ReactChoice, SlipstreamChoice

_ALWAYS: Final = (("+/-", "zoom"), ("l", "log"), ("?", "all keys"), ("q", "leave"))


def keys_for(choice: Choice | None, *, is_chosen: bool) -> list[tuple[str, str]]:
    """List keys and what they do, for what is asked now."""
    done = "chosen, may be changed" if is_chosen else "confirm"
    match choice:
        case GearChoice():
            keys = [("left/right", "gear"), ("Enter", done)]
        case CardsChoice():
            keys = [("1-9", "pick"), ("u", "take back"), ("Enter", done)]
        case ReactChoice():
            keys = [
                ("up/down", "select"),
                ("c", "cool"),
                ("b", "boost"),
                ("a", "adrenaline"),
                ("Enter", "do it"),
            ]
        case SlipstreamChoice():
            keys = [("s", "slipstream"), ("n", "not"), ("Enter", "confirm")]
        case DiscardChoice():
            keys = [("1-9", "pick"), ("u", "take back"), ("Enter", done)]
        case None:
            keys = []
    return [*keys, *_ALWAYS]


HELP: Final = (
    ("1 to 9", "pick a card or put it back; in phase 1 the gear"),
    ("left, right", "gear lever; in phase 5 how many"),
    ("up, down", "along the list of phases 5 and 6"),
    ("Enter", "confirm; a secret choice may be changed until all have chosen"),
    ("u", "take back what is picked"),
    ("c", "cool down: Heat from the hand to the engine"),
    ("b", "boost: pay 1 Heat, flip a card, move that far"),
    ("a", "adrenaline: 1 more speed and space"),
    ("s, n", "slipstream, or not"),
    ("+, -", "zoom of the map"),
    ("shift+arrows", "scroll the map; f follows the cars again"),
    ("v", "the whole map over the screen, and back"),
    ("#", "numbers of the spaces"),
    ("o", "the discard pile, and what the draw pile holds"),
    ("l", "the whole log"),
    ("g", "give up (asks first)"),
    ("q, Escape", "leave (asks first)"),
    ("any key", "skips a car's drive"),
)
