"""From the bytes on the terminal's input to keys, mouse and pastes. No bytes can end the program.

Theory of operation. Bytes are cut into tokens: one character, one whole escape sequence, one old mouse
report. Only whole sequences get their meaning from Textual's tables, so a sequence that nobody knows is
ignored as one, and no part of it is ever a key. What is unfinished is held until the rest comes; after a
silence a lone Escape is the key, and anything else is ignored.

Bytes that are not UTF-8 are noise: a line that drops bits, another character set, a file sent to the
terminal. All keys that came in one burst with noise are ignored too, since none of them was meant; the
first silence ends the burst. More keys than a hand can press in one burst are a paste from a terminal that
does not mark pastes where they are plain text, and noise otherwise; either comes in pieces over a slow line,
so a longer silence ends it.

Left out on purpose: reports of the window's size on the input (the signal says it, and a stray one would
shrink the screen), and reports of the cursor's place, which nobody asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from textual import constants, events, messages
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, FOCUSIN, FOCUSOUT, XTermParser
from textual.keys import Keys
from textual.message import Message

from heat_tui.terminal.ground import ANSWER_BEGINS, ground_answer

QUIET_SECONDS: Final = 0.03
"""A silence that ends a burst: shorter than between two keys pressed by hand."""

FLOOD_SECONDS: Final = 0.3
"""A silence that ends more than a hand can press: over a slow line that comes in pieces."""

PASTE_SECONDS: Final = 2.0
"""A silence after which the end of a paste is not waited for any more."""

ANSWER_SECONDS: Final = 2.0
"""A silence after which the rest of an answer is not waited for any more: no part of it is ever a key."""

MOST_PASTED_BYTES: Final = 65_536
"""A longer paste fits no field of this program: it is ignored."""

MOST_KEYS_AT_ONCE: Final = 256
"""More keys than these in one read were not pressed one by one."""

_MOST_SEQUENCE_BYTES: Final = 64
_MOST_HELD_BYTES: Final = 4_096
_PASTE_BEGINS: Final = BRACKETED_PASTE_START.encode()
_PASTE_ENDS: Final = BRACKETED_PASTE_END.encode()

_WIDE: Final = (
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}"
    rb"|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
"""A character of more than one byte, as UTF-8 allows it."""

_TOKEN: Final = re.compile(
    rb"(?P<text>[\x00-\x1a\x1c-\x7f]|" + _WIDE + rb")"
    rb"|(?P<sequence>\x1b\[(?![M\[])[ -?]*[@-~]|\x1b\[\[[A-E]|\x1bO[0-?]*[@-~])"
    rb"|(?P<alt>\x1b(?:[\x00-\x1a\x1c-NQ-WYZ\\`-\x7f]|" + _WIDE + rb"))"
    rb"|(?P<escape>\x1b(?=\x1b))"
    rb"|(?P<mouse>\x1b\[M[\x00\x20-\xff]{3})"
    rb"|(?P<string>\x1b[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\))"
)
"""One token; of these `mouse` (button and place in three raw bytes) means nothing, `string` (an answer)
only where it says what the ground is."""

_UNFINISHED: Final = re.compile(
    rb"(?:\x1b(?:\[(?:\[|M[\x00\x20-\xff]{0,2}|[ -?]*)|O[0-?]*)?"
    rb"|\x1b[P\]X^_][^\x07\x1b]*\x1b?"
    rb"|\x1b?(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2}))\Z"
)
"""What may still become a token."""

_BROKEN: Final = re.compile(rb"\x1b(?:\[(?:\[|M[\x00\x20-\xff]{0,2}|[ -?]*)|O[0-?]*|[P\]X^_][^\x07\x1b]*)")
"""A sequence that continues in no way that there is: ignored up to where it breaks."""

_DRAWS_AT_ONCE: Final = re.compile(r"\x1b\[\?2026;[1-9]\$y")


class KeyBytes:
    """Takes bytes in as they come and gives what they mean; the caller measures silences."""

    def __init__(self) -> None:
        """Begin with nothing held."""
        self._table = XTermParser()
        self._held = b""
        self._is_noise = False
        self._is_flood = False  # more than a hand can press has come since the last silence
        self._pasted: bytearray | None = None
        self._is_marked = False  # the terminal says where the paste ends
        self._is_too_long = False

    def feed(self, data: bytes) -> list[Message]:
        """Take bytes as they were read, cut anywhere, and give what they mean."""
        if self._is_noise:
            return []
        told: list[Message] = []
        if self._pasted is not None:
            told, data = self._take_paste(data)
        return told + self._take(data)

    def be_silent(self, seconds: float) -> list[Message]:
        """Give what it means that no byte has come.

        Args:
            seconds: Since the last byte, as far as somebody has waited for the next one in that time.
        """
        told: list[Message] = []
        if seconds >= (FLOOD_SECONDS if self._is_flood else QUIET_SECONDS):
            self._is_flood = False
            if self._is_noise:
                self._is_noise, self._pasted = False, None  # what such a burst pasted was not meant either
            if self._pasted is not None and not self._is_marked:
                told += self._end_paste(bytes(self._pasted))
        if seconds >= PASTE_SECONDS:
            self._pasted = None
        patience = ANSWER_SECONDS if self._held.startswith(ANSWER_BEGINS) else constants.ESCAPE_DELAY
        if self._held and seconds >= patience:
            held, self._held = self._held.decode(errors="replace"), b""
            if held in ANSI_SEQUENCES_KEYS:
                told += self._meaning(held)
        return told

    def _take(self, data: bytes) -> list[Message]:
        told: list[Message] = []
        buffer, self._held = self._held + data, b""
        place, is_plain = 0, True
        while place < len(buffer):
            found = _TOKEN.match(buffer, place)
            if found is None:
                if _UNFINISHED.match(buffer, place):
                    self._hold(buffer[place:])
                    break
                broken = _BROKEN.match(buffer, place)
                self._is_noise |= broken is None
                place = broken.end() if broken else place + 1
                continue
            place = found.end()
            is_plain &= found.lastgroup == "text"
            if found[0] == _PASTE_BEGINS:
                self._pasted, self._is_marked, self._is_too_long = bytearray(), True, False
                paste, buffer = self._take_paste(buffer[place:])
                told += paste
                place = 0
            else:
                told += self._token(found.lastgroup or "", found[0])
        return self._judged(told, data, is_plain=is_plain)

    def _judged(self, told: list[Message], data: bytes, *, is_plain: bool) -> list[Message]:
        """Keep of a burst what somebody can have meant."""
        if (
            not self._is_noise
            and sum(isinstance(message, events.Key) for message in told) > MOST_KEYS_AT_ONCE
        ):
            self._is_flood = True
            if is_plain:
                self._pasted, self._is_marked, self._is_too_long = bytearray(data), False, False
                return []
            self._is_noise = True
        if not self._is_noise:
            return told
        self._held = b""
        return [message for message in told if not isinstance(message, events.InputEvent | events.Paste)]

    def _hold(self, start: bytes) -> None:
        """Wait for the rest of a token; there is none that long."""
        if len(start) > _MOST_HELD_BYTES:
            self._is_noise = True
        else:
            self._held = start

    def _token(self, kind: str, token: bytes) -> Iterator[Message]:
        match kind:
            case "text" | "sequence" if len(token) <= _MOST_SEQUENCE_BYTES:
                yield from self._meaning(token.decode())
            case "alt":
                sequence = token.decode()
                yield from self._meaning(sequence) or self._keys(sequence[1:], alt=True)
            case "escape":
                yield from self._meaning("\x1b")
            case "string":
                if (shown := ground_answer(token)) is not None:
                    yield shown
            case _:
                pass

    def _meaning(self, sequence: str) -> list[Message]:
        """Give what a character or a whole sequence means; nothing where nobody knows it."""
        if sequence == FOCUSIN:
            return [events.AppFocus()]
        if sequence == FOCUSOUT:
            return [events.AppBlur()]
        if _DRAWS_AT_ONCE.fullmatch(sequence):
            return [messages.TerminalSupportsSynchronizedOutput()]
        mouse = self._table.parse_mouse_code(sequence)
        return self._keys(sequence) if mouse is None else [mouse]

    def _keys(self, sequence: str, *, alt: bool = False) -> list[Message]:
        try:
            keys = list(self._table._sequence_to_key_events(sequence, alt))
        except (ValueError, OverflowError):  # a report of a key by a number that is no character
            return []
        return [key for key in keys if key.key != Keys.Ignore and _can_be_told(key)]

    def _take_paste(self, data: bytes) -> tuple[list[Message], bytes]:
        """Take more of a paste; gives it where it has ended, and the bytes behind it."""
        assert self._pasted is not None
        self._pasted += data
        end = self._pasted.find(_PASTE_ENDS) if self._is_marked else -1
        if end >= 0:
            pasted, rest = bytes(self._pasted[:end]), bytes(self._pasted[end + len(_PASTE_ENDS) :])
            return self._end_paste(pasted), rest
        if len(self._pasted) > MOST_PASTED_BYTES:
            self._is_too_long = True
            del self._pasted[: -len(_PASTE_ENDS)]
        return [], b""

    def _end_paste(self, pasted: bytes) -> list[Message]:
        self._pasted = None
        if self._is_too_long or len(pasted) > MOST_PASTED_BYTES:
            return []
        text = pasted.decode(errors="ignore")
        return [events.Paste("".join(sign for sign in text if sign.isprintable() or sign in "\n\r\t"))]


def _can_be_told(key: events.Key) -> bool:
    """Tell whether a key has a name and a character that can be shown, stored and sent."""
    character = key.character or ""
    return key.key.isprintable() and (character.isprintable() or character.isascii())
