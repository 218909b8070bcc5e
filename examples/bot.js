// A bot that needs Node.js and nothing else: `node bot.js HOST PORT CODE NAME` joins a room and races.
"use strict";
const [host, port, code, name] = process.argv.slice(2);
const socket = require("net").connect(Number(port), host);

// MessagePack, as much of it as the protocol uses.
function encode(value) {
  if (value === null || value === undefined) return Buffer.from([0xc0]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "number") {
    const bytes = Buffer.from([0xce, 0, 0, 0, 0]);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.from([0xda, text.length >> 8, text.length & 255]), text]);
  }
  const isList = Array.isArray(value);
  const parts = isList ? value : Object.entries(value).flat();
  const size = isList ? parts.length : parts.length / 2;
  return Buffer.concat([Buffer.from([isList ? 0xdc : 0xde, size >> 8, size & 255]), ...parts.map(encode)]);
}

function decode(bytes) {
  let at = 0;
  const number = (size, read) => ((at += size), bytes[read](at - size));
  const text = (size) => ((at += size), bytes.toString("utf8", at - size, at));
  const list = (size) => Array.from({ length: size }, next);
  const map = (size) => Object.fromEntries(Array.from({ length: size }, () => [next(), next()]));
  function next() {
    const kind = bytes[at++];
    if (kind < 0x80) return kind;
    if (kind < 0x90) return map(kind & 15);
    if (kind < 0xa0) return list(kind & 15);
    if (kind < 0xc0) return text(kind & 31);
    if (kind >= 0xe0) return kind - 256;
    switch (kind) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xca: return number(4, "readFloatBE");
      case 0xcb: return number(8, "readDoubleBE");
      case 0xcc: return number(1, "readUInt8");
      case 0xcd: return number(2, "readUInt16BE");
      case 0xce: return number(4, "readUInt32BE");
      case 0xcf: return Number(number(8, "readBigUInt64BE"));
      case 0xd0: return number(1, "readInt8");
      case 0xd1: return number(2, "readInt16BE");
      case 0xd2: return number(4, "readInt32BE");
      case 0xd3: return Number(number(8, "readBigInt64BE"));
      case 0xd9: return text(number(1, "readUInt8"));
      case 0xda: return text(number(2, "readUInt16BE"));
      case 0xdb: return text(number(4, "readUInt32BE"));
      case 0xdc: return list(number(2, "readUInt16BE"));
      case 0xdd: return list(number(4, "readUInt32BE"));
      case 0xde: return map(number(2, "readUInt16BE"));
      case 0xdf: return map(number(4, "readUInt32BE"));
    }
    throw new Error(`no value begins with ${kind}`);
  }
  return next();
}

let lastId = 0, values = {}, setup = null, view = null, answered = null, isWaiting = false;

function send(type, fields = {}) {
  const payload = encode({ type, id: ++lastId, ...fields });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  socket.write(Buffer.concat([length, payload]));
}

// Far is good, unless the car then crosses the next corner faster than its limit.
function worth({ gear = 0, cards = [] }) {
  const speed = cards.reduce((sum, card) => sum + values[card], 2.5 * gear);
  const { space } = view.cars[view.own.seat];
  const { corners, spaces } = setup.track;
  const ways = corners.map((corner) => (corner.after_space - space + spaces) % spaces);
  const way = Math.min(...ways);
  return speed - (speed > way ? 4 * Math.max(0, speed - view.corner_limits[ways.indexOf(way)]) : 0);
}

const receive = {
  catalogue({ cards }) {
    for (const card of cards) values[card.name] = Math.max(0, ...card.speeds) + 2.5 * card.flips;
  },
  room({ phase, place, places }) {
    if (phase === "ended") socket.end();
    if (phase === "ended" || phase === "racing" || isWaiting || places[place].is_ready) return;
    send("seat", { ready: true });
    isWaiting = true;
  },
  ok() {
    isWaiting = false;
  },
  started(message) {
    setup = message.setup;
    answered = null;
  },
  update(message) {
    view = message.view;
    if (!view.own.is_asked || view.own.decision === answered) return;
    answered = view.own.decision;
    send("legal", { decision: answered });
  },
  legal({ decision, commands }) {
    const best = commands.reduce((best, other) => (worth(other) > worth(best) ? other : best));
    const isDriving = best.type === "ShiftGear" || best.type === "PlayCards";
    send("act", { decision, command: isDriving ? best : view.own.default });
  },
  error({ code, text }) {
    throw new Error(`${code}: ${text}`);
  },
};
receive.bye = receive.error;

let arrived = Buffer.alloc(0);
socket.on("data", (data) => {
  arrived = Buffer.concat([arrived, data]);
  while (arrived.length >= 4 && arrived.length >= 4 + arrived.readUInt32BE(0)) {
    const end = 4 + arrived.readUInt32BE(0);
    const message = decode(arrived.subarray(4, end));
    arrived = arrived.subarray(end);
    receive[message.type]?.(message);
  }
});
send("hello", { protocol: 7, program: "bot.js" });
send("catalogue");
send("join", { code, name });
