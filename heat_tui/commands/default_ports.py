"""The ports that doors have where nobody chooses others."""

from __future__ import annotations

from typing import Final

DEFAULT_SSH_PORT: Final = 2222
DEFAULT_WEB_PORT: Final = 8000
