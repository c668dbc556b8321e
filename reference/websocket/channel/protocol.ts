/**
 * The messages of the terminal-session channel. Binary messages carry octets of the terminal and nothing else: what the shell prints towards
 * the clients, what is typed towards the agent. Each of the two streams counts its octets from 0; text messages carry JSON, and speak of
 * places in them by absolute offset. `schema.json` beside this file describes the same messages for other implementations, and the tests hold
 * the two together. Members that are not known are ignored.
 */

/** Who sends a message. The hub stands between one agent and any number of clients. */
export type Sender = "agent" | "client" | "hub";

/** How the agent of a session is: attached, lost without a word, or done since its shell has ended. */
export type AgentState = "here" | "gone" | "exited";

/** The first message of an agent on a connection, once. */
export type Offer = {
  readonly type: "offer";
  /** The oldest octet of output that the agent can still send, and the offset of the next one that its shell will print. */
  readonly from: number;
  readonly end: number;
  /** Octets that were typed and have been given to the shell. */
  readonly input: number;
  readonly cols: number;
  readonly rows: number;
};

/** The hub says how things are: the first message on every connection that it has let in (to an agent: after its offer), and on every change. */
export type State = {
  readonly type: "state";
  readonly session: string;
  /** Names the shell's life: another one means that offsets have begun anew. Empty before the first offer. */
  readonly run: string;
  readonly agent: AgentState;
  /** The offset of the next octet of output on this connection. */
  readonly from: number;
  /** The offset of the next octet that the hub will have. */
  readonly end: number;
  /** The offset of the next typed octet on this connection. */
  readonly input: number;
  /** Octets that the receiver of this message may send and not have acknowledged: 0 for a client that may only watch. */
  readonly window: number;
  readonly cols: number;
  readonly rows: number;
  /** Clients that are attached. */
  readonly clients: number;
};

/** The terminal has another size: from a client as a wish, from the hub to everybody. */
export type Resize = { readonly type: "resize"; readonly cols: number; readonly rows: number };
/** The sender is done with all octets before `offset` of the stream that comes to it: shown, or given to the shell. */
export type Ack = { readonly type: "ack"; readonly offset: number };
/** The shell has ended: its status, and the signal that ended it, or null. */
export type Exit = { readonly type: "exit"; readonly code: number; readonly signal: number | null };
/** Why the hub closes the connection, before it does. */
export type Trouble = { readonly type: "error"; readonly code: TroubleCode; readonly message: string };

/** What text messages carry, as JSON objects: `type` tells them apart. Binary messages are the terminal's octets. */
export type Control = Offer | State | Resize | Ack | Exit | Trouble;

/** Everything that a hub ends a connection for, with the close code that follows. */
export const TROUBLES = {
  /** A text message that is none of these, or not for this sender. */
  malformed: 1008,
  /** A lawful message at the wrong time: octets before the offer, a second offer. */
  unexpected: 1008,
  /** Octets were acknowledged that have not been sent. */
  "ack-ahead": 1008,
  /** More octets than the window allows. */
  "window-exceeded": 1008,
  "message-too-big": 1009,
  /** The client is further behind than is kept for it. */
  "too-slow": 1013,
  /** The client has acknowledged nothing for too long. */
  stalled: 1013,
  /** The same agent or client has come again. */
  replaced: 4000,
  /** Another run of the shell has begun: whoever comes again sees that one. */
  restarted: 4002,
  /** The agent has been gone for too long, and the session is over. */
  abandoned: 4001,
  /** Typed, or resized, by a client that may only watch. */
  "read-only": 1008,
} as const;
/** The words in `error` messages; each has one close code. */
export type TroubleCode = keyof typeof TROUBLES;

/** Sessions, runs and clients: what is safe in a path, a log and a file name. */
const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
/** Whether a name may be used: 1 to 64 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends. */
export const isId = (text: string): boolean => ID.test(text);

/** The most columns, and rows, of a terminal: a larger size is `malformed`. */
export const MOST_CELLS = 1_000;

/** A message that cannot be used, and what is wrong with it. */
export type Malformed = { readonly type: "malformed"; readonly why: string };
const malformed = (why: string): Malformed => ({ type: "malformed", why });

const isOffset = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isCells = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_CELLS;
const isText = (value: unknown): boolean => typeof value === "string";
const isOneOf =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    names.includes(value as string);

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;
/** What each type has, and must have. */
const SHAPES: {
  readonly [T in Control["type"]]: Shape & { readonly [K in Exclude<keyof Extract<Control, { type: T }>, "type">]: Shape[string] };
} = {
  offer: { from: isOffset, end: isOffset, input: isOffset, cols: isCells, rows: isCells },
  state: {
    session: (value) => isText(value) && isId(value as string),
    run: (value) => isText(value) && (value === "" || isId(value as string)),
    agent: isOneOf(["here", "gone", "exited"] satisfies AgentState[]),
    from: isOffset,
    end: isOffset,
    input: isOffset,
    window: isOffset,
    cols: isCells,
    rows: isCells,
    clients: isOffset,
  },
  resize: { cols: isCells, rows: isCells },
  ack: { offset: isOffset },
  exit: {
    code: (value) => Number.isInteger(value) && Math.abs(value as number) <= 0x7fff_ffff,
    signal: (value) => value === null || (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 128),
  },
  error: { code: isOneOf(Object.keys(TROUBLES)), message: isText },
};

/** Who may send what. */
const SENT_BY: Readonly<Record<Sender, readonly Control["type"][]>> = {
  agent: ["offer", "ack", "exit"],
  client: ["resize", "ack"],
  hub: ["state", "resize", "ack", "exit", "error"],
};

/** Reads a text message of `sender`. Only the members that are known are in what it returns. */
export function readControl(text: string, sender: Sender): Control | Malformed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed("it is no JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return malformed("it is no object");
  const given = value as Readonly<Record<string, unknown>>;
  const type = SENT_BY[sender].find((name) => name === given["type"]);
  if (type === undefined) return malformed(`the type is none of ${SENT_BY[sender].join(", ")}`);
  const read: Record<string, unknown> = { type };
  for (const [name, fits] of Object.entries(SHAPES[type])) {
    if (!Object.hasOwn(given, name)) return malformed(`${type} has no ${name}`);
    if (!fits(given[name])) return malformed(`the ${name} of ${type} is out of its range`);
    read[name] = given[name];
  }
  if (type === "offer" && (read["from"] as number) > (read["end"] as number)) return malformed("the offer begins after its end");
  return read as Control;
}

/** One text message, which `readControl` at the other end takes. */
export const writeControl = (control: Control): string => JSON.stringify(control);

/** A connection as the hub sees it: whole messages out, and the end. What it sends may be queued, never refused. */
export interface Peer {
  send(message: string | Uint8Array): void;
  close(code: number, reason: string): void;
}
