"""A room as its server has sent it: the newest of each thing, and the chat."""

from __future__ import annotations

from heat_core.view.recap import recap
from heat_core.wire import messages as m
from heat_tui.client.chat import Chat
from heat_tui.client.feed import Feed


class RoomMirror:
    """The room that a client is in, over however many connections it comes.

    Attributes:
        room: As the server last sent it; None outside of one.
        season: Its championship as last sent; None before one begins.
        race: The race of that room, None before it starts.
        chat: What is said in it.
    """

    def __init__(self) -> None:
        """Begin outside of any room."""
        self.room: m.LobbyView | None = None
        self.season: m.SeasonUpdate | None = None
        self.race: Feed | None = None
        self.chat = Chat()
        self._meanwhile: tuple[int, tuple[str, ...]] | None = None

    def receive(self, message: m.ServerMessage) -> bool:
        """Take in what a server sends of the room; tell whether the message was of that kind."""
        match message:
            case m.LobbyView():
                self.room = message
                if message.phase == "lobby":
                    # Before the first race, or after a rematch was called: what was raced is past.
                    self.race, self.season, self._meanwhile = None, None, None
            case m.SeasonUpdate():
                self.season = message
            case m.Started():
                if self.race is None or self.race.started != message:
                    self.race = Feed(message)
                    self._meanwhile = None  # of the race before
            case m.Update():
                if self.race is not None:
                    self.race.receive(message)
            case m.Meanwhile():
                self._meanwhile = (self.race.number if self.race is not None else 0, message.sentences)
            case m.Said():
                own = self.room.own.name if self.room is not None else ""
                self.chat.receive(message, is_own=bool(own) and message.name == own)
            case _:
                return False
        return True

    def take_meanwhile(self) -> tuple[str, ...]:
        """Give, once, what happened while the player was away; nothing where no event was missed."""
        if self._meanwhile is None or self.race is None or self.race.update is None:
            return ()
        known, sentences = self._meanwhile
        race, update = self.race, self.race.update
        if race.number <= known:
            return ()
        self._meanwhile = None
        if not known:
            return sentences
        # The server sends everything since it last heard from here; what was shown since is known only here.
        seat, cars = race.started.seat, race.started.setup.cars
        return recap(race.events_since(known), update.view, cars, seat)

    def leave(self) -> None:
        """Go out of the room."""
        self.room = self.race = None
        self.chat = Chat()
