"""Waking the rooms that sleep on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog
import trio

from heat_core.race.dump import OtherVersion
from heat_server.log import kind_of_fault, place_of_fault
from heat_server.room.actor import RoomActor
from heat_server.room.context import RoomContext
from heat_server.room.hibernation import Hibernation, Sleeper
from heat_server.room.journal import close_match
from heat_server.store.errors import MatchesMoved, NoSuchMatch, StoreDamaged, StoreFailed
from heat_server.store.failure_log import log_failure
from heat_server.store.writes import CloseMatch

MOST_WAKING: Final = 4
"""How many rooms are read at once: the commits of those that race have to wait for these reads."""

log = structlog.get_logger()


class Waker:
    """Wakes rooms, a few at a time, and remembers those that another version began."""

    def __init__(
        self, context: RoomContext, sleeping: Hibernation, let_run: Callable[[RoomActor], None]
    ) -> None:
        """Begin with none.

        Args:
            context: What the rooms share.
            sleeping: Those that can be woken; who is awake sleeps no more.
            let_run: Takes over a room that is awake.
        """
        self._context = context
        self._sleeping = sleeping
        self._let_run = let_run
        self._waking: dict[str, trio.Event] = {}
        self._turns = trio.Semaphore(MOST_WAKING)
        # Why rooms were closed that another version began: by code, and by the tokens that had a place there.
        self._other_versions: dict[str, str] = {}
        self._lost_places: dict[bytes, str] = {}

    async def wake(self, code: str) -> StoreFailed | None:
        """Wake a room if it sleeps here; give why it sleeps on, where that is the store's doing.

        Cancelled, it leaves the room awake or asleep.
        """
        while code in self._waking:
            await self._waking[code].wait()
        if code not in self._sleeping:
            return None
        failure: StoreFailed | None = None
        done = self._waking[code] = trio.Event()
        try:
            async with self._turns:
                sleeper = self._sleeping.find(code)
                if sleeper is not None:  # else it was lost to another server meanwhile
                    with trio.CancelScope(shield=True):  # or a hasty client's room would be lost to all
                        failure = await self._wake(sleeper)
        finally:
            del self._waking[code]
            done.set()
        return failure

    async def _wake(self, sleeper: Sleeper) -> StoreFailed | None:
        """Wake a room, which is closed where it can never be woken; give why it sleeps on."""
        code = sleeper.code
        try:
            room = await RoomActor.woken(self._context, sleeper)
        except OtherVersion as error:
            await self._close_other_version(sleeper, error)
        except MatchesMoved:
            log.warning("room moved", room=code)
            self._sleeping.take(code)
        except NoSuchMatch as error:
            log.error("room not there", room=code, error=str(error))
            self._sleeping.take(code)
        except Exception as error:  # whatever is in there, it must not reach who asked
            if isinstance(error, StoreFailed) and not isinstance(error, StoreDamaged):
                log_failure("room not read", error, room=code)
                self._sleeping.put(sleeper._replace(since=trio.current_time()))
                return error
            fault, at = kind_of_fault(error), place_of_fault(error)
            log.error("room cannot be brought back", room=code, fault=fault, at=at)
            reason = "The race could not be restored: it is damaged or from another version."
            await close_match(self._context.worker, code, CloseMatch(sleeper.match, "faulted", reason))
            self._sleeping.take(code)
        else:
            self._sleeping.take(code)
            self._let_run(room)
            log.info("room woken", room=code)
        return None

    async def _close_other_version(self, sleeper: Sleeper, error: OtherVersion) -> None:
        """Close a room that this version cannot continue; anyone who comes to it reads why."""
        reason = f"The race cannot be continued: {error}."
        log.warning("room closed", room=sleeper.code, reason=reason)
        await close_match(self._context.worker, sleeper.code, CloseMatch(sleeper.match, "closed", reason))
        self._sleeping.take(sleeper.code)
        self._other_versions[sleeper.code] = reason
        self._lost_places.update(dict.fromkeys(sleeper.keys, reason))

    def why_closed(self, code: str) -> str | None:
        """Say why a room was closed that this version cannot continue."""
        return self._other_versions.get(code)

    def why_lost(self, key: bytes) -> str | None:
        """Say why a token has no place any more, where that is not its driver's doing."""
        return self._lost_places.get(key)
