"""The keys of the replay screen."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

from heat_tui.keys.bindings import bound
from heat_tui.keys.race_bindings import MAP_BINDINGS

REPLAY_BINDINGS: Final[list[BindingType]] = [
    Binding("right", "walk('event', 1)", "Next event"),
    Binding("left", "walk('event', -1)", "Previous event"),
    Binding("down", "walk('turn', 1)", "Next turn"),
    Binding("up", "walk('turn', -1)", "Previous turn"),
    Binding("pagedown", "walk('round', 1)", "Next round"),
    Binding("pageup", "walk('round', -1)", "Previous round"),
    Binding("home", "walk('start')", "Beginning"),
    Binding("end", "walk('end')", "End"),
    bound("replay.round", "ask_round"),
    bound("replay.play", "play"),
    bound("replay.faster", "speed(1)"),
    bound("replay.slower", "speed(-1)"),
    bound("replay.next_view", "look('next', 1)"),
    bound("replay.view_before", "look('next', -1)", show=False),
    Binding("0", "look('all')", "All hands"),
    *(
        Binding(str(number), f"look('seat', {number})", f"View {number}", show=False)
        for number in range(1, 9)
    ),
    Binding("9", "look('spectator')", "Spectator's view"),
    bound("replay.list", "list_events"),
    bound("replay.plot", "plot"),
    bound("replay.results", "results"),
    Binding("enter", "results", "Results", show=False),
    bound("results.analysis", "analysis"),
    bound("replay.export", "export"),
    *MAP_BINDINGS,
    bound("view.cards", "page('cards')"),
    bound("view.piles", "page('piles')"),
    bound("view.weather", "page('weather')"),
    bound("view.signs", "page('signs')"),
    bound("view.how_to_play", "app.how_to_play"),
    bound("view.help", "help"),
    bound("view.leave", "leave", "Back"),
    Binding("escape", "close_or_leave", "Close, or go back", show=False),
]
