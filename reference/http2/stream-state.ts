import { Bug } from "../core/index.ts";
import type { FaultName } from "./faults.ts";

/** The seven states of rfc9113#5.1, figure 2, by number: a stream keeps the number, the tables below the names. */
export const State = {
  idle: 0,
  reservedLocal: 1,
  reservedRemote: 2,
  open: 3,
  halfClosedLocal: 4,
  halfClosedRemote: 5,
  closed: 6,
} as const;
export type StateName = keyof typeof State;
export type State = (typeof State)[StateName];

/**
 * What moves a stream. END_STREAM is an input of its own, after that of the frame which bears it. PUSH_PROMISE is two inputs: "PUSH_PROMISE"
 * on the stream that carries it, and "promise" on the stream that it reserves. PRIORITY moves nothing and is lawful everywhere.
 */
export const Input = {
  "recv HEADERS": 0,
  "recv DATA": 1,
  "recv END_STREAM": 2,
  "recv RST_STREAM": 3,
  "recv WINDOW_UPDATE": 4,
  "recv PUSH_PROMISE": 5,
  "recv promise": 6,
  "send HEADERS": 7,
  "send DATA": 8,
  "send END_STREAM": 9,
  "send RST_STREAM": 10,
  "send WINDOW_UPDATE": 11,
  "send PUSH_PROMISE": 12,
  "send promise": 13,
} as const;
export type InputName = keyof typeof Input;
export type Input = (typeof Input)[InputName];

/** The peer broke the rules: answered on the wire. */
export type Refused = { readonly refuse: FaultName };
const refuse = (name: FaultName): Refused => ({ refuse: name });
/** Our own side must never do this: reported to the caller, never sent. */
const NEVER_SENT = "misuse";
const STAY = "stay";
type Cell = StateName | typeof STAY | typeof NEVER_SENT | Refused;

const idle = refuse("frameOnIdleStream");
const reserved = refuse("frameOnReservedStream");
const ended = refuse("frameAfterEndStream");
const misplaced = refuse("pushPromiseOnWrongStream");
const notIdle = refuse("pushPromiseIdNotIdle");

/**
 * rfc9113#5.1 as a table. The type is total on purpose: a cell left out does not compile, so each pair of state and input has been decided
 * by someone. What a closed stream makes of late frames depends on how it was closed: `AFTER_CLOSE`.
 */
export const NEXT: Readonly<Record<StateName, Readonly<Record<InputName, Cell>>>> = {
  idle: {
    "recv HEADERS": "open",
    "recv DATA": idle,
    "recv END_STREAM": idle,
    "recv RST_STREAM": idle,
    "recv WINDOW_UPDATE": idle,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": "reservedRemote",
    "send HEADERS": "open",
    "send DATA": NEVER_SENT,
    "send END_STREAM": NEVER_SENT,
    "send RST_STREAM": NEVER_SENT,
    "send WINDOW_UPDATE": NEVER_SENT,
    "send PUSH_PROMISE": NEVER_SENT,
    "send promise": "reservedLocal",
  },
  reservedLocal: {
    "recv HEADERS": reserved,
    "recv DATA": reserved,
    "recv END_STREAM": reserved,
    "recv RST_STREAM": "closed",
    "recv WINDOW_UPDATE": STAY,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": notIdle,
    "send HEADERS": "halfClosedRemote",
    "send DATA": NEVER_SENT,
    "send END_STREAM": NEVER_SENT,
    "send RST_STREAM": "closed",
    "send WINDOW_UPDATE": NEVER_SENT,
    "send PUSH_PROMISE": NEVER_SENT,
    "send promise": NEVER_SENT,
  },
  reservedRemote: {
    "recv HEADERS": "halfClosedLocal",
    "recv DATA": reserved,
    "recv END_STREAM": reserved,
    "recv RST_STREAM": "closed",
    "recv WINDOW_UPDATE": reserved,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": notIdle,
    "send HEADERS": NEVER_SENT,
    "send DATA": NEVER_SENT,
    "send END_STREAM": NEVER_SENT,
    "send RST_STREAM": "closed",
    "send WINDOW_UPDATE": STAY,
    "send PUSH_PROMISE": NEVER_SENT,
    "send promise": NEVER_SENT,
  },
  open: {
    "recv HEADERS": STAY,
    "recv DATA": STAY,
    "recv END_STREAM": "halfClosedRemote",
    "recv RST_STREAM": "closed",
    "recv WINDOW_UPDATE": STAY,
    "recv PUSH_PROMISE": STAY,
    "recv promise": notIdle,
    "send HEADERS": STAY,
    "send DATA": STAY,
    "send END_STREAM": "halfClosedLocal",
    "send RST_STREAM": "closed",
    "send WINDOW_UPDATE": STAY,
    "send PUSH_PROMISE": STAY,
    "send promise": NEVER_SENT,
  },
  halfClosedLocal: {
    "recv HEADERS": STAY,
    "recv DATA": STAY,
    "recv END_STREAM": "closed",
    "recv RST_STREAM": "closed",
    "recv WINDOW_UPDATE": STAY,
    "recv PUSH_PROMISE": STAY,
    "recv promise": notIdle,
    "send HEADERS": NEVER_SENT,
    "send DATA": NEVER_SENT,
    "send END_STREAM": NEVER_SENT,
    "send RST_STREAM": "closed",
    "send WINDOW_UPDATE": STAY,
    "send PUSH_PROMISE": NEVER_SENT,
    "send promise": NEVER_SENT,
  },
  halfClosedRemote: {
    "recv HEADERS": ended,
    "recv DATA": ended,
    "recv END_STREAM": ended,
    "recv RST_STREAM": "closed",
    "recv WINDOW_UPDATE": STAY,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": notIdle,
    "send HEADERS": STAY,
    "send DATA": STAY,
    "send END_STREAM": "closed",
    "send RST_STREAM": "closed",
    "send WINDOW_UPDATE": STAY,
    "send PUSH_PROMISE": STAY,
    "send promise": NEVER_SENT,
  },
  closed: {
    "recv HEADERS": STAY,
    "recv DATA": STAY,
    "recv END_STREAM": STAY,
    "recv RST_STREAM": STAY,
    "recv WINDOW_UPDATE": STAY,
    "recv PUSH_PROMISE": STAY,
    "recv promise": notIdle,
    "send HEADERS": NEVER_SENT,
    "send DATA": NEVER_SENT,
    "send END_STREAM": NEVER_SENT,
    "send RST_STREAM": NEVER_SENT,
    "send WINDOW_UPDATE": NEVER_SENT,
    "send PUSH_PROMISE": NEVER_SENT,
    "send promise": NEVER_SENT,
  },
};

/** How a stream came to be closed. "forgotten": long ago, or never opened because a higher identifier was (rfc9113#5.1.1). */
export const Closed = { ended: 0, resetByPeer: 1, resetByUs: 2, forgotten: 3 } as const;
export type ClosedName = keyof typeof Closed;
export type Closed = (typeof Closed)[ClosedName];

/** Frames that address a stream, PRIORITY apart. */
type Late = "HEADERS" | "DATA" | "RST_STREAM" | "WINDOW_UPDATE" | "PUSH_PROMISE";
const DISCARD = "discard";

/**
 * What late frames on a closed stream mean (rfc9113#5.1, "closed"). After our own RST_STREAM anything may still be under way and is taken
 * in as far as the connection's state needs; WINDOW_UPDATE and RST_STREAM may cross any end.
 */
export const AFTER_CLOSE: Readonly<Record<ClosedName, Readonly<Record<Late, typeof DISCARD | Refused>>>> = {
  ended: {
    HEADERS: refuse("frameOnClosedStream"),
    DATA: refuse("frameOnClosedStream"),
    RST_STREAM: DISCARD,
    WINDOW_UPDATE: DISCARD,
    PUSH_PROMISE: misplaced,
  },
  resetByPeer: {
    HEADERS: refuse("frameAfterRstStream"),
    DATA: refuse("frameAfterRstStream"),
    RST_STREAM: DISCARD,
    WINDOW_UPDATE: DISCARD,
    PUSH_PROMISE: misplaced,
  },
  resetByUs: { HEADERS: DISCARD, DATA: DISCARD, RST_STREAM: DISCARD, WINDOW_UPDATE: DISCARD, PUSH_PROMISE: DISCARD },
  forgotten: {
    HEADERS: refuse("streamIdNotRising"),
    DATA: refuse("frameAfterRstStream"),
    RST_STREAM: DISCARD,
    WINDOW_UPDATE: DISCARD,
    PUSH_PROMISE: misplaced,
  },
};

export const STATES = Object.keys(State) as StateName[];
export const INPUTS = Object.keys(Input) as InputName[];
const CLOSED = Object.keys(Closed) as ClosedName[];
const LATE = Object.keys(AFTER_CLOSE.ended) as Late[];

/** `NEXT` in one array of small numbers: a state, or `MISUSE`, or a refusal counted down from -2. */
export const MISUSE = -1;
const REFUSALS: FaultName[] = [];
const CELLS: Int8Array = Int8Array.from(
  STATES.flatMap((state) =>
    INPUTS.map((input) => {
      const cell = NEXT[state][input];
      if (cell === NEVER_SENT) return MISUSE;
      if (cell === STAY) return State[state];
      if (typeof cell === "string") return State[cell];
      if (!REFUSALS.includes(cell.refuse)) REFUSALS.push(cell.refuse);
      return -2 - REFUSALS.indexOf(cell.refuse);
    }),
  ),
);

/** The next state, or a negative number: `MISUSE`, or a refusal that `refusal` names. */
export const step = (state: State, input: Input): State | -1 => CELLS[state * INPUTS.length + input] as State | -1;

/** The fault behind a negative result of `step`. */
export function refusal(result: number): FaultName {
  const name = REFUSALS[-2 - result];
  if (name === undefined) throw new Bug(`${result} is no refusal`);
  return name;
}

/** The fault of a late frame, or undefined where it is to be discarded. */
export function late(closed: Closed, frame: Late): FaultName | undefined {
  const cell = AFTER_CLOSE[CLOSED[closed]!][frame];
  return cell === DISCARD ? undefined : cell.refuse;
}

/** One line a cell, for review: a changed cell is a changed line. */
export function printTables(): string {
  const print = (cell: string | Refused): string => (typeof cell === "string" ? cell : `refuse ${cell.refuse}`);
  const lines = STATES.flatMap((state) => INPUTS.map((input) => `${state} + ${input} -> ${print(NEXT[state][input])}`));
  const late = CLOSED.flatMap((closed) =>
    LATE.map((frame) => `closed (${closed}) + recv ${frame} -> ${print(AFTER_CLOSE[closed][frame])}`),
  );
  return [...lines, ...late].join("\n");
}
