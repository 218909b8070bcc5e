"""A step of the build: without the boards in `heat_core/tracks` no package and no environment is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RefuseWithoutTracks(BuildHookInterface[Any]):
    """Refuses where the symbolic link has become a text file, as in a checkout without symbolic links."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Look before each wheel, sdist and editable install; a fault ends the build with status 1."""
        if not any(Path(self.root, "heat_core", "tracks").glob("*.json")):
            self.app.abort(
                "heat_core/tracks must be a symbolic link to tracks/, or a folder with the same files. "
                "Git on Windows needs `git config core.symlinks true`, then check out again."
            )
