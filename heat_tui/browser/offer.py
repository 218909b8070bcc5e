"""The program itself for friends who want to keep it: a page with the lines to type, and the wheel."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from html import escape
from importlib.resources import files
from typing import Final

from aiohttp import web

from heat_core.version import program_version
from heat_tui.browser.links import program_path
from heat_tui.browser.site import HEADERS
from heat_tui.installation import PROJECT
from heat_tui.own_wheel import NoWheel, Wheel, WheelOffer

_PAGE: Final = files("heat_tui.browser") / "offer.html"
"""With fields in braces."""


class ProgramOffer:
    """Answers what is asked for where `program_path` leads."""

    def __init__(self, secret: str | None, page: Callable[[], str]) -> None:
        """Prepare.

        Args:
            secret: Of the link; None: anybody may come.
            page: Gives the address of the page, with a slash at its end.
        """
        self._path = f"/{program_path(secret)}"
        self._page = page
        self._wheels = WheelOffer()

    def address(self) -> str:
        """Give the address of the page with the lines."""
        return f"{self._page()}{self._path[1:]}"

    async def answer(self, request: web.BaseRequest) -> web.Response | None:
        """Give the page or the wheel; None: neither was asked for, or not with the word."""
        if (name := self._asked_for(request.path)) is None:
            return None
        try:
            wheel = await self._wheels.wheel()
        except NoWheel as error:
            return web.Response(status=404, text=str(error), headers=HEADERS)
        if name == wheel.name:
            return web.Response(body=wheel.data, content_type="application/octet-stream", headers=HEADERS)
        if name:
            return None
        return web.Response(text=self._lines(wheel), content_type="text/html", headers=HEADERS)

    def _asked_for(self, path: str) -> str | None:
        """Give what stands behind the word, empty for the page; None: it is no path of ours."""
        begin, rest = path[: len(self._path)], path[len(self._path) :]
        if not secrets.compare_digest(begin.encode(), self._path.encode()) or rest[:1] not in ("", "/"):
            return None
        return rest[1:]

    def _lines(self, wheel: Wheel) -> str:
        """Write the page."""
        address = f"{self.address()}/{wheel.name}"
        checked = f"{address}#sha256={hashlib.sha256(wheel.data).hexdigest()}"
        lines = (
            f"uv tool install '{PROJECT} @ {address}'",
            f"uvx --from '{PROJECT} @ {address}' heat-tui",
            f"pipx install '{PROJECT} @ {checked}'",
            f"pip install '{PROJECT} @ {checked}'",
        )
        return _PAGE.read_text(encoding="utf-8").format(
            version=escape(program_version()),
            lines=escape("\n".join(lines)),
            address=escape(address),
            name=escape(wheel.name),
            size=len(wheel.data) // 1000,
        )
