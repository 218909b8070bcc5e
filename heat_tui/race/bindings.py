"""The keys of the race screen, and those of the map, which other screens have too."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

MAP_BINDINGS: Final[list[BindingType]] = [
    Binding("plus,equals_sign", "zoom(True)", "Zoom in", key_display="+"),
    Binding("minus,underscore", "zoom(False)", "Zoom out", key_display="-"),
    Binding("shift+left", "scroll_map(-6,0)", "Scroll left", show=False),
    Binding("shift+right", "scroll_map(6,0)", "Scroll right", show=False),
    Binding("shift+up", "scroll_map(0,-3)", "Scroll up", show=False),
    Binding("shift+down", "scroll_map(0,3)", "Scroll down", show=False),
    Binding("f", "follow", "Follow the cars"),
    Binding("comma", "look(-1)", "Look back along the road", key_display=",", show=False),
    Binding("full_stop", "look(1)", "Look ahead along the road", key_display=".", show=False),
    Binding("v", "whole_map", "Whole map"),
    Binding("number_sign", "numbers", "Space numbers", key_display="#"),
]

RACE_BINDINGS: Final[list[BindingType]] = [
    *(Binding(str(number), f"card({number})", f"Card {number}", show=False) for number in range(1, 10)),
    Binding("left", "sideways(-1)", "Gear down / fewer", show=False),
    Binding("right", "sideways(1)", "Gear up / more", show=False),
    Binding("up", "select(-1)", "Row up", show=False),
    Binding("down", "select(1)", "Row down", show=False),
    Binding("enter", "confirm", "Confirm"),
    Binding("space", "done", "Done", show=False),
    Binding("u", "take_back", "Take back"),
    Binding("c", "symbol('c')", "Cool down"),
    Binding("b", "symbol('b')", "Boost"),
    Binding("a", "symbol('a')", "Adrenaline"),
    Binding("p", "symbol('p')", "Pay a card's Heat"),
    Binding("x", "symbol('x')", "Scrap"),
    Binding("r", "symbol('r')", "Salvage"),
    Binding("m", "symbol('m')", "Put Stress away"),
    Binding("e", "symbol('e')", "Accelerate"),
    Binding("t", "symbol('t')", "Draft behind a car"),
    Binding("d", "symbol('d')", "Play a card directly"),
    Binding("s", "slipstream(True)", "Slipstream"),
    Binding("n", "slipstream(False)", "No slipstream"),
    *MAP_BINDINGS,
    Binding("o", "discard_pile", "Piles"),
    Binding("i", "cards", "Cards explained"),
    Binding("w", "weather", "Weather and road"),
    Binding("l", "log", "Log"),
    Binding("tab", "chat", "Chat"),
    Binding("z", "pause", "Pause, or go on"),
    Binding("f8", "position", "Write the position"),
    Binding("g", "give_up", "Give up"),
    Binding("k", "end_lesson", "No more hints", show=False),
    Binding("h", "app.how_to_play", "How to play"),
    Binding("question_mark", "help", "All keys", key_display="?"),
    Binding("q", "leave", "Leave"),
    Binding("escape", "close_or_leave", "Stop looking, else leave", show=False),
]
