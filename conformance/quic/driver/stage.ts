import { Stage } from "../../harness/connection/stage.ts";
import { Unreachable } from "../../harness/driver.ts";
import type { ServerOptions, Target } from "../../harness/subject/transport.ts";
import type { Observed } from "../../wire/quic/observed.ts";
import { type ConnectSpec, RawLine } from "../../wire/quic/udp.ts";
import type { Level, Sight } from "../vocabulary.ts";
import { monitor } from "./monitors.ts";
import { isSeen, type View } from "./sights.ts";

export type Seen = Observed & { readonly at: number };

/** What one performance of a case works on. */
export class QuicStage extends Stage<Sight> {
  readonly target: Target;
  seen: Seen[] = [];
  /** Everything, whatever was forgotten. */
  readonly all: Seen[] = [];
  #line: RawLine | undefined;
  fenceAnswered = false;
  /** The last packet that a step sent. */
  last: { readonly level: Level; readonly number: number } | undefined;
  acknowledges = true;
  skip: string | undefined;

  constructor(target: Target, { timeout, longestWait }: Pick<ServerOptions, "timeout" | "longestWait">) {
    super(timeout);
    this.target = target;
    this.longestWait = longestWait ?? Number.POSITIVE_INFINITY;
  }

  get isConnected(): boolean {
    return this.#line !== undefined;
  }
  get line(): RawLine {
    if (this.#line === undefined) throw new Error("no connection yet: a case begins with connect");
    return this.#line;
  }

  /** Makes the connection of the case; nothing is sent yet. */
  async dial(spec: ConnectSpec): Promise<RawLine> {
    const line = await this.#another(spec, (observed) => {
      const one = { ...observed, at: this.recorder.now };
      this.seen.push(one);
      this.all.push(one);
      this.poke();
    });
    line.end.acknowledges = this.acknowledges;
    this.#line = line;
    return line;
  }
  /** Another connection, of which nothing is observed; resolves to whether its handshake was completed. */
  async serves(): Promise<boolean> {
    const line = await this.#another({}, () => this.poke());
    line.end.start();
    return this.until(() => line.end.established || line.end.isOver, this.timeout).then(() => line.end.established);
  }
  /** A connection that sends its first flight and nothing more. */
  async halfOpen(spec: ConnectSpec): Promise<void> {
    const line = await this.#another({ ...spec, hold: "initial" }, () => {});
    line.end.acknowledges = false;
    line.end.start();
  }
  async #another(spec: ConnectSpec, on: (observed: Observed) => void): Promise<RawLine> {
    const line = await RawLine.dial(this.target, spec, { on, transcript: this.recorder }).catch((error: unknown) => {
      throw new Unreachable(
        `${this.target.host} was not found (${error instanceof Error ? error.message : String(error)}): check the address.`,
      );
    });
    this.afterwards(() => line.drop());
    return line;
  }

  /** The subject has ended the connection, or our TLS has. */
  get over(): boolean {
    return this.all.some(({ is }) => is === "closed" || is === "stateless reset" || is === "failed");
  }
  get view(): View {
    return {
      seen: this.seen,
      all: this.all,
      fenced: this.fenceAnswered,
      isAcknowledged: this.last !== undefined && this.line.end.hasAcknowledged(this.last.level, this.last.number),
      isOver: this.over,
      monitor: (name) => monitor(name, { seen: this.all, end: this.line.end }),
    };
  }
  sees(sight: Sight): boolean {
    return isSeen(sight, this.view);
  }
}
