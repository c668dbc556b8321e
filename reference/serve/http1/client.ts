import type { Duplex } from "node:stream";
import { field, Misuse, type Field } from "../../core/index.ts";
import type { Content } from "../../http/index.ts";
import { Connection, type Event, type ExchangeId, type Machine, type Options } from "../../http1/index.ts";
import { Drive, now, type DriveOptions, type Owner } from "../../io/index.ts";
import { StreamFailed, type BrokenRule } from "../errors.ts";
import {
  ClientConnection,
  UNREAD_MS,
  sendingOf,
  type ClientUpgrade,
  type Ending,
  type Origin,
  type WaitingRequest,
} from "../client/connection.ts";
import { ClientExchange } from "../client/exchange.ts";
import type { ClientRequest } from "../client/request.ts";
import { fieldList, has } from "../message/outgoing.ts";

/** Requests that may wait for the one before them. */
const QUEUED = 1_000;

const UNREAD =
  "the content of the response before it is not read, so this request cannot be sent: read that `body` to its end, or use `createClient`, which opens connections as needed";

const namesTe = ({ name, value }: Field): boolean => name === "connection" && /(?:^|,)\s*te\s*(?:,|$)/i.test(value);

type Waiting = WaitingRequest<ClientExchange<ExchangeId>>;
type Parts = {
  readonly socket: Duplex;
  readonly origin: Origin;
  readonly machine: Omit<Options, "side">;
  readonly drive: DriveOptions;
  readonly unreadMs: number | undefined;
  /** Offered with the first request that can carry it. */
  readonly upgrade: ClientUpgrade | undefined;
};

/** A client's connection in HTTP/1.1: one request at a time, the others wait. */
export class Http1ClientConnection extends ClientConnection<ExchangeId> implements Owner<Event> {
  readonly machine: Machine;
  readonly drive: Drive<Event, Machine>;
  readonly #origin: Origin;
  readonly #waiting: Waiting[] = [];
  readonly #unreadMs: number;
  #unread: NodeJS.Timeout | undefined;
  /** Until a request has carried the offer. */
  #upgrade: ClientUpgrade | undefined;
  /** The method of the request that carried the offer, until its answer. */
  #offered: string | undefined;

  constructor({ socket, origin, machine, drive, upgrade, unreadMs = UNREAD_MS }: Parts) {
    super();
    this.#unreadMs = unreadMs;
    this.#origin = origin;
    this.#upgrade = upgrade;
    this.machine = new Connection({ ...machine, side: "client" }, now());
    this.drive = new Drive(socket, this.machine, this, drive);
  }

  get version(): "HTTP/1.1" {
    return "HTTP/1.1";
  }
  get multiplexes(): boolean {
    return false;
  }
  get accepting(): boolean {
    return this.machine.accepting;
  }

  protected send(wanted: ClientRequest): ClientExchange<ExchangeId> {
    const body = typeof wanted.body === "string" ? Buffer.from(wanted.body) : wanted.body;
    const content = body instanceof Uint8Array && body.length === 0 ? undefined : body;
    const exchange = new ClientExchange<ExchangeId>(this, sendingOf(wanted, content));
    if (this.#waiting.length === 0 && this.machine.idle) this.#begin({ exchange, wanted, body });
    else if (this.#waiting.length < QUEUED) {
      this.#waiting.push({ exchange, wanted, body });
      this.#watchUnread();
    } else throw new Misuse(`${QUEUED} requests already wait on this connection: open others, or use a pool`);
    return exchange;
  }
  /** Requests do not wait for ever for a response that nobody reads: only reading it ends it. */
  #watchUnread(): void {
    if (this.#unread !== undefined) return;
    const before = this.unread;
    this.#unread = setTimeout(() => {
      this.#unread = undefined;
      if (this.#waiting.length === 0) return;
      if (before === undefined || this.unread !== before) return this.#watchUnread();
      for (const { exchange } of this.#waiting.splice(0)) exchange.over(new StreamFailed("refused", UNREAD));
    }, this.#unreadMs).unref();
  }
  /** Sends queued requests while the connection is idle. */
  #moveUp(): void {
    while (this.machine.idle) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (next.exchange.isOver) continue;
      try {
        this.#begin(next);
      } catch (error) {
        next.exchange.over(new StreamFailed("aborted", "the request cannot be sent", { cause: error }));
      }
    }
  }
  #begin({ exchange, wanted, body }: Waiting): void {
    const { method = "GET", trailers } = wanted;
    const isTunnel = method === "CONNECT";
    const isEmpty = body === undefined || (body instanceof Uint8Array && body.length === 0);
    const end = isTunnel || (isEmpty && trailers === undefined);
    const fields = this.#fields(wanted, body);
    if (this.#upgrade !== undefined && end && !isTunnel) {
      this.#offered = method;
      fields.push(...this.#upgrade.fields);
    }
    const target = wanted.target ?? (isTunnel ? (wanted.authority ?? this.#origin.authority) : (wanted.path ?? "/"));
    const id = this.machine.request({ method, target }, fields, end);
    this.open.set(id, exchange);
    if (end) exchange.adopt(id);
    else exchange.opened(id);
    this.drive.wake();
  }
  #fields(wanted: ClientRequest, body: Content | undefined): Field[] {
    const { method, protocol } = wanted;
    if (protocol !== undefined) throw new Misuse("HTTP/1.1 has no extended CONNECT: request the protocol by Upgrade (rfc9110#7.8)");
    const list = [...fieldList(wanted.fields), ...prioritized(wanted)];
    // The sender of TE lists it, so that the next hop does not pass it on (rfc9110#10.1.4).
    if (has(list, "te") && !list.some(namesTe)) list.push(field("connection", "te"));
    if (!has(list, "host")) list.unshift(field("host", wanted.authority ?? this.#origin.authority));
    if (wanted.expectMs !== undefined && !has(list, "expect")) list.push(field("expect", "100-continue"));
    const hasLength = body instanceof Uint8Array && method !== "CONNECT" && wanted.trailers === undefined;
    if (hasLength && !has(list, "content-length")) list.push(field("content-length", String(body.length)));
    return list;
  }

  abort(): void {
    this.drive.destroy();
  }
  cancel(id: ExchangeId, isAnswered = false): void {
    this.open.delete(id);
    this.machine.abandon(id);
    // A FIN could mean that we still wait (rfc9112#9.6).
    if (isAnswered) this.drive.wake();
    else this.drive.reset();
  }
  ping(): Promise<number> {
    return Promise.reject(new Misuse("HTTP/1.1 has no PING"));
  }

  handle(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.is) {
        case "interim":
          this.open.get(event.exchange)?.interim(event.status, event.fields);
          break;
        case "response":
          // A server that ignored the offer does not get it again.
          if (this.#offered !== undefined) this.#upgrade = undefined;
          this.#offered = undefined;
          this.open.get(event.exchange)?.head(event.version, event.status, event.fields, event.end);
          break;
        case "data":
          // An exchange that is gone has closed the connection.
          this.open.get(event.exchange)?.data(event.bytes, event.end);
          break;
        case "trailers":
          this.open.get(event.exchange)?.trailers(event.fields);
          break;
        case "writable":
          this.open.get(event.exchange)?.writable();
          break;
        case "done":
          this.over(event.exchange);
          this.#moveUp();
          break;
        case "failed":
          this.over(event.exchange, failureOf(event.fault));
          break;
        case "unanswered":
          this.over(event.exchange, new StreamFailed("unanswered", "the connection ended before the response"));
          break;
        case "switched":
          this.#switched(event);
          break;
        case "closed":
          this.end({ fault: event.fault });
          break;
        default:
        // Events of a server.
      }
    }
  }
  #switched({ exchange: id, status, fields, rest }: Extract<Event, { is: "switched" }>): void {
    const socket = this.drive.handOver();
    // An error before anyone reads is not an uncaught exception.
    socket.on("error", () => {});
    const exchange = this.open.get(id);
    this.open.delete(id);
    const method = this.#offered;
    if (exchange === undefined) socket.destroy();
    else if (this.#upgrade !== undefined && method !== undefined && status === 101)
      this.successor = this.#upgrade.goOn({ socket, rest }, { method, exchange }, this.#waiting.splice(0));
    else exchange.switched(status, fields, { socket, rest });
    // This connection is over for its user; the socket is in other hands.
    super.gone();
  }
  override gone(error?: Error): void {
    // Queued requests learn what broke the connection, not only that it ended.
    this.ending ??= { error };
    // The machine knows whether part of a response had arrived; only without one may the request be sent again.
    const last = this.machine.ended(now());
    // A broken connection does not end content that is delimited by its close (rfc9112#8).
    const isEnd = (event: Event): boolean => event.is === "done" || (event.is === "data" && event.end);
    this.handle(error === undefined ? last : last.filter((event) => !isEnd(event)));
    super.gone(error);
  }
  protected override end(ending: Ending): void {
    super.end(ending);
    clearTimeout(this.#unread);
    const { message, fault, cause } = this.isOver();
    // Queued requests were never sent.
    for (const { exchange } of this.#waiting.splice(0)) exchange.over(new StreamFailed("refused", message, { fault, cause }));
  }
}

/** Why a response failed, for the program. */
function failureOf(fault: BrokenRule | undefined): StreamFailed {
  const why = fault === undefined ? "the response was incomplete" : `the response broke ${fault.spec} (${fault.name})`;
  const isCut = fault === undefined || fault.name === "endedEarly";
  return new StreamFailed(isCut ? "truncated" : "fault", why, { fault });
}
const prioritized = ({ priority }: ClientRequest): Field[] => (priority === undefined ? [] : [field("priority", priority)]);
