import { Bug } from "../../core/index.ts";
import type { FaultName } from "../faults.ts";

/** The law of rfc9113#5.1 as one table: what each input does to a stream in each state. `Streams.advance` is its only reader. */

/** The states of figure 2. "closed" is four states, because the meaning of a late frame depends on how the stream was closed. */
export const State = {
  idle: 0,
  reservedLocal: 1,
  reservedRemote: 2,
  open: 3,
  halfClosedLocal: 4,
  halfClosedRemote: 5,
  /** Closed: both sides have sent END_STREAM. */
  ended: 6,
  /** Closed by the peer's RST_STREAM, or left out by its GOAWAY. */
  resetByPeer: 7,
  /** Closed by our RST_STREAM, or left out by our GOAWAY. */
  resetByUs: 8,
  /** Closed long ago, or skipped because a stream with a higher identifier was opened (rfc9113#5.1.1). */
  forgotten: 9,
} as const;
export type StateName = keyof typeof State;
export type State = (typeof State)[StateName];

/**
 * What can happen to a stream. END_STREAM follows the frame that carries it, as an input of its own. PUSH_PROMISE is two inputs: one for the
 * stream that carries it, and "promise" for the stream that it reserves. GOAWAY is an input for streams above its last identifier. PRIORITY
 * is legal in every state and changes none, so it is not an input.
 */
export const Input = {
  "recv HEADERS": 0,
  "recv DATA": 1,
  "recv END_STREAM": 2,
  "recv RST_STREAM": 3,
  "recv WINDOW_UPDATE": 4,
  "recv PUSH_PROMISE": 5,
  "recv promise": 6,
  "recv GOAWAY": 7,
  "send HEADERS": 8,
  "send DATA": 9,
  "send END_STREAM": 10,
  "send RST_STREAM": 11,
  "send WINDOW_UPDATE": 12,
  "send PUSH_PROMISE": 13,
  "send promise": 14,
  "send GOAWAY": 15,
} as const;
export type InputName = keyof typeof Input;
export type Input = (typeof Input)[InputName];

/** Frames that a peer may send on any stream, whatever its state. */
type Received = "recv HEADERS" | "recv DATA" | "recv RST_STREAM" | "recv WINDOW_UPDATE" | "recv PUSH_PROMISE" | "recv promise";
/** Actions that our own side may ask for on any live stream. */
type Sent = "send HEADERS" | "send DATA" | "send RST_STREAM" | "send WINDOW_UPDATE" | "send PUSH_PROMISE";

/** The inputs that can happen in each state. The table has a cell for each of these, and for no other. */
type Possible = {
  /** A new stream begins, or our GOAWAY has excluded it. */
  readonly idle: Received | "send HEADERS" | "send promise" | "send GOAWAY";
  /** Only servers have these streams, and a PUSH_PROMISE to a server is refused without looking at the stream. */
  readonly reservedLocal: Exclude<Received, "recv PUSH_PROMISE" | "recv promise"> | "recv GOAWAY" | Sent;
  /** Only clients have these streams: they cannot push, and the peer's GOAWAY concerns the client's own streams. */
  readonly reservedRemote: Received | Exclude<Sent, "send PUSH_PROMISE">;
  readonly open: Received | "recv END_STREAM" | "recv GOAWAY" | Sent | "send END_STREAM";
  readonly halfClosedLocal: Received | "recv END_STREAM" | "recv GOAWAY" | Sent;
  readonly halfClosedRemote: Received | "recv GOAWAY" | Sent | "send END_STREAM";
  /** Actions on closed streams are ignored without looking at the state. RST_STREAM answers a late frame. */
  readonly ended: Received | "send RST_STREAM";
  readonly resetByPeer: Received | "send RST_STREAM";
  readonly resetByUs: Received | "send RST_STREAM";
  readonly forgotten: Received | "send RST_STREAM";
};

/** The peer broke the rules: the answer is the fault's code. */
type Refused = { readonly refuse: FaultName };
/** Legal, and without effect: discarded if received, not sent if ours. */
const IGNORE = "ignore";
/** Our caller must not do this: it throws, and nothing is sent. */
const MISUSE_CELL = "misuse";
const STAY = "stay";
type Cell = StateName | typeof STAY | typeof IGNORE | typeof MISUSE_CELL | Refused;

const refuse = (name: FaultName): Refused => ({ refuse: name });
const idle: Refused = refuse("frameOnIdleStream");
const reserved: Refused = refuse("frameOnReservedStream");
const afterEnd: Refused = refuse("frameAfterEndStream");
const closed: Refused = refuse("frameOnClosedStream");
const afterReset: Refused = refuse("frameAfterRstStream");
const misplaced: Refused = refuse("pushPromiseOnWrongStream");
const notIdle: Refused = refuse("pushPromiseIdNotIdle");

/** The type is total: a cell that is left out does not compile, so someone has decided each one. */
const NEXT: { readonly [Name in StateName]: Readonly<Record<Possible[Name], Cell>> } = {
  idle: {
    "recv HEADERS": "open",
    "recv DATA": idle,
    "recv RST_STREAM": idle,
    "recv WINDOW_UPDATE": idle,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": "reservedRemote",
    "send HEADERS": "open",
    "send promise": "reservedLocal",
    "send GOAWAY": "resetByUs",
  },
  reservedLocal: {
    "recv HEADERS": reserved,
    "recv DATA": reserved,
    "recv RST_STREAM": "resetByPeer",
    "recv WINDOW_UPDATE": STAY,
    "recv GOAWAY": "resetByPeer",
    "send HEADERS": "halfClosedRemote",
    "send DATA": MISUSE_CELL,
    "send RST_STREAM": "resetByUs",
    "send WINDOW_UPDATE": IGNORE,
    "send PUSH_PROMISE": MISUSE_CELL,
  },
  reservedRemote: {
    "recv HEADERS": "halfClosedLocal",
    "recv DATA": reserved,
    "recv RST_STREAM": "resetByPeer",
    "recv WINDOW_UPDATE": reserved,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": notIdle,
    "send HEADERS": MISUSE_CELL,
    "send DATA": MISUSE_CELL,
    "send RST_STREAM": "resetByUs",
    "send WINDOW_UPDATE": STAY,
  },
  open: {
    "recv HEADERS": STAY,
    "recv DATA": STAY,
    "recv END_STREAM": "halfClosedRemote",
    "recv RST_STREAM": "resetByPeer",
    "recv WINDOW_UPDATE": STAY,
    "recv PUSH_PROMISE": STAY,
    "recv promise": notIdle,
    "recv GOAWAY": "resetByPeer",
    "send HEADERS": STAY,
    "send DATA": STAY,
    "send END_STREAM": "halfClosedLocal",
    "send RST_STREAM": "resetByUs",
    "send WINDOW_UPDATE": STAY,
    "send PUSH_PROMISE": STAY,
  },
  halfClosedLocal: {
    "recv HEADERS": STAY,
    "recv DATA": STAY,
    "recv END_STREAM": "ended",
    "recv RST_STREAM": "resetByPeer",
    "recv WINDOW_UPDATE": STAY,
    "recv PUSH_PROMISE": STAY,
    "recv promise": notIdle,
    "recv GOAWAY": "resetByPeer",
    "send HEADERS": MISUSE_CELL,
    "send DATA": MISUSE_CELL,
    "send RST_STREAM": "resetByUs",
    "send WINDOW_UPDATE": STAY,
    "send PUSH_PROMISE": MISUSE_CELL,
  },
  halfClosedRemote: {
    "recv HEADERS": afterEnd,
    "recv DATA": afterEnd,
    "recv RST_STREAM": "resetByPeer",
    "recv WINDOW_UPDATE": STAY,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": notIdle,
    "recv GOAWAY": "resetByPeer",
    "send HEADERS": STAY,
    "send DATA": STAY,
    "send END_STREAM": "ended",
    "send RST_STREAM": "resetByUs",
    "send WINDOW_UPDATE": IGNORE,
    "send PUSH_PROMISE": STAY,
  },
  ended: {
    "recv HEADERS": closed,
    "recv DATA": closed,
    "recv RST_STREAM": IGNORE,
    "recv WINDOW_UPDATE": IGNORE,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": notIdle,
    "send RST_STREAM": "resetByUs",
  },
  resetByPeer: {
    "recv HEADERS": afterReset,
    "recv DATA": afterReset,
    "recv RST_STREAM": IGNORE,
    "recv WINDOW_UPDATE": IGNORE,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": notIdle,
    "send RST_STREAM": "resetByUs",
  },
  // The peer may have sent anything before our RST_STREAM arrived. One error per stream: no second RST_STREAM (rfc9113#5.4).
  resetByUs: {
    "recv HEADERS": IGNORE,
    "recv DATA": IGNORE,
    "recv RST_STREAM": IGNORE,
    "recv WINDOW_UPDATE": IGNORE,
    "recv PUSH_PROMISE": IGNORE,
    "recv promise": notIdle,
    "send RST_STREAM": IGNORE,
  },
  forgotten: {
    "recv HEADERS": refuse("streamIdNotRising"),
    "recv DATA": afterReset,
    "recv RST_STREAM": IGNORE,
    "recv WINDOW_UPDATE": IGNORE,
    "recv PUSH_PROMISE": misplaced,
    "recv promise": notIdle,
    "send RST_STREAM": "resetByUs",
  },
};

const STATES: readonly StateName[] = Object.keys(State) as StateName[];
const INPUTS: readonly InputName[] = Object.keys(Input) as InputName[];

/** The cells of `NEXT`, by state and input. */
export const CELLS: readonly { readonly state: StateName; readonly input: InputName; readonly cell: Cell }[] = STATES.flatMap((state) =>
  (Object.entries(NEXT[state]) as [InputName, Cell][]).map(([input, cell]) => ({ state, input, cell })),
);

/** What an input does: the next state, or a negative number: `IGNORED`, `MISUSE` or a refusal, whose fault `refusal` names. */
export type Verdict = number;
export const IGNORED = -1;
export const MISUSE = -2;
const FIRST_REFUSAL = -3;
/** A combination that cannot happen. */
const IMPOSSIBLE = -128;

const REFUSALS: readonly FaultName[] = [...new Set(CELLS.flatMap(({ cell }) => (typeof cell === "string" ? [] : [cell.refuse])))];

/** `NEXT` as small numbers, 16 for each state. */
export const PACKED: ArrayLike<number> = pack();

function pack(): Int8Array {
  const packed = new Int8Array(STATES.length << 4).fill(IMPOSSIBLE);
  for (const { state, input, cell } of CELLS) packed[(State[state] << 4) | Input[input]] = packCell(state, cell);
  return packed;
}

function packCell(state: StateName, cell: Cell): number {
  if (typeof cell !== "string") return FIRST_REFUSAL - REFUSALS.indexOf(cell.refuse);
  if (cell === IGNORE) return IGNORED;
  if (cell === MISUSE_CELL) return MISUSE;
  return State[cell === STAY ? state : cell];
}

/** Looks one cell up. */
export function verdictOf(state: State, input: Input): Verdict {
  const verdict = PACKED[(state << 4) | input]!;
  return verdict === IMPOSSIBLE ? meetImpossible(state, input) : verdict;
}

/** The next state if both it and this one are open or half-closed, else undefined: the input begins or closes nothing. */
export function nextIfActive(state: State, input: Input): State | undefined {
  const next = PACKED[(state << 4) | input]! as State;
  return isActive(state) && isActive(next) ? next : undefined;
}

function meetImpossible(state: State, input: Input): never {
  throw new Bug(`a stream in state ${STATES[state]} met ${INPUTS[input]}`);
}

/** Open or half-closed: the states that MAX_CONCURRENT_STREAMS counts (rfc9113#5.1.2). */
const isActive = (state: number): boolean => state >= State.open && state <= State.halfClosedRemote;
export const isReserved = (state: State): boolean => state === State.reservedLocal || state === State.reservedRemote;
export const isClosed = (state: State): boolean => state >= State.ended;

/** The fault that a verdict names; undefined if the input is legal. */
export const refusal = (verdict: Verdict): FaultName | undefined =>
  verdict > FIRST_REFUSAL ? undefined : REFUSALS[FIRST_REFUSAL - verdict];

/** One line per cell, for review: a changed cell is a changed line. */
export function printTable(): string {
  const print = (cell: Cell): string => (typeof cell === "string" ? cell : `refuse ${cell.refuse}`);
  return CELLS.map(({ state, input, cell }) => `${state} + ${input} -> ${print(cell)}`).join("\n");
}
