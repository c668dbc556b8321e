import { randomBytes } from "node:crypto";
import { type ServerOptions, dialPatiently, HTTP1, type Target } from "../../harness/subject/transport.ts";
import { DialledStage } from "../../harness/connection/stage.ts";
import type { Values } from "../../wire/http1/build.ts";
import type { Sight } from "../vocabulary.ts";
import { Connection } from "./connection.ts";
import { type Known, valuesOfKnown } from "./known.ts";
import { monitor } from "./monitors.ts";
import { isSeen, type View } from "./sights.ts";

/** The context of one performance of a case on a server: its connections, and the features of the server. */
export class Http1Stage extends DialledStage<Sight, Connection> {
  readonly known: Known;
  readonly values: Values;
  readonly #target: Target;

  constructor(target: Target, known: Known, { timeout, longestWait }: Pick<ServerOptions, "timeout" | "longestWait">) {
    super(timeout);
    this.#target = target;
    this.known = known;
    this.longestWait = longestWait ?? Number.POSITIVE_INFINITY;
    const { scheme, authority, path, post } = target;
    const report = `touchstone-${randomBytes(6).toString("hex")}-1`;
    this.values = { scheme, authority, path, report, ...(post === undefined ? {} : { post }), ...valuesOfKnown(known) };
  }

  protected async dial(on: number): Promise<Connection> {
    const socket = await dialPatiently(this.#target, this.timeout, HTTP1);
    return new Connection(socket, on, { recorder: this.recorder, waiting: this, fields: this.#target.fields });
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

  /** Drops a connection, and all that was seen on it. */
  forget(on: number): void {
    this.connections.get(on)?.drop();
    this.connections.delete(on);
  }
}
