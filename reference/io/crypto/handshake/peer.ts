import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Event, Level, Machine } from "../../../tls/index.ts";
import { hex, T0 } from "./testing.ts";

/** A program with the TLS of somebody else: a JSON object a line in, one answer a line out (`go/main.go` has the form). */

export type PeerEvent = {
  readonly is: string;
  readonly level?: Level;
  readonly direction?: "read" | "write";
  readonly suite?: string;
  readonly octets?: string;
  readonly protocol?: string;
  readonly resumed?: boolean;
  readonly group?: number;
  readonly chain?: readonly string[];
};
type Answer = { readonly events: readonly PeerEvent[]; readonly log?: string; readonly error?: string; readonly alert?: number };

export class Peer {
  readonly #child: ChildProcessWithoutNullStreams;
  #gone: Error | undefined;
  readonly #waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];

  constructor(command: string, args: readonly string[] = []) {
    this.#child = spawn(command, args);
    this.#child.stderr.pipe(process.stderr);
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#waiting.shift()?.resolve(line));
    this.#child.once("exit", (code) => {
      this.#gone = new Error(`the peer ended with ${code}`);
      for (const one of this.#waiting) one.reject(this.#gone);
    });
    this.#child.stdin.on("error", () => {});
  }

  async ask(request: object): Promise<Answer> {
    if (this.#gone !== undefined) throw this.#gone;
    const line = new Promise<string>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    return JSON.parse(await line) as Answer;
  }
  close(): void {
    this.#child.stdin.end();
  }
}

export type Met = {
  readonly ours: readonly Event[];
  readonly theirs: readonly PeerEvent[];
  readonly log: string;
  readonly alert: number | undefined;
  /** Everything that went over the wire, in order. */
  readonly wire: readonly { readonly by: "us" | "them"; readonly level: Level; readonly octets: Uint8Array }[];
};

let opened = 0;

/** One connection between our end and one of the peer, until both are silent. `ticket` lets their server send one. */
export async function meet(
  peer: Peer,
  ours: Machine,
  { config, ticket = false }: { config: string; ticket?: boolean },
): Promise<Met & { readonly id: string }> {
  const id = `c${++opened}`;
  const events: Event[] = [...ours.events()];
  const theirs: PeerEvent[] = [];
  const wire: Met["wire"][number][] = [];
  const said = { log: "", alert: undefined as number | undefined };
  const hear = (answer: Answer): void => {
    said.log += answer.log ?? "";
    said.alert ??= answer.alert ?? (answer.error === undefined ? undefined : 0);
    theirs.push(...answer.events);
    for (const { is, level, octets } of answer.events) {
      if (is !== "octets" || level === undefined) continue;
      const arrived = new Uint8Array(Buffer.from(octets ?? "", "hex"));
      wire.push({ by: "them", level, octets: arrived });
      events.push(...ours.receive(level, arrived, T0));
    }
  };
  hear(await peer.ask({ open: id, with: config, parameters: hex(Buffer.from("their parameters")) }));
  const settle = async (): Promise<void> => {
    for (let flights = ours.take(); flights.length > 0; flights = ours.take()) {
      for (const { level, octets } of flights) {
        wire.push({ by: "us", level, octets });
        hear(await peer.ask({ on: id, level, octets: hex(octets) }));
      }
    }
  };
  await settle();
  if (ticket) hear(await peer.ask({ on: id, ticket: true }));
  await settle();
  return { ours: events, theirs, wire, ...said, id };
}

/** Undefined if Go is there, else how to get it. */
export const goIsMissing =
  spawnSync("go", ["version"]).status === 0 ? undefined : "Go is not installed: get Go 1.25 or newer from go.dev or your distribution";

/** Builds and starts the program with Go's crypto/tls. */
export function startGo(): { readonly peer: Peer; stop(): void } {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-handshake-"));
  const built = spawnSync("go", ["build", "-o", join(folder, "peer"), "."], { cwd: join(import.meta.dirname, "go"), encoding: "utf8" });
  if (built.status !== 0) throw new Error(goIsMissing ?? built.stderr);
  const peer = new Peer(join(folder, "peer"));
  return {
    peer,
    stop: () => {
      peer.close();
      rmSync(folder, { recursive: true });
    },
  };
}
