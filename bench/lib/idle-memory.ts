import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { extname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Measures } from "./alternate.ts";
import type { BenchGroup } from "./result.ts";
import type { MemoryAnswer } from "./tell-memory.ts";
import { rowsOf, type Taken } from "./turns.ts";

const KIB = 1_024;
const SETTLE_MS = 300;
/** Connections opened at a time, so that the listen queue does not overflow. */
const BATCH = 50;

/** The measured server: the folder of its `memory-subject`, its name there, and flags for its process. */
export type Measured = { readonly folder: string; readonly name: string; readonly flags?: readonly string[] };
/** Opens a connection and brings it into the state to measure. */
export type Open = (port: number) => Promise<Socket>;

/** A server in its own process, and the connections to it. */
export class MeasuredServer {
  readonly #child: ChildProcess;
  readonly #sockets: Socket[] = [];
  #port = 0;

  constructor({ folder, name, flags = [] }: Measured) {
    const file = join(folder, `memory-subject${extname(fileURLToPath(import.meta.url))}`);
    const execArgv = ["--expose-gc", "--no-warnings", ...flags];
    this.#child = fork(file, [name], { execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  }

  async ready(): Promise<void> {
    ({ port: this.#port } = await this.#answer());
  }

  async memory(): Promise<MemoryAnswer> {
    this.#child.send("measure");
    return this.#answer();
  }

  /** Opens `count` more connections and waits until they are idle. */
  async open(count: number, one: Open): Promise<readonly Socket[]> {
    const opened: Socket[] = [];
    for (let from = 0; from < count; from += BATCH)
      opened.push(...(await Promise.all(Array.from({ length: Math.min(BATCH, count - from) }, () => one(this.#port)))));
    this.#sockets.push(...opened);
    await this.settle();
    return opened;
  }

  /** Opens a tenth of the connections first: they pay for code, shapes and pages that all later ones share. */
  warmUp(count: number, one: Open): Promise<readonly Socket[]> {
    return this.open(Math.max(BATCH, count / 10), one);
  }

  settle(): Promise<void> {
    return pause(SETTLE_MS);
  }

  stop(): void {
    for (const socket of this.#sockets) socket.removeAllListeners("close").destroy();
    this.#child.kill();
  }

  #answer(): Promise<MemoryAnswer> {
    return new Promise((resolve, reject) => {
      this.#child.once("message", (message) => resolve(message as MemoryAnswer));
      this.#child.once("exit", (code) => reject(new Error(`The measured server exited with status ${code}.`)));
    });
  }
}

/** Runs a server while `use` runs. */
export async function withMeasured<T>(measured: Measured, use: (server: MeasuredServer) => Promise<T>): Promise<T> {
  const server = new MeasuredServer(measured);
  try {
    await server.ready();
    return await use(server);
  } finally {
    server.stop();
  }
}

/** The memory added by each of `count` things, in KiB. */
export const perThing = (thing: string, after: MemoryAnswer, before: MemoryAnswer, count: number): Measures => ({
  [`resident-per-${thing}`]: (after.resident - before.resident) / count / KIB,
  [`heap-per-${thing}`]: (after.held - before.held) / count / KIB,
});

/** The memory of an idle connection, measured with `count` of them. */
export const idleConnections = (measured: Measured, count: number, one: Open): Promise<Measures> =>
  withMeasured(measured, async (server) => {
    await server.warmUp(count, one);
    const empty = await server.memory();
    await server.open(count, one);
    return perThing("connection", await server.memory(), empty, count);
  });

type PerThing = {
  readonly suite: string;
  readonly thing: string;
  readonly title: string;
  readonly taken: Taken;
  readonly note: string;
};
/** The two groups, resident memory and heap, of an idle thing. */
export function perThingGroups({ suite, thing, title, taken, note }: PerThing): BenchGroup[] {
  const group = (measure: string, of: string, how: string): BenchGroup => ({
    id: `${suite}/${measure}-per-${thing}`,
    title: `${of} of ${title}`,
    unit: "KiB",
    better: "lower",
    rows: rowsOf(taken, `${measure}-per-${thing}`),
    note: `${note}; ${how}`,
  });
  return [
    group("resident", "Memory", "resident memory, native code included"),
    group("heap", "JavaScript heap", "only the JavaScript heap and its buffers"),
  ];
}
