"""The codes of `error` and `bye`: stable, so that clients may rely on them; see docs/protocol.md."""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """Why a request was refused. An `act` may also be refused with a code of `heat_core.refusal`."""

    BAD_MESSAGEPACK = "wire/bad_messagepack"
    BAD_MESSAGE = "wire/bad_message"
    UNKNOWN_TYPE = "wire/unknown_type"

    HELLO_FIRST = "hello/first"
    HELLO_TWICE = "hello/twice"
    UNKNOWN_TOKEN = "hello/unknown_token"
    OTHER_VERSION = "hello/other_version"

    NO_SUCH_ROOM = "room/unknown"
    ROOM_FULL = "room/full"
    ROOM_BEGUN = "room/begun"
    ROOM_ENDED = "room/ended"
    IN_A_ROOM = "room/already_in_one"
    IN_NO_ROOM = "room/in_none"
    TOO_MANY_ROOMS = "room/too_many"
    NOT_HOST = "room/not_host"
    WRONG_PASSWORD = "room/wrong_password"
    BANNED = "room/banned"
    KICKED = "room/kicked"
    NOT_OVER = "room/not_over"
    NO_SUCH_PERSON = "room/no_such_person"
    ROOM_CLOSED = "room/closed"
    ROOM_CRASHED = "room/crashed"

    UNKNOWN_TRACK = "options/unknown_track"
    UNKNOWN_SETTING = "options/unknown_setting"
    BAD_SETTING = "options/bad_setting"
    BAD_OPTIONS = "options/bad"

    BAD_NAME = "seat/bad_name"
    NAME_TAKEN = "seat/name_taken"
    COLOUR_TAKEN = "seat/colour_taken"

    NO_SUCH_PLACE = "place/unknown"
    PLACE_TAKEN = "place/taken"

    NOT_READY = "start/not_ready"
    TOO_FEW_CARS = "start/too_few_cars"
    CANNOT_START = "start/impossible"

    NOT_BEGUN = "act/not_begun"
    ONLY_WATCHING = "act/only_watching"
    PAUSED = "act/paused"
    TOO_MANY_CHANGES = "act/too_many_changes"

    EMPTY_LINE = "say/empty"
    TOO_MUCH_SAID = "say/too_much"

    NOT_SAVED = "server/not_saved"
    NOT_READ = "server/not_read"


class ByeCode(StrEnum):
    """Why the server closes the connection."""

    SERVER_STOPS = "bye/server_stops"
    SERVER_FULL = "bye/server_full"
    ADDRESS_FULL = "bye/address_full"
    TOO_OFTEN = "bye/too_often"
    BANNED = "bye/banned"
    REMOVED = "bye/removed"
    OTHER_VERSION = "bye/other_version"
    NEEDS_TLS = "bye/needs_tls"
    NO_HELLO = "bye/no_hello"
    IDLE = "bye/idle"
    NEWER_CONNECTION = "bye/newer_connection"
    TOO_SLOW = "bye/too_slow"
    BAD_FRAME = "bye/bad_frame"
    TOO_MANY_ERRORS = "bye/too_many_errors"
