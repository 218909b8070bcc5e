"""The settings of a player, changed in place and saved at once."""

from __future__ import annotations

from typing import Final

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Label, Static

from heat_core.names import BadName, clean_name
from heat_core.race.setup import COLOURS
from heat_core.text import counted
from heat_tui.map.marks import MapStyle
from heat_tui.race.bell import RINGINGS
from heat_tui.saved.records import MOST_KEPT
from heat_tui.screens.keys import changed_words, kept_sentence
from heat_tui.screens.map_sample import MapSample
from heat_tui.screens.rows import (
    ActionRow,
    ChoiceRow,
    FormColumn,
    FormScreen,
    MessageLine,
    TextRow,
    is_ascii,
    swatch,
)
from heat_tui.screens.theme_sample import ThemeSample
from heat_tui.state import Animation, ThemeChoice
from heat_tui.terminal.notification import Notification
from heat_tui.widgets.footer import KeyFooter

_ANIMATIONS: Final[tuple[tuple[Animation, str], ...]] = (
    ("normal", "full: cars drive space by space"),
    ("quick", "full, and three times as fast"),
    ("off", "reduced: cars jump, nothing moves or flashes"),
)
_THEMES: Final[tuple[tuple[ThemeChoice, str], ...]] = (
    ("auto", "night or light, to suit the terminal"),
    ("night", "night"),
    ("light", "light"),
    ("contrast", "contrast, safe for colour-blind people"),
    ("terminal", "the terminal's own 16 colours"),
)
_NOTIFICATIONS: Final[tuple[tuple[Notification, str], ...]] = (
    ("off", "off"),
    ("osc9", "OSC 9: at your turn online, while you are elsewhere"),
    ("osc777", "OSC 777: the same by another sequence"),
)
_BELL_AT: Final = "bell-at-"
"""Begins the name of a row about one thing that the bell rings for."""

_TRY: Final = "try it: look elsewhere, wait 5 seconds"
_TRY_SECONDS: Final = 5.0


_MAPS: Final[tuple[tuple[MapStyle, str], ...]] = (
    ("smooth", "smooth: the finest blocks"),
    ("half", "half blocks"),
    ("ascii", "plain ASCII"),
)


class SettingsScreen(FormScreen):
    """One row a setting; each change holds from now on."""

    def compose(self) -> ComposeResult:
        """The rows."""
        settings = self.navigator.settings
        yield Static("Settings", classes="title")
        with FormColumn(classes="column"):
            yield TextRow("Your name", settings.name, id="name", placeholder=self.navigator.player_name)
            colours = [(c, swatch(c, ascii_only=is_ascii(self))) for c in COLOURS]
            yield ChoiceRow("Your car", colours, settings.colour, id="colour")
            yield ChoiceRow("Motion", _ANIMATIONS, settings.animation, id="animation")
            yield ChoiceRow("Signs", [(False, "Unicode"), (True, "plain ASCII")], settings.ascii, id="ascii")
            yield ChoiceRow("Colours", _THEMES, settings.theme, id="theme")
            yield ChoiceRow("Map", _MAPS, settings.map, id="map")
            yield MapSample(settings.map)
            yield ChoiceRow(
                "Bell",
                [(False, "silent"), (True, "rings")],
                settings.bell,
                id="bell",
            )
            for occasion, (strokes, about) in RINGINGS.items():
                choices = [(True, f"{about}: {counted(strokes, 'stroke')}"), (False, f"not {about}")]
                is_on = occasion in settings.bell_at
                yield ChoiceRow("", choices, is_on, id=f"{_BELL_AT}{occasion}")
            yield ChoiceRow("Notification", _NOTIFICATIONS, settings.notification, id="notification")
            with Horizontal(classes="labelled"):
                yield Label("")
                yield ActionRow(_TRY, id="try-notification")
            yield ChoiceRow(
                "Hints",
                [(True, "the next race explains each phase"), (False, "off")],
                settings.hints,
                id="hints",
            )
            yield ChoiceRow(
                "Ghost",
                [(True, "your best race on the board drives along"), (False, "off")],
                settings.ghost,
                id="ghost",
            )
            yield ChoiceRow(
                "Nearby",
                [(True, "find servers on the local network"), (False, "off")],
                settings.nearby,
                id="nearby",
            )
            yield ChoiceRow(
                "Replays",
                [(True, f"the newest {MOST_KEPT} races are saved"), (False, "not saved")],
                settings.replays,
                id="replays",
            )
            if self.navigator.folders.guest_of is None:
                yield ChoiceRow(
                    "Plain mode",
                    [
                        (True, "heat-tui --plain; a line says so at each start"),
                        (False, "heat-tui --plain; no line"),
                    ],
                    settings.plain_line,
                    id="plain_line",
                )
            with Horizontal(classes="labelled"):
                yield Label("Keys")
                yield ActionRow(changed_words(settings.keys), id="keys")
            yield ThemeSample()
        yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Begin at the first row."""
        self.set_focus(self.query_one("#name"))

    def show_keys(self) -> None:
        """Say how many keys are the player's own now."""
        self.query_one("#keys", ActionRow).label = changed_words(self.navigator.settings.keys)
        super().show_keys()

    @on(ActionRow.Pressed, "#keys")
    def _choose_keys(self) -> None:
        self.navigator.action_choose_keys()

    @on(ActionRow.Pressed, "#try-notification")
    def _try_notification(self) -> None:
        if self.navigator.settings.notification == "off":
            self.say("Choose OSC 9 or OSC 777 first.")
            return
        self.say(
            "Switch to another window now: a notification should appear in 5 seconds. "
            "If none does, choose the other sequence."
        )
        self.set_timer(_TRY_SECONDS, self._notify)

    def _notify(self) -> None:
        self.navigator.notify_desktop("This is how your turn will be announced.")

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Keep a choice."""
        name, bell_at = str(event.row.id), self.navigator.settings.bell_at
        if name.startswith(_BELL_AT):
            occasion = name.removeprefix(_BELL_AT)
            chosen = [one for one in RINGINGS if (event.value if one == occasion else one in bell_at)]
            self._keep(bell_at=tuple(chosen))
        else:
            self._keep(**{name: event.value})
        self.query_one(MapSample).style_of_map = self.navigator.settings.map

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep the name, once it is one."""
        if event.value == self.navigator.settings.name:
            return
        try:
            name = clean_name(event.value) if event.value else ""
        except BadName as error:
            self.say(str(error))
            return
        self._keep(name=name)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on to the next row."""
        self.focus_next()

    def _keep(self, **changes: object) -> None:
        settings = msgspec.structs.replace(self.navigator.settings, **changes)
        kept = self.navigator.change_settings(settings)
        self.say(kept_sentence(kept))
