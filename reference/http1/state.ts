/**
 * Where one exchange stands: how much of its request and of its response has passed, whichever side looks at it. A server receives what is
 * called request here and sends what is called response; a client the other way round.
 */
export const State = {
  /** The request is under way, and no final response. */
  asking: 0,
  /** The request is whole, and no final response has begun. */
  asked: 1,
  /** The final response has begun before the request was whole. */
  crossing: 2,
  /** The request is whole, the response is under way. */
  answering: 3,
  /** The response is whole, the request is not. */
  answered: 4,
  over: 5,
  /** 101 or a 2xx to CONNECT has passed; the request's content has not (rfc9110#7.8). */
  switching: 6,
  /** The connection is another protocol's. */
  switched: 7,
} as const;
export type StateName = keyof typeof State;
export type State = (typeof State)[StateName];

/** What moves an exchange. The end of a message is an input of its own, after that of the head or the content which bears it. */
export const Input = {
  "request content": 0,
  "request end": 1,
  interim: 2,
  "response head": 3,
  "response content": 4,
  "response end": 5,
  switch: 6,
} as const;
export type InputName = keyof typeof Input;
export type Input = (typeof Input)[InputName];

const STAY = "stay";
/** Ours to refrain from: reported to the caller, never sent. What a peer sends out of turn is read as what its turn allows. */
const NEVER_SENT = "misuse";
type Cell = StateName | typeof STAY | typeof NEVER_SENT;

/** Messages and their order (rfc9112#9.2, rfc9110#15.2) as a table. It is total: a cell left out does not compile. */
export const NEXT: Readonly<Record<StateName, Readonly<Record<InputName, Cell>>>> = {
  asking: {
    "request content": STAY,
    "request end": "asked",
    interim: STAY,
    "response head": "crossing",
    "response content": NEVER_SENT,
    "response end": NEVER_SENT,
    switch: "switching",
  },
  asked: {
    "request content": NEVER_SENT,
    "request end": NEVER_SENT,
    interim: STAY,
    "response head": "answering",
    "response content": NEVER_SENT,
    "response end": NEVER_SENT,
    switch: "switched",
  },
  crossing: {
    "request content": STAY,
    "request end": "answering",
    interim: NEVER_SENT,
    "response head": NEVER_SENT,
    "response content": STAY,
    "response end": "answered",
    switch: NEVER_SENT,
  },
  answering: {
    "request content": NEVER_SENT,
    "request end": NEVER_SENT,
    interim: NEVER_SENT,
    "response head": NEVER_SENT,
    "response content": STAY,
    "response end": "over",
    switch: NEVER_SENT,
  },
  answered: {
    "request content": STAY,
    "request end": "over",
    interim: NEVER_SENT,
    "response head": NEVER_SENT,
    "response content": NEVER_SENT,
    "response end": NEVER_SENT,
    switch: NEVER_SENT,
  },
  over: {
    "request content": NEVER_SENT,
    "request end": NEVER_SENT,
    interim: NEVER_SENT,
    "response head": NEVER_SENT,
    "response content": NEVER_SENT,
    "response end": NEVER_SENT,
    switch: NEVER_SENT,
  },
  switching: {
    "request content": STAY,
    "request end": "switched",
    interim: NEVER_SENT,
    "response head": NEVER_SENT,
    "response content": NEVER_SENT,
    "response end": NEVER_SENT,
    switch: NEVER_SENT,
  },
  switched: {
    "request content": NEVER_SENT,
    "request end": NEVER_SENT,
    interim: NEVER_SENT,
    "response head": NEVER_SENT,
    "response content": NEVER_SENT,
    "response end": NEVER_SENT,
    switch: NEVER_SENT,
  },
};

/** How long the connection lasts: for further requests; for those under way; not at all, since it is closed, or another protocol's. */
export const Standing = { persistent: 0, closing: 1, closed: 2, switched: 3 } as const;
export type StandingName = keyof typeof Standing;
export type Standing = (typeof Standing)[StandingName];

/** What moves a connection (rfc9112#9.3, #9.6). */
export const Turn = {
  /** A message says that it is the last: by `close`, by its version, by having no other end; or a limit or `shutdown` says so. */
  last: 0,
  /** The peer was wrong: it hears so behind the answers still owed. */
  fault: 1,
  /** The peer's half of the transport has ended. */
  "peer ended": 2,
  /** No exchange is under way. */
  drained: 3,
  /** An exchange ended before its time, and nothing after it can be told apart. */
  cut: 4,
  switch: 5,
} as const;
export type TurnName = keyof typeof Turn;
export type Turn = (typeof Turn)[TurnName];

type Stand = StandingName | typeof STAY;
export const LASTS: Readonly<Record<StandingName, Readonly<Record<TurnName, Stand>>>> = {
  persistent: { last: "closing", fault: "closing", "peer ended": "closing", drained: STAY, cut: "closed", switch: "switched" },
  closing: { last: STAY, fault: STAY, "peer ended": STAY, drained: "closed", cut: "closed", switch: "switched" },
  closed: { last: STAY, fault: STAY, "peer ended": STAY, drained: STAY, cut: STAY, switch: STAY },
  switched: { last: STAY, fault: STAY, "peer ended": STAY, drained: STAY, cut: STAY, switch: STAY },
};

export const STATES: readonly StateName[] = Object.keys(State) as StateName[];
export const INPUTS: readonly InputName[] = Object.keys(Input) as InputName[];
export const STANDINGS: readonly StandingName[] = Object.keys(Standing) as StandingName[];
export const TURNS: readonly TurnName[] = Object.keys(Turn) as TurnName[];

/** The tables in arrays of small numbers. */
export const MISUSE = -1;
const CELLS: Int8Array = Int8Array.from(
  STATES.flatMap((state) =>
    INPUTS.map((input) => {
      const cell = NEXT[state][input];
      return cell === NEVER_SENT ? MISUSE : State[cell === STAY ? state : cell];
    }),
  ),
);
const STANDS: Int8Array = Int8Array.from(
  STANDINGS.flatMap((standing) =>
    TURNS.map((turn) => {
      const cell = LASTS[standing][turn];
      return Standing[cell === STAY ? standing : cell];
    }),
  ),
);

/** The next state, or `MISUSE`. */
export const step = (state: State, input: Input): State | -1 => CELLS[state * 7 + input] as State | -1;
export const turned = (standing: Standing, turn: Turn): Standing => STANDS[standing * 6 + turn] as Standing;

/** One line a cell, for review: a changed cell is a changed line. */
export function printTables(): string {
  const exchanges = STATES.flatMap((state) => INPUTS.map((input) => `${state} + ${input} -> ${NEXT[state][input]}`));
  const connections = STANDINGS.flatMap((standing) => TURNS.map((turn) => `${standing} + ${turn} -> ${LASTS[standing][turn]}`));
  return [...exchanges, ...connections].join("\n");
}
