"""Programs that share nothing with ours but the document of the protocol race at the real server."""

from __future__ import annotations

import ast
import shutil
import sys
from pathlib import Path

import pytest
import trio

from heat_core.race.events import ChoiceMade
from heat_core.wire.messages import LobbyView, RoomOptions, SeasonOptions, Start, Update
from heat_server.config import ServerConfig
from heat_server.serve import serve
from tests.server.support import Player

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MODULES = RoomOptions(
    laps=1,
    cars=5,
    garage="mixed",
    expansion=True,
    weather=True,
    season=SeasonOptions(None, ("usa", "japan", "mexico"), events=True, sponsorships=True),
)
NAMES = ["one", "two"]
NODE = shutil.which("node")
PROGRAMS = [
    pytest.param([sys.executable, "-I", str(EXAMPLES / "bot.py")], id="python"),
    pytest.param(
        [NODE, str(EXAMPLES / "bot.js")],
        id="javascript",
        marks=pytest.mark.skipif(NODE is None, reason="this system has no Node.js"),
    ),
]


async def race_as_host(wim: Player) -> None:
    """Start each race once the programs are ready, and drive in it; all of the championship."""
    while wim.room is None or wim.room.phase != "ended":
        message = await wim.receive()
        if isinstance(message, LobbyView) and message.phase in ("lobby", "between"):
            programs = [place for place in message.places if place.name in NAMES]
            if len(programs) == len(NAMES) and all(place.is_ready for place in programs):
                await wim.send(Start(wim.id()))
        elif isinstance(message, Update) and (act := wim.next_act()) is not None:
            await wim.send(act)


@pytest.mark.trio
@pytest.mark.spec("BOT-5")
@pytest.mark.parametrize("program", PROGRAMS)
async def test_a_program_races_a_championship_with_all_modules_without_one_refusal(
    program: list[str],
) -> None:
    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            config = ServerConfig(port=0, messages_at_once=100_000, bot_seconds=0)
            port = (await nursery.start(serve, config))[0][1]
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                wim = Player(stream)
                await wim.hello()
                code = await wim.create("wim", MODULES)
                await wim.bot(3, "random")
                await wim.bot(4, "legend:hard")
                bots = [
                    await nursery.start(trio.run_process, [*program, "127.0.0.1", str(port), code, name])
                    for name in NAMES
                ]
                await race_as_host(wim)
                # A refusal of whatever they send ends them with another status.
                assert [await bot.wait() for bot in bots] == [0, 0]
            events = [event for update in wim.updates for event in update.events]
            choices = [event for event in events if isinstance(event, ChoiceMade)]
            assert not any(choice.by_clock for choice in choices)
            assert wim.season is not None
            assert [race.end for race in wim.season.view.races] == ["finished"] * 3
            nursery.cancel_scope.cancel()


def test_the_example_in_python_is_short_and_imports_nothing_of_ours() -> None:
    text = (EXAMPLES / "bot.py").read_text(encoding="utf-8")
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports for alias in node.names if isinstance(node, ast.Import)}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert names == {"socket", "sys", "msgpack"}
    lines = [line for line in text.splitlines() if line and not line.startswith(("import", '"""'))]
    assert len(lines) < 45


@pytest.mark.parametrize("name", ["bot.py", "bot.js"])
def test_the_page_shows_the_examples_as_they_are(name: str) -> None:
    page = (EXAMPLES.parent / "docs" / "bots.md").read_text(encoding="utf-8")
    assert f"\n{(EXAMPLES / name).read_text(encoding='utf-8')}```\n" in page
