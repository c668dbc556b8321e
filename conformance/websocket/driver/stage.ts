import { Recorder } from "../../harness/recorder.ts";
import { dialPatiently, HTTP2, type Target } from "../../harness/transport.ts";
import { Waiting } from "../../harness/waiting.ts";
import { fill, type Values } from "../../wire/http1.ts";
import type { Sight } from "../vocabulary.ts";
import type { Carrier, CarrierName, Listener } from "./carrier.ts";
import { acceptOf, Connection, handshakeKey } from "./connection.ts";
import { Http1Carrier } from "./http1-carrier.ts";
import { Http2Carrier } from "./http2-carrier.ts";
import { Http2Streams } from "./http2-streams.ts";
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

  readonly carriedBy: CarrierName;
  /** Over HTTP/2 all WebSockets of a case are streams of one connection, as long as that lasts. */
  #streams: Http2Streams | undefined;

  constructor(target: Target, timeout: number, carriedBy: CarrierName = "http1") {
    super();
    this.target = target;
    this.timeout = timeout;
    this.carriedBy = carriedBy;
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
    const carrier = await this.#carriers[this.carriedBy]();
    const values = this.values(on);
    const made = new Connection(on, { recorder: this.recorder, waiting: this, values, fill: (text) => fill(text, values), carrier });
    this.connections.set(on, made);
    return made;
  }

  /** How each version of HTTP makes room for one more WebSocket. */
  readonly #carriers: Readonly<Record<CarrierName, () => Promise<(listener: Listener) => Carrier>>> = {
    http1: async () => {
      const socket = await dialPatiently(this.target, this.timeout, WEBSOCKET);
      return (listener) => new Http1Carrier(socket, listener);
    },
    http2: async () => {
      if (this.#streams === undefined || this.#streams.over) {
        const socket = await dialPatiently(this.target, this.timeout, HTTP2);
        this.#streams = new Http2Streams(socket, this.recorder);
      }
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

  /** Every connection that there is has been ended by the subject. */
  get over(): boolean {
    return this.connections.size > 0 && [...this.connections.values()].every(({ ended }) => ended !== undefined);
  }

  drop(): void {
    for (const connection of this.connections.values()) connection.drop();
  }
}
