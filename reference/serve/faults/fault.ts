import type { StreamId } from "../../http2/index.ts";
import { isLast, isResponse, type FieldsUnit, type Unit } from "./unit.ts";

/** What a fault can be told, within bounds. */
export type Argument =
  | { readonly is: "number"; readonly from: number; readonly to: number; readonly default: number; readonly does: string }
  | { readonly is: "word"; readonly words: readonly string[]; readonly default: string; readonly does: string };
export type Arguments = Readonly<Record<string, Argument>>;
export type Values<Of extends Arguments> = {
  readonly [Name in keyof Of]: Of[Name] extends { readonly words: readonly (infer Word)[] } ? Word : number;
};

export type Pass = (unit: Unit) => void;
/** One fault at work on one connection. */
export type Actor = {
  /** A unit that the server sends: what goes to `pass`, now or later, is sent. */
  outgoing(unit: Unit, pass: Pass): void;
  /** The transport is closed: nothing is waited for any more. */
  closed?(): void;
};

/** The connection that a fault works on. */
export interface Line {
  /** SETTINGS_MAX_FRAME_SIZE of the client. */
  readonly maxFrameSize: number;
  /** The smaller of the client's windows for a stream and for the connection. */
  window(stream: StreamId): number;
  /** The octets of a unit. */
  octetsOf(unit: Unit): Uint8Array;
  /** A unit that is not sent: the window that it has taken is given back to the server. */
  drop(unit: Unit): void;
  /** Stops the server's work on a stream: the client hears no more of it. */
  abandon(stream: StreamId): void;
}

/** A fault that can be asked for by name. */
export type Fault = {
  readonly name: string;
  /** What the server does, as a clause without a subject. */
  readonly title: string;
  readonly args: Arguments;
  /** Whether a single request can ask for it. */
  readonly byRequest: boolean;
  /** It says when octets leave, and acts after all others. */
  readonly isTiming: boolean;
  start(values: Readonly<Record<string, string | number>>, line: Line): Actor;
};

type Definition<Of extends Arguments> = {
  readonly title: string;
  readonly args: Of;
  readonly byRequest?: false;
  readonly isTiming?: true;
  start(values: Values<Of>, line: Line): Actor;
};
/** Values have been checked against `args` by the time they get here. */
export function defineFault<const Of extends Arguments>(name: string, definition: Definition<Of>): Fault {
  const { title, args, byRequest = true, isTiming = false } = definition;
  return { name, title, args, byRequest, isTiming, start: (values, line) => definition.start(values as Values<Of>, line) };
}

export const number = (from: number, to: number, by: number, does: string) =>
  ({ is: "number", from, to, default: by, does }) as const satisfies Argument;
export const word = <const Words extends readonly [string, ...string[]]>(words: Words, does: string) =>
  ({ is: "word", words, default: words[0], does }) as const satisfies Argument;

export const MOST_MS = 60_000;
export const MOST_FRAMES = 10_000;
export const MOST_OCTETS = 1_048_576;

/** Which responses of a connection are meant: the n-th, and some after it. */
export const RESPONSES = {
  after: number(
    1,
    MOST_FRAMES,
    1,
    "the first response that is meant, counted on each connection; one that an earlier fault replaces does not count",
  ),
  times: number(1, MOST_FRAMES, 1, "so many responses"),
} as const satisfies Arguments;
type Responses = Values<typeof RESPONSES>;

/** Whether a unit begins a response that is meant. To be asked about every unit, once. */
function picker({ after, times }: Responses): (unit: Unit) => unit is FieldsUnit {
  let count = 0;
  return (unit): unit is FieldsUnit => isResponse(unit) && ++count >= after && count < after + times;
}

/** Says something of its own where a response begins; `act` passes the beginning on, or not. The rest follows. */
export function onResponse(responses: Responses, act: (head: FieldsUnit, pass: Pass) => void): Actor {
  const isMeant = picker(responses);
  return { outgoing: (unit, pass) => (isMeant(unit) ? act(unit, pass) : pass(unit)) };
}

/** Says something instead of a response: of the stream, the server is heard no more. */
export function insteadOfResponse(responses: Responses, line: Line, act: (head: FieldsUnit, pass: Pass) => void): Actor {
  const isMeant = picker(responses);
  const replaced = new Set<StreamId>();
  return {
    outgoing: (unit, pass) => {
      const isBegin = isMeant(unit);
      if (!isBegin && !replaced.has(unit.stream)) return pass(unit);
      line.drop(unit);
      if (!isBegin) return undefined;
      replaced.add(unit.stream);
      line.abandon(unit.stream);
      return act(unit, pass);
    },
  };
}

/** Says something after the last frame of a response. */
export function afterResponse(responses: Responses, act: (stream: StreamId, pass: Pass) => void): Actor {
  const isMeant = picker(responses);
  const chosen = new Set<StreamId>();
  return {
    outgoing: (unit, pass) => {
      if (isMeant(unit)) chosen.add(unit.stream);
      pass(unit);
      if (isLast(unit) && chosen.delete(unit.stream)) act(unit.stream, pass);
    },
  };
}
