import { TROUBLES } from "../../../reference/websocket/channel/index.ts";
import { among, below, chance, type Draw, octetsOf } from "./draw.ts";

/** What a life knows about a session, so that messages are often at the edge of what is allowed. */
export type Edges = {
  readonly start: number;
  readonly end: number;
  readonly input: number;
  readonly window: number;
  readonly typed: number;
};

const near = (draw: Draw, value: number): number => Math.max(0, value + (chance(draw, 0.5) ? 0 : below(draw, 7) - 3));
const WRONG_NUMBERS = [-1, 1.5, 2 ** 53, 2 ** 53 - 1, "1", null, 1e300, true] as const;
const CELLS = [1, 2, 24, 80, 132, 999, 1_000, 1_001, 0] as const;
const OFFSETS = ["start", "end", "input"] as const;
const offsetOf = (draw: Draw, edges: Edges): number => (chance(draw, 0.15) ? below(draw, 300) : near(draw, edges[among(draw, OFFSETS)]));
const cellsOf = (draw: Draw): number => (chance(draw, 0.1) ? among(draw, CELLS) : 20 + below(draw, 4));

type Json = Record<string, unknown>;
/** A message that is valid by its shape. */
function shaped(draw: Draw, sender: "agent" | "client" | "hub", edges: Edges): Json {
  const types = {
    agent: ["offer", "offer", "ack", "ack", "exit", "ping", "pong"],
    client: ["resize", "ack", "ack", "start", "own", "ping", "pong"],
    hub: ["state", "state", "resize", "ack", "ack", "exit", "start", "ping", "pong", "error"],
  } as const;
  const type = chance(draw, 0.05)
    ? among(draw, ["offer", "state", "resize", "ack", "exit", "start", "own", "ping", "pong", "error", "other"])
    : among(draw, types[sender] as readonly [string, ...string[]]);
  const offset = (): number => offsetOf(draw, edges);
  switch (type) {
    case "offer": {
      const end = chance(draw, 0.7) ? near(draw, edges.end) : offset();
      return {
        type,
        from: chance(draw, 0.85) ? Math.max(0, end - below(draw, 60)) : end + below(draw, 3),
        end,
        input: near(draw, edges.input),
        cols: cellsOf(draw),
        rows: cellsOf(draw),
      };
    }
    case "state":
      return {
        type,
        session: among(draw, ["main", "main", "a b", "", 5]),
        run: among(draw, ["r1", "r1", "r1", "r2", "", "-"]),
        agent: among(draw, ["here", "here", "gone", "exited", "other"]),
        from: offset(),
        screen: chance(draw, 0.7) ? 0 : below(draw, 12),
        end: offset(),
        input: near(draw, edges.typed),
        known: chance(draw, 0.7),
        window: among(draw, [edges.window, 0, 1, 10, 100]),
        cols: cellsOf(draw),
        rows: cellsOf(draw),
        clients: below(draw, 3),
        owner: chance(draw, 0.5),
      };
    case "resize":
      return { type, cols: cellsOf(draw), rows: cellsOf(draw) };
    case "ack":
      return { type, offset: sender === "hub" && chance(draw, 0.5) ? near(draw, edges.typed) : offset() };
    case "exit":
      return {
        type,
        code: among(draw, [0, 1, -1, 255, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) + 1, -(2 ** 31)]),
        signal: among(draw, [null, null, 1, 9, 128, 129, 0]),
        again: chance(draw, 0.6),
      };
    case "ping":
    case "pong":
      return { type, id: offset() };
    case "error":
      return {
        type,
        code: among(draw, [...(Object.keys(TROUBLES) as [string, ...string[]]), "other"]),
        message: among(draw, ["why", "", 7]),
      };
    default:
      return { type };
  }
}

/** A text message: most often valid by its shape; else with one member changed, or not JSON. */
export function drawnText(draw: Draw, sender: "agent" | "client" | "hub", edges: Edges, most: number): string {
  const message = shaped(draw, sender, edges);
  const kind = draw();
  if (kind < 0.8) return JSON.stringify(message);
  if (kind < 0.9) {
    const [name] = [among(draw, Object.keys(message) as [string, ...string[]])];
    if (chance(draw, 0.4)) delete message[name];
    else message[name] = among(draw, WRONG_NUMBERS);
    return JSON.stringify(message);
  }
  if (kind < 0.94) return JSON.stringify({ ...message, more: "x".repeat(below(draw, 20)), __proto__: 1 });
  // As long as allowed, and one more.
  if (kind < 0.97) return JSON.stringify(message).padEnd(most + below(draw, 3) - 1, " ");
  return among(draw, ["", "{", "[]", "null", '"offer"', "5", '{"type":null}', "{}", '{"type":"ping"}', '{"type":"toString"}']);
}

const PIECES = [
  "a",
  "b",
  "xyz",
  "é",
  "€",
  "😀",
  "\x1b[31m",
  "\x1b[",
  "\x1b]0;t\x07",
  "\x1b]0;t",
  "\x1b\\",
  "\x1bPq",
  "\x1b(B",
  "\x1b(",
  "\x18",
  "\x1a",
  "\x1b",
  "\u009b1m",
  "\u009d0;t\u009c",
  "\u0090",
  "\u0085",
  "\x1b_a\x1b\\",
  "\x1b^",
  "\x1bX",
  "\x9b",
  "\x07",
  "\x1bc",
  "\x1b7",
  "\x1b#8",
] as const;
/** Terminal output: characters and control sequences, perhaps cut or damaged. */
export function output(draw: Draw, length: number): Uint8Array {
  if (chance(draw, 0.1)) return octetsOf(draw, length);
  let text = "";
  while (text.length < length) text += chance(draw, 0.5) ? String.fromCharCode(97 + below(draw, 26)) : among(draw, PIECES);
  const octets = new Uint8Array(Buffer.from(text));
  const from = chance(draw, 0.1) ? below(draw, octets.length) : 0;
  return octets.subarray(from, from + length);
}
