"""A bot that needs msgpack and nothing else: `python bot.py HOST PORT CODE NAME` joins a room and races."""

import socket
import sys

import msgpack

host, port, code, name = sys.argv[1:]
connection = socket.create_connection((host, int(port)))
stream = connection.makefile("rb")
values, setup, view, answered, is_waiting = {}, {}, {}, None, False


def send(kind, **fields):
    payload = msgpack.packb({"type": kind, "id": 0, **fields})
    connection.sendall(len(payload).to_bytes(4, "big") + payload)


def receive():
    return msgpack.unpackb(stream.read(int.from_bytes(stream.read(4), "big")))


def worth(command):
    """Far is good, unless the car then crosses the next corner faster than its limit."""
    speed = 2.5 * command.get("gear", 0) + sum(values[card] for card in command.get("cards", ()))
    space, track = view["cars"][view["own"]["seat"]]["space"], setup["track"]
    ways = [(corner["after_space"] - space) % track["spaces"] for corner in track["corners"]]
    limit = view["corner_limits"][ways.index(min(ways))]
    return speed - (4 * max(0, speed - limit) if speed > min(ways) else 0)


send("hello", protocol=7, program="bot.py")
send("catalogue")
send("join", code=code, name=name)
while (message := receive())["type"] not in ("error", "bye"):
    match message["type"]:
        case "catalogue":
            for card in message["cards"]:
                values[card["name"]] = max(card["speeds"], default=0) + 2.5 * card["flips"]
        case "room" if message["phase"] == "ended":
            sys.exit()
        case "room" if message["phase"] != "racing" and not is_waiting:
            if not message["places"][message["place"]]["is_ready"]:
                send("seat", ready=True)
                is_waiting = True
        case "ok":
            is_waiting = False
        case "started":
            setup, answered = message["setup"], None
        case "update":
            view = message["view"]
            if view["own"]["is_asked"] and view["own"]["decision"] != answered:
                answered = view["own"]["decision"]
                send("legal", decision=answered)
        case "legal":
            best = max(message["commands"], key=worth)
            is_driving = best["type"] in ("ShiftGear", "PlayCards")
            send("act", decision=answered, command=best if is_driving else view["own"]["default"])
sys.exit(f"{message['code']}: {message['text']}")
