"""All matches and bans of one store copied to another: `heat-server store copy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from heat_server.store.bans import BanListFull, all_bans
from heat_server.store.contract import Store, WholeMatch
from heat_server.store.errors import NoSuchMatch, StoreDamaged

_ALL: Final = 2**31 - 1


class Transfer(NamedTuple):
    """What became of the matches.

    Attributes:
        copied: How many were put into the other store.
        present: How many were there already, as they are.
        faults: Why others were not copied, or are not there as they should be: a sentence each.
    """

    copied: int
    present: int
    faults: list[str]


class BanTransfer(NamedTuple):
    """What became of the bans.

    Attributes:
        copied: How many were put into the other store.
        present: How many networks were banned there already, for whatever reason.
        left_out: How many have no place there.
    """

    copied: int
    present: int
    left_out: int


def copy_bans(source: Store, target: Store) -> BanTransfer:
    """Copy all bans in one commit, or none if they are too many. What is banned there keeps its note.

    Raises:
        StoreFailed: One of the stores failed, or one of the lists is damaged. No ban was copied.
    """
    there, ours = all_bans(target), all_bans(source)
    new = {network: note for network, note in ours.items() if network not in there}
    try:
        if new:
            target.put_bans(new)
    except BanListFull:
        return BanTransfer(0, len(ours) - len(new), len(new))
    return BanTransfer(len(new), len(ours) - len(new), 0)


def count_matches(source: Store) -> int:
    """Say how many matches there are to copy.

    Raises:
        StoreFailed: The store cannot be read or is damaged.
    """
    return len(source.list_matches(_ALL))


def copy_matches(source: Store, target: Store, note_progress: Callable[[], None]) -> Transfer:
    """Copy each match in a commit of its own, the oldest first, then compare what both stores have.

    A match that is there as it is stays; one that differs is put in its place, unless what is there has gone
    on further. So a copy that was stopped anywhere goes on when it is started again, and the old store copied
    once more undoes nothing that was played in the new one. Matches that only the target has stay too.

    Args:
        source: From here; nobody may write to it meanwhile.
        target: To there; nor here.
        note_progress: Called twice for each match, after copying and after comparing.

    Raises:
        StoreFailed: One of the stores failed. What was copied is there.
    """
    faults: dict[str, str] = {}
    names = [listed.match for listed in reversed(source.list_matches(_ALL))]
    codes = {title.code: title.match for title in target.open_matches()}
    copied = present = 0
    for match in names:
        try:
            whole, there = source.copy_out(match), _whole(target, match)
            if there == whole:
                present += 1
            elif there is not None and _is_ahead(there, whole):
                faults[match] = f"match {match} is newer there, and stays as it is"
            elif whole.outcome is None and codes.get(whole.code, match) != match:
                faults[match] = f"the code {whole.code} of match {match} belongs to another open match there"
            else:
                target.copy_in(whole)
                copied += 1
                if whole.outcome is None:
                    codes[whole.code] = match
                elif codes.get(whole.code) == match:
                    del codes[whole.code]
        except StoreDamaged as error:
            faults[match] = str(error)
        note_progress()
    for match in names:
        if match not in faults and _whole(target, match) != _whole(source, match):
            faults[match] = f"match {match} is not the same in both stores; does a server use one of them?"
        note_progress()
    return Transfer(copied, present, list(faults.values()))


def _is_ahead(there: WholeMatch, whole: WholeMatch) -> bool:
    """Tell whether a match has something that another copy of it lacks."""
    is_later = there.changed_at_ms > whole.changed_at_ms or _count_events(there) > _count_events(whole)
    return is_later or (there.outcome is not None and whole.outcome is None)


def _count_events(whole: WholeMatch) -> int:
    return sum(step.count for race in whole.races for step in race.race.steps)


def _whole(store: Store, match: str) -> WholeMatch | None:
    """Read what a store has of a match; None: nothing that is whole."""
    try:
        return store.copy_out(match)
    except (NoSuchMatch, StoreDamaged):
        return None
