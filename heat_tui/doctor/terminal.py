"""What this terminal can do, as far as the environment and its own answers show."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Final

from rich.console import Console

from heat_tui.doctor.findings import Finding
from heat_tui.doctor.questions import SAMPLES, Answers, ask
from heat_tui.state import Settings
from heat_tui.terminal.environment import is_terminal, speaks_unicode, why_no_screen
from heat_tui.theme.depth import depth_of
from heat_tui.words.plain_way import COLUMNS, ROWS

_COLOUR_WORDS: Final[Mapping[str, str]] = {"true": "16 million", "256": "256", "16": "16", "none": "none"}
_MULTIPLEXER_SECONDS: Final = 1.0


def terminal_findings(settings: Settings, environment: Mapping[str, str] = os.environ) -> list[Finding]:
    """Look at the terminal of this process; takes 3.5 seconds at most."""
    if (reason := why_no_screen(sys.stdin, sys.stderr)) is not None:
        return [_no_screen(reason), _text(environment)]
    return [
        _size(),
        *_answered(settings, environment),
        _text(environment),
        _between(environment),
        _bell(settings, environment),
    ]


def _no_screen(reason: str) -> Finding:
    """Say why nothing can be asked; a doctor who was started by a script has seen no terminal that hurts."""
    found, lines = f"{reason[:1].upper()}{reason[1:]}", "heat-tui --plain"
    if is_terminal(sys.stdin) and is_terminal(sys.stderr):
        return Finding("screen", found, f"Use plain mode: {lines}")
    return Finding("screen", f"{found} Start this where you play. Plain mode needs no terminal: {lines}")


def _answered(settings: Settings, environment: Mapping[str, str]) -> list[Finding]:
    """Ask the terminal, unless it is somebody else's at the moment."""
    read_from, write_to = sys.stdin.fileno(), sys.stderr.fileno()
    if _is_in_background(read_from):
        return [Finding("answers", "not asked: this program runs in the background")]
    try:
        answers = ask(read_from, write_to, environment, may_show_signs=speaks_unicode(environment))
    except OSError as error:
        return [Finding("answers", f"the terminal cannot be asked ({error.strerror})")]
    return answer_findings(answers, settings, environment)


def _is_in_background(number: int) -> bool:
    """Tell whether asking would stop this process; a terminal without job control stops none."""
    try:
        return os.tcgetpgrp(number) != os.getpgrp()
    except OSError:
        return False


def answer_findings(answers: Answers, settings: Settings, environment: Mapping[str, str]) -> list[Finding]:
    """Say what a terminal's answers mean for play."""
    named = environment.get("TERM_PROGRAM", "")
    name = answers.name or named or "unknown name"
    silence = "" if answers.has_answered else "; it does not answer queries, so some of this is unknown"
    return [
        Finding("terminal", f"{name} (TERM={environment.get('TERM', '')}){silence}"),
        _colours(answers, environment),
        _ground(answers, settings),
        _signs(answers, settings),
        Finding("mouse", _known(answers.reports_mouse, "reported", "not reported; keys can do everything")),
        Finding("drawing", _known(answers.draws_at_once, "at once, without flicker", "piece by piece")),
        Finding("clipboard", _known(answers.takes_clipboard, "works (OSC 52)", "does not work (OSC 52)")),
        Finding("links", "unknown (OSC 8): a terminal cannot be asked; without them you see plain text"),
    ]


def _known(answer: bool | None, yes: str, no: str) -> str:
    return "unknown" if answer is None else yes if answer else no


def _size() -> Finding:
    columns, rows = os.get_terminal_size(sys.stderr.fileno())
    is_small = columns < COLUMNS or rows < ROWS
    advice = f"The screens need {COLUMNS}x{ROWS}: make the window larger or its letters smaller."
    return Finding("size", f"{columns}x{rows}", f"{advice} At any size: heat-tui --plain" if is_small else "")


def _colours(answers: Answers, environment: Mapping[str, str]) -> Finding:
    """Compare the colours that are used with those that the terminal keeps."""
    if "NO_COLOR" in environment:
        return Finding("colours", "none, because NO_COLOR is set", "Unset NO_COLOR to play in colours.")
    # What Textual asks, too: Rich, for a terminal.
    wanted = environment.get("TEXTUAL_COLOR_SYSTEM", "auto")
    console = Console(force_terminal=True, color_system=wanted, _environ=environment)  # type: ignore[arg-type]
    used = depth_of(console.color_system)
    found = f"{_COLOUR_WORDS[used]} used (COLORTERM={environment.get('COLORTERM', '')})"
    if answers.colours is not None:
        found += f", {_COLOUR_WORDS[answers.colours]} shown by the terminal"
    order = list(_COLOUR_WORDS)
    advice = ""
    if answers.colours == "true" and used != "true":
        advice = "Set COLORTERM=truecolor: this terminal has all colours."
        if "SSH_CONNECTION" in environment:
            advice += " Over ssh: ssh -o SendEnv=COLORTERM"
    elif answers.colours is not None and order.index(answers.colours) > order.index(used):
        advice = f"Unset COLORTERM: this terminal has {_COLOUR_WORDS[answers.colours]} colours only."
        if "TMUX" in environment:
            advice = "Tell tmux that its terminal has all colours: set -as terminal-features ',*:RGB'"
    return Finding("colours", found, advice)


def _ground(answers: Answers, settings: Settings) -> Finding:
    if answers.is_light is None:
        found = "unknown (OSC 11); the colours suit a dark one"
        is_open = settings.theme == "auto"
        return Finding("background", found if is_open else f"as Settings say: {settings.theme}")
    shade = "light" if answers.is_light else "dark"
    used = "colours follow it" if settings.theme == "auto" else f"Settings chose {settings.theme} colours"
    return Finding("background", f"{shade}; {used}")


def _signs(answers: Answers, settings: Settings) -> Finding:
    """Say whether the signs of the screens take one cell each; whether the font has them, nobody can ask."""
    wrong = [name for name, sample in SAMPLES.items() if answers.widths.get(name, len(sample)) != len(sample)]
    if wrong:
        return Finding(
            "signs",
            f"not one cell wide: {', '.join(wrong)}",
            "Have the terminal draw ambiguous characters narrow, or choose ASCII in Settings."
            if not settings.ascii
            else "",
        )
    known = "blocks, lines and symbols are one cell wide" if answers.widths else "their width is unknown"
    return Finding("signs", f"{known}; Settings, Map shows whether the font has them")


def _text(environment: Mapping[str, str]) -> Finding:
    """Say in which characters text may be shown."""
    names = ("LC_ALL", "LC_CTYPE", "LANG")
    locale = ", ".join(f"{name}={environment[name]}" for name in names if environment.get(name))
    found = f"{locale or 'no locale is set'}; output is written in {sys.stdout.encoding or 'UTF-8'}"
    if speaks_unicode(environment):
        return Finding("characters", found)
    return Finding(
        "characters", f"ASCII only ({found})", "Set LANG=C.UTF-8, if the terminal shows UTF-8, for fine maps."
    )


def _between(environment: Mapping[str, str]) -> Finding:
    """Name what stands between this program and the player's terminal."""
    steps = [
        word
        for word, variable in (("tmux", "TMUX"), ("screen", "STY"), ("ssh", "SSH_CONNECTION"))
        if environment.get(variable)
    ]
    advice = ""
    if "screen" in steps:
        advice = "screen supports few colours and no notifications; tmux supports more."
    elif "tmux" in steps and _tmux_option("set-clipboard") in ("external", "off"):
        advice = "tmux does not pass copied text on. In its settings: set -g set-clipboard on"
    return Finding("in between", ", ".join(steps) or "nothing", advice)


def _bell(settings: Settings, environment: Mapping[str, str]) -> Finding:
    found = f"bell {'on' if settings.bell else 'off'}, notifications {settings.notification} (Settings)"
    if (
        settings.notification != "off"
        and environment.get("TMUX")
        and _tmux_option("allow-passthrough") == "off"
    ):
        advice = "tmux does not pass notifications on. In its settings: set -g allow-passthrough on"
        return Finding("bell", found, advice)
    return Finding("bell", found)


def _tmux_option(name: str) -> str:
    """Ask tmux how an option is set; empty where it does not say."""
    command = ["tmux", "show", "-gv", name]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=_MULTIPLEXER_SECONDS
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
