import { DialledStage } from "../../harness/connection/stage.ts";
import { Unreachable } from "../../harness/driver.ts";
import { dialPatiently, HTTP2, type ServerOptions, type Target } from "../../harness/subject/transport.ts";
import { fill, type Values } from "../../wire/http1/build.ts";
import { NAME_FIELD, reportIn, TOLD_REQUEST } from "../telling.ts";
import type { Handshake, Sight } from "../vocabulary.ts";
import type { Carrier, CarrierName, Listener } from "./carrier.ts";
import { acceptOf, Connection, handshakeKey } from "./connection.ts";
import { Http1Carrier } from "./http1-carrier.ts";
import { Http2Carrier } from "./http2-carrier.ts";
import { Http2Streams } from "./http2-streams.ts";
import { Http3Carrier } from "./http3-carrier.ts";
import { Http3Streams } from "./http3-streams.ts";
import { monitor } from "./monitors.ts";
import { isSeen, type View } from "./sights.ts";
import { WEBSOCKET } from "./target.ts";

type StageOptions = Pick<ServerOptions, "timeout" | "longestWait"> & {
  readonly name?: string | undefined;
  /** How often to try to connect over HTTP/3. */
  readonly attempts?: number;
};

/** What one performance of a case on a server works on: its WebSockets. */
export class WebSocketStage extends DialledStage<Sight, Connection> {
  readonly #target: Target;
  readonly #carriedBy: CarrierName;
  /** What the server calls our connections in its reports; undefined if it has none. */
  readonly #name: string | undefined;
  /** What its program was told, by the number of the connection. */
  readonly reports = new Map<number, string>();
  /** Over HTTP/2 and HTTP/3 all WebSockets of a case are streams of one connection, while that lasts. */
  #streams: Http2Streams | undefined;
  #quic: Http3Streams | undefined;
  readonly #attempts: number | undefined;

  constructor(target: Target, { timeout, longestWait, name, attempts }: StageOptions, carriedBy: CarrierName = "http1") {
    super(timeout);
    this.#target = target;
    this.#name = name;
    this.longestWait = longestWait ?? Number.POSITIVE_INFINITY;
    this.#carriedBy = carriedBy;
    this.#attempts = attempts;
  }

  /** What the braces of a case stand for on this connection. */
  values(on = 1): Values {
    const { authority, path, scheme } = this.#target;
    const key = handshakeKey(on);
    return { scheme, authority, path, key, accept: acceptOf(key) };
  }

  protected async dial(on: number): Promise<Connection> {
    const carrier = await this.#carriers[this.#carriedBy]();
    const values = this.values(on);
    return new Connection(on, { recorder: this.recorder, waiting: this, values, fill: (text) => fill(text, values), carrier });
  }

  /** How each version of HTTP makes room for one more WebSocket. */
  readonly #carriers: Readonly<Record<CarrierName, () => Promise<(listener: Listener) => Carrier>>> = {
    http1: async () => {
      const socket = await dialPatiently(this.#target, this.timeout, WEBSOCKET);
      return (listener) => new Http1Carrier(socket, listener, this.#target.fields);
    },
    http2: async () => {
      if (this.#streams === undefined || this.#streams.over)
        this.#streams = new Http2Streams(await dialPatiently(this.#target, this.timeout, HTTP2), this.recorder, this.#target.fields);
      const streams = this.#streams;
      return (listener) => new Http2Carrier(streams, listener, this.timeout);
    },
    http3: async () => {
      if (this.#quic === undefined || this.#quic.over) {
        const dialling = { target: this.#target, recorder: this.recorder, timeout: this.timeout };
        this.#quic = await Http3Streams.dial({ ...dialling, ...(this.#attempts !== undefined && { attempts: this.#attempts }) });
      }
      const streams = this.#quic;
      const stream = await streams.open(this.timeout);
      if (stream === undefined) throw new Unreachable("The server permits no further stream of HTTP/3.");
      return (listener) => new Http3Carrier(streams, stream, listener, this.timeout);
    },
  };

  /** The handshake of this connection with its name, if the server reports. */
  named(handshake: Handshake, on: number): Handshake {
    if (this.#name === undefined) return handshake;
    return { ...handshake, more: [...(handshake.more ?? []), `${NAME_FIELD}: ${this.#nameOf(on)}`] };
  }
  #nameOf(on: number): string {
    return `${this.#name}-${on}`;
  }
  /** Asks the server's program what it was told about these connections. */
  async hear(numbers: readonly number[]): Promise<void> {
    if (this.#name === undefined || numbers.length === 0) return;
    const asking = new WebSocketStage(this.#target, { timeout: this.timeout });
    try {
      const connection = await asking.connection(1);
      await connection.ask({});
      await asking.until(() => connection.open || connection.ended !== undefined, this.timeout);
      await connection.send(numbers.map((on) => ({ opcode: "text", text: `${TOLD_REQUEST} ${this.#nameOf(on)}` })));
      const { messages } = connection.theirs;
      await asking.until(() => messages.length >= numbers.length || connection.ended !== undefined, this.timeout);
      const said = messages.map(({ payload }) => Buffer.from(payload).toString());
      for (const on of numbers) {
        const report = said.map((one) => reportIn(one, this.#nameOf(on))).find((one) => one !== undefined);
        if (report !== undefined && report !== "null") this.reports.set(on, report);
      }
    } finally {
      await asking.drop();
    }
  }

  get view(): View {
    return {
      report: (on) => this.reports.get(on),
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
}
