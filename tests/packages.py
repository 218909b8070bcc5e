"""`make packages`: the tests of smoke.txt where users have the project, away from this checkout.

They run in an unpacked sdist, installed as a checkout is, and then against the wheel that is built of it,
where beside the tests lies no package of the project.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.installed import CLEAN, ROOT, build, install

PACKAGES = ("heat_core", "heat_server", "heat_tui")


def main() -> int:
    """Build, install and test both; the first that fails ends it, with pytest's status."""
    with tempfile.TemporaryDirectory(prefix="heat-packages-") as name:
        folder = Path(name)
        source = unpack(build("sdist", ROOT, folder / "dist"), folder)
        print("tests in an unpacked sdist:", flush=True)
        install(folder / "of-sdist", "--editable", source)
        if status := test(folder / "of-sdist", source):
            return status
        wheel = build("wheel", source, folder / "dist")
        print("tests against an installed wheel:", flush=True)
        install(folder / "of-wheel", wheel)
        for package in PACKAGES:
            shutil.rmtree(source / package)
        return test(folder / "of-wheel", source)


def unpack(sdist: Path, folder: Path) -> Path:
    """Unpack an sdist, and give the tree that was in it."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return folder / sdist.name.removesuffix(".tar.gz")


def test(home: Path, tree: Path) -> int:
    """Run the tests of a tree in an environment, and give pytest's status."""
    command = [home / "bin" / "python", "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal"]
    command += ["-p", "no:cacheprovider", "@tests/smoke.txt", *sys.argv[1:]]
    return subprocess.run([str(word) for word in command], cwd=tree, env=CLEAN).returncode


if __name__ == "__main__":
    sys.exit(main())
