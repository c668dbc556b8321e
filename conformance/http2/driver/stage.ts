import { Stage } from "../../harness/connection/stage.ts";
import { dialPatiently, type ServerOptions, type Target } from "../../harness/subject/transport.ts";
import type { Http2End } from "../../wire/http2/end.ts";
import type { Case, Sight, StreamRef } from "../vocabulary.ts";
import { follow, type Http2Connection, type SentFrame } from "./connection.ts";
import { Log, type Seen } from "./log.ts";
import { monitor } from "./monitors.ts";
import { isCrash, isEnd, isErrorGoaway, isSeen, requestsIn, type View } from "./sights.ts";

export type Fence = NonNullable<Case["fence"]>;

/** What one performance of a case works on: the log of observations, and the connection of the case. */
export class Http2Stage extends Stage<Sight> {
  readonly role: "server" | "client";
  readonly log = new Log();
  readonly target: Target;
  #connection: Http2Connection | undefined;
  /** Set by a `fill window` step: the subject may reopen the window faster than it is filled. */
  fill: { readonly scope: number; readonly beyond: number; readonly granted: number } | undefined;
  /** Why a step could not be performed through no fault of the subject. */
  skip: string | undefined;
  /** The streams of our fences. */
  readonly fences = new Set<number>();
  /** A control is performed. */
  isControl = false;

  constructor(role: "server" | "client", target: Target, { timeout, longestWait }: Pick<ServerOptions, "timeout" | "longestWait">) {
    super(timeout);
    this.role = role;
    this.target = target;
    this.longestWait = longestWait ?? Number.POSITIVE_INFINITY;
    this.log.onSeen.push(() => this.poke());
  }

  /** Connects to the server. */
  async dial(): Promise<this> {
    this.attach(follow(await dialPatiently(this.target, this.timeout), this));
    return this;
  }

  get connection(): Http2Connection {
    if (this.#connection === undefined) throw new Error("no connection yet");
    return this.#connection;
  }
  /** Our end of the first connection. */
  get wire(): Http2End {
    return this.connection.wire;
  }
  /** What we sent on it. */
  get sent(): readonly SentFrame[] {
    return this.#connection?.sent ?? [];
  }
  get connected(): boolean {
    return this.#connection !== undefined;
  }
  attach(connection: Http2Connection): void {
    this.#connection = connection;
    this.afterwards(() => connection.wire.drop());
    this.poke();
  }

  readonly streamOf = (ref: StreamRef): number => {
    if (typeof ref === "number") return ref;
    const nth = ref === "request" ? 1 : Number(ref.slice("request ".length));
    const one = requestsIn(this.log.seen)[nth - 1];
    // No request has opened this stream: a frame that names it can be neither built nor seen.
    return one?.frame.stream ?? 0;
  };

  readonly text = (value: string): string =>
    value.includes("{")
      ? value
          .replaceAll("{authority}", this.target.authority)
          .replaceAll("{scheme}", this.target.scheme)
          .replaceAll("{path}", this.target.path)
          .replaceAll("{post}", this.target.post ?? this.target.path)
      : value;

  view(fenced: boolean, seen: readonly Seen[] = this.log.seen): View {
    return {
      log: this.log,
      seen,
      streamOf: this.streamOf,
      text: this.text,
      role: this.role,
      fenced,
      isControl: this.isControl,
      fences: this.fences,
      monitor: (name) => monitor(name, { log: this.log, role: this.role, sent: this.sent }),
    };
  }

  sees(sight: Sight): boolean {
    return isSeen(sight, this.view(true));
  }

  /** Nothing that is sent now can be answered: the connection has ended, or GOAWAY with an error announced its end. */
  get over(): boolean {
    return this.ended || this.log.seen.some((seen) => isErrorGoaway(seen) || isCrash(seen));
  }
  get ended(): boolean {
    return this.log.seen.some(isEnd) || (this.#connection?.wire.ended ?? false);
  }
  get endedByUs(): boolean {
    return this.#connection?.wire.endedByUs ?? false;
  }
}
