import { Recorder } from "../../harness/recorder.ts";
import { dialPatiently, HTTP1, type Target } from "../../harness/transport.ts";
import { Waiting } from "../../harness/waiting.ts";
import type { Values } from "../../wire/http1.ts";
import { Connection } from "./connection.ts";
import { monitor } from "./monitors.ts";
import { type Known, valuesOfKnown } from "./known.ts";
import { isSeen, type View } from "./sights.ts";
import type { Sight } from "../vocabulary.ts";

/** What one performance of a case on a server works on: its connections, the transcript, and what is known of the subject. */
export class Stage extends Waiting {
  readonly target: Target;
  readonly timeout: number;
  readonly known: Known;
  readonly values: Values;
  readonly recorder = new Recorder();
  readonly connections = new Map<number, Connection>();
  /** No `wait` step takes longer, in milliseconds. */
  longestWait = Number.POSITIVE_INFINITY;
  /** The connection that a step last spoke of. */
  last = 1;
  /** The fence came back as it should. */
  fenced = false;

  constructor(target: Target, known: Known, timeout: number) {
    super();
    this.target = target;
    this.known = known;
    this.timeout = timeout;
    this.values = { scheme: target.scheme, authority: target.authority, path: target.path, ...valuesOfKnown(known) };
  }

  /** The connection of this number, opened when it is first spoken of. */
  async connection(on: number): Promise<Connection> {
    this.last = on;
    const there = this.connections.get(on);
    if (there !== undefined) return there;
    const socket = await dialPatiently(this.target, this.timeout, HTTP1);
    const made = new Connection(socket, on, { recorder: this.recorder, waiting: this });
    this.connections.set(on, made);
    return made;
  }

  get view(): View {
    return {
      conversation: (on) => this.connections.get(on),
      conversations: [...this.connections.values()],
      requests: [],
      values: this.values,
      like: { path: this.known.status, ...(this.known.missing === undefined ? {} : { missing: this.known.missing.status }) },
      fenced: this.fenced,
      monitor: (name) => monitor(name, [...this.connections.values()]),
    };
  }

  sees(sight: Sight): boolean {
    return isSeen(sight, this.view);
  }

  /** Every connection that there is has been ended by the subject. */
  get over(): boolean {
    return this.connections.size > 0 && [...this.connections.values()].every(({ ended }) => ended !== undefined);
  }

  /** As if it had never been. */
  forget(on: number): void {
    this.connections.get(on)?.drop();
    this.connections.delete(on);
  }

  drop(): void {
    for (const connection of this.connections.values()) connection.drop();
  }
}
