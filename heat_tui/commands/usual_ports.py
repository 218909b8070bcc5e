"""The ports that doors have where nobody chooses others."""

from __future__ import annotations

from typing import Final

USUAL_SSH_PORT: Final = 2222
USUAL_WEB_PORT: Final = 8000
