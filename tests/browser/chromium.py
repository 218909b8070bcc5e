"""A real browser without a screen, driven by the DevTools protocol: a telephone with a finger on it."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import aiohttp

from tests.tui.support_app import until

PROGRAM: Final = shutil.which("chromium")
FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-3d-apis",  # the terminal's text is then in the document
    "--remote-debugging-port=0",
)  # fmt: skip
SIDEWAYS: Final = (844, 390)
UPRIGHT: Final = (390, 844)

TEXT: Final = "[...document.querySelectorAll('.xterm-rows > div')].map(row => row.textContent).join('\\n')"


class Page:
    """A page on a telephone."""

    def __init__(self, websocket: aiohttp.ClientWebSocketResponse) -> None:
        self._websocket = websocket
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.complaints: list[str] = []
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._websocket:
            told = json.loads(message.data)
            if "id" in told:
                self._answers.pop(told["id"]).set_result(told)
            elif told["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.complaints.append(json.dumps(told["params"])[:500])

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        await self._websocket.send_json({"id": number, "method": method, "params": parameters})
        told = await asyncio.wait_for(answer, 30)
        assert "error" not in told, told
        result: dict[str, Any] = told["result"]
        return result

    async def run(self, script: str) -> Any:
        told = await self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    async def hold(self, size: tuple[int, int], *, is_telephone: bool = True) -> None:
        """Hold the telephone sideways or upright."""
        width, height = size
        await self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=3 if is_telephone else 1,
            mobile=is_telephone,
        )
        await self.ask("Emulation.setTouchEmulationEnabled", enabled=is_telephone, maxTouchPoints=5)

    async def open(self, url: str) -> None:
        await self.ask("Page.navigate", url="about:blank")
        await self.ask("Page.navigate", url=url)
        await self.until_true("document.readyState === 'complete'")

    async def until_true(self, script: str, seconds: float = 45.0) -> None:
        async with asyncio.timeout(seconds):
            await self._look(lambda: self.run(f"Boolean({script})"), bool)

    async def _look(self, ask: Callable[[], Awaitable[Any]], is_good: Callable[[Any], bool]) -> None:
        """Ask until the answer is good: a page says nothing by itself."""
        while True:
            if is_good(await ask()):
                return
            await asyncio.sleep(0.05)

    async def text(self) -> str:
        """Give what the terminal shows, a line a row."""
        text: str = await self.run(TEXT)
        return text.replace("\xa0", " ")

    async def shows(self, text: str, seconds: float = 45.0) -> None:
        shown = ""

        async def look() -> str:
            nonlocal shown
            shown = await self.text()
            return shown

        try:
            async with asyncio.timeout(seconds):
                await self._look(look, lambda shown: text in shown)
        except TimeoutError:
            raise AssertionError(f"{text!r} is not in\n{shown}") from None

    async def fill(self, field: str, text: str) -> None:
        """Type into a field of the page, and send its form."""
        await self.until_true(f"document.querySelector('input[name={field}]').offsetParent")
        await self.run(f"document.querySelector('input[name={field}]').value = {json.dumps(text)}")
        await self.tap("#panel button:not([hidden])")

    async def tap(self, selector: str) -> None:
        """Put a finger on something of the page."""
        x, y = await self.run(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        await self.touch(x, y)

    async def touch(self, x: float, y: float) -> None:
        await self.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        await self.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def swipe(self, x: float, y: float, to_y: float) -> None:
        await self.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for step in range(1, 9):
            at = y + (to_y - y) * step / 8
            await self.ask("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": at}])
        await self.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def tap_text(self, text: str) -> bool:
        """Put a finger on a text in the terminal; gives whether it is there."""
        rows = (await self.text()).splitlines()
        for number, row in enumerate(rows):
            if (column := row.find(text)) >= 0:
                await self.tap_cell(column + len(text) // 2, number)
                return True
        return False

    async def tap_cell(self, column: int, row: int) -> None:
        left, top, width, height, columns, rows = await self.run(
            "(() => { const box = document.querySelector('.xterm-screen').getBoundingClientRect();"
            " const rows = document.querySelectorAll('.xterm-rows > div');"
            " return [box.x, box.y, box.width, box.height, rows[0].textContent.length, rows.length]; })()"
        )
        await self.touch(left + (column + 0.5) * width / columns, top + (row + 0.5) * height / rows)

    async def type(self, text: str) -> None:
        """Press the keys of a keyboard, one for each letter."""
        for letter in text:
            for kind in ("keyDown", "keyUp"):
                key = {"key": letter, "text": letter if kind == "keyDown" else ""}
                await self.ask("Input.dispatchKeyEvent", type=kind, **key)

    async def picture(self, path: Path) -> None:
        told = await self.ask("Page.captureScreenshot", format="png")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(told["data"]))


@asynccontextmanager
async def chromium(path: Path, *flags: str) -> AsyncIterator[Page]:
    """Start a browser with nothing in it; its first page is blank."""
    assert PROGRAM is not None
    folder = path / "chromium"
    process = await asyncio.create_subprocess_exec(
        PROGRAM, *FLAGS, *flags, f"--user-data-dir={folder}", "about:blank",
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "XDG_CONFIG_HOME": str(path)},  # reports of crashes do not follow --user-data-dir
    )  # fmt: skip
    try:
        await until((folder / "DevToolsActivePort").exists, 30)
        await until(lambda: "/" in (folder / "DevToolsActivePort").read_text(), 30)
        port = (folder / "DevToolsActivePort").read_text().split()[0]
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                (target,) = [one for one in await answer.json() if one["type"] == "page"]
            async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as websocket:
                page = Page(websocket)
                for domain in ("Page", "Runtime", "Log"):
                    await page.ask(f"{domain}.enable")
                yield page
                page._reading.cancel()
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
