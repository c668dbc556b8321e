import { Unreachable } from "../../harness/driver.ts";
import type { ServerOptions, Target } from "../../harness/subject/transport.ts";
import type { RawEnd } from "../../wire/quic/end.ts";
import type { Observed } from "../../wire/quic/observed.ts";
import { type ConnectSpec, RawLine } from "../../wire/quic/udp.ts";
import { QuicStage } from "./stage.ts";

/** The stage of a server: a connection that we make. */
export class ServerStage extends QuicStage {
  readonly target: Target;
  #line: RawLine | undefined;

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
  get end(): RawEnd {
    return this.line.end;
  }

  /** Makes the connection of the case; nothing is sent yet. */
  async dial(spec: ConnectSpec): Promise<RawLine> {
    const line = await this.#another(spec, (observed) => this.observe(observed));
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
}
