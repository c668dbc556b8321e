/** The state of the connection between its opening and its end (rfc6455#7). */
export const State = {
  open: 0,
  /** We have sent a Close, the peer has not. */
  closing: 1,
  /** Both sides have sent a Close; a client waits for the server to end the transport (rfc6455#7.1.1). */
  closed: 2,
  over: 3,
} as const;
export type StateName = keyof typeof State;
/** A small number that only rises. */
export type State = (typeof State)[StateName];

export const Input = {
  "send data": 0,
  "send ping": 1,
  "send pong": 2,
  "send close": 3,
  "receive data": 4,
  "receive ping": 5,
  "receive pong": 6,
  "receive close": 7,
  /** The peer has broken a rule, or is silent. */
  fail: 8,
  /** A wait has ended. */
  late: 9,
  /** The peer's half of the transport ended. */
  ended: 10,
  abort: 11,
} as const;
export type InputName = keyof typeof Input;
export type Input = (typeof Input)[InputName];

const STAY = "stay";
/** Ignored: input from the peer that comes too late, or an action of an owner who will learn of the end. */
const DROP = "drop";
/** Our own mistake: reported to the caller, never sent. */
const NEVER_SENT = "misuse";
type Cell = StateName | typeof STAY | typeof DROP | typeof NEVER_SENT;

/** The closing handshake (rfc6455#5.5.1, rfc6455#7.1) as a total table: a missing cell does not compile. */
export const NEXT: Readonly<Record<StateName, Readonly<Record<InputName, Cell>>>> = {
  open: {
    "send data": STAY,
    "send ping": STAY,
    "send pong": STAY,
    "send close": "closing",
    "receive data": STAY,
    "receive ping": STAY,
    "receive pong": STAY,
    "receive close": "closed",
    fail: "over",
    late: "over",
    ended: "over",
    abort: "over",
  },
  closing: {
    // Only pongs may follow our Close, until the peer's arrives (rfc6455#5.5.2).
    "send data": NEVER_SENT,
    "send ping": NEVER_SENT,
    "send pong": STAY,
    "send close": DROP,
    "receive data": STAY,
    "receive ping": STAY,
    "receive pong": STAY,
    "receive close": "closed",
    fail: "over",
    late: "over",
    ended: "over",
    abort: "over",
  },
  closed: {
    "send data": DROP,
    "send ping": DROP,
    "send pong": DROP,
    "send close": DROP,
    // What follows the peer's Close is ignored (rfc6455#5.5.1).
    "receive data": DROP,
    "receive ping": DROP,
    "receive pong": DROP,
    "receive close": DROP,
    fail: DROP,
    late: "over",
    ended: "over",
    abort: "over",
  },
  over: {
    "send data": DROP,
    "send ping": DROP,
    "send pong": DROP,
    "send close": DROP,
    "receive data": DROP,
    "receive ping": DROP,
    "receive pong": DROP,
    "receive close": DROP,
    fail: DROP,
    late: DROP,
    ended: DROP,
    abort: DROP,
  },
};

export const STATES: readonly StateName[] = Object.keys(State) as StateName[];
export const INPUTS: readonly InputName[] = Object.keys(Input) as InputName[];

/** The table as an array of small numbers. */
export const DROPPED = -1;
export const MISUSE = -2;
const COLUMNS = INPUTS.length;
const CELLS: Int8Array = Int8Array.from(
  STATES.flatMap((state) =>
    INPUTS.map((input) => {
      const cell = NEXT[state][input];
      if (cell === DROP) return DROPPED;
      if (cell === NEVER_SENT) return MISUSE;
      return State[cell === STAY ? state : cell];
    }),
  ),
);

/** The next state, `DROPPED` or `MISUSE`. */
export const step = (state: State, input: Input): State | -1 | -2 => CELLS[state * COLUMNS + input] as State | -1 | -2;

/** The table with one line for each cell: a changed cell is a changed line. */
export const printTable = (): string =>
  STATES.flatMap((state) => INPUTS.map((input) => `${state} + ${input} -> ${NEXT[state][input]}`)).join("\n");
