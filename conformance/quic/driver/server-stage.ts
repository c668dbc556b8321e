import type { Session } from "../../../reference/tls/index.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { Unreachable } from "../../harness/driver.ts";
import type { ServerOptions, Target } from "../../harness/subject/transport.ts";
import type { RawEnd } from "../../wire/quic/end.ts";
import type { Observed } from "../../wire/quic/observed.ts";
import { Recording } from "../../wire/quic/resuming.ts";
import { type ConnectSpec, type Dialling, ID_OCTETS, RawLine } from "../../wire/quic/udp.ts";
import type { FrameSpec } from "../vocabulary.ts";
import { settingsIn } from "./settings.ts";
import { QuicStage } from "./stage.ts";

/** The stage of a server: a connection that we make. */
export class ServerStage extends QuicStage {
  readonly target: Target;
  #line: RawLine | undefined;
  #session: Session | undefined;
  #recording: Recording | undefined;

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

  /** Makes the connection of the case; nothing is sent yet. `again`: with the ClientHello of the one before. */
  async dial(spec: ConnectSpec, again = false): Promise<RawLine> {
    if (!again || this.#recording === undefined) this.#recording = new Recording(ID_OCTETS);
    const on = (observed: Observed): void => {
      if (line === this.#line) this.observe(observed);
    };
    const line: RawLine = await this.#another(spec, on, this.#recorded(spec));
    line.end.acknowledges = this.acknowledges;
    this.#line = line;
    return line;
  }
  #recorded({ resume }: ConnectSpec): Partial<Dialling> {
    return {
      ...(this.#recording === undefined ? {} : { recording: this.#recording }),
      ...(resume === undefined || this.#session === undefined ? {} : { session: this.#session }),
    };
  }
  /** Makes another connection, of which only `before` knows, for a session; returns why there is none. */
  async getSession(): Promise<Stop> {
    this.#session = undefined;
    const keep = (session: Session): void => {
      this.#session ??= session;
      this.poke();
    };
    const before: Observed[] = [];
    this.before = before;
    const on = (observed: Observed): void => {
      before.push(observed);
      this.poke();
    };
    const line = await this.#another({ suites: ["TLS_AES_128_GCM_SHA256"] }, on, { keep });
    line.end.start();
    await this.until(() => this.#session !== undefined || line.end.isOver, this.timeout);
    // What the server remembers for 0-RTT data are its SETTINGS, too.
    await this.until(() => line.end.isOver || settingsIn(before) !== undefined, SETTINGS_MS);
    this.timedOut = false;
    line.drop();
    return this.#session === undefined ? "it gave no session ticket" : undefined;
  }
  /** Ends the connection of the case. */
  leave(): void {
    const { line } = this;
    this.#line = undefined;
    line.drop();
  }
  /** Another connection, of which nothing is observed; resolves to whether its handshake was completed. */
  async serves(): Promise<boolean> {
    const line = await this.#another({}, () => this.poke());
    line.end.start();
    return this.until(() => line.end.established || line.end.isOver, this.timeout).then(() => line.end.established);
  }
  /** A connection that sends its first flight and nothing more. */
  async halfOpen(spec: ConnectSpec, recorded?: readonly FrameSpec[]): Promise<void> {
    const line = await this.#another({ ...spec, hold: "initial" }, () => {}, recorded === undefined ? {} : this.#recorded(spec));
    line.end.acknowledges = false;
    line.end.start();
    if (recorded !== undefined) line.end.send({ level: "application", early: true }, recorded);
  }
  async #another(spec: ConnectSpec, on: (observed: Observed) => void, more: Partial<Dialling> = {}): Promise<RawLine> {
    const line = await RawLine.dial(this.target, spec, { on, transcript: this.recorder, ...more }).catch((error: unknown) => {
      throw new Unreachable(
        `${this.target.host} was not found (${error instanceof Error ? error.message : String(error)}): check the address.`,
      );
    });
    this.afterwards(() => line.drop());
    return line;
  }
}

/** How long SETTINGS may take that come with the end of the handshake, in milliseconds. */
const SETTINGS_MS = 500;
