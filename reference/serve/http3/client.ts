import { Misuse, type Instant } from "../../core/index.ts";
import type { ResetCode } from "../../http/index.ts";
import { Connection, type Ended, type Event, type Machine, type StreamId } from "../../http3/index.ts";
import { now, type Carrier } from "../../io/index.ts";
import type { QuicConnection, QuicEvent } from "../../quic/index.ts";
import { ClientConnection, sendingOf, type Ending, type Origin } from "../client/connection.ts";
import { ClientExchange } from "../client/exchange.ts";
import { requestFields } from "../client/request-fields.ts";
import type { ClientRequest } from "../client/request.ts";
import { StreamFailed } from "../errors.ts";
import { codeOf, failed } from "./codes.ts";
import type { Http3ConnectOptions } from "./options.ts";
import { RiderCarrier, type Rider, type SharedSocket } from "./riders.ts";

type Parts = {
  readonly quic: QuicConnection;
  readonly socket: SharedSocket;
  readonly origin: Origin;
  readonly options: Pick<Http3ConnectOptions, "settings" | "limits"> & { readonly grease: number };
};

/** A client's connection in HTTP/3. */
export class Http3ClientConnection extends ClientConnection<StreamId> implements Rider {
  readonly quic: QuicConnection;
  readonly machine: Machine;
  readonly drive: Carrier;
  readonly #origin: Origin;
  /** Requests that wait for a stream, by ticket. */
  readonly #waiting = new Map<number, ClientExchange<StreamId>>();
  readonly #ready = Promise.withResolvers<void>();

  constructor({ quic, socket, origin, options: { settings, limits, grease } }: Parts) {
    super();
    this.quic = quic;
    this.#origin = origin;
    const machine = { ...(settings !== undefined && { settings }), ...(limits !== undefined && { limits }), grease };
    this.machine = new Connection({ side: "client", transport: quic, ...machine }, now());
    this.drive = new RiderCarrier(socket, this, () => this.machine.shutdown());
  }

  override get ready(): Promise<void> {
    return this.#ready.promise;
  }
  get version(): "HTTP/3" {
    return "HTTP/3";
  }
  get multiplexes(): boolean {
    return true;
  }
  override get load(): number {
    return this.open.size + this.#waiting.size;
  }
  get accepting(): boolean {
    return this.machine.accepting;
  }

  protected send(wanted: ClientRequest): ClientExchange<StreamId> {
    const body = typeof wanted.body === "string" ? Buffer.from(wanted.body) : wanted.body;
    const isEmpty = body === undefined || (body instanceof Uint8Array && body.length === 0);
    const exchange = new ClientExchange<StreamId>(this, sendingOf(wanted, isEmpty ? undefined : body));
    const place = this.machine.request(requestFields(wanted, this.#origin, body), isEmpty && wanted.trailers === undefined);
    if ("stream" in place) {
      this.open.set(place.stream, exchange);
      exchange.opened(place.stream);
    } else this.#waiting.set(place.ticket, exchange);
    return exchange;
  }
  abort(code: ResetCode): void {
    this.machine.abort(codeOf(code));
    this.drive.wake();
  }
  cancel(id: StreamId, isAnswered = false): void {
    this.open.delete(id);
    this.machine.reset(id, isAnswered ? "H3_NO_ERROR" : "H3_REQUEST_CANCELLED");
    this.drive.wake();
    this.onFree?.();
  }
  ping(): Promise<number> {
    return Promise.reject(new Misuse("HTTP/3 has no PING: its transport measures the path"));
  }

  get deadline(): Instant {
    return this.machine.deadline;
  }
  receive(event: QuicEvent): void {
    this.#handle(this.machine.receive(event, now()));
    if (event.is === "closed") this.gone();
  }
  tick(at: Instant): void {
    this.#handle(this.machine.tick(at));
  }
  drain(): void {
    this.#handle(this.machine.events());
  }

  #handle(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.is) {
        case "interim":
          this.open.get(event.stream)?.interim(event.status, event.fields);
          break;
        case "response":
          this.open.get(event.stream)?.head("HTTP/3", event.status, event.fields, event.end);
          break;
        case "data": {
          const exchange = this.open.get(event.stream);
          if (exchange === undefined) this.machine.consumed(event.stream, event.bytes.length);
          else exchange.data(event.bytes, event.end);
          break;
        }
        case "trailers":
          this.open.get(event.stream)?.trailers(event.fields);
          break;
        case "writable":
          this.open.get(event.stream)?.writable();
          break;
        case "done":
          this.over(event.stream);
          break;
        case "reset":
          this.over(event.stream, failed(event.code, event.by, event.fault));
          break;
        case "opened":
          this.#opened(event.ticket, event.stream);
          break;
        case "unopened":
          this.#waiting.get(event.ticket)?.over(failed("H3_REQUEST_REJECTED", "peer"));
          this.#waiting.delete(event.ticket);
          break;
        case "settings":
          this.#ready.resolve();
          break;
        case "goaway":
          this.onGoaway?.();
          break;
        case "closed":
          this.end(endingOf(event));
          break;
        default:
        // Datagrams have no reader here.
      }
    }
  }
  #opened(ticket: number, id: StreamId): void {
    const exchange = this.#waiting.get(ticket);
    if (exchange === undefined) return this.cancel(id);
    this.#waiting.delete(ticket);
    this.open.set(id, exchange);
    return exchange.opened(id);
  }
  protected override end(ending: Ending): void {
    super.end(ending);
    const failure = this.isOver();
    // Queued requests were never sent.
    for (const exchange of this.#waiting.values())
      exchange.over(new StreamFailed("refused", failure.message, { fault: failure.fault, cause: failure.cause }));
    this.#waiting.clear();
    this.#ready.resolve();
  }
}

function endingOf({ fault, error }: Ended): Ending {
  if (fault !== undefined) return { fault };
  if (error === undefined) return {};
  const { by, layer, code, reason } = error;
  const words =
    by === "idle" ? "nothing came from the server for too long" : `${by}: ${layer} code ${code}${reason === "" ? "" : ` (${reason})`}`;
  return { error: new Error(words) };
}
