"""A scene: a screen in one of its states, and how it comes about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from textual.pilot import Pilot
from textual.worker import Worker

from heat_tui.app import HeatApp
from heat_tui.state import Settings, save_settings
from tests.svg import compact
from tests.tui.doors import DOORS, AnyScreen, door_app, go_through
from tests.tui.support_app import folders_in, until
from tests.tui.support_race import begin, on_to

Act: TypeAlias = Callable[[Pilot[None]], Awaitable[None]]
Seen = TypeVar("Seen")


class Scene(NamedTuple):
    """A state of a screen that is pictured.

    Attributes:
        name: Of the picture.
        screen: What is on top in the end.
        app: Makes the client, with its files in a folder that is empty but for the settings.
        act: What is done until the picture can be taken.
    """

    name: str
    screen: type[AnyScreen]
    app: Callable[[Path], HeatApp]
    act: Act


async def settled(pilot: Pilot[None], screen: type[AnyScreen]) -> None:
    """Wait until a screen stands and has drawn itself, its pictures too."""
    await until(lambda: type(pilot.app.screen) is screen)
    await pilot.pause()
    await until(lambda: not any(_is_drawing(worker) for worker in pilot.app.workers))
    await pilot.pause()


def _is_drawing(worker: Worker[object]) -> bool:
    return worker.is_running and worker.group in ("races", "refine")


async def visit(
    scene: Scene,
    sizes: Sequence[tuple[int, int]],
    path: Path,
    look: Callable[[Pilot[None]], Seen],
    *,
    settings: Settings | None = None,
) -> list[Seen]:
    """Look at a scene in several sizes; the client stays open while the terminal changes its size.

    Args:
        sizes: Of the terminal, in cells.
        path: For the client's files; empty.
        look: Is called in each size, once the screen has drawn itself.
        settings: That the client starts with; None: the usual ones.

    Returns:
        What was seen in each size.
    """
    if settings is not None:
        save_settings(folders_in(path), settings)
    app = scene.app(path)
    seen = []
    async with app.run_test(size=sizes[0]) as pilot:
        await scene.act(pilot)
        for size in sizes:
            if size != sizes[0]:
                await pilot.resize_terminal(*size)
            await settled(pilot, scene.screen)
            seen.append(look(pilot))
    return seen


def picture(pilot: Pilot[None]) -> str:
    """Take a picture of the screen as it is: SVG."""
    app = pilot.app
    return compact(app.export_screenshot(title=app.title, simplify=True))


async def take(
    scene: Scene, sizes: Sequence[tuple[int, int]], path: Path, *, is_ascii: bool = False
) -> list[str]:
    """Take pictures of a scene, SVG of each size; see `visit`."""
    return await visit(scene, sizes, path, picture, settings=Settings(ascii=is_ascii))


def client(opening: Callable[[HeatApp], None] | None = None) -> Callable[[Path], HeatApp]:
    """Make the client, at Home or where something leads it."""
    return lambda path: HeatApp(folders_in(path), opening=opening, animate=False, player_name="Ana")


def behind_a_door(screen: type[AnyScreen], name: str = "") -> Scene:
    """Picture a screen as it is first come to."""
    door = DOORS[screen]

    async def act(pilot: Pilot[None]) -> None:
        await go_through(pilot, door)

    return Scene(name or screen.__name__, screen, lambda path: door_app(path, door), act)


def pressing(*keys: str) -> Act:
    """Press keys once the first screen stands; words in one text are pressed together, then it is waited."""

    async def act(pilot: Pilot[None]) -> None:
        await pilot.pause()
        await pilot.pause()
        for key in keys:
            await pilot.press(*key.split())
            await pilot.pause()

    return act


def racing(*keys: str, phase: str = "") -> Act:
    """Go on in a race to a phase, then press keys."""

    async def act(pilot: Pilot[None]) -> None:
        app = await begin(pilot)
        if phase:
            await on_to(pilot, app, phase)
        await pressing(*keys)(pilot)

    return act
