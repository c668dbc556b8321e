/** An argument of a fault, with its bounds. */
export type Argument =
  | { readonly is: "number"; readonly from: number; readonly to: number; readonly default: number; readonly does: string }
  | { readonly is: "word"; readonly words: readonly string[]; readonly default: string; readonly does: string };
export type Arguments = Readonly<Record<string, Argument>>;
export type Values<Of extends Arguments> = {
  readonly [Name in keyof Of]: Of[Name] extends { readonly words: readonly (infer Word)[] } ? Word : number;
};

/** What is known of a fault with a name. */
export type FaultInfo = {
  readonly name: string;
  /** What the peer does: a clause without a subject. */
  readonly title: string;
  readonly args: Arguments;
  /** Whether a request can ask for it. */
  readonly byRequest: boolean;
};

/** A part of a peer's output: of one message, or of the whole connection (`stream` 0). */
export type AnyUnit = { readonly is: string; readonly stream: number };
export type Pass<Unit> = (unit: Unit) => void;
/** One fault at work on one connection. */
export type Actor<Unit> = {
  /** Called with a unit that the peer sends; units go out by `pass`, now or later. */
  outgoing(unit: Unit, pass: Pass<Unit>): void;
  /** The transport is closed: stops all timers. */
  closed?(): void;
};

/** The connection that a fault works on. */
export interface Line<Unit extends AnyUnit> {
  /** The octets of a unit. */
  octetsOf(unit: Unit): Uint8Array;
  /** Drops a unit, and returns to the machine what it had cost it. */
  drop(unit: Unit): void;
  /** Stops the machine's work on a message, without telling the other side. */
  abandon(stream: Unit["stream"]): void;
}

/** A fault of one protocol. */
export type Fault<Unit extends AnyUnit, On extends Line<Unit>> = FaultInfo & {
  /** It decides when octets leave, and acts after all other faults. */
  readonly isTiming: boolean;
  start(values: Readonly<Record<string, string | number>>, line: On): Actor<Unit>;
};

type Definition<Of extends Arguments, Unit extends AnyUnit, On extends Line<Unit>> = {
  readonly title: string;
  readonly args: Of;
  readonly byRequest?: false;
  readonly isTiming?: true;
  start(values: Values<Of>, line: On): Actor<Unit>;
};

export const number = (from: number, to: number, by: number, does: string) =>
  ({ is: "number", from, to, default: by, does }) as const satisfies Argument;
export const word = <const Words extends readonly [string, ...string[]]>(words: Words, does: string) =>
  ({ is: "word", words, default: words[0], does }) as const satisfies Argument;

export const MOST_MS = 60_000;
export const MOST_FRAMES = 10_000;
export const MOST_OCTETS = 1_048_576;
/** How to drop a transport. */
export const HOW = word(["end", "reset"], "end for FIN, reset for RST");

/** How a transport ends: by FIN or RST at once, or as the machine itself ends it. */
export type Cut = "end" | "reset" | "finish";

/** The units of one protocol, in one direction. */
export type Shape<Unit extends AnyUnit, Head extends Unit> = {
  readonly side: "server" | "client";
  /** What is counted; by default a server's responses, and a client's requests. */
  readonly message?: string;
  /** Begins a message: a final response, or a request. */
  readonly begins: (unit: Unit) => unit is Head;
  /** Is the last unit of its message. */
  readonly ends: (unit: Unit) => boolean;
  /** Its octets, about. */
  readonly size: (unit: Unit) => number;
  /** Some of the octets of a unit, which are all if `isLast`. */
  readonly part: (unit: Unit, bytes: Uint8Array, isLast: boolean) => Unit;
  readonly cut: (how: Cut) => Unit;
  /** The end of the transport, if the unit is one. */
  readonly cutBy: (unit: Unit) => Cut | undefined;
};

/** What the definitions of a protocol's faults share. Titles name the `message` that the side sends. */
export function kitOf<Unit extends AnyUnit, Head extends Unit, On extends Line<Unit>>(shape: Shape<Unit, Head>) {
  const message = shape.message ?? (shape.side === "server" ? "response" : "request");
  const after = number(
    1,
    MOST_FRAMES,
    1,
    `the first ${message} affected, counted on each connection without those that an earlier fault replaces`,
  );
  /** Selects messages of a connection: the n-th, and some after it. */
  const messages = { after, times: number(1, MOST_FRAMES, 1, `the number of ${message}s`) } as const satisfies Arguments;
  type Messages = Values<typeof messages>;

  /** Whether a unit begins a selected message. Call it once for every unit. */
  const picker = ({ after: first, times }: Messages): ((unit: Unit) => unit is Head) => {
    let count = 0;
    return (unit): unit is Head => shape.begins(unit) && ++count >= first && count < first + times;
  };

  return {
    ...shape,
    message,
    /** Who receives it. */
    other: shape.side === "server" ? "client" : "server",
    after,
    messages,
    /** Defines a fault; its values have been checked against `args`. */
    define<const Of extends Arguments>(name: string, definition: Definition<Of, Unit, On>): Fault<Unit, On> {
      const { title, args, byRequest = true, isTiming = false } = definition;
      return { name, title, args, byRequest, isTiming, start: (values, line) => definition.start(values as Values<Of>, line) };
    },
    /** Acts where a selected message begins; `act` decides whether to pass the beginning on. The rest follows. */
    onMessage(chosen: Messages, act: (head: Head, pass: Pass<Unit>) => void): Actor<Unit> {
      const isMeant = picker(chosen);
      return { outgoing: (unit, pass) => (isMeant(unit) ? act(unit, pass) : pass(unit)) };
    },
    /** Acts in place of a selected message: nothing more of its stream is sent. */
    insteadOfMessage(chosen: Messages, line: On, act: (head: Head, pass: Pass<Unit>) => void): Actor<Unit> {
      const isMeant = picker(chosen);
      const replaced = new Set<number>();
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
    },
    /** Acts after the last unit of a selected message. */
    afterMessage(chosen: Messages, act: (stream: Unit["stream"], pass: Pass<Unit>) => void): Actor<Unit> {
      const isMeant = picker(chosen);
      const selected = new Set<number>();
      return {
        outgoing: (unit, pass) => {
          if (isMeant(unit)) selected.add(unit.stream);
          pass(unit);
          if (shape.ends(unit) && selected.delete(unit.stream)) act(unit.stream, pass);
        },
      };
    },
  };
}
