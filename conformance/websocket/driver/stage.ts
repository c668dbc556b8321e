import { Recorder } from "../../harness/recorder.ts";
import { dialPatiently, type Target } from "../../harness/transport.ts";
import { Waiting } from "../../harness/waiting.ts";
import { fill, type Values } from "../../wire/http1.ts";
import type { Sight } from "../vocabulary.ts";
import { acceptOf, Connection, handshakeKey } from "./connection.ts";
import { monitor } from "./monitors.ts";
import { isSeen, type View } from "./sights.ts";
import { WEBSOCKET } from "./target.ts";

/** What one performance of a case works on: its connections, and the transcript. */
export class Stage extends Waiting {
  readonly target: Target;
  readonly timeout: number;
  readonly recorder = new Recorder();
  readonly connections = new Map<number, Connection>();
  /** No `wait` step takes longer, in milliseconds. */
  longestWait = Number.POSITIVE_INFINITY;
  /** The fence came back as it should. */
  fenced = false;

  constructor(target: Target, timeout: number) {
    super();
    this.target = target;
    this.timeout = timeout;
  }

  /** What the braces of a case stand for on this connection. */
  values(on = 1): Values {
    const { authority, path, scheme } = this.target;
    const key = handshakeKey(on);
    return { scheme, authority, path, key, accept: acceptOf(key) };
  }

  /** The connection of this number, opened when it is first spoken of. */
  async connection(on: number): Promise<Connection> {
    const there = this.connections.get(on);
    if (there !== undefined) return there;
    const socket = await dialPatiently(this.target, this.timeout, WEBSOCKET);
    const values = this.values(on);
    const made = new Connection(socket, on, { recorder: this.recorder, waiting: this, fill: (text) => fill(text, values) });
    this.connections.set(on, made);
    return made;
  }

  get view(): View {
    return {
      conversation: (on) => this.connections.get(on),
      conversations: [...this.connections.values()],
      values: (on) => this.values(on),
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

  drop(): void {
    for (const connection of this.connections.values()) connection.drop();
  }
}
