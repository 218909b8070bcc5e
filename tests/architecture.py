"""Draws the packages and what imports what, from the imports themselves: `make architecture`.

The picture is in docs/architecture.md between two marks, as a Mermaid diagram; a test asks whether it is so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import grimp

PACKAGES: Final = ("heat_core", "heat_server", "heat_tui")
DOCUMENT: Final = Path(__file__).resolve().parent.parent / "docs" / "architecture.md"
BEGIN: Final = "<!-- drawn by make architecture -->\n"
END: Final = "<!-- end of what make architecture draws -->\n"


def diagram() -> str:
    """Give the diagram: a box for each folder with code, one for the other modules, arrows for imports."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    folders = {
        child for package in PACKAGES for child in graph.find_children(package) if graph.find_children(child)
    }

    def box(module: str) -> str:
        package, *rest = module.split(".")
        folder = f"{package}.{rest[0]}" if rest else package
        return folder if folder in folders else package

    arrows = {
        (box(importer), box(imported))
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
        if box(importer) != box(imported)
    }
    lines = ["```mermaid", "flowchart TD"]
    for package in reversed(PACKAGES):
        lines.append(f"  subgraph {package}")
        lines.append(f"    {package}.modules[its modules]")
        lines += [
            f"    {folder}[{folder.removeprefix(package + '.')}]"
            for folder in sorted(folders)
            if folder.startswith(f"{package}.")
        ]
        lines.append("  end")
    for importer, imported in sorted(arrows):
        if importer.split(".")[0] == imported.split(".")[0]:
            lines.append(f"  {_name(importer)} --> {_name(imported)}")
    across = sorted({(one.split(".")[0], other.split(".")[0]) for one, other in arrows})
    lines += [f"  {one} ==> {other}" for one, other in across if one != other]
    return "\n".join([*lines, "```", ""])


def _name(box: str) -> str:
    return box if "." in box else f"{box}.modules"


def drawn_in(text: str) -> str:
    """Give the diagram that a document has now.

    Raises:
        ValueError: The marks are not there.
    """
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)]


def main() -> None:
    """Put the diagram into the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(text.replace(BEGIN + drawn_in(text), BEGIN + diagram()), encoding="utf-8")


if __name__ == "__main__":
    main()
