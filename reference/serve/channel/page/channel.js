import { Terminal } from "./xterm.js";
import { ClientSide } from "./client-side.js";

/** The page of a session: a terminal, how the session is, and a connection that comes again. */

const $ = (id) => document.getElementById(id);
const told = new URLSearchParams(location.hash.slice(1));
const token = told.get("token") ?? "";
const session = told.get("session") ?? "main";
$("name").textContent = session;
document.title = `${session} · terminal`;

/** Pixels; below the least the terminal scrolls instead. */
const LETTERS = 14;
const LEAST_LETTERS = 9;
const FIRST_RETRY_MS = 500;
const MOST_RETRY_MS = 10_000;
/** Answers that no later attempt would change. */
const FINAL = new Set([400, 401, 403, 421, 426]);

// Looks.

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
  fontSize: LETTERS,
  scrollback: 5_000,
  cursorBlink: false,
  screenReaderMode: told.get("reader") === "1",
});
terminal.open($("terminal"));
terminal.focus();
dark.addEventListener("change", () => (terminal.options.theme = theme()));

function show(state, words) {
  if ($("state").dataset.state !== state) $("state").dataset.state = state;
  if ($("words").textContent !== words) $("words").textContent = words;
  // What is over takes no input, and shows no place for it.
  const isOver = state === "exited" || state === "refused";
  if ($("terminal").dataset.over !== String(isOver)) {
    $("terminal").dataset.over = String(isOver);
    terminal.write(isOver ? "\x1b[?25l" : "\x1b[?25h");
  }
  terminal.options.disableStdin = isOver || side.watches;
  $("keys").hidden = side.watches;
  $("again").hidden = !(state === "reconnecting" || state === "exited");
  $("again").textContent = state === "exited" ? "Look again" : "Connect now";
}
function notice(words) {
  $("notice-words").textContent = words;
  $("notice").hidden = false;
}
$("notice-close").addEventListener("click", () => {
  $("notice").hidden = true;
  terminal.focus();
});

// Size: as many cells as there is room for; whoever has changed it last, wins.

function room() {
  const screen = $("terminal").querySelector(".xterm-screen");
  const [width, height] = [screen.clientWidth / terminal.cols, screen.clientHeight / terminal.rows];
  if (!(width > 0 && height > 0)) return undefined;
  const bar = 14;
  const cols = Math.floor(($("terminal").clientWidth - bar) / width);
  const rows = Math.floor($("terminal").clientHeight / height);
  return { cols: Math.max(2, Math.min(cols, 500)), rows: Math.max(1, Math.min(rows, 300)) };
}
/** Who watches has the size of those who type, in letters that are small enough. */
function scale(size) {
  const by = Math.min(size.cols / terminal.cols, size.rows / terminal.rows);
  const letters = Math.max(LEAST_LETTERS, Math.min(LETTERS, Math.floor(terminal.options.fontSize * by * 2) / 2));
  if (letters !== terminal.options.fontSize) terminal.options.fontSize = letters;
}
function fit() {
  const size = room();
  if (size === undefined) return;
  if (side.watches) return scale(size);
  if (size.cols !== terminal.cols || size.rows !== terminal.rows) terminal.resize(size.cols, size.rows);
  side.resize(size.cols, size.rows);
}
let fitting;
new ResizeObserver(() => {
  clearTimeout(fitting);
  fitting = setTimeout(fit, 100);
}).observe($("terminal"));

// Octets, both ways.

/** Random, and so another one for each page: what is typed here has a count of its own. */
const side = new ClientSide(
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (octet) => octet.toString(16).padStart(2, "0")).join(""),
  told.get("mode") === "watch",
);
const encoder = new TextEncoder();
/** While output before this offset is shown again, the terminal's own answers to it were given long ago. */
let replayEnd = 0;
let shown = 0;
const ESC = "\x1b";
const isReport = (data) => data.startsWith(ESC) && /^(?:\[[?>=]?[\d;$]*[cRny]|[\]P])/.test(data.slice(1));

function type(octets) {
  if (!side.watches && !side.type(octets)) notice("Too much is waiting to be typed: the last input was not taken.");
}
terminal.onData((data) => {
  if (shown < replayEnd && isReport(data)) return;
  type(encoder.encode(data));
});
terminal.onBinary((data) => type(Uint8Array.from(data, (letter) => letter.charCodeAt(0))));

const KEYS = { esc: "\x1b", tab: "\t", interrupt: "\x03", end: "\x04", up: "A", down: "B", right: "C", left: "D" };
$("keys").addEventListener("click", ({ target }) => {
  const key = KEYS[target.dataset.key];
  if (key === undefined) return;
  const arrow = terminal.modes.applicationCursorKeysMode ? "\x1bO" : "\x1b[";
  type(encoder.encode(/[A-D]/.test(key) ? arrow + key : key));
  terminal.focus();
});

// The connection.

let socket;
let timer;
let wait = FIRST_RETRY_MS;
let exit;

function happened(event) {
  switch (event.is) {
    case "state": {
      const { state } = event;
      if (event.isFresh) {
        terminal.reset();
        shown = state.from;
        replayEnd = state.end;
      }
      if (event.untyped > 0) notice(`${event.untyped} characters were typed and not confirmed: they may be lost.`);
      if (event.lost > 0) notice(`${event.lost} octets of output are older than what is kept, and are not shown.`);
      wait = FIRST_RETRY_MS;
      $("facts").textContent = `${state.cols} × ${state.rows} · ${state.clients} attached`;
      if (side.watches) {
        if (state.cols !== terminal.cols || state.rows !== terminal.rows) terminal.resize(state.cols, state.rows);
        fit();
      }
      if (state.agent === "here") show("connected", side.watches ? "Watching" : "Connected");
      else if (state.agent === "gone") show("gone", "Agent gone; waiting for it");
      break;
    }
    case "resize":
      if (event.cols !== terminal.cols || event.rows !== terminal.rows) terminal.resize(event.cols, event.rows);
      if (side.watches) fit();
      $("facts").textContent = $("facts").textContent.replace(/^\d+ × \d+/, `${event.cols} × ${event.rows}`);
      break;
    case "exit":
      exit = event;
      break;
    case "error":
      if (event.code === "too-slow" || event.code === "stalled") notice("This page was too slow and has been dropped; it catches up now.");
      break;
    case "malformed":
      socket?.close();
      break;
  }
}

function connect() {
  clearTimeout(timer);
  exit = undefined;
  const address = new URL(`/api/ws/sessions/${encodeURIComponent(session)}?${side.query}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  let isOpen = false;
  const mine = new WebSocket(address, ["touchstone.channel", `token.${token}`]);
  socket = mine;
  mine.binaryType = "arraybuffer";
  mine.addEventListener("open", () => {
    isOpen = true;
    // Between the server's Close and the event of it a message is dropped with a complaint; what was not acknowledged is sent again after a reconnect.
    const send = (message) => mine.readyState === WebSocket.OPEN && mine.send(message);
    side.connected({ send, close: (code, reason) => mine.close(code, reason) });
  });
  let hasFitted = false;
  mine.addEventListener("message", ({ data }) => {
    if (typeof data === "string") {
      happened(side.text(data));
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
    if (socket !== mine) return;
    side.lost();
    if (exit !== undefined) {
      const how = exit.signal === null ? `with status ${exit.code}` : `by signal ${exit.signal}`;
      return show("exited", `Exited ${how}`);
    }
    again(isOpen);
  });
}

/** Why a connection was refused is hidden from scripts; a plain request hears it. */
async function again(wasOpen) {
  show("reconnecting", "Reconnecting");
  if (!wasOpen) {
    try {
      const { status } = await fetch(`/api/ws/sessions/${encodeURIComponent(session)}?client=${side.id}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(5_000),
      });
      if (status === 401) return show("refused", "Refused: open the address with its token, as it was printed");
      if (status === 404) show("reconnecting", "No such session; looking again");
      else if (FINAL.has(status) && status !== 426) return show("refused", `Refused with ${status}`);
    } catch {
      show("reconnecting", "Server out of reach; reconnecting");
    }
  }
  timer = setTimeout(connect, wait * (0.5 + Math.random() / 2));
  wait = Math.min(wait * 2, MOST_RETRY_MS);
}
$("again").addEventListener("click", () => {
  wait = FIRST_RETRY_MS;
  connect();
  terminal.focus();
});
addEventListener("online", () => {
  if ($("state").dataset.state === "reconnecting") connect();
});
addEventListener("hashchange", () => location.reload());

if (token === "") show("refused", "No token: open the address as it was printed");
else connect();
