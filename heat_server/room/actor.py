"""A room: one task that owns a room's state and takes requests one at a time.

Theory of operation. `run` waits for the next request or the next deadline, handles it and whatever else is
waiting, saves what changed, and only then sends anything: a client never hears of something that can still
be lost. While a room waits for the disk, others work. If the disk fails, the state is read from disk again,
and those who asked learn that their requests did not count. If a database is out of reach, the room sleeps.

Nothing else touches the room's state. A connection's reader waits until its request is answered, so no
client has more than one in the queue; news of connections that came, went or caught up overtakes requests.
A bug in here ends this room and closes its match as faulted: `run` never raises. A deserted race falls
asleep: it is on disk only, and wakes when somebody comes. While a request waits, no room sleeps or ends.
"""

from __future__ import annotations

from typing import Final

import structlog
import trio

from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import ErrorData, RoomOptions
from heat_server.log import kind_of_fault, place_of_fault
from heat_server.room.bot_scheduler import Pace
from heat_server.room.broadcast import catch_up, send_everything
from heat_server.room.context import RoomContext
from heat_server.room.handlers.dispatch import answer
from heat_server.room.hibernation import OnDisk, Sleeper
from heat_server.room.inbox import Inbox
from heat_server.room.journal import Journal, close_match, restore
from heat_server.room.moving import MOVED, Move, new_address
from heat_server.room.options import checked_options, settled_options
from heat_server.room.participants import Attendance
from heat_server.room.presence import next_wake, note_presence
from heat_server.room.progress import advance
from heat_server.room.requests import News, PendingRequest, Refusal
from heat_server.room.room_exit import RoomExit
from heat_server.room.saved_room import SavedRoom
from heat_server.room.state import RoomState, new_match
from heat_server.room.timing import NEVER, PauseAfterFailure
from heat_server.room.waiting import save, why_asleep, why_not_saved
from heat_server.store.errors import CodeTaken, MatchesMoved, StoreFailed, StoreUnreachable
from heat_server.store.failure_log import log_failure
from heat_server.store.writes import CloseMatch, Outcome

MOST_WAITING_REQUESTS: Final = 64
MOST_AT_ONCE: Final = 32
"""How many requests, and how many decisions of bots, go to disk together."""

log = structlog.get_logger()


class RoomActor:
    """One room; see the theory of operation above.

    Attributes:
        state: All that the room is.
        inbox: For requests and news.
        is_over: Nothing in the inbox will be looked at any more.
        settled: Set once the room is on disk or has ended.
        is_code_taken: Whether it has ended because another open room has its code.
        gone: Set once the room has ended or sleeps.
        creator: The address that the room was made from; "" where that is not known.
        moves_to: Where its people are sent as soon as that can be; None: it stays.
        pace: What it may play for bots and those who are away.
    """

    def __init__(self, context: RoomContext, creator: str) -> None:
        """Used by `opened` and `woken`, which give it a room's state."""
        self.inbox: Inbox[PendingRequest | News] = Inbox(MOST_WAITING_REQUESTS)
        self.is_over = False
        self.settled = trio.Event()
        self.is_code_taken = False
        self.gone = trio.Event()
        self.creator = creator
        self.pace = Pace(context.bots, creator, lambda: self.inbox.put_first(News.TURN), trio.current_time())
        self._context = context
        self._worker = context.worker
        self.state: RoomState
        self._journal = Journal()
        self._on_disk: OnDisk | None = None
        self._awake_since = trio.current_time()
        self._refusal: Refusal = (ErrorCode.NO_SUCH_ROOM, "That room is no longer there.", None)
        self._closed_for: str | None = None
        self._is_lost = False
        self.moves_to: Move | None = None
        self._pause = PauseAfterFailure()

    @classmethod
    def opened(cls, context: RoomContext, code: str, options: RoomOptions, creator: str = "") -> RoomActor:
        """Make an empty room.

        Args:
            context: Where it stands.
            code: What people type to join.
            options: Of the race.
            creator: The address that it is made from.

        Raises:
            Denied: The options do not fit together.
        """
        room, now = cls(context, creator), trio.current_time()
        saved = SavedRoom.new(checked_options(settled_options(options, context.config), context.tracks))
        attendance = Attendance.beginning(now)
        room.state = RoomState(context, code, new_match(), saved, attendance, room.pace, now)
        return room

    @classmethod
    async def woken(cls, context: RoomContext, sleeper: Sleeper) -> RoomActor:
        """Make a room of what is on disk.

        Args:
            context: Where it stands.
            sleeper: Which one, and since when nobody was there.

        Raises:
            NoSuchMatch: It is not on disk any more.
            StoreFailed: It cannot be read now.
            BadDump: It can never be read.
        """
        room = cls(context, sleeper.creator)
        try:
            room.state = await restore(context, sleeper.match, room.pace, trio.current_time())
        except BaseException:
            context.clients.note_room(sleeper.code, {})  # those who came for it are in no room
            raise
        room.state.people.attendance.empty_since = sleeper.since
        room._journal = Journal.of_restored(room.state)
        room._note_on_disk()
        return room

    def _note_on_disk(self) -> None:
        state = self.state
        self._on_disk = OnDisk(state.match, state.sleep_phase, state.people.keys())
        self.settled.set()

    @property
    def code(self) -> str:
        """What people type to join."""
        return self.state.code

    @property
    def match(self) -> str:
        """The identifier in the store."""
        return self.state.match

    def sleeper(self) -> Sleeper:
        """Describe the room, as it is on disk, to those who keep the sleeping ones."""
        assert self._on_disk is not None
        match, phase, keys = self._on_disk
        empty_since = self.state.people.attendance.empty_since
        since = trio.current_time() if empty_since is None else empty_since
        return Sleeper(match, self.code, phase, since, keys, self.creator)

    async def run(self) -> RoomExit:
        """Live until the room is empty, has idled, has ended, falls asleep, or a fault ends it.

        Raises nothing but cancellation. Cancelled, it leaves everything on disk that anybody heard of.
        """
        code, text = ErrorCode.ROOM_CLOSED, "The room has been closed."
        outcome: Outcome = "closed"
        try:
            reason = await self._live()
            if reason is None:
                return self._fall_asleep()
            text = reason
            outcome = "ended" if self.state.phase == "ended" else "closed"
            self.state.abandon()
            await self._save()
        except MatchesMoved:
            if (move := self.moves_to) is None:
                log.warning("room moved", room=self.code)
            where = await new_address(self._worker, self.code) if move is None else move.address
            self._refusal = ErrorCode.ROOM_CLOSED, MOVED.format(code=self.code), ErrorData(moved_to=where)
            self._end(*self._refusal)
            return RoomExit.LOST if move is None else RoomExit.MOVED
        except CodeTaken:
            self.is_code_taken = True
            self._end(code, text)
            return RoomExit.ENDED
        except StoreFailed as error:
            log_failure("room not saved", error, room=self.code)
            text = why_asleep(error)
            self._refusal = ErrorCode.NOT_SAVED, why_not_saved(error), None
            if self._on_disk is not None:
                return self._fall_asleep(text)
        except Exception as error:  # whatever it is, it must not reach the other rooms
            code, outcome = ErrorCode.ROOM_CRASHED, "faulted"
            text = "The room has broken down; the server's fault, not yours."
            self._refusal = code, text, None
            fault, at = kind_of_fault(error), place_of_fault(error)
            log.error("room crashed", room=self.code, fault=fault, at=at)
        if self._on_disk is not None:
            await close_match(self._worker, self.code, CloseMatch(self._on_disk.match, outcome, text))
        self._end(code, text)
        log.info("room ended", room=self.code, why=text)
        return RoomExit.ENDED

    async def ask(self, pending: PendingRequest) -> None:
        """Hand in a request and wait until it is answered. Cancelled, it may or may not be done."""
        await self.inbox.put(pending)
        if self.is_over:
            self._refuse_all()
        await pending.done.wait()

    def close(self, text: str) -> None:
        """End the room as soon as that can be.

        Args:
            text: For those who are there.
        """
        self._closed_for = text
        self.inbox.put_first(News.CLOSING)

    def lose(self) -> None:
        """End the room, and write nothing more: another server has it."""
        self._is_lost = True
        self.inbox.put_first(News.CLOSING)

    def move(self, where: Move) -> None:
        """Save the room, send its people on, and end here; it stays if it is not released."""
        self.moves_to = where
        self._journal.renew_clocks()
        self.inbox.put_first(News.CLOSING)

    async def _live(self) -> str | None:
        """Do what comes until there is a reason to end, or with None to sleep."""
        while True:
            now = trio.current_time()
            with self.pace.aftermath():
                note_presence(self.state, now)
                catch_up(self.state, now)
            if self._is_lost:
                raise MatchesMoved([self.match])
            await self._save_and_send()
            self.pace.settle()
            if self._closed_for is not None:
                return self._closed_for
            if self.moves_to is not None and not self.inbox:
                await self._release(self.moves_to)
            if not self.inbox:  # else somebody may be there by now
                now = trio.current_time()
                if reason := next((why for time, why in self.state.expiries() if time <= now), None):
                    return reason
                if self._sleeps_at() <= now:
                    return None
            item = await self.inbox.get(self._next_wake(now))
            for _ in range(MOST_AT_ONCE):
                if item is None:
                    break
                self._handle(item)
                item = self.inbox.get_nowait()
            if item is not None:
                self._handle(item)
            if self.pace.has_turn or self._is_owed_something(trio.current_time()):
                with self.pace.turn():
                    self._advance()

    def _next_wake(self, now: float) -> float:
        if now < self._pause.until:
            return self._pause.until
        wake = min(next_wake(self.state, now), self._sleeps_at())
        if self._worker.saves:
            wake = min(wake, self._journal.next_clocks(self.state))
        self.pace.ask_if_wanted()
        return wake

    def _sleeps_at(self) -> float:
        """Give the time at which the room falls asleep unless somebody comes."""
        empty = self.state.people.attendance.empty_since
        if empty is None or not self._worker.saves or self.state.phase not in ("racing", "between"):
            return NEVER
        # Who has woken it gets time to come in, however long nobody had been there.
        return max(empty, self._awake_since) + self._context.config.sleep_seconds

    def _handle(self, item: PendingRequest | News) -> None:
        if isinstance(item, PendingRequest):
            answer(self.state, item, trio.current_time())

    def _advance(self) -> None:
        """Play what bots and time owe. Not only when the queue is empty: a full one must not stop them."""
        for _ in range(MOST_AT_ONCE):
            now = trio.current_time()
            if not self._is_owed_something(now):
                return
            advance(self.state, now)
            self.pace.note_played()

    def _is_owed_something(self, now: float) -> bool:
        """Tell whether bots or time owe the race something."""
        race = self.state.race
        return race is not None and now >= self._pause.until and race.next_wake(now) <= now

    # --- the disk ---------------------------------------------------------------------------------------

    async def _save_and_send(self) -> None:
        """Save what has changed, then send it; or undo it.

        Raises:
            StoreFailed: It could neither be saved nor undone.
        """
        try:
            await self._save()
        except (MatchesMoved, CodeTaken, StoreUnreachable):
            raise  # there is nothing to go back to now
        except StoreFailed as error:
            log.error("not saved", room=self.code, error=str(error))
            await self._undo(why_not_saved(error))
        else:
            self._pause.end()
        with self.pace.aftermath():
            self.state.outbox.deliver()

    async def _save(self) -> None:
        if not self._worker.saves:
            return
        with self.pace.aftermath():
            writes = self._journal.changes(self.state, trio.current_time())
        if writes:
            await save(self._worker, writes, self.state.people)
            self._note_on_disk()

    async def _release(self, move: Move) -> None:
        """Let another server have the room, all of which is saved; one that has a race by now stays.

        Raises:
            MatchesMoved: It is not this server's any more.
        """
        if move.rules is None or self.state.phase == "lobby":
            try:
                await self._worker.release([move.release(self.match)])
            except StoreFailed as error:  # if it is released nevertheless, the next commit tells
                log.warning("room not moved", room=self.code, error=str(error))
            else:
                raise MatchesMoved([self.match])
        self.moves_to = None
        move.over.set()

    async def _undo(self, why: str) -> None:
        """Go back to what is on disk, and send everybody the state of the room.

        Raises:
            StoreFailed: That cannot be read now, or there is nothing yet.
        """
        self.state.outbox.take_back(ErrorCode.NOT_SAVED, why)
        if self._on_disk is None:
            raise StoreFailed(f"the first of room {self.code} was not saved")
        self._pause.begin(trio.current_time())
        match, attendance, now = self._on_disk.match, self.state.people.attendance, trio.current_time()
        self.state = state = await restore(self._context, match, self.pace, now, attendance)
        self._journal = Journal.of_restored(state)
        self._note_on_disk()
        note_presence(state, now)
        for person, presence in state.people.here():
            send_everything(state, person, presence, None)
        catch_up(state, now)

    # --- the end ----------------------------------------------------------------------------------------

    def _fall_asleep(self, text: str | None = None) -> RoomExit:
        """End the task and keep the match on disk.

        Args:
            text: For those who are there, where it is for want of a disk: they may come back at once.
        """
        come_back = ErrorData(moved_to="") if text else None
        self._end(ErrorCode.ROOM_CLOSED, text or "The race sleeps until somebody comes.", come_back)
        log.info("room asleep", room=self.code)
        return RoomExit.ASLEEP

    def _end(self, code: ErrorCode, text: str, data: ErrorData | None = None) -> None:
        """Notify everybody, and release them.

        Args:
            code: For programs.
            text: One sentence for people.
            data: For programs besides.
        """
        self.is_over = True
        self.settled.set()
        self.pace.withdraw()
        for presence in self.state.people.attendance.by_key.values():
            client = presence.client
            if client.room == self.code and client.connection is not None:
                client.connection.error(None, code, text, data)
        self.state.people.let_all_go()
        self.state.outbox.take_back(*self._refusal)
        self._refuse_all()

    def _refuse_all(self) -> None:
        """Answer the requests that came too late for the room to look at."""
        for item in self.inbox.drain():
            if isinstance(item, PendingRequest):
                item.refuse(*self._refusal)
