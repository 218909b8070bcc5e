"""From bytes to keys: what cannot be read is ignored, and nothing else is lost."""

from __future__ import annotations

import random

import pytest
from textual import events
from textual.message import Message

from heat_tui.terminal.ground import GroundShown
from heat_tui.terminal.key_bytes import (
    ANSWER_SECONDS,
    FLOOD_SECONDS,
    MOST_KEYS_AT_ONCE,
    MOST_PASTED_BYTES,
    PASTE_SECONDS,
    QUIET_SECONDS,
    KeyBytes,
)

SILENCE = 0.2
BEGIN, END = b"\x1b[200~", b"\x1b[201~"


def told(*heard: bytes | float) -> list[str]:
    """Give what bytes and silences (in seconds) mean: keys by their names, pastes by their text in quotes."""
    keys = KeyBytes()
    messages: list[Message] = []
    for what in heard:
        messages += keys.feed(what) if isinstance(what, bytes) else keys.be_silent(what)
    return [_words(message) for message in messages]


def _words(message: Message) -> str:
    match message:
        case events.Key():
            return message.key
        case events.Paste():
            return repr(message.text)
        case events.MouseEvent():
            return f"{type(message).__name__} {message.x},{message.y}"
        case _:
            return type(message).__name__


UNREADABLE = {
    "no UTF-8 at all": b"\xff",
    "an umlaut in latin-1": b"\xe4",
    "the first half of a character and a letter": b"\xc3a",
    "a surrogate": b"\xed\xa0\x80",
    "a character past the last": b"\xf4\x90\x80\x80",
    "a longer form than needed": b"\xc0\xaf",
    "an old mouse report right of column 95": b"\x1b[M \x820",
    "an old mouse report out of range": b"\x1b[M#\x00\x00",
    "a mouse report from above the window, as Ghostty sends it": b"\x1b[<0;-4;-9M",
    "a mouse report from left of the window": b"\x1b[<35;-2;7m",
    "a sequence whose numbers go on behind its other signs": b"\x1b[1 5;3x",
    "a key past the last character": b"\x1b[99999999u",
    "a key past all numbers": b"\x1b[" + b"9" * 30 + b"u",
    "a key that is a surrogate": b"\x1b[55296u",
    "a key whose text is no character": b"\x1b[97;1;1114112u",
    "a key whose text is a surrogate": b"\x1b[97;1;57343u",
    "a key with two numbers in one": b"\x1b[97:65u",
    "a key with a kind of press": b"\x1b[97;1:3u",
    "a size of nothing": b"\x1b[48;0;0;0;0t",
    "a size of everything": b"\x1b[48;99999;99999;99999;99999t",
    "a place of the cursor": b"\x1b[24;80R",
    "what the terminal is": b"\x1b[?62;22c",
    "a colour of the terminal": b"\x1b]10;rgb:1313/1515/1919\x1b\\",
    "a name of the terminal": b"\x1bP>|XTerm(390)\x1b\\",
    "a long sequence": b"\x1b[" + b"1;" * 400 + b"m",
    "a sequence that breaks off": b"\x1b[1;",
    "an answer that breaks off": b"\x1b]10;rgb:",
    "a mouse report that breaks off": b"\x1b[M ",
}


@pytest.mark.parametrize(
    ("answer", "is_light"),
    [
        (b"\x1b]11;rgb:1313/1515/1919\x1b\\", False),
        (b"\x1b]11;rgb:ffff/ffff/d7d7\x07", True),
        (b"\x1b]11;rgba:f0/f0/e0/ff\x1b\\", True),
        (b"\x1b]11;rgb:0/0/0\x1b\\", False),
    ],
)
@pytest.mark.parametrize("gap", [0.0, SILENCE, 1.5])
def test_what_the_terminal_says_of_its_ground_is_heard_however_slowly_and_types_nothing(
    answer: bytes, is_light: bool, gap: float
) -> None:
    keys = KeyBytes()
    heard: list[Message] = []
    # Cut where it is cut first, the answer could still be a key: Alt and a bracket.
    for piece in (answer[:5], answer[5:9], answer[9:-1], answer[-1:], b"1"):
        heard += keys.feed(piece) + keys.be_silent(gap)
    shown, key = heard
    assert isinstance(shown, GroundShown)
    assert shown.is_light == is_light
    assert _words(key) == "1"


def test_after_half_an_answer_keys_are_keys_again() -> None:
    assert told(b"\x1b]11;rgb:13", ANSWER_SECONDS, b"1") == ["1"]


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_types_nothing_and_leaves_the_next_key_alone(data: bytes) -> None:
    assert told(data, SILENCE, b"1") == ["1"]
    pieces = [bytes([byte]) for byte in data]
    assert told(*pieces, SILENCE, b"1") == ["1"]


@pytest.mark.parametrize("data", [b"\x1b[M \x820", b"\x1b[99999999u", b"\x1b[?62;22c", b"\x1b[55296u"])
def test_a_whole_report_that_means_nothing_takes_no_key_beside_it_along(data: bytes) -> None:
    assert told(b"1" + data + b"2") == ["1", "2"]


@pytest.mark.parametrize("seed", range(40))
def test_random_bytes_type_nothing(seed: int) -> None:
    data = random.Random(seed).randbytes(4096)
    assert told(data[:2048], data[2048:], SILENCE, b"1") == ["1"]


@pytest.mark.parametrize("seed", range(40))
def test_random_bytes_cut_anywhere_always_end(seed: int) -> None:
    chance = random.Random(seed)
    some = [b"\x1b", b"[", b"M", b"200~", b"201~", b"u", b";", b"9", b"O", b"]", b"\xc3", b"\xff", b"\x07"]
    heard: list[bytes | float] = []
    for _ in range(200):
        heard += [chance.randbytes(3), chance.choice(some), chance.choice([0.05, SILENCE])]
    assert told(*heard, PASTE_SECONDS, b"1")[-1] == "1"


def test_all_keys_are_still_read_whole_or_in_pieces() -> None:
    data = b"a\xc3\xa4\r\x7f\x03\x1b[A\x1bOP\x1b[[A\x1b[1;5C\x1b[15~\x1bf\x1bx\x1b[97;5u\x1b[I"
    data += b"\x1b[<0;5;6M\xf0\x9f\x8f\x81"
    keys = [
        *("a", "ä", "enter", "backspace", "ctrl+c", "up", "f1", "f1", "ctrl+right", "f5", "ctrl+right"),
        *("alt+x", "ctrl+a", "AppFocus", "MouseDown 4,5", "chequered_flag"),
    ]
    assert told(data) == keys
    assert told(*(bytes([byte]) for byte in data)) == keys


def test_escape_is_a_key_once_nothing_follows() -> None:
    assert told(b"\x1b") == []
    assert told(b"\x1b", SILENCE) == ["escape"]
    assert told(b"\x1b\x1b[B") == ["escape", "down"]


@pytest.mark.parametrize("number", range(128))
def test_every_plain_byte_has_a_name(number: int) -> None:
    (name,) = told(bytes([number]), SILENCE)
    assert name.isprintable()


def test_a_paste_is_one_thing_without_what_cannot_be_read_in_it() -> None:
    assert told(BEGIN + b"An\xffn\x00a\x1b[A\r\nBen" + END + b"1") == [repr("Anna[A\r\nBen"), "1"]
    assert told(BEGIN + b"Anna\x1b[20", b"1~1") == [repr("Anna"), "1"]


def test_a_paste_too_long_for_any_field_is_ignored() -> None:
    text = b"q" * 4096
    assert told(BEGIN, *[text] * 256, END + b"1") == ["1"]
    assert told(BEGIN + b"q" * (MOST_PASTED_BYTES + 1) + END + b"1") == ["1"]
    assert told(BEGIN + b"q" * MOST_PASTED_BYTES + END)[0] == repr("q" * MOST_PASTED_BYTES)


def test_a_paste_without_an_end_does_not_swallow_keys_for_ever() -> None:
    assert told(BEGIN + b"q", SILENCE, b"q") == []
    assert told(BEGIN + b"q", PASTE_SECONDS, b"1") == ["1"]


def test_a_paste_that_begins_in_noise_swallows_no_keys_behind_it() -> None:
    assert told(b"\xff" + BEGIN + b"q1", b"s" + END, SILENCE, b"s", SILENCE, b"t") == ["s", "t"]


def test_more_text_than_a_hand_types_at_once_is_a_paste() -> None:
    text = b"a" * (MOST_KEYS_AT_ONCE + 1)
    assert told(text, b"\x03bc", FLOOD_SECONDS, b"1") == [repr(text.decode() + "bc"), "1"]
    assert told(b"q" * 4096, *[b"q\r" * 2048] * 256, FLOOD_SECONDS, b"1") == ["1"]
    assert told(b"a" * MOST_KEYS_AT_ONCE) == ["a"] * MOST_KEYS_AT_ONCE


def test_more_other_keys_than_a_hand_presses_at_once_are_noise() -> None:
    assert told(b"\x1b[A" * (MOST_KEYS_AT_ONCE + 1), b"q", FLOOD_SECONDS, b"1") == ["1"]


@pytest.mark.parametrize("flood", [b"q\r", b"\x1b[A"], ids=["text", "keys"])
def test_what_comes_in_pieces_over_a_slow_line_stays_one_flood(flood: bytes) -> None:
    pieces = [piece for _ in range(64) for piece in (flood * 2048, QUIET_SECONDS, flood, 0.2)]
    assert told(*pieces, FLOOD_SECONDS, b"1", QUIET_SECONDS, b"q") == ["1", "q"]
