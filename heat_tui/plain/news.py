"""When plain mode says what others do: as it happens, or later. A setting, changed at any question."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, get_args

import msgspec

from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.state import Folders, News, load_settings, save_settings

NEWS_TOLD: Final[dict[News, str]] = {
    "now": "what others do is said as it happens, but never while you type",
    "later": "what others do is said after you have typed something, and before you are asked something",
}


def news_switches(terminal: LineTerminal, folders: Folders) -> dict[str, Callable[[], str]]:
    """Have a terminal follow the settings; gives what `news now` and `news later` do, by what is typed."""

    def turn(news: News) -> str:
        terminal.is_news_held = news == "later"
        save_settings(folders, msgspec.structs.replace(load_settings(folders), news=news))
        return f"News {news}: {NEWS_TOLD[news]}."

    terminal.is_news_held = load_settings(folders).news == "later"
    return {f"news {news}": partial(turn, news) for news in get_args(News)}
