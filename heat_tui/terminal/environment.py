"""What the terminal can do, as far as the environment shows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final, Protocol

COERCED: Final = "C.UTF-8"
"""What Python itself puts into LC_CTYPE where the locale is C; it says nothing of the terminal."""


CONSOLE: Final = "linux"
"""The `TERM` of a machine's own console: its fonts have neither half blocks nor check marks nor braille."""

DRIVER_VARIABLE: Final = "TEXTUAL_DRIVER"
"""Names the driver that Textual is to use."""


class Stream(Protocol):
    """As much of a file as the check needs."""

    def isatty(self) -> bool:
        """Tell whether it is a terminal."""
        ...


def is_terminal(stream: Stream | None) -> bool:
    """Tell whether a stream is there, and a terminal."""
    return stream is not None and stream.isatty()


def why_no_screen(stdin: Stream | None, stderr: Stream | None) -> str | None:
    """Say in one sentence why there can be no screen, None where there can be.

    Args:
        stdin: Where keys come from.
        stderr: Where Textual draws.
    """
    for stream, what in ((stdin, "standard input"), (stderr, "standard error")):
        if not is_terminal(stream):
            return f"a terminal is needed, but {what} is not one."
    if os.environ.get("TERM", "") in ("", "dumb"):
        return "the terminal cannot show screens (TERM is 'dumb' or not set)."
    return None


def is_driver_named() -> bool:
    """Tell whether the environment names the driver that Textual is to use."""
    return bool(os.environ.get(DRIVER_VARIABLE))


def speaks_unicode(environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether other signs than plain ASCII may be shown; without any word on it: yes."""
    if environment.get("TERM") == CONSOLE:
        return False
    type_of_text = environment.get("LC_CTYPE", "")
    if type_of_text == COERCED:
        type_of_text = ""
    locale = environment.get("LC_ALL") or type_of_text or environment.get("LANG") or "utf-8"
    return "utf" in locale.lower()
