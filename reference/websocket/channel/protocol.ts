/**
 * The messages of the terminal-session channel. Binary messages carry octets of the terminal alone: output towards the clients, input
 * towards the agent. Each of these two streams counts its octets from 0. Text messages carry JSON and refer to the streams by absolute
 * offset. `schema.json` describes the same messages for other implementations; tests compare the two. Unknown members are ignored.
 */

/** The sender of a message. The hub connects one agent with any number of clients. */
export type Sender = "agent" | "client" | "hub";

/** The agent of a session is attached, has lost its connection, or is done, since its shell has ended. */
export type AgentState = "here" | "gone" | "exited";

/** The first message of an agent on each connection. */
export type Offer = {
  readonly type: "offer";
  /** The oldest octet of output that the agent can still send, and the offset of the next octet that the shell will print. */
  readonly from: number;
  readonly end: number;
  /** Octets of input that the shell has received. */
  readonly input: number;
  readonly cols: number;
  readonly rows: number;
};

/** The state of the session: the hub's first message on every connection (to an agent, after its offer), and at every change. */
export type State = {
  readonly type: "state";
  readonly session: string;
  /** Names one run of the shell: in another run the offsets start again. Empty before the first offer. */
  readonly run: string;
  readonly agent: AgentState;
  /** The offset of the next octet of output on this connection. */
  readonly from: number;
  /** The first octets on this connection that draw the screen as it was at `from`. They are no output, and not counted. */
  readonly screen: number;
  /** The offset of the next octet that the hub will receive from the agent. */
  readonly end: number;
  /** The offset of the next octet of input on this connection, and whether it continues an earlier count of the same client. */
  readonly input: number;
  readonly known: boolean;
  /** Unacknowledged octets that the receiver of this message may send: 0 for a client that may only watch. */
  readonly window: number;
  readonly cols: number;
  readonly rows: number;
  /** Attached clients. */
  readonly clients: number;
  /** The receiver owns the terminal: it alone answers queries of the shell, and sets the size if the owner does. */
  readonly owner: boolean;
};

/** The size of the terminal: a request of a client, or the hub's announcement to all. */
export type Resize = { readonly type: "resize"; readonly cols: number; readonly rows: number };
/** The sender has shown all octets that it received before `offset`, or given them to the shell. */
export type Ack = { readonly type: "ack"; readonly offset: number };
/** The shell has ended, with this status, and with the signal that ended it, or null; `again` if the agent can start another. */
export type Exit = { readonly type: "exit"; readonly code: number; readonly signal: number | null; readonly again: boolean };
/** Asks for another shell after an `exit` with `again`. */
export type Start = { readonly type: "start" };
/** The client wants to own the terminal. */
export type Own = { readonly type: "own" };
/** Asks whether the other side is there; `pong` with the same `id` answers. */
export type Ping = { readonly type: "ping"; readonly id: number };
export type Pong = { readonly type: "pong"; readonly id: number };
/** Why the hub is about to close the connection. */
export type Trouble = { readonly type: "error"; readonly code: TroubleCode; readonly message: string };

/** The text messages, as JSON objects; `type` distinguishes them. */
export type Control = Offer | State | Resize | Ack | Exit | Start | Own | Ping | Pong | Trouble;

/** Every reason why a hub closes a connection, with the close code. */
export const TROUBLES = {
  /** A text message is invalid, or not allowed for its sender. */
  malformed: 1008,
  /** A valid message arrives at the wrong time: octets before the offer, or a second offer. */
  unexpected: 1008,
  /** Octets are acknowledged that were not sent. */
  "ack-ahead": 1008,
  /** More octets arrive than the window allows. */
  "window-exceeded": 1008,
  "message-too-big": 1009,
  /** The client is too far behind. */
  "too-slow": 1013,
  /** The client has acknowledged nothing for too long. */
  stalled: 1013,
  /** The same agent or client has connected again. */
  replaced: 4000,
  /** Another run of the shell has begun: a client that reconnects sees that one. */
  restarted: 4002,
  /** The session is over, since its agent has been gone for too long. */
  abandoned: 4001,
  /** A client that may only watch has typed, resized, or asked for a shell or the terminal. */
  "read-only": 1008,
  /** Nothing has arrived for too long, not even a pong. */
  silent: 4003,
} as const;
/** The codes of `error` messages. */
export type TroubleCode = keyof typeof TROUBLES;

/** Names of sessions, runs and clients, safe in paths, logs and file names. */
const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
/** Whether a name is valid: 1 to 64 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends. */
export const isId = (text: string): boolean => ID.test(text);

/** The most columns, and the most rows, of a terminal: a larger size is `malformed`. */
export const MOST_CELLS = 1_000;

/** An invalid message, and what is wrong with it. */
export type Malformed = { readonly type: "malformed"; readonly why: string };
const malformed = (why: string): Malformed => ({ type: "malformed", why });

const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
const isOffset = (value: unknown): boolean => isWithin(value, 0, Number.MAX_SAFE_INTEGER);
const isCells = (value: unknown): boolean => isWithin(value, 1, MOST_CELLS);
const isText = (value: unknown): value is string => typeof value === "string";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isOneOf =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    isText(value) && names.includes(value);

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;
/** The required members of each type. */
const SHAPES: {
  readonly [T in Control["type"]]: Shape & { readonly [K in Exclude<keyof Extract<Control, { type: T }>, "type">]: Shape[string] };
} = {
  offer: { from: isOffset, end: isOffset, input: isOffset, cols: isCells, rows: isCells },
  state: {
    session: (value) => isText(value) && isId(value),
    run: (value) => isText(value) && (value === "" || isId(value)),
    agent: isOneOf(["here", "gone", "exited"] satisfies AgentState[]),
    from: isOffset,
    screen: isOffset,
    end: isOffset,
    input: isOffset,
    known: isBoolean,
    window: isOffset,
    cols: isCells,
    rows: isCells,
    clients: isOffset,
    owner: isBoolean,
  },
  resize: { cols: isCells, rows: isCells },
  ack: { offset: isOffset },
  exit: {
    code: (value) => isWithin(value, -0x7fff_ffff, 0x7fff_ffff),
    signal: (value) => value === null || isWithin(value, 1, 128),
    again: isBoolean,
  },
  start: {},
  own: {},
  ping: { id: isOffset },
  pong: { id: isOffset },
  error: { code: isOneOf(Object.keys(TROUBLES)), message: isText },
};

/** The types that each sender may send. */
const SENT_BY: Readonly<Record<Sender, readonly Control["type"][]>> = {
  agent: ["offer", "ack", "exit", "ping", "pong"],
  client: ["resize", "ack", "start", "own", "ping", "pong"],
  hub: ["state", "resize", "ack", "exit", "start", "ping", "pong", "error"],
};

/** Parses a text message of `sender`. The result has only the known members. */
export function readControl(text: string, sender: Sender): Control | Malformed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed("it is not JSON");
  }
  if (!isObject(value)) return malformed("it is not an object");
  const type = SENT_BY[sender].find((name) => name === value["type"]);
  if (type === undefined) return malformed(`the type must be one of ${SENT_BY[sender].join(", ")}`);
  const read: Record<string, unknown> = { type };
  for (const [name, fits] of Object.entries(SHAPES[type])) {
    if (!Object.hasOwn(value, name)) return malformed(`${type} has no ${name}`);
    if (!fits(value[name])) return malformed(`the ${name} of ${type} is out of its range`);
    read[name] = value[name];
  }
  // The members of each type have been checked one by one.
  const control = read as Control;
  return control.type === "offer" && control.from > control.end ? malformed("the offer starts after its end") : control;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Writes a text message that `readControl` parses. */
export const writeControl = (control: Control): string => JSON.stringify(control);

/** The sending side of a connection, for the hub. `send` may queue a message, but never refuses it. */
export interface Peer {
  send(message: string | Uint8Array): void;
  close(code: number, reason: string): void;
}
