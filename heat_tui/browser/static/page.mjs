// The page's side of the door for browsers; heat_tui/browser/messages.py says what is sent either way.

import { FitAddon } from "./xterm-6.0.0/addon-fit.mjs";
import { Unicode11Addon } from "./xterm-6.0.0/addon-unicode11.mjs";
import { WebglAddon } from "./xterm-6.0.0/addon-webgl.mjs";
import { Terminal } from "./xterm-6.0.0/xterm.mjs";

const COLUMNS = 80;
const ROWS = 24;
const SMALLEST = 4;
const USUAL = 16;
// System fonts with block glyphs and box drawing first. WebGL draws those itself, as large as the cell.
const FONTS =
  'ui-monospace, "SF Mono", Menlo, "Cascadia Mono", Consolas, "DejaVu Sans Mono", "Noto Sans Mono", ' +
  '"Liberation Mono", "Roboto Mono", monospace';

const PIECE = 65536;
const PING_MS = 10000;
const SILENCE_MS = 25000;
const LONGEST_WAIT_MS = 15000;
const STEADY_MS = 10000;
const SWIPE_PIXELS = 12;

// What the page does about the end of a login: to come back by itself, or to wait until somebody wants to.
const COMES_BACK = ["lost", "closed", "full", "fault", "ended"];
const WAITS = {
  removed: ["Talk to your host before you come in again.", "Come in again"],
  elsewhere: ["The game goes on in the other window.", "Play here"],
  idle: ["", "Continue"],
  left: ["", "Come in again"],
};

const find = (selector) => document.querySelector(selector);
const panel = find("#panel");
const bar = find("#bar");
const encoder = new TextEncoder();
const [secret, code = ""] = location.hash.slice(1).split("+");
const upright = matchMedia("(orientation: portrait) and (max-width: 600px)");
const isTouched = matchMedia("(pointer: coarse)").matches;

function kept(storage, name, make) {
  try {
    const value = window[storage].getItem(name) || make();
    window[storage].setItem(name, value);
    return value;
  } catch {
    return make(); // the browser keeps nothing: a guest who reloads the page is somebody new
  }
}

function randomNumber() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const who = {
  secret,
  code,
  browser: kept("localStorage", "heat-browser", randomNumber),
  tab: kept("sessionStorage", "heat-tab", randomNumber),
  name: kept("localStorage", "heat-name", () => ""),
  password: kept("sessionStorage", "heat-password", () => ""),
};

// --- the terminal -----------------------------------------------------------------------------------------

const wanted = parseInt(new URLSearchParams(location.search).get("fontsize"), 10) || USUAL;
const largest = Math.min(Math.max(wanted, 6), 60);
const terminal = new Terminal({
  allowProposedApi: true,
  fontFamily: FONTS,
  fontSize: largest,
  scrollback: 0,
  theme: { background: getComputedStyle(document.body).backgroundColor },
});
const fitter = new FitAddon();
terminal.loadAddon(fitter);
terminal.loadAddon(new Unicode11Addon());
terminal.unicode.activeVersion = "11";
terminal.open(find("#terminal"));
try {
  const webgl = new WebglAddon();
  webgl.onContextLoss(() => webgl.dispose());
  terminal.loadAddon(webgl);
} catch {
  // There is no WebGL: the terminal draws by means of the document, with the font's own blocks.
}
terminal.parser.registerOscHandler(52, (text) => {
  const copied = text.split(";")[1];
  if (copied && copied !== "?" && navigator.clipboard) {
    const bytes = Uint8Array.from(atob(copied), (sign) => sign.charCodeAt(0));
    navigator.clipboard.writeText(new TextDecoder().decode(bytes)).catch(() => {});
  }
  return true;
});

/** Choose the largest letters up to the usual ones with which a race fits, and fill the page. */
function fit() {
  if (upright.matches) return;
  let size = largest;
  let cells;
  do {
    terminal.options.fontSize = size;
    cells = fitter.proposeDimensions();
    size -= 0.5;
  } while (cells && (cells.cols < COLUMNS || cells.rows < ROWS) && size >= SMALLEST);
  if (cells) terminal.resize(Math.max(cells.cols, COLUMNS), Math.max(cells.rows, ROWS));
}

new ResizeObserver(fit).observe(find("#terminal"));
terminal.onResize(({ cols, rows }) => tell({ type: "resize", columns: cols, rows }));
terminal.onData((text) => type(encoder.encode(text)));
terminal.onBinary((text) => type(Uint8Array.from(text, (sign) => sign.charCodeAt(0))));

// --- fingers ----------------------------------------------------------------------------------------------

// A tap is a click, a swipe turns the wheel. A browser's own idea of a mouse would also fetch the keyboard.
let finger = null;

function cellAt(touch) {
  const box = find(".xterm-screen").getBoundingClientRect();
  const place = (value, most) => Math.min(Math.max(Math.floor(value * most) + 1, 1), most);
  const column = place((touch.clientX - box.left) / box.width, terminal.cols);
  const row = place((touch.clientY - box.top) / box.height, terminal.rows);
  return `${column};${row}`;
}

function mouse(button, cell, end = "M") {
  if (terminal.modes.mouseTrackingMode !== "none") terminal.input(`\x1b[<${button};${cell}${end}`, false);
}

function onTouch(name, act) {
  find("#terminal").addEventListener(name, act, { capture: true, passive: false });
}

onTouch("touchstart", (event) => {
  event.stopPropagation();
  const [touch] = event.touches;
  finger = event.touches.length > 1 ? null : { x: touch.clientX, y: touch.clientY, cell: cellAt(touch), isSwipe: false };
});

onTouch("touchmove", (event) => {
  event.stopPropagation();
  if (finger === null) return;
  event.preventDefault();
  const [touch] = event.touches;
  const [across, down] = [touch.clientX - finger.x, touch.clientY - finger.y];
  const step = Math.max(find(".xterm-screen").clientHeight / terminal.rows, SWIPE_PIXELS);
  const isDown = Math.abs(down) >= Math.abs(across);
  const way = isDown ? down : across;
  if (Math.abs(way) < step) return;
  finger.isSwipe = true;
  const wheel = (isDown ? 64 : 66) + (way < 0 ? 1 : 0);
  for (let steps = Math.floor(Math.abs(way) / step); steps > 0; steps -= 1) mouse(wheel, finger.cell);
  [finger.x, finger.y] = [touch.clientX, touch.clientY];
});

onTouch("touchend", (event) => {
  event.stopPropagation();
  event.preventDefault();
  if (finger !== null && !finger.isSwipe) {
    mouse(35, finger.cell); // it moves there first, as every mouse does
    mouse(0, finger.cell);
    mouse(0, finger.cell, "m");
    terminal.focus();
  }
  finger = null;
});

onTouch("touchcancel", () => {
  finger = null;
});

// --- keys -------------------------------------------------------------------------------------------------

// The terminal always has the keyboard; that of a telephone shows itself only when it is wanted.
const textarea = terminal.textarea;
if (isTouched) textarea.inputMode = "none";

find("#keys").addEventListener("pointerdown", (event) => event.preventDefault());
find("#keys").addEventListener("click", ({ target }) => {
  const { key, arrow } = target.dataset;
  if (target.id === "keyboard") {
    textarea.inputMode = textarea.inputMode === "none" ? "text" : "none";
    textarea.blur();
  } else if (arrow) {
    terminal.input((terminal.modes.applicationCursorKeysMode ? "\x1bO" : "\x1b[") + arrow, true);
  } else if (key) {
    terminal.input(key, true);
  }
  terminal.focus();
});

// --- the connection ---------------------------------------------------------------------------------------

let socket = null;
let login = kept("sessionStorage", "heat-login", () => "");
let seen = 0;
let isInside = false;
let words = "";
let heard = 0;
let since = 0;
let tries = 0;
let timer = 0;

function isOpen() {
  return isInside && socket.readyState === WebSocket.OPEN;
}

function tell(message) {
  if (isOpen()) socket.send(JSON.stringify(message));
}

function type(bytes) {
  for (let begin = 0; isOpen() && begin < bytes.length; begin += PIECE) {
    socket.send(bytes.subarray(begin, begin + PIECE));
  }
}

function connect() {
  clearTimeout(timer);
  timer = 0;
  if (socket) socket.close();
  const address = new URL("ws", location.href.split(/[?#]/)[0]);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const current = (socket = new WebSocket(address));
  let bye = { reason: "lost", text: "" };
  current.binaryType = "arraybuffer";
  current.onopen = () => {
    if (current !== socket) return;
    heard = Date.now();
    current.send(JSON.stringify({ type: "hello", ...who, login, seen, columns: terminal.cols, rows: terminal.rows }));
  };
  current.onmessage = ({ data }) => {
    if (current !== socket) return;
    heard = Date.now();
    if (typeof data !== "string") {
      seen += data.byteLength;
      terminal.write(new Uint8Array(data));
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "inside") comeIn(message);
    else if (message.type === "bye") bye = message;
  };
  current.onclose = () => {
    if (current === socket) goOut(bye);
  };
}

function comeIn(message) {
  if (message.seen === 0) terminal.reset();
  ({ login, seen } = message);
  keep("sessionStorage", "heat-login", login);
  isInside = true;
  words = "";
  since = Date.now();
  panel.hidden = bar.hidden = true;
  document.body.classList.remove("is-away");
  tell({ type: "resize", columns: terminal.cols, rows: terminal.rows });
  terminal.focus();
}

function goOut({ reason, text }) {
  socket = null;
  isInside = false;
  if (since && Date.now() - since > STEADY_MS) tries = 0;
  since = 0;
  if (reason !== "lost") [login, seen] = ["", 0];
  document.body.classList.add("is-away");
  if (COMES_BACK.includes(reason)) {
    const wait = Math.min(500 * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + Math.random());
    tries += 1;
    timer = setTimeout(connect, wait);
    words = text || words || "The connection is lost.";
    say(`${words} This page tries again by itself.`, "Try now");
  } else if (reason in WAITS) {
    const [hint, verb] = WAITS[reason];
    say(`${text} ${hint}`, verb);
  } else {
    ask(reason, text);
  }
}

function say(text, verb) {
  bar.querySelector("span").textContent = text;
  bar.querySelector("button").textContent = verb;
  bar.hidden = false;
}

function ask(reason, text) {
  bar.hidden = true;
  panel.hidden = false;
  find("#words").textContent = text;
  find("#name").hidden = reason !== "name";
  find("#password").hidden = reason !== "password";
  panel.querySelector("button").hidden = reason === "secret";
  panel.elements.name.value = who.name;
  panel.elements.password.value = "";
  const field = panel.elements[reason];
  if (field) field.focus();
}

function keep(storage, key, value) {
  try {
    window[storage].setItem(key, value);
  } catch {
    // it is asked for again after a reload
  }
}

panel.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!find("#name").hidden) keep("localStorage", "heat-name", (who.name = panel.elements.name.value.trim()));
  if (!find("#password").hidden) keep("sessionStorage", "heat-password", (who.password = panel.elements.password.value));
  connect();
});

bar.querySelector("button").addEventListener("click", () => {
  tries = 0;
  connect();
});

function comeBack() {
  if (timer) {
    tries = 0;
    connect();
  }
}

addEventListener("online", comeBack);
addEventListener("hashchange", () => location.reload());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) comeBack();
});

// A browser does not notice for minutes that a line is dead.
setInterval(() => {
  if (!isOpen()) return;
  if (Date.now() - heard > SILENCE_MS) {
    socket.close();
    goOut({ reason: "lost", text: "" });
  } else {
    tell({ type: "ping" });
  }
}, PING_MS);

fit();
connect();
