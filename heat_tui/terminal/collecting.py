"""When Python looks for rings of objects that nothing else holds: seldom, and not among what stays anyway.

By default it does so each time that 700 objects have come to be, and looks at all there are, 200,000 in a
race, when those of a frame or two have outlived ten of ten such times: a pause of five frames. Rings are few
here: what a screen leaves behind when it closes.
"""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Look for rings seldom from now on: before all else is loaded, for that alone makes 80,000 objects."""
    gc.set_threshold(10_000, 5, 100)


def keep_what_is_there() -> None:
    """Look no more at what is there now, mostly modules and style sheets, and seldom at the rest."""
    collect_seldom()
    gc.freeze()
