"""The keys of the race screen, and those of the map, which other screens have too."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

from heat_tui.keys.bindings import bound

MAP_BINDINGS: Final[list[BindingType]] = [
    bound("map.zoom_in", "zoom(True)"),
    bound("map.zoom_out", "zoom(False)"),
    Binding("shift+left", "scroll_map(-6,0)", "Scroll left", show=False),
    Binding("shift+right", "scroll_map(6,0)", "Scroll right", show=False),
    Binding("shift+up", "scroll_map(0,-3)", "Scroll up", show=False),
    Binding("shift+down", "scroll_map(0,3)", "Scroll down", show=False),
    bound("map.follow", "follow"),
    bound("map.look_back", "look(-1)", show=False),
    bound("map.look_ahead", "look(1)", show=False),
    bound("map.whole", "whole_map"),
    bound("map.numbers", "numbers"),
]

RACE_BINDINGS: Final[list[BindingType]] = [
    *(Binding(str(number), f"card({number})", f"Card {number}", show=False) for number in range(1, 10)),
    Binding("left", "sideways(-1)", "Gear down / card before / fewer", show=False),
    Binding("right", "sideways(1)", "Gear up / next card / more", show=False),
    Binding("up", "select(-1)", "Row or gear up / pick the card", show=False),
    Binding("down", "select(1)", "Row or gear down / put the card back", show=False),
    Binding("enter", "confirm", "Confirm"),
    bound("race.done", "done", show=False),
    bound("race.take_back", "take_back"),
    *(
        bound(use, f"symbol('{use}')")
        for use in (
            "race.cool",
            "race.boost",
            "race.adrenaline",
            "race.pay",
            "race.scrap",
            "race.salvage",
            "race.stress",
            "race.accelerate",
            "race.draft",
            "race.direct",
        )
    ),
    bound("race.slipstream", "slipstream(True)"),
    bound("race.no_slipstream", "slipstream(False)"),
    *MAP_BINDINGS,
    bound("view.piles", "discard_pile"),
    bound("view.cards", "cards"),
    bound("view.weather", "weather"),
    bound("view.signs", "signs"),
    bound("race.log", "log"),
    bound("race.chat", "chat"),
    bound("race.pause", "pause"),
    bound("race.position", "position"),
    bound("race.give_up", "give_up"),
    bound("race.end_hints", "end_lesson", show=False),
    bound("view.how_to_play", "app.how_to_play"),
    bound("view.help", "help"),
    bound("view.leave", "leave"),
    Binding("escape", "close_or_leave", "Stop looking, else leave", show=False),
]
