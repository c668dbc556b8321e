import type { StreamId } from "../../http2/index.ts";
import { isLast, isResponse, type FieldsUnit, type Unit } from "./unit.ts";

/** An argument of a fault, with its bounds. */
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
  /** Called with a unit that the server sends; units go out by `pass`, now or later. */
  outgoing(unit: Unit, pass: Pass): void;
  /** The transport is closed: stops all timers. */
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
  /** Drops a unit, and returns its part of the window to the server. */
  drop(unit: Unit): void;
  /** Stops the server's work on a stream, without telling the client. */
  abandon(stream: StreamId): void;
}

/** A fault with a name. */
export type Fault = {
  readonly name: string;
  /** What the server does: a clause without a subject. */
  readonly title: string;
  readonly args: Arguments;
  /** Whether a request can ask for it. */
  readonly byRequest: boolean;
  /** It decides when octets leave, and acts after all other faults. */
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
/** Defines a fault; its values have been checked against `args`. */
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

/** Selects responses of a connection: the n-th, and some after it. */
export const RESPONSES = {
  after: number(1, MOST_FRAMES, 1, "the first response affected, counted on each connection without those that an earlier fault replaces"),
  times: number(1, MOST_FRAMES, 1, "the number of responses"),
} as const satisfies Arguments;
type Responses = Values<typeof RESPONSES>;

/** Whether a unit begins a selected response. Call it once for every unit. */
function picker({ after, times }: Responses): (unit: Unit) => unit is FieldsUnit {
  let count = 0;
  return (unit): unit is FieldsUnit => isResponse(unit) && ++count >= after && count < after + times;
}

/** Acts where a selected response begins; `act` decides whether to pass the beginning on. The rest follows. */
export function onResponse(responses: Responses, act: (head: FieldsUnit, pass: Pass) => void): Actor {
  const isMeant = picker(responses);
  return { outgoing: (unit, pass) => (isMeant(unit) ? act(unit, pass) : pass(unit)) };
}

/** Acts in place of a selected response: nothing more of its stream is sent. */
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

/** Acts after the last frame of a selected response. */
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
