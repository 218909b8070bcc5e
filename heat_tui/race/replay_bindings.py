"""The keys of the replay screen."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

from heat_tui.race.bindings import MAP_BINDINGS

REPLAY_BINDINGS: Final[list[BindingType]] = [
    Binding("right", "step(1)", "Next event"),
    Binding("left", "step(-1)", "Event before"),
    Binding("down", "step_turn(1)", "Next turn"),
    Binding("up", "step_turn(-1)", "Turn before"),
    Binding("pagedown", "step_round(1)", "Next round"),
    Binding("pageup", "step_round(-1)", "Round before"),
    Binding("home", "to_start", "Beginning"),
    Binding("end", "to_end", "End"),
    Binding("g", "ask_round", "Go to a round"),
    Binding("space", "play", "Play, pause"),
    Binding("s", "speed(1)", "Faster"),
    Binding("S,upper_s", "speed(-1)", "Slower"),
    Binding("tab", "other_eyes(1)", "Next view"),
    Binding("shift+tab", "other_eyes(-1)", "View before", show=False),
    Binding("0", "all_hands", "All hands"),
    *(Binding(str(number), f"seat({number})", f"View {number}", show=False) for number in range(1, 9)),
    Binding("9", "spectator", "Spectator's view"),
    Binding("e,l", "list_events", "What happened"),
    Binding("p", "plot", "Positions over the rounds"),
    Binding("t,enter", "results", "Results"),
    Binding("x", "export", "Export"),
    *MAP_BINDINGS,
    Binding("i", "cards", "Cards explained"),
    Binding("o", "discard_pile", "Piles"),
    Binding("w", "weather", "Weather and road"),
    Binding("h", "app.how_to_play", "How to play"),
    Binding("question_mark", "help", "All keys", key_display="?"),
    Binding("q", "leave", "Back"),
    Binding("escape", "close_or_leave", "Close, else back", show=False),
]
