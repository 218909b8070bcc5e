"""The saved records in lines: newest first, each with a number of its own."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import Final

from heat_core.files import shown_path
from heat_core.record.record import BadRecord
from heat_core.text import counted
from heat_tui.plain.answer_words import is_asking, is_leaving
from heat_tui.plain.asking import BadAnswer, read_number
from heat_tui.plain.line_terminal import LineTerminal
from heat_tui.plain.replay import PlainReplay
from heat_tui.saved.records import KeptRecord, delete_record, look_at_records, no_records, read_playback
from heat_tui.state import Folders

_AT_ONCE: Final = 10
"""So many records are shown before one is asked."""


async def replays_here(terminal: LineTerminal, folders: Folders) -> None:
    """Tell what is kept, and play back what is chosen, until that is left."""
    await _KeptRaces(terminal, folders).run()


class _KeptRaces:
    """The list; what cannot be read is a line of it all the same."""

    def __init__(self, terminal: LineTerminal, folders: Folders) -> None:
        self._terminal = terminal
        self._folders = folders
        self._unread = look_at_records(folders)
        self._kept: list[KeptRecord | None] = []  # None: it has been deleted
        self._ahead: list[KeptRecord] = []  # looked at, but not shown

    async def run(self) -> None:
        await self._tell_more()
        while any(self._kept):
            line = await self._terminal.ask(self._question())
            if is_leaving(line):
                return
            try:
                await self._hear(line.casefold())
            except BadAnswer as error:
                self._terminal.say(str(error))
        if self._kept:
            self._terminal.say("No saved races are left.")
        else:
            self._terminal.say(no_records(self._folders))

    def _question(self) -> str:
        more = ", more for older ones" if self._ahead else ""
        newest = self._newest
        return (
            f"Type a race's number to watch it, Enter for {newest}{more}, delete and a number, "
            f"or leave. For example: {newest}"
        )

    @property
    def _newest(self) -> int:
        return next(number for number, kept in enumerate(self._kept, start=1) if kept is not None)

    async def _hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if is_asking(line):
            self._terminal.say(
                "Each line is a race: its number, when it ended, track, cars, rounds and winner. list shows "
                "them again."
            )
        elif line == "list":
            self._tell(1)
        elif line == "more" and self._ahead:
            await self._tell_more()
        elif word == "delete":
            await self._delete(self._number(rest.strip()))
        else:
            await self._play_back(self._number(line) if line else self._newest)

    def _number(self, text: str) -> int:
        number = read_number(text, 1, len(self._kept), "A race of the list")
        if self._kept[number - 1] is None:
            raise BadAnswer(f"Race {number} is deleted.")
        return number

    async def _tell_more(self) -> None:
        """Look at some more records, and tell them."""
        first = len(self._kept) + 1
        missing = _AT_ONCE + 1 - len(self._ahead)
        found = self._ahead + await asyncio.to_thread(lambda: list(islice(self._unread, missing)))
        self._kept += found[:_AT_ONCE]
        self._ahead = found[_AT_ONCE:]
        self._tell(first)

    def _tell(self, first: int) -> None:
        for number, kept in enumerate(self._kept[first - 1 :], start=first):
            if kept is not None:
                self._terminal.say(f"{number}: {_record_text(kept)}.")

    async def _play_back(self, number: int) -> None:
        kept = self._kept[number - 1]
        assert kept is not None
        try:
            playback = await asyncio.to_thread(read_playback, kept.path)
        except BadRecord as error:
            raise BadAnswer(f"{error}.") from None
        await PlainReplay(playback, self._terminal, self._folders).run()

    async def _delete(self, number: int) -> None:
        kept = self._kept[number - 1]
        assert kept is not None
        if not await self._terminal.agrees(f"Delete race {number}? You cannot undo this."):
            return
        if refusal := delete_record(kept):
            raise BadAnswer(refusal)
        self._kept[number - 1] = None
        self._terminal.say("Deleted.")
        if self._ahead and not any(self._kept):
            await self._tell_more()


def _record_text(kept: KeptRecord) -> str:
    ended = kept.moment.astimezone()
    moment = f"{ended.day} {ended:%B %Y, %H:%M}"  # a voice reads 2026-11-29 as numbers and dashes
    if kept.summary is None:
        return f"{moment}, {shown_path(kept.path.name)} cannot be read: {kept.fault}"
    setup = kept.summary.setup
    end = kept.winner if kept.summary.end is None else f"won by {kept.winner}"
    cars, rounds = counted(len(setup.cars), "car"), counted(kept.summary.rounds, "round")
    return f"{moment}, {setup.track.name}, {cars}, {rounds}, {end}"
