import type { Link } from "../../io/index.ts";
import type { Actor, AnyUnit, Cut, Fault, Line } from "./fault.ts";
import type { Asked } from "./spec.ts";

/** Concurrent faults by request on one connection; further ones are refused. */
const MOST_BY_REQUEST = 1_000;

/** Where units go that have passed. */
export interface Output<Unit> {
  /** Sends a unit with the next `flush`. */
  put(unit: Unit): void;
  flush(): void;
  cut(how: "end" | "reset"): void;
}
/** The output of a connection over a byte stream: what leaves together is one write. */
export function ontoLink<Unit extends AnyUnit>(link: Link, line: Line<Unit>): Output<Unit> {
  const waiting: Uint8Array[] = [];
  return {
    put: (unit) => {
      const bytes = line.octetsOf(unit);
      if (bytes.length > 0) waiting.push(bytes);
    },
    flush: () => {
      if (waiting.length > 0) link.write(waiting.splice(0));
    },
    cut: (how) => link.cut(how),
  };
}

type Parts<Unit extends AnyUnit, On extends Line<Unit>> = {
  readonly output: Output<Unit>;
  readonly line: On;
  readonly shape: { readonly ends: (unit: Unit) => boolean; readonly cutBy: (unit: Unit) => Cut | undefined };
  readonly asked: readonly Asked<Fault<Unit, On>>[];
};

/** The faults of one connection: what leaves passes through them, one after another. */
export class Chain<Unit extends AnyUnit, On extends Line<Unit>> {
  readonly #parts: Parts<Unit, On>;
  readonly #always: readonly Actor<Unit>[];
  readonly #byStream = new Map<number, readonly Actor<Unit>[]>();
  #isCut = false;
  /** Ends the transport as the machine wants it. */
  #finish: (() => void) | undefined;

  constructor(parts: Parts<Unit, On>) {
    this.#parts = parts;
    this.#always = this.#start(parts.asked);
  }

  get isCut(): boolean {
    return this.#isCut;
  }
  /** Adds faults for one message; false if the connection has too many. */
  add(stream: number, asked: readonly Asked<Fault<Unit, On>>[]): boolean {
    if (this.#byStream.size >= MOST_BY_REQUEST) return false;
    this.#byStream.set(stream, this.#start(asked));
    return true;
  }
  /** Sends units, each through the faults. */
  send(units: Iterable<Unit>): void {
    for (const unit of units) this.#through(unit);
    this.#parts.output.flush();
  }
  /** The machine has sent everything: `end` is called when that has left. */
  finish(unit: Unit, end: () => void): void {
    this.#finish = end;
    this.send([unit]);
  }
  closed(): void {
    this.#isCut = true;
    for (const actor of this.#always) actor.closed?.();
    for (const actors of this.#byStream.values()) for (const actor of actors) actor.closed?.();
    this.#byStream.clear();
  }

  #start(asked: readonly Asked<Fault<Unit, On>>[]): readonly Actor<Unit>[] {
    const inOrder = [...asked.filter(({ fault }) => !fault.isTiming), ...asked.filter(({ fault }) => fault.isTiming)];
    return inOrder.map(({ fault, values }) => fault.start(values, this.#parts.line));
  }
  /** What leaves at once is flushed by the caller; what leaves later is flushed then. */
  #through(unit: Unit): void {
    const { output, shape } = this.#parts;
    let isNow = true;
    const leave = (passed: Unit): void => {
      if (this.#isCut) return;
      const how = shape.cutBy(passed);
      if (how === undefined) {
        output.put(passed);
        if (!isNow) output.flush();
        return;
      }
      this.#isCut = true;
      output.flush();
      if (how === "finish") this.#finish?.();
      else output.cut(how);
    };
    const mine = this.#byStream.get(unit.stream);
    const actors = mine === undefined || unit.stream === 0 ? this.#always : [...mine, ...this.#always];
    run(actors, 0, unit, leave);
    isNow = false;
    if (shape.ends(unit)) this.#byStream.delete(unit.stream);
  }
}

function run<Unit>(actors: readonly Actor<Unit>[], at: number, unit: Unit, leave: (unit: Unit) => void): void {
  const actor = actors[at];
  if (actor === undefined) leave(unit);
  else actor.outgoing(unit, (passed) => run(actors, at + 1, passed, leave));
}
