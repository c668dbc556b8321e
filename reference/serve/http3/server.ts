import { field, Misuse, type Field, type Instant } from "../../core/index.ts";
import { isSafe, type ConnectionInfo, type ResetCode } from "../../http/index.ts";
import { Connection, type Event, type Machine, type StreamId } from "../../http3/index.ts";
import { now, type Carrier } from "../../io/index.ts";
import type { QuicConnection, QuicEvent } from "../../quic/index.ts";
import { StreamFailed } from "../errors.ts";
import type { Http3FaultyLine, Http3Under } from "../faults/index.ts";
import { PseudoFieldRequest } from "../message/request.ts";
import { ServerConnection, type ServerContext } from "../server/connection.ts";
import { ServerExchange } from "../server/exchange.ts";
import { codeOf, failed } from "./codes.ts";
import { Http3ConnectionInfo } from "./connection-info.ts";
import type { Agreed } from "./handshake.ts";
import type { Http3ServeOptions } from "./options.ts";
import { RiderCarrier, type Rider, type SharedSocket } from "./riders.ts";

class Http3Request extends PseudoFieldRequest {
  declare readonly version: "HTTP/3";
}
Object.defineProperty(Http3Request.prototype, "version", { value: "HTTP/3" });

type Parts = {
  readonly quic: QuicConnection;
  readonly agreed: Agreed;
  readonly socket: SharedSocket;
  readonly id: number;
  readonly context: ServerContext;
  /** Stands between the connection and its transport, if faults are wanted. */
  readonly filter: ((connection: ConnectionInfo, under: Http3Under) => Http3FaultyLine) | undefined;
  readonly options: Pick<Http3ServeOptions, "settings" | "limits"> & { readonly grease: number; readonly awaitsClient: boolean };
};
const TOO_EARLY = 425;
const NO_PROTOCOLS: readonly string[] = [];

/** A server's connection in HTTP/3. */
export class Http3ServerConnection extends ServerConnection<StreamId> implements Rider {
  readonly quic: QuicConnection;
  readonly machine: Machine;
  readonly drive: Carrier;
  readonly info: Http3ConnectionInfo;
  readonly #faulty: Http3FaultyLine | undefined;

  constructor({ quic, agreed, socket, id, context, filter, options }: Parts) {
    super(context);
    this.quic = quic;
    const { settings, limits, grease, awaitsClient } = options;
    const machine = { ...(settings !== undefined && { settings }), ...(limits !== undefined && { limits }), grease, awaitsClient };
    this.drive = new RiderCarrier(socket, this, () => this.machine.shutdown());
    this.info = new Http3ConnectionInfo(id, this, agreed);
    this.#faulty = filter?.(this.info, { transport: quic, wake: () => this.drive.wake() });
    this.machine = new Connection({ side: "server", transport: this.#faulty ?? quic, ...machine }, now());
  }

  /** Whoever speaks HTTP/3 knows that it is spoken here. */
  override get alternative(): undefined {
    return undefined;
  }
  get deadline(): Instant {
    return this.machine.deadline;
  }
  receive(event: QuicEvent): void {
    this.#handle(this.machine.receive(event, now()));
    if (event.is !== "closed") return;
    this.#faulty?.closed();
    this.gone();
  }
  tick(at: Instant): void {
    this.#handle(this.machine.tick(at));
  }
  drain(): void {
    // What actions have begun is timed from now on.
    this.#handle(this.machine.tick(now()));
  }

  #handle(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.is) {
        case "request": {
          const fields = this.#admitted(event);
          if (fields === undefined) break;
          const exchange = new ServerExchange(this, event.stream, !event.end);
          exchange.request = new Http3Request(fields, exchange.body);
          if (!event.end) exchange.expects = exchange.request.fields.get("expect")?.toLowerCase() === "100-continue";
          this.begin(event.stream, exchange);
          break;
        }
        case "data":
          this.data(event.stream, event.bytes, event.end);
          break;
        case "trailers":
          this.open?.get(event.stream)?.trailers(event.fields);
          break;
        case "writable":
          this.open?.get(event.stream)?.writable();
          break;
        case "done":
          this.over(event.stream);
          break;
        case "reset":
          this.over(event.stream, failed(event.code, event.by, event.fault));
          break;
        case "closed":
          this.failAll(new StreamFailed("closed", "the connection has ended", { fault: event.fault }));
          break;
        default:
        // Settings and GOAWAY of a client need no action.
      }
    }
  }

  /** The fields of a request as the handler gets them; undefined if it came in 0-RTT data that may be a repetition, and is not safe (RFC 8470). */
  #admitted({ stream, fields }: Extract<Event, { readonly is: "request" }>): readonly Field[] | undefined {
    if (this.quic.isEstablished) return fields;
    if (isSafe(fields.find(({ name }) => name === ":method")?.value ?? "")) return [...fields, field("early-data", "1")];
    this.machine.respond(stream, TOO_EARLY, [], true);
    this.machine.reset(stream, "H3_NO_ERROR");
    return undefined;
  }
  protected giveUp(id: StreamId, code: ResetCode): void {
    this.machine.reset(id, codeOf(code));
  }
  /** Nothing is pushed: clients have given it up, and may answer that they do not take it (rfc9114#4.6). */
  push(): boolean {
    return false;
  }
  upgradeOf(): readonly string[] {
    return NO_PROTOCOLS;
  }
  switchTo(): never {
    throw new Misuse(
      "an HTTP/3 connection cannot switch protocols: answer CONNECT with 200, and the content of both messages is the tunnel",
    );
  }
  abort(code: ResetCode): void {
    this.machine.abort(codeOf(code));
    this.drive.wake();
  }
}
