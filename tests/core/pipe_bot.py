"""A bot over a pipe that imports nothing of the game; its argument says what it does wrong, and when."""

import os
import struct
import sys
import threading
import time
from typing import Any

import msgpack  # type: ignore[import-untyped]  # because it has no types of its own

RIGHT_ANSWERS = 5
"""Before something goes wrong."""


def say(**message: Any) -> None:
    payload = msgpack.packb(message)
    sys.stdout.buffer.write(struct.pack(">I", len(payload)) + payload)
    sys.stdout.buffer.flush()


def hear() -> dict[str, Any] | None:
    header = sys.stdin.buffer.read(4)
    if len(header) < 4:
        return None
    message: dict[str, Any] = msgpack.unpackb(sys.stdin.buffer.read(struct.unpack(">I", header)[0]))
    return message


def go_wrong(what: str, decision: int) -> None:
    """Do what is wrong in place of an answer."""
    match what:
        case "silent":
            time.sleep(60)
        case "deaf":
            while True:
                say(type="view", id=9, since=0)
        case "floods":
            threading.Thread(target=sys.stdin.buffer.read, daemon=True).start()
            while True:
                say(type="ping", id=9)
        case "dies":
            os._exit(3)
        case "closes":
            os.close(1)
            time.sleep(60)
        case "babbles":
            print("hello, this is a bot", flush=True)
        case "illegal":
            say(type="act", id=2, decision=decision, command={"type": "PlayCards", "cards": ["8"] * 5})
        case "late":
            say(type="act", id=2, decision=999, command={"type": "EndReact"})


def main() -> None:
    what, *files = sys.argv[1:]
    if what == "rude":
        say(type="ping", id=0)
    say(type="hello", id=0, protocol=1 if what == "old" else 7)
    heard: list[str] = []
    answers = 0
    while message := hear():
        heard.append(message["type"])
        own = message["type"] == "update" and message["view"]["own"]
        if not own or not own["is_asked"]:
            continue
        if what == "curious" and answers < 2:
            say(type="legal", id=3, decision=own["decision"], most=4)
            say(type="catalogue", id=4)
            say(type="ping", id=5)
            say(type="rooms", id=6)
            say(type="join", id=6, code="ABCDE", name="robo")
            say(type="seat", id=6, ready=True)
            say(type="nonsense", id=7)
            if answers == 0:
                say(type="view", id=8, since=0)
                answers += 1
                continue
        if answers == RIGHT_ANSWERS:
            go_wrong(what, own["decision"])
        answers += 1
        say(type="act", id=1, decision=own["decision"], command=own["default"])
    for file in files:
        with open(file, "w", encoding="utf-8") as written:
            written.write(" ".join(heard))
            written.flush()
            if what == "leaves a child" and not os.fork():
                time.sleep(60)
    if what == "stays":
        time.sleep(60)


if __name__ == "__main__":
    main()
