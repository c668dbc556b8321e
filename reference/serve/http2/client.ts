import type { Duplex } from "node:stream";
import { Misuse, type Field } from "../../core/index.ts";
import { Fields, type Content, type RequestHead, type ResetCode } from "../../http/index.ts";
import {
  Connection,
  ErrorCode,
  errorCode,
  type Event,
  type Machine,
  type Options,
  streamId,
  type Settings,
  type StreamId,
} from "../../http2/index.ts";
import { authorityOf, Drive, now, type DriveOptions, type Owner } from "../../io/index.ts";
import { ClientConnection, sendingOf, type Ending, type Origin, type WaitingRequest } from "../client/connection.ts";
import { ClientExchange, type AnyClientExchange } from "../client/exchange.ts";
import { requestFields } from "../client/request-fields.ts";
import type { ClientRequest } from "../client/request.ts";
import { failureOf, StreamFailed } from "../errors.ts";
import { Steward, type Stewardship } from "./steward.ts";

type Parts = {
  readonly socket: Duplex;
  readonly origin: Origin;
  readonly machine: Omit<Options, "side">;
  readonly drive: DriveOptions;
  readonly stewardship: Stewardship;
};

/** PINGs that may be unanswered at a time. */
const PINGS = 100;
/** The most characters of the debug data of GOAWAY in a message. */
const FAREWELL = 200;

/** A client's connection in HTTP/2. */
export class Http2ClientConnection extends ClientConnection<StreamId> implements Owner<Event> {
  readonly machine: Machine;
  readonly drive: Drive<Event, Machine>;
  readonly #origin: Origin;
  /** Requests that wait for a stream, by ticket. */
  readonly #waiting = new Map<number, ClientExchange<StreamId>>();
  /** Unanswered PINGs, by their octets. */
  readonly #pings = new Map<string, { readonly since: number; readonly pong: PromiseWithResolvers<number> }>();
  #pingCount = 0;
  /** The settings that the server announced last; undefined before its first SETTINGS. */
  override settings: Settings | undefined = undefined;
  readonly #ready = Promise.withResolvers<void>();
  /** Present if the server is asked whether it is alive. */
  readonly #steward: Steward | undefined;
  override sentTooManyPings = false;
  /** What the server said when it ended the connection with an error. */
  #farewell: Error | undefined;

  constructor({ socket, origin, machine, drive, stewardship }: Parts) {
    super();
    this.#origin = origin;
    this.machine = new Connection({ ...machine, side: "client", speaksFor: authorityOf(socket, origin) }, now());
    this.drive = new Drive(socket, this.machine, this, drive);
    this.#steward = stewardship.keepalive === undefined ? undefined : new Steward(stewardship, this);
  }

  override get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get version(): "HTTP/2" {
    return "HTTP/2";
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
    const content = body instanceof Uint8Array && body.length === 0 ? undefined : body;
    return this.#submit(new ClientExchange(this, sendingOf(wanted, content)), wanted, body);
  }
  #submit(stream: ClientExchange<StreamId>, wanted: ClientRequest, body: Content | undefined): ClientExchange<StreamId> {
    const isEmpty = body === undefined || (body instanceof Uint8Array && body.length === 0);
    const place = this.machine.request(requestFields(wanted, this.#origin, body), isEmpty && wanted.trailers === undefined);
    if ("stream" in place) {
      this.open.set(place.stream, stream);
      stream.opened(place.stream);
    } else this.#waiting.set(place.ticket, stream);
    this.#steward?.changed();
    return stream;
  }

  /** Answers a request that was sent in HTTP/1.1, on stream 1, and sends those that waited there (rfc7540#3.2). */
  adopt(asked: AnyClientExchange, waiting: readonly WaitingRequest[]): void {
    const first = streamId(1);
    const stream: ClientExchange<StreamId> = asked.moveTo(this);
    this.open.set(first, stream);
    stream.adopt(first);
    for (const { exchange, wanted, body } of waiting) if (!exchange.isOver) this.#submit(exchange.moveTo(this), wanted, body);
  }

  override get isForeign(): boolean {
    const name = this.ending?.fault?.name;
    return name === "firstFrameNotSettings" || name === "frameTooLarge";
  }
  abort(code: ResetCode): void {
    this.machine.abort(code);
    this.drive.wake();
  }
  cancel(id: StreamId, isAnswered = false): void {
    this.open.delete(id);
    this.machine.reset(id, isAnswered ? "NO_ERROR" : "CANCEL");
    this.drive.wake();
    this.onFree?.();
  }

  ping(): Promise<number> {
    if (this.ending !== undefined) return Promise.reject(this.isOver());
    if (this.#pings.size >= PINGS) return Promise.reject(new Misuse(`${PINGS} PINGs are unanswered: wait for an answer`));
    const octets = Buffer.alloc(8);
    octets.writeUInt32BE(++this.#pingCount >>> 0, 4);
    const pong = Promise.withResolvers<number>();
    this.#pings.set(octets.toString("hex"), { since: performance.now(), pong });
    this.machine.ping(octets);
    this.drive.wake();
    return pong.promise;
  }

  handle(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.is) {
        case "interim":
          this.open.get(event.stream)?.interim(event.status, event.fields);
          break;
        case "response":
          this.open.get(event.stream)?.head("HTTP/2", event.status, event.fields, event.end);
          break;
        case "data": {
          const stream = this.open.get(event.stream);
          if (stream === undefined) this.machine.consumed(event.stream, event.bytes.length);
          else stream.data(event.bytes, event.end);
          break;
        }
        case "trailers":
          this.open.get(event.stream)?.trailers(event.fields);
          break;
        case "pushed":
          this.#pushed(event.stream, event.promised, event.fields);
          break;
        case "writable":
          this.open.get(event.stream)?.writable();
          break;
        case "done":
          this.over(event.stream);
          break;
        case "reset":
          this.over(event.stream, failureOf(event.code, event.by, event.fault));
          break;
        case "opened": {
          const stream = this.#waiting.get(event.ticket);
          if (stream === undefined) break;
          this.#waiting.delete(event.ticket);
          this.open.set(event.stream, stream);
          stream.opened(event.stream);
          break;
        }
        case "unopened":
          this.#waiting.get(event.ticket)?.over(failureOf("REFUSED_STREAM", "peer"));
          this.#waiting.delete(event.ticket);
          break;
        case "pong":
          this.#pong(event.data);
          break;
        case "settings":
          this.settings = event.settings;
          this.#ready.resolve();
          this.onSettings?.();
          break;
        case "goaway":
          this.#goaway(event.code, Buffer.from(event.debug).toString("latin1"));
          this.onGoaway?.();
          break;
        case "closed":
          this.end(event.fault?.name === "endedEarly" && this.#farewell !== undefined ? { error: this.#farewell } : { fault: event.fault });
          break;
        default:
        // Acknowledgements.
      }
    }
    this.#steward?.changed();
  }
  /** Without an error `accepting` is all that it changes. With one, it says why requests fail that the server leaves. */
  #goaway(code: number, debug: string): void {
    if (code === ErrorCode.NO_ERROR) return;
    const why = debug === "" ? "" : ` (${JSON.stringify(debug.slice(0, FAREWELL))})`;
    this.#farewell = new Error(`the server sent GOAWAY with ${errorCode(code)}${why}`);
    if (code === ErrorCode.ENHANCE_YOUR_CALM && debug === "too_many_pings") this.sentTooManyPings = true;
  }
  #pushed(on: StreamId, promised: StreamId, list: readonly Field[]): void {
    const parent = this.open.get(on);
    if (parent === undefined) return this.cancel(promised);
    const stream = new ClientExchange(this);
    stream.adopt(promised);
    this.open.set(promised, stream);
    return parent.pushed({ request: requestHead(list), response: stream.response });
  }
  #pong(octets: Uint8Array): void {
    const key = Buffer.from(octets).toString("hex");
    const asked = this.#pings.get(key);
    if (asked === undefined) return;
    this.#pings.delete(key);
    asked.pong.resolve(performance.now() - asked.since);
  }
  override gone(error?: Error): void {
    this.#steward?.dismiss();
    super.gone(error);
  }
  protected override end(ending: Ending): void {
    super.end(ending);
    const failure = this.isOver();
    // Queued requests were never sent.
    for (const stream of this.#waiting.values())
      stream.over(new StreamFailed("refused", failure.message, { fault: failure.fault, cause: failure.cause }));
    this.#waiting.clear();
    for (const { pong } of this.#pings.values()) pong.reject(failure);
    this.#pings.clear();
    this.#ready.resolve();
  }
}

function requestHead(list: readonly Field[]): RequestHead {
  const of = (name: string): string => list.find((line) => line.name === name)?.value ?? "";
  const regular = list.filter(({ name }) => !name.startsWith(":"));
  return {
    version: "HTTP/2",
    method: of(":method"),
    scheme: of(":scheme"),
    authority: of(":authority"),
    path: of(":path"),
    fields: new Fields(regular),
  };
}
