"""When Python looks for rings of objects that nothing else holds: seldom, and not among what stays anyway.

By default Python collects after every 700 new objects, and now and then looks at all 200,000, which takes
five frames. Rings are few here: what a screen leaves behind when it closes. The server has numbers of its own
(`heat_server.process`): its objects are short-lived messages, of which 10,000 are soon there.
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
