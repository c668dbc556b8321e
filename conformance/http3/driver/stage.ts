import { Stage } from "../../harness/connection/stage.ts";
import type { ServerOptions, Target } from "../../harness/subject/transport.ts";
import type { Http3End, Observed } from "../../wire/http3/end.ts";
import type { Case, Sight, StreamRef } from "../vocabulary.ts";
import { dialHttp3 } from "./dial.ts";
import { Log, type Seen } from "./log.ts";
import { monitor } from "./monitors.ts";
import { isCrash, isEnd, isErrorClose, isSeen, requestsIn, type View } from "./sights.ts";

export type Fence = NonNullable<Case["fence"]>;

/** What one performance of a case works on: the log of observations, and the connection of the case. */
export class Http3Stage extends Stage<Sight> {
  readonly role: "server" | "client";
  readonly log = new Log();
  readonly target: Target;
  #wire: Http3End | undefined;
  /** The streams that we have opened, by their names in the case. */
  readonly names = new Map<StreamRef, number>();
  /** A request was sent as octets of the case, which the fields of `target` cannot be added to. */
  bare = false;
  /** The streams of our fences. */
  readonly fences = new Set<number>();
  /** Why a step could not be performed through no fault of the subject. */
  skip: string | undefined;

  constructor(role: "server" | "client", target: Target, { timeout, longestWait }: Pick<ServerOptions, "timeout" | "longestWait">) {
    super(timeout);
    this.role = role;
    this.target = target;
    this.longestWait = longestWait ?? Number.POSITIVE_INFINITY;
    this.log.onSeen.push(() => this.poke());
  }

  /** Connects to the server; `windows`: without credit for the content of responses. */
  async dial(windows?: Case["windows"]): Promise<this> {
    this.attach(await dialHttp3(this, windows === "closed"));
    return this;
  }

  get wire(): Http3End {
    if (this.#wire === undefined) throw new Error("no connection yet");
    return this.#wire;
  }
  get connected(): boolean {
    return this.#wire !== undefined;
  }
  attach(wire: Http3End): void {
    this.#wire = wire;
    this.afterwards(() => wire.drop());
    this.poke();
  }
  /** Takes down what happened on the `on`-th connection. */
  saw(observed: Observed, on: number, ours: boolean): void {
    this.log.push({ ...observed, at: this.recorder.now, on, ours });
  }
  forget(): void {
    this.log.seen.splice(0);
  }

  readonly streamOf = (ref: StreamRef): number => {
    if (this.role === "server" || !ref.startsWith("request")) return this.names.get(ref) ?? -1;
    const nth = ref === "request" ? 1 : Number(ref.slice("request ".length));
    // No request has opened this stream: a frame on it can be neither sent nor seen.
    return requestsIn(this.log.seen)[nth - 1]?.stream ?? -1;
  };
  readonly theirs = (ref: StreamRef): number => {
    if (ref !== "control" && ref !== "encoder" && ref !== "decoder") return this.streamOf(ref);
    const opened = this.log.seen.find((seen) => seen.is === "opened" && seen.on === 0 && seen.kind === ref);
    return opened?.is === "opened" ? opened.stream : -1;
  };

  readonly text = (value: string): string =>
    value.includes("{")
      ? value
          .replaceAll("{authority}", this.target.authority)
          .replaceAll("{scheme}", this.target.scheme)
          .replaceAll("{path}", this.target.path)
          .replaceAll("{post}", this.target.post ?? this.target.path)
      : value;

  /** Opens a stream, as soon as the peer permits it; undefined if it does not in time. */
  async open(ref: StreamRef, direction: "bidirectional" | "unidirectional"): Promise<number | undefined> {
    let id: number | undefined;
    await this.until(() => this.over || (id = this.wire.open(direction)) !== undefined, this.timeout);
    if (id !== undefined) this.names.set(ref, id);
    return id;
  }

  view(fenced: boolean, seen: readonly Seen[] = this.log.seen): View {
    const critical = (["control", "encoder", "decoder"] as const).flatMap((ref) => this.names.get(ref) ?? []);
    return {
      log: this.log,
      seen,
      streamOf: this.streamOf,
      theirs: this.theirs,
      text: this.text,
      role: this.role,
      fenced,
      fences: this.fences,
      critical: new Set(critical),
      monitor: (name) => monitor(name, this.watched),
    };
  }
  get watched(): Parameters<typeof monitor>[1] {
    const pushes = this.#wire?.sentTypes.has("MAX_PUSH_ID") === true;
    return { seen: this.log.seen.filter((one) => one.is !== "exit" && one.on === 0), role: this.role, allowsPush: pushes };
  }

  sees(sight: Sight): boolean {
    return isSeen(sight, this.view(true));
  }

  /** Nothing that is sent now can be answered. */
  get over(): boolean {
    return this.ended || this.log.seen.some((seen) => isErrorClose(seen) || isCrash(seen));
  }
  get ended(): boolean {
    return this.log.seen.some(isEnd) || this.#wire?.closed !== undefined;
  }
  get endedByUs(): boolean {
    return this.#wire?.endedByUs ?? false;
  }
}
