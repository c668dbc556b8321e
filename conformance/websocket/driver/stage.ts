import { DialledStage } from "../../harness/connection/stage.ts";
import { dialPatiently, HTTP2, type ServerOptions, type Target } from "../../harness/subject/transport.ts";
import { fill, type Values } from "../../wire/http1/build.ts";
import type { Sight } from "../vocabulary.ts";
import type { Carrier, CarrierName, Listener } from "./carrier.ts";
import { acceptOf, Connection, handshakeKey } from "./connection.ts";
import { Http1Carrier } from "./http1-carrier.ts";
import { Http2Carrier } from "./http2-carrier.ts";
import { Http2Streams } from "./http2-streams.ts";
import { monitor } from "./monitors.ts";
import { isSeen, type View } from "./sights.ts";
import { WEBSOCKET } from "./target.ts";

/** What one performance of a case on a server works on: its WebSockets. */
export class WebSocketStage extends DialledStage<Sight, Connection> {
  readonly #target: Target;
  readonly #carriedBy: CarrierName;
  /** Over HTTP/2 all WebSockets of a case are streams of one connection, while that lasts. */
  #streams: Http2Streams | undefined;

  constructor(target: Target, { timeout, longestWait }: Pick<ServerOptions, "timeout" | "longestWait">, carriedBy: CarrierName = "http1") {
    super(timeout);
    this.#target = target;
    this.longestWait = longestWait ?? Number.POSITIVE_INFINITY;
    this.#carriedBy = carriedBy;
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
      return (listener) => new Http1Carrier(socket, listener);
    },
    http2: async () => {
      if (this.#streams === undefined || this.#streams.over)
        this.#streams = new Http2Streams(await dialPatiently(this.#target, this.timeout, HTTP2), this.recorder);
      const streams = this.#streams;
      return (listener) => new Http2Carrier(streams, listener, this.timeout);
    },
  };

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
}
