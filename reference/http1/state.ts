/** The state of one exchange: how much of its request and of its response has passed. Both sides use the same table. */
export const State = {
  /** The request is incomplete, and no final response has begun. */
  asking: 0,
  /** The request is complete, and no final response has begun. */
  asked: 1,
  /** The final response has begun before the request is complete. */
  crossing: 2,
  /** The request is complete, the response is not. */
  answering: 3,
  /** The response is complete, the request is not. */
  answered: 4,
  over: 5,
  /** 101 or a 2xx to CONNECT has passed, but not all of the request's content (rfc9110#7.8). */
  switching: 6,
  /** The connection speaks another protocol. */
  switched: 7,
} as const;
export type StateName = keyof typeof State;
export type State = (typeof State)[StateName];

/** What moves an exchange. The end of a message is a separate input, after the head or content that it comes with. */
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
/** Our own mistake: reported to the caller, never sent. A peer cannot make it: what it sends is parsed by what its turn allows. */
const NEVER_SENT = "misuse";
type Cell = StateName | typeof STAY | typeof NEVER_SENT;

/** The order of messages (rfc9112#9.2, rfc9110#15.2) as a total table: a missing cell does not compile. */
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

/** How long the connection lasts: for further requests, for the open ones only, or no longer, since it is closed or has switched. */
export const Standing = { persistent: 0, closing: 1, closed: 2, switched: 3 } as const;
export type StandingName = keyof typeof Standing;
export type Standing = (typeof Standing)[StandingName];

/** What moves a connection (rfc9112#9.3, #9.6). */
export const Turn = {
  /** A message is the last, because of `close`, its version, its framing, a limit, or `shutdown`. */
  last: 0,
  /** The peer broke a rule: the refusal follows the responses still owed. */
  fault: 1,
  /** The peer's half of the transport has ended. */
  "peer ended": 2,
  /** No exchange is open. */
  drained: 3,
  /** The connection ends at once. */
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

/** The tables as arrays of small numbers. */
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
export const step = (state: State, input: Input): State | -1 => CELLS[state * INPUTS.length + input] as State | -1;
export const turned = (standing: Standing, turn: Turn): Standing => STANDS[standing * TURNS.length + turn] as Standing;

/** The tables with one line for each cell: a changed cell is a changed line. */
export function printTables(): string {
  const exchanges = STATES.flatMap((state) => INPUTS.map((input) => `${state} + ${input} -> ${NEXT[state][input]}`));
  const connections = STANDINGS.flatMap((standing) => TURNS.map((turn) => `${standing} + ${turn} -> ${LASTS[standing][turn]}`));
  return [...exchanges, ...connections].join("\n");
}
