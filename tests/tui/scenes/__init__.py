"""What the pictures show: each screen in each of its chief states."""

from tests.tui.scenes.scene import Scene, settled
from tests.tui.scenes.table import SCENES

__all__ = ["SCENES", "Scene", "settled"]
