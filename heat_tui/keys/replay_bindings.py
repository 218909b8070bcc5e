"""The keys of the replay screen."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

from heat_tui.keys.bindings import bound
from heat_tui.keys.race_bindings import MAP_BINDINGS

REPLAY_BINDINGS: Final[list[BindingType]] = [
    Binding("right", "step(1)", "Next event"),
    Binding("left", "step(-1)", "Event before"),
    Binding("down", "step_turn(1)", "Next turn"),
    Binding("up", "step_turn(-1)", "Turn before"),
    Binding("pagedown", "step_round(1)", "Next round"),
    Binding("pageup", "step_round(-1)", "Round before"),
    Binding("home", "to_start", "Beginning"),
    Binding("end", "to_end", "End"),
    bound("replay.round", "ask_round"),
    bound("replay.play", "play"),
    bound("replay.faster", "speed(1)"),
    bound("replay.slower", "speed(-1)"),
    bound("replay.next_view", "other_eyes(1)"),
    bound("replay.view_before", "other_eyes(-1)", show=False),
    Binding("0", "all_hands", "All hands"),
    *(Binding(str(number), f"seat({number})", f"View {number}", show=False) for number in range(1, 9)),
    Binding("9", "spectator", "Spectator's view"),
    bound("replay.list", "list_events"),
    bound("replay.plot", "plot"),
    bound("replay.results", "results"),
    Binding("enter", "results", "Results", show=False),
    bound("replay.export", "export"),
    *MAP_BINDINGS,
    bound("view.cards", "page('cards')"),
    bound("view.piles", "page('piles')"),
    bound("view.weather", "page('weather')"),
    bound("view.signs", "page('signs')"),
    bound("view.how_to_play", "app.how_to_play"),
    bound("view.help", "help"),
    bound("view.leave", "leave", "Back"),
    Binding("escape", "close_or_leave", "Close, else back", show=False),
]
