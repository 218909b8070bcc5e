"""What is sent for a changed part of the screen shows just what a whole repaint shows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any, ClassVar, Final, Literal

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual._compositor import CompositorUpdate, LayoutUpdate
from textual._context import visible_screen_stack
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Static

from heat_tui.screens.base import HeatModal, HeatScreen
from heat_tui.terminal.updates import Part, PartsUpdate, Run
from tests.tui.quiet import _draw_now

SIZE: Final = (40, 16)
_SENT: Final = re.compile(r"\x1b\[([0-9;]*)([Hm])|(\x1b]8;[^\x1b]*\x1b\\)|([^\x1b])")
_CODE: Final = re.compile(r"[34]8;2;\d+;\d+;\d+|[34]8;5;\d+|\d+")


def styles() -> tuple[Style, ...]:
    """Give some styles, new ones: each keeps what it was once written as."""
    return (
        Style(),
        Style(bold=True, color="#ff0000"),
        Style(color="#00ff00", bgcolor="#101010"),
        Style(color="#0000ff", bgcolor="#101010"),
        Style(bgcolor="#202020"),
        Style(underline=True, bgcolor="#202020"),
    )


class Terminal:
    """The cells that sequences of ours and of Textual's lead to, each with its character and styles."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, tuple[str, str, frozenset[str]]]] = {}

    def show(self, sent: str) -> None:
        x = y = 0
        fore = back = ""
        flags: set[str] = set()
        for arguments, kind, _, letter in _SENT.findall(sent):
            if kind == "H":
                y, x = (int(number) - 1 for number in arguments.split(";"))
            elif kind == "m":
                for code in _CODE.findall(arguments):
                    if code == "0":
                        fore = back = ""
                        flags.clear()
                    elif code in ("39", "49"):
                        fore, back = ("", back) if code == "39" else (fore, "")
                    elif code[0] in "39" and len(code) > 1:
                        fore = code
                    elif code[0] in "41" and len(code) > 1:
                        back = code
                    else:
                        flags.add(code)
            elif letter and letter != "\n":
                # What is blank has no colour of its own, unless a line runs through it or it is reversed.
                ink = "" if letter == " " and not flags else fore
                for cell, shown in enumerate((letter, "")[: cell_len(letter)]):
                    self.cells[x + cell, y] = shown, (ink, back, frozenset(flags))
                x += cell_len(letter)


class PartsApp(App[None]):
    """Panels beside, within and above one another; what is displayed goes to a terminal."""

    CSS: ClassVar[str] = """
    HeatScreen { layers: below above; }
    #left { width: 20; height: 8; background: #102030; border: round white; }
    #scrolled { width: 24; height: 6; offset: 8 0; }
    #tall { height: 20; }
    #over { layer: above; width: 15; height: 5; offset: 12 4; background: #553311; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.terminal = Terminal()
        self.updates: list[CompositorUpdate] = []

    def _display(self, screen: Screen[object], renderable: Any) -> None:
        super()._display(screen, renderable)
        if renderable is not None:
            self.updates.append(renderable)
            self.terminal.show(renderable.render_segments(self.console))

    def is_shown_whole(self) -> bool:
        """Tell whether the terminal shows what all of the screen, painted anew by Textual, would."""
        visible_screen_stack.set(self._background_screens)
        terminal = Terminal()
        update = LayoutUpdate(
            [[strip] for strip in self.screen._compositor.render_strips()], Region(0, 0, *SIZE)
        )
        terminal.show(update.render_segments(self.console))
        return terminal.cells == self.terminal.cells


class PanelScreen(HeatScreen[None]):
    def compose(self) -> ComposeResult:
        yield Static("left", id="left")
        with VerticalScroll(id="scrolled"):
            yield Static(Text("\n".join(f"line {number} 日本" for number in range(20))), id="tall")
        yield Static("over", id="over")


class Box(HeatModal[None]):
    def compose(self) -> ComposeResult:
        yield Static("a box", id="over")


@pytest.mark.asyncio
@pytest.mark.parametrize("number", range(4))
async def test_parts_of_a_screen_come_to_the_same_as_all_of_it(number: int) -> None:
    app, chance = PartsApp(), Random(number)
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(PanelScreen())
        await pilot.pause()
        for _ in range(12):
            panel = app.screen.query_one(f"#{chance.choice(('left', 'tall', 'over'))}", Static)
            panel.update(Text(f"{chance.random()} " * 6, style=chance.choice(styles())))
            app.screen.query_one("#scrolled").scroll_to(y=chance.randrange(14), animate=False)
            panel.refresh(Region(chance.randrange(9), chance.randrange(4), chance.randrange(1, 9), 2))
            await pilot.pause()
            await pilot.pause()  # to scroll takes a frame more
            assert app.is_shown_whole()
        assert sum(isinstance(update, PartsUpdate) for update in app.updates) >= 5
        await app.push_screen(Box())
        await pilot.pause()
        assert app.is_shown_whole()
        app.screen.query_one("#over", Static).update("another box")
        await pilot.pause()
        assert app.is_shown_whole()


@pytest.mark.asyncio
async def test_a_frame_is_shown_at_once_with_all_that_waits_to_be_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Screen, "_compositor_refresh", _draw_now)
    app = PartsApp()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(screen := PanelScreen())
        await pilot.pause()
        left, over = (screen.query_one(f"#{name}", Static) for name in ("left", "over"))
        over.update("under way", layout=False)
        over._repaint_required = False
        screen._dirty_widgets.add(over)  # Textual has heard of this one, and not yet of the other
        left.update("a frame", layout=False)
        before = len(app.updates)
        screen.show_now()
        assert len(app.updates) == before + 1
        assert app.is_shown_whole()
        await pilot.pause()
        assert len(app.updates) == before + 1, "nothing is shown twice"
        screen.show_now()
        assert len(app.updates) == before + 1, "nothing has changed"


@pytest.mark.asyncio
async def test_a_frame_below_a_dialog_or_before_a_new_layout_is_shown_when_its_time_comes() -> None:
    app = PartsApp()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(screen := PanelScreen())
        await pilot.pause()
        left = screen.query_one("#left", Static)
        for news, box in (("one", None), ("two", Box())):
            if box is not None:
                await app.push_screen(box)
                await pilot.pause()
            before = len(app.updates)
            left.update(news, layout=box is None)
            screen.show_now()
            assert len(app.updates) == before
            await pilot.pause()
            await pilot.pause()
            assert len(app.updates) > before
            assert app.is_shown_whole()


@pytest.mark.asyncio
async def test_a_frame_that_comes_when_the_screen_has_gone_is_not_shown() -> None:
    app = PartsApp()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(screen := PanelScreen())
        await pilot.pause()
        await app.pop_screen()
        before = len(app.updates)
        screen.show_now()
        await app.push_screen(last := PanelScreen())
        await pilot.pause()
    last.show_now()
    assert len(app.updates) >= before, "and nothing was raised"


def runs_of(segments: Iterable[Segment]) -> list[Run]:
    return [(text, style) for text, style, _ in segments]


@pytest.mark.parametrize("system", ["truecolor", "256", "standard"])
def test_styles_one_after_the_other_are_those_that_were_asked_for(
    system: Literal["truecolor", "256", "standard"],
) -> None:
    console = Console(color_system=system, force_terminal=True)
    chance, some = Random(7), styles()
    strips = [
        Strip([Segment(chance.choice((" ", "▀", "x")), chance.choice(some)) for _ in range(30)])
        for _ in range(20)
    ]
    terminal, expected = Terminal(), Terminal()
    parts = [Part(y, 3, runs_of(strip)) for y, strip in enumerate(strips)]
    terminal.show(PartsUpdate(parts).render_segments(console))
    expected.show("".join(f"\x1b[{y + 1};4H{strip.render(console)}" for y, strip in enumerate(strips)))
    assert terminal.cells == expected.cells
    assert len(terminal.cells) == 600


def test_what_is_sent_is_short_and_leaves_no_style_behind() -> None:
    console = Console(color_system="truecolor", force_terminal=True)
    _, _, green, blue, *_ = styles()
    painted = [Segment("▀", green), Segment("▀", blue), Segment(" ", green), Segment("x")]
    sent = PartsUpdate([Part(2, 4, runs_of(painted))]).render_segments(console)
    assert sent == "\x1b[3;5H\x1b[38;2;0;255;0;48;2;16;16;16m▀\x1b[38;2;0;0;255m▀ \x1b[39;49mx"
    link = Segment("there", Style(link="https://example.org", bold=True))
    strip = Strip([painted[0], link, painted[0]])
    assert f"▀\x1b[0m{Strip([link]).render(console)}\x1b[38;2" in PartsUpdate(
        [Part(0, 0, runs_of(strip))]
    ).render_segments(console)
