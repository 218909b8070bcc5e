"""Steps of the build: no package without the boards, and the engine compiled in a wheel that asks for it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

IS_COMPILED: Final = os.environ.get("HEAT_COMPILED") == "1"
"""Whether wheels hold the engine compiled, for this Python on this platform (`make wheel`)."""


class Steps(BuildHookInterface[Any]):
    """What is done before each wheel, sdist and editable install."""

    def dependencies(self) -> list[str]:
        """Name what compiles, and what the types of the compiled modules need."""
        return ["msgspec>=0.21", "mypy>=1.18", "setuptools"] if self._compiles() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Look, and compile; a fault ends the build with status 1."""
        self._refuse_without_tracks()
        if self._compiles() and version == "standard":
            self._add_compiled_engine(build_data)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled: it lies in the wheel."""
        if "compiled" in build_data:
            build_data["compiled"].cleanup()

    def _compiles(self) -> bool:
        return IS_COMPILED and self.target_name == "wheel"

    def _refuse_without_tracks(self) -> None:
        """Refuse where the symbolic link has become a text file, as in a checkout without symbolic links."""
        if not any(Path(self.root, "heat_core", "tracks").glob("*.json")):
            self.app.abort(
                "heat_core/tracks must be a symbolic link to tracks/, or a folder with the same files. "
                "Git on Windows needs `git config core.symlinks true`, then check out again."
            )

    def _add_compiled_engine(self, build_data: dict[str, Any]) -> None:
        folder = build_data["compiled"] = tempfile.TemporaryDirectory(prefix="heat-wheel-")
        command = [sys.executable, "fast_build.py", "into", folder.name]
        if subprocess.run(command, cwd=self.root).returncode:
            self.app.abort("The wheel was not built.")
        made = [path for path in Path(folder.name).rglob("*") if path.is_file()]
        build_data["force_include"] |= {str(path): str(path.relative_to(folder.name)) for path in made}
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
