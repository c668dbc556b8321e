import { after, Misuse, NEVER, type Instant } from "../../core/index.ts";
import { isSafe, type ResetCode } from "../../http/index.ts";
import { Connection, type Ended, type Event, type Machine, type Settings, type StreamId } from "../../http3/index.ts";
import { now, type Carrier } from "../../io/index.ts";
import type { QuicConnection, QuicEvent } from "../../quic/index.ts";
import { ClientConnection, sendingOf, type Ending, type Origin } from "../client/connection.ts";
import { ClientExchange, type ClientResponse } from "../client/exchange.ts";
import { requestFields } from "../client/request-fields.ts";
import type { ClientRequest } from "../client/request.ts";
import { StreamFailed } from "../errors.ts";
import type { Http3FaultyLine, Http3Under } from "../faults/index.ts";
import { fieldList, has } from "../message/outgoing.ts";
import { codeOf, failed } from "./codes.ts";
import type { Http3ConnectOptions } from "./options.ts";
import { RiderCarrier, type Rider, type SharedSocket } from "./riders.ts";

type Parts = {
  readonly quic: QuicConnection;
  readonly socket: SharedSocket;
  readonly origin: Origin;
  readonly options: Pick<Http3ConnectOptions, "settings" | "limits"> & { readonly grease: number };
  /** The server's settings in an earlier connection, if requests are to leave in 0-RTT data. */
  readonly remembered: Settings | undefined;
  /** Stands between the connection and its transport, if faults are wanted. */
  readonly filter: ((under: Http3Under) => Http3FaultyLine) | undefined;
  /** Called with the settings that the server announces. */
  readonly learned: (settings: Settings) => void;
};

/** The status of a request that the server does not risk to answer twice (RFC 8470). */
const TOO_EARLY = 425;

/** A client's connection in HTTP/3. */
export class Http3ClientConnection extends ClientConnection<StreamId> implements Rider {
  readonly quic: QuicConnection;
  readonly machine: Machine;
  readonly drive: Carrier;
  readonly #origin: Origin;
  /** Requests that wait for a stream, by ticket. */
  readonly #waiting = new Map<number, ClientExchange<StreamId>>();
  readonly #ready = Promise.withResolvers<void>();
  /** The handshake is complete, or there will be none. */
  readonly #established = Promise.withResolvers<void>();
  /** Requests that wait for it. */
  #held = 0;
  readonly #learned: (settings: Settings) => void;
  override settings: Settings | undefined;
  /** When a PING keeps the connection open, while responses are outstanding (rfc9114#5.1). */
  #keepAliveAt: Instant = NEVER;
  readonly #faulty: Http3FaultyLine | undefined;

  constructor({ quic, socket, origin, remembered, learned, filter, options: { settings, limits, grease } }: Parts) {
    super();
    this.quic = quic;
    this.#origin = origin;
    this.#learned = learned;
    this.settings = remembered;
    const machine = {
      ...(settings !== undefined && { settings }),
      ...(limits !== undefined && { limits }),
      grease,
      ...(remembered !== undefined && { remembered }),
    };
    this.drive = new RiderCarrier(socket, this, () => this.machine.shutdown());
    this.#faulty = filter?.({ transport: quic, wake: () => this.drive.wake() });
    this.machine = new Connection({ side: "client", transport: this.#faulty ?? quic, ...machine }, now());
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
    return this.open.size + this.#waiting.size + this.#held;
  }
  get accepting(): boolean {
    return this.machine.accepting;
  }

  /** What may be repeated leaves at once; everything else after the handshake. */
  override async request(wanted: ClientRequest): Promise<ClientResponse> {
    if (!this.quic.isEarly) return super.request(wanted);
    if (!mayBeRepeated(wanted)) return this.#later(wanted);
    const began = now();
    const response = await super.request(wanted);
    if (response.status !== TOO_EARLY) return response;
    await response.body[Symbol.asyncIterator]().return?.();
    const { timeoutMs } = wanted;
    return this.#later({ ...wanted, ...(timeoutMs !== undefined && { timeoutMs: Math.max(0, timeoutMs - (now() - began)) }) });
  }
  async #later(wanted: ClientRequest): Promise<ClientResponse> {
    const { promise, reject } = Promise.withResolvers<never>();
    const aborted = (): void => reject(new StreamFailed("aborted", "the caller aborted the request", { cause: wanted.signal?.reason }));
    wanted.signal?.addEventListener("abort", aborted, { once: true });
    this.#held++;
    try {
      await Promise.race([this.#established.promise, promise]);
    } finally {
      this.#held--;
      wanted.signal?.removeEventListener("abort", aborted);
    }
    return super.request(wanted);
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
    const { deadline } = this.machine;
    return deadline < this.#keepAliveAt ? deadline : this.#keepAliveAt;
  }
  receive(event: QuicEvent): void {
    if (event.is === "established") this.#established.resolve();
    this.#handle(this.machine.receive(event, now()));
    if (event.is !== "closed") return;
    this.#faulty?.closed();
    this.gone();
  }
  tick(at: Instant): void {
    if (at >= this.#keepAliveAt) this.quic.ping();
    this.#handle(this.machine.tick(at));
  }
  drain(): void {
    // What actions have begun is timed from now on.
    const at = now();
    this.#handle(this.machine.tick(at));
    // Half of the time leaves as much again for the answer to the PING.
    this.#keepAliveAt = this.load > 0 ? after(at, this.quic.idleMs / 2) : NEVER;
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
          this.settings = event.settings;
          this.#learned(event.settings);
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
    this.#established.resolve();
  }
}

/** Whether nothing is lost if others send it again. Who passes on early data of others leaves it to them to repeat it (RFC 8470). */
const mayBeRepeated = ({ method = "GET", body, trailers, fields, protocol }: ClientRequest): boolean =>
  isSafe(method) && body === undefined && trailers === undefined && protocol === undefined && !has(fieldList(fields), "early-data");

function endingOf({ fault, error }: Ended): Ending {
  if (fault !== undefined) return { fault };
  if (error === undefined) return {};
  const { by, layer, code, reason } = error;
  const words =
    by === "idle" ? "nothing came from the server for too long" : `${by}: ${layer} code ${code}${reason === "" ? "" : ` (${reason})`}`;
  return { error: new Error(words) };
}
