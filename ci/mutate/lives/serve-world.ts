import net from "node:net";
import { syncBuiltinESMExports } from "node:module";
import { watch } from "../../../reference/io/index.ts";
import type { Draw } from "./http1-draw.ts";
import { VirtualTime } from "./serve-time.ts";
import { brief, Wire } from "./serve-wire.ts";

/** How a connection that we open comes about. */
export type Reached = "connected" | "refused" | "silent";
const HIGH_WATER = 65_536;
/** In every life the timer of all deadlines must stop in the end. */
const LATE_MS = 5_000;

/** How connections are opened now. Putting the network of each life into the module and taking it out would cost as much as the life. */
const STAGE = {
  original: net.connect,
  connect: net.connect as (...to: Parameters<typeof net.connect>) => unknown,
  fake: ((...to: Parameters<typeof net.connect>) => STAGE.connect(...to)) as typeof net.connect,
};

/** A network in memory, its time, and the record of one life. */
export class World {
  readonly d: Draw;
  readonly time = new VirtualTime();
  readonly wires: Wire[] = [];
  /** Those that we have opened. */
  readonly far: Wire[] = [];
  reached: Reached = "connected";
  readonly #lines: string[] = [];

  constructor(d: Draw) {
    this.d = d;
    STAGE.connect = () => this.#dialled();
    if (net.connect === STAGE.fake) return;
    net.connect = STAGE.fake;
    syncBuiltinESMExports();
  }

  say(line: string): void {
    this.#lines.push(line);
  }
  /** Records how a promise ends; what it resolves to only if `show` says so. */
  tell<Value>(what: string, promise: Promise<Value>, show?: (value: Value) => string): Promise<void> {
    return promise.then(
      (value) => this.say(`${what}: ${show === undefined ? "done" : show(value)}`),
      (error: unknown) => this.say(`${what}: ${errorText(error)}`),
    );
  }
  try(what: string, act: () => unknown): void {
    try {
      const result = act();
      this.say(result === undefined ? what : `${what} = ${String(result)}`);
    } catch (error) {
      this.say(`${what}: ${errorText(error)}`);
    }
  }

  /** A wire to a socket of ours. */
  wire(name: string): Wire {
    const wire = new Wire(`${name}${this.wires.length}`, this.d.once(6) ? this.d.between(1, 60) : HIGH_WATER);
    this.wires.push(wire);
    return wire;
  }
  #dialled(): unknown {
    const wire = this.wire("origin");
    const { reached } = this;
    this.say(`${wire.name} is dialled: ${reached}`);
    if (reached === "refused") wire.socket.destroy(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    else this.far.push(wire);
    if (reached === "connected") process.nextTick(() => wire.socket.destroyed || wire.socket.emit("connect"));
    return wire.socket;
  }

  /** Waits until nothing moves, and records what has come. */
  async settle(): Promise<void> {
    await this.time.quiet();
    for (const wire of this.wires) for (const line of wire.news()) this.say(line);
  }
  async advance(ms: number): Promise<void> {
    this.say(`+ ${ms} ms`);
    await this.time.advance(ms);
    await this.settle();
  }

  /** Breaks what is left, and returns the record. */
  async end(): Promise<string> {
    for (const wire of this.wires) wire.break();
    await this.settle();
    await this.advance(LATE_MS);
    if (watch.size > 0) this.say(`${watch.size} are still watched`);
    return this.#lines.join("\n");
  }
  /** Gives the timers and the network back. */
  leave(): void {
    this.time.end();
    STAGE.connect = STAGE.original;
  }
}

/** An error without its stack, with what programs look at. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `throws ${String(error)}`;
  const { reason = "", fault, retryable = "", cause } = error as Error & { reason?: string; fault?: { name: string }; retryable?: boolean };
  const because = cause instanceof Error ? ` because of ${cause.message}` : "";
  return `${error.name} ${reason} ${fault?.name ?? ""} ${retryable} ${brief(error.message)}${because}`;
}
