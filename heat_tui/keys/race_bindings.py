"""The keys of the race screen, and those of the map, which other screens have too."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

from heat_tui.keys.bindings import bound

MAP_BINDINGS: Final[list[BindingType]] = [
    bound("map.zoom_in", "map('zoom_in')"),
    bound("map.zoom_out", "map('zoom_out')"),
    Binding("shift+left", "map('scroll', -6, 0)", "Scroll left", show=False),
    Binding("shift+right", "map('scroll', 6, 0)", "Scroll right", show=False),
    Binding("shift+up", "map('scroll', 0, -3)", "Scroll up", show=False),
    Binding("shift+down", "map('scroll', 0, 3)", "Scroll down", show=False),
    bound("map.follow", "map('follow')"),
    bound("map.look_back", "map('look', -1)", show=False),
    bound("map.look_ahead", "map('look', 1)", show=False),
    bound("map.whole", "map('whole')"),
    bound("map.numbers", "map('numbers')"),
]

RACE_BINDINGS: Final[list[BindingType]] = [
    *(Binding(str(number), f"card({number})", f"Card {number}", show=False) for number in range(1, 10)),
    Binding("left", "sideways(-1)", "Gear down / previous card / fewer", show=False),
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
    bound("view.piles", "page('piles')"),
    bound("view.cards", "page('cards')"),
    bound("view.weather", "page('weather')"),
    bound("view.signs", "page('signs')"),
    bound("race.log", "page('log')"),
    bound("race.chat", "page('chat')"),
    bound("race.pause", "pause"),
    bound("race.position", "page('position')"),
    bound("race.more_time", "page('more_time')"),
    bound("race.invite", "page('invite')"),
    bound("race.advice", "advice"),
    bound("race.give_up", "give_up"),
    bound("race.end_hints", "end_lesson", show=False),
    bound("view.how_to_play", "app.how_to_play"),
    bound("view.help", "page('help')"),
    bound("view.leave", "leave"),
    Binding("escape", "close_or_leave", "Stop looking, or leave", show=False),
]
