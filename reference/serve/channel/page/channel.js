import { Terminal } from "./xterm.js";
import { ClientSide } from "./client-side.js";

/** The page of a session: a terminal, the state of the session, and a connection that reconnects. */

const $ = (id) => document.getElementById(id);
const fragment = new URLSearchParams(location.hash.slice(1));
const token = fragment.get("token") ?? "";
const session = fragment.get("session") ?? "main";
$("name").textContent = session;
document.title = `${session} · terminal`;

/** The font size in pixels. At the least size, the terminal scrolls instead of shrinking further. */
const FONT_SIZE = 14;
const LEAST_FONT_SIZE = 9;
const FIRST_RETRY_MS = 500;
const MOST_RETRY_MS = 10_000;
/** A connection that does not open in this time is given up. */
const OPEN_MS = 8_000;
const HEARTBEAT_MS = 1_000;
/** Statuses that no later attempt can change. */
const FINAL = new Set([400, 401, 403, 421, 426]);

// Appearance.

const THEMES = {
  light: {
    background: "#fcfbf8",
    foreground: "#1d1c1a",
    cursor: "#1d1c1a",
    cursorAccent: "#fcfbf8",
    selectionBackground: "#cfdcf0",
    black: "#1d1c1a",
    red: "#b0241c",
    green: "#1f6b3d",
    yellow: "#855700",
    blue: "#1b4f91",
    magenta: "#6a3da0",
    cyan: "#0f6b72",
    white: "#5b5850",
    brightBlack: "#5f5c55",
    brightRed: "#c2332a",
    brightGreen: "#2a7a49",
    brightYellow: "#94620a",
    brightBlue: "#2a62ab",
    brightMagenta: "#7a4bb3",
    brightCyan: "#1b7880",
    brightWhite: "#1d1c1a",
  },
  dark: {
    background: "#15171a",
    foreground: "#e9e6e0",
    cursor: "#e9e6e0",
    cursorAccent: "#15171a",
    selectionBackground: "#33465f",
    black: "#4a4e55",
    red: "#ff8d83",
    green: "#7fcb9b",
    yellow: "#e3b556",
    blue: "#93bdf7",
    magenta: "#c6a7f3",
    cyan: "#7fd0d6",
    white: "#d6d2ca",
    brightBlack: "#8d9096",
    brightRed: "#ffaaa2",
    brightGreen: "#9ddcb3",
    brightYellow: "#f0cb7c",
    brightBlue: "#b3d1fa",
    brightMagenta: "#d9c4f8",
    brightCyan: "#a3dfe4",
    brightWhite: "#ffffff",
  },
};
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => (dark.matches ? THEMES.dark : THEMES.light);
const terminal = new Terminal({
  theme: theme(),
  fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--mono"),
  fontSize: FONT_SIZE,
  // At 1, some fonts lose the underscore at the bottom of the line.
  lineHeight: 1.15,
  scrollback: 5_000,
  cursorBlink: false,
  screenReaderMode: fragment.get("reader") === "1",
});
terminal.open($("terminal"));
terminal.focus();
dark.addEventListener("change", () => (terminal.options.theme = theme()));

function show(state, words) {
  if ($("state").dataset.state !== state) $("state").dataset.state = state;
  if ($("words").textContent !== words) $("words").textContent = words;
  // A session that is over accepts no input, so hide the cursor.
  const isOver = state === "exited" || state === "refused";
  if ($("terminal").dataset.over !== String(isOver)) {
    $("terminal").dataset.over = String(isOver);
    terminal.write(isOver ? "\x1b[?25l" : "\x1b[?25h");
  }
  terminal.options.disableStdin = isOver || side.watches;
  $("keys").hidden = side.watches;
  $("again").hidden = !(state === "reconnecting" || (state === "exited" && !side.watches));
  $("again").textContent = state !== "exited" ? "Connect now" : exit?.again === true ? "New shell" : "Reconnect";
  $("own").hidden = state !== "connected" || side.watches || side.isOwner;
}
function notice(words) {
  $("notice-words").textContent = words;
  $("notice").hidden = false;
}
$("notice-close").addEventListener("click", () => {
  $("notice").hidden = true;
  terminal.focus();
});

// Size: the page asks for as many cells as fit, and the hub decides. All clients have the same size: where it does not fit, the font is smaller.

/** The cells for which there is room at the usual font size. */
function room() {
  const screen = $("terminal").querySelector(".xterm-screen");
  const by = FONT_SIZE / terminal.options.fontSize;
  const [width, height] = [(screen.clientWidth / terminal.cols) * by, (screen.clientHeight / terminal.rows) * by];
  if (!(width > 0 && height > 0)) return undefined;
  const bar = 14;
  const cols = Math.floor(($("terminal").clientWidth - bar) / width);
  const rows = Math.floor($("terminal").clientHeight / height);
  return { cols: Math.max(2, Math.min(cols, 500)), rows: Math.max(1, Math.min(rows, 300)) };
}
function scale(size) {
  const by = Math.min(size.cols / terminal.cols, size.rows / terminal.rows);
  const fontSize = Math.max(LEAST_FONT_SIZE, Math.min(FONT_SIZE, Math.floor(FONT_SIZE * by * 2) / 2));
  if (fontSize !== terminal.options.fontSize) terminal.options.fontSize = fontSize;
}
function fit() {
  const size = room();
  if (size === undefined) return;
  side.resize(size.cols, size.rows);
  scale(size);
}
/** The hub has set the size. */
function resized({ cols, rows }) {
  if (cols !== terminal.cols || rows !== terminal.rows) terminal.resize(cols, rows);
  const size = room();
  if (size !== undefined) scale(size);
}
let fitting;
new ResizeObserver(() => {
  clearTimeout(fitting);
  fitting = setTimeout(fit, 100);
}).observe($("terminal"));

// Input and output.

/** A random id for each page, so that its input is counted separately. */
const side = new ClientSide(
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (octet) => octet.toString(16).padStart(2, "0")).join(""),
  fragment.get("mode") === "watch",
);
const encoder = new TextEncoder();
/** Output before this offset is a replay: the shell already has the terminal's replies to it, such as its cursor reports. */
let replayEnd = 0;
let shown = 0;
const ESC = "\x1b";
const isReport = (data) => data.startsWith(ESC) && /^(?:\[[?>=]?[\d;$]*[cRnyt]|[\]P])/.test(data.slice(1));

function sendInput(octets) {
  if (!side.watches && !side.type(octets)) notice("Too much input is waiting to be sent. The last input was dropped.");
}
terminal.onData((data) => {
  // One client answers the shell's queries, and nobody those of a replay.
  if (isReport(data) && (!side.isOwner || shown < replayEnd)) return;
  sendInput(encoder.encode(data));
});
terminal.onBinary((data) => sendInput(Uint8Array.from(data, (letter) => letter.charCodeAt(0))));

const KEYS = { esc: "\x1b", tab: "\t", interrupt: "\x03", end: "\x04", up: "A", down: "B", right: "C", left: "D" };
$("keys").addEventListener("click", ({ target }) => {
  const key = KEYS[target.dataset.key];
  if (key === undefined) return;
  const arrow = terminal.modes.applicationCursorKeysMode ? "\x1bO" : "\x1b[";
  sendInput(encoder.encode(/[A-D]/.test(key) ? arrow + key : key));
  terminal.focus();
});

// The connection.

let socket;
let timer;
let wait = FIRST_RETRY_MS;
let exit;

function handle(event) {
  switch (event.is) {
    case "state": {
      const { state } = event;
      if (event.isFresh) {
        terminal.reset();
        shown = state.from;
        replayEnd = state.end;
      }
      if (event.untyped > 0) notice(`${event.untyped} octets of input were not confirmed and may be lost.`);
      if (event.lost > 0) notice(`${event.lost} octets of output are no longer available.`);
      wait = FIRST_RETRY_MS;
      $("facts").textContent = `${state.cols} × ${state.rows} · ${state.clients} attached`;
      resized(state);
      if (state.agent === "here") show("connected", side.watches ? "Watching" : "Connected");
      else if (state.agent === "gone") show("gone", "Agent disconnected; waiting for it");
      break;
    }
    case "resize":
      resized(event);
      $("facts").textContent = $("facts").textContent.replace(/^\d+ × \d+/, `${event.cols} × ${event.rows}`);
      break;
    case "exit":
      exit = event;
      if (event.again) show("exited", ended(event));
      break;
    case "error":
      if (event.code === "restarted") {
        exit = undefined;
        wait = 0;
      }
      if (event.code === "too-slow" || event.code === "stalled")
        notice("This page was too slow and was disconnected. It reconnects and catches up.");
      break;
    case "malformed":
      socket?.close();
      break;
  }
}

const ended = ({ code, signal }) => (signal === null ? `Exited with status ${code}` : `Exited by signal ${signal}`);

function connect() {
  clearTimeout(timer);
  exit = undefined;
  socket?.close();
  const address = new URL(`/api/ws/sessions/${encodeURIComponent(session)}?${side.query}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  let isOpen = false;
  const mine = new WebSocket(address, ["touchstone.channel", `token.${token}`]);
  socket = mine;
  mine.binaryType = "arraybuffer";
  const opening = setTimeout(() => !isOpen && lose("No answer; reconnecting"), OPEN_MS);
  mine.addEventListener("open", () => {
    if (socket !== mine) return mine.close();
    isOpen = true;
    clearTimeout(opening);
    // While the socket is closing, sending would only log an error; unacknowledged input is sent again after a reconnect.
    const send = (message) => mine.readyState === WebSocket.OPEN && mine.send(message);
    side.connected({ send, close: (code, reason) => mine.close(code, reason) }, performance.now());
  });
  let hasFitted = false;
  mine.addEventListener("message", ({ data }) => {
    if (socket !== mine) return;
    side.heard(performance.now());
    if (typeof data === "string") {
      handle(side.text(data));
      if (!hasFitted) {
        hasFitted = true;
        fit();
      }
      return;
    }
    const octets = new Uint8Array(data);
    const offset = side.binary(octets);
    terminal.write(octets, () => {
      shown = Math.max(shown, offset);
      side.shown(offset);
    });
  });
  mine.addEventListener("close", () => {
    clearTimeout(opening);
    if (socket !== mine) return;
    side.lost();
    if (exit !== undefined && !exit.again) return show("exited", ended(exit));
    reconnect(isOpen);
  });
}

/** The line is dead: nothing more is expected of the socket, whose own end may take minutes. */
function lose(words) {
  const dead = socket;
  socket = undefined;
  dead?.close();
  side.lost();
  reconnect(true, words);
}
function beat() {
  if (side.beat(performance.now())) lose("Connection lost; reconnecting");
}
setInterval(beat, HEARTBEAT_MS);
// Timers of a hidden page are slow.
document.addEventListener("visibilitychange", beat);

/** Browsers hide from scripts why a WebSocket was refused: an ordinary request gets the status. */
async function reconnect(wasOpen, words = "Reconnecting") {
  show("reconnecting", words);
  if (!wasOpen) {
    try {
      const { status } = await fetch(`/api/ws/sessions/${encodeURIComponent(session)}?client=${side.id}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(5_000),
      });
      if (status === 401) return show("refused", "Invalid token: open the complete URL that the server printed");
      if (status === 404) show("reconnecting", "Session not found; reconnecting");
      else if (FINAL.has(status) && status !== 426) return show("refused", `Refused with ${status}`);
    } catch {
      show("reconnecting", "Server unreachable; reconnecting");
    }
  }
  timer = setTimeout(connect, wait * (0.5 + Math.random() / 2));
  wait = Math.min(Math.max(wait * 2, FIRST_RETRY_MS), MOST_RETRY_MS);
}
$("again").addEventListener("click", () => {
  if (exit?.again === true && socket?.readyState === WebSocket.OPEN) {
    side.start();
    show("starting", "Starting a new shell");
  } else {
    wait = FIRST_RETRY_MS;
    connect();
  }
  terminal.focus();
});
$("own").addEventListener("click", () => {
  side.own();
  terminal.focus();
});
addEventListener("online", () => {
  if ($("state").dataset.state === "reconnecting") connect();
});
addEventListener("hashchange", () => location.reload());

if (token === "") show("refused", "No token: open the complete URL that the server printed");
else connect();
