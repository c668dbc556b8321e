import type { Duplex } from "node:stream";
import { field, Misuse } from "../../core/index.ts";
import { Fields, isSuccess, type Body, type Request, type ResetCode, type Response } from "../../http/index.ts";
import { Connection, type Event, type ExchangeId, type Machine, type Options, type Version } from "../../http1/index.ts";
import { Drive, now, type DriveOptions, type Link, type Owner } from "../../io/index.ts";
import { StreamFailed } from "../errors.ts";
import type { Switched } from "../handler.ts";
import { NO_BODY } from "../message/body.ts";
import { pour, TunnelBody } from "../message/tunnel.ts";
import { ConnectionInfo } from "../server/connection-info.ts";
import { ServerConnection, type ServerContext } from "../server/connection.ts";
import { ServerExchange, type SwitchingAnswer, type TunnelAnswer } from "../server/exchange.ts";
import type { ServerSetup } from "../version.ts";
import type { HalfClose } from "./options.ts";

type RequestEvent = Extract<Event, { is: "request" }>;

/** A request: a view of its event. */
class Http1Request implements Request {
  readonly #event: RequestEvent;
  readonly body: Body;
  #fields: Fields | undefined;

  constructor(event: RequestEvent, body: Body) {
    this.#event = event;
    this.body = body;
  }

  get version(): Version {
    return this.#event.version;
  }
  get method(): string {
    return this.#event.method;
  }
  get scheme(): string {
    return this.#event.scheme;
  }
  get authority(): string {
    return this.#event.authority;
  }
  get path(): string {
    return this.#event.path;
  }
  /** The request target as received (rfc9112#3.2). */
  get target(): string {
    return this.#event.target;
  }
  get fields(): Fields {
    return (this.#fields ??= new Fields(this.#event.fields));
  }
  get upgrade(): readonly string[] {
    return this.#event.upgrade;
  }
}

/** The response to a request for an https resource on a connection in clear text. */
const UNSECURED: Response = {
  status: 421,
  fields: [["content-type", "text/plain"]],
  body: "https needs a connection with TLS: open one.\n",
};
const HALF_CLOSED = "the client has ended its half of the connection";
const NO_PROTOCOLS: readonly string[] = [];

/** What all connections of a server in HTTP/1.1 share. */
export type Http1Server = {
  /** Whether a client that ends its half has left. */
  readonly halfClose: HalfClose;
  /** The options of the machine, in clear text and over TLS. */
  readonly clear: Options;
  readonly secure: Options;
} & Pick<ServerSetup, "filter" | "upgrade" | "switched">;

type Parts = {
  readonly socket: Duplex;
  readonly id: number;
  readonly context: ServerContext;
  readonly server: Http1Server;
  readonly drive: DriveOptions;
};

/** A server's connection in HTTP/1.1 or HTTP/1.0. */
export class Http1ServerConnection extends ServerConnection<ExchangeId> implements Owner<Event> {
  readonly machine: Machine;
  readonly drive: Drive<Event, Machine>;
  readonly #id: number;
  readonly #server: Http1Server;
  readonly #isSecure: boolean;
  /** Receives the socket when it switches. */
  #take: ((switched: Switched) => void) | undefined;
  #info: ConnectionInfo | undefined;
  #hasLeft = false;

  constructor({ socket, id, context, server, drive }: Parts) {
    super(context);
    this.#id = id;
    this.#server = server;
    this.#isSecure = "encrypted" in socket;
    this.machine = new Connection(this.#isSecure ? server.secure : server.clear, now());
    const { filter } = server;
    const options = filter === undefined ? drive : { ...drive, filter: (link: Link) => filter(this.info, link) };
    this.drive = new Drive(socket, this.machine, this, options);
  }

  get info(): ConnectionInfo {
    return (this.#info ??= new ConnectionInfo(this.#id, this));
  }

  handle(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.is) {
        case "request":
          this.#request(event);
          break;
        case "data":
          this.data(event.exchange, event.bytes, event.end);
          break;
        case "trailers":
          this.open?.get(event.exchange)?.trailers(event.fields);
          break;
        case "writable":
          this.open?.get(event.exchange)?.writable();
          break;
        case "done":
          this.over(event.exchange);
          break;
        case "failed":
          this.over(event.exchange, new StreamFailed("fault", "the request was incomplete", { fault: event.fault }));
          break;
        case "half-closed":
          if (this.#server.halfClose === "abort") this.#left();
          break;
        case "switched":
          this.#switched(event.rest);
          break;
        case "closed":
          this.failAll(new StreamFailed("closed", "the connection has ended", { fault: event.fault }));
          break;
        default:
        // Events of a client.
      }
    }
  }

  /** The machine has its own limits for a silent client. */
  silent(): void {}

  #request(event: RequestEvent): void {
    if (event.upgrade.length > 0 && this.#upgrades(event)) return;
    const exchange = new ServerExchange(this, event.exchange, !event.end);
    const tunnel = event.method === "CONNECT" ? new TunnelBody() : undefined;
    exchange.request = new Http1Request(event, tunnel ?? exchange.body ?? NO_BODY);
    if (event.expects) exchange.expects = true;
    if (this.#hasLeft) exchange.left(new StreamFailed("closed", HALF_CLOSED));
    // A connection without TLS is not secured for https resources (rfc9110#7.4).
    if (event.scheme === "https" && !this.#isSecure) this.settle(event.exchange, exchange, UNSECURED);
    else this.begin(event.exchange, exchange);
  }
  #left(): void {
    this.#hasLeft = true;
    const why = new StreamFailed("closed", HALF_CLOSED);
    for (const exchange of this.open?.values() ?? []) exchange.left(why);
  }
  /** Whether the client upgrades to another version: then this request is the first that it answers (rfc7540#3.2). */
  #upgrades(event: RequestEvent): boolean {
    if (!event.end || event.method === "CONNECT" || this.#isSecure || (this.open?.size ?? 0) > 0) return false;
    const upgrade = this.#server.upgrade();
    const offer = upgrade?.offered(event.upgrade, event.fields);
    if (upgrade === undefined || offer === undefined) return false;
    this.#take = (switched) => upgrade.goOn({ ...switched, offer, request: event });
    this.machine.switchTo(event.exchange, 101, [field("upgrade", upgrade.token)]);
    return true;
  }
  #switched(rest: Uint8Array): void {
    const socket = this.drive.handOver();
    this.failAll(new StreamFailed("closed", "the connection switched to another protocol"));
    this.context.gone(this);
    this.#server.switched(socket);
    try {
      this.#take?.({ socket, rest });
    } catch (error) {
      this.context.failed(error, undefined);
      socket.destroy();
    }
  }

  protected giveUp(id: ExchangeId, code: ResetCode): void {
    // The machine reads unread content for a while, and then closes.
    if (code !== "NO_ERROR") this.machine.abandon(id);
  }
  override declines(id: ExchangeId, rest: "refused" | "ignored"): void {
    this.machine.decline(id, rest);
  }
  push(): boolean {
    return false;
  }
  upgradeOf(request: Request): readonly string[] {
    return request instanceof Http1Request ? request.upgrade : NO_PROTOCOLS;
  }
  switchTo(id: ExchangeId, of: Request, { status, fields, take }: SwitchingAnswer): void {
    if (status === 101 ? this.upgradeOf(of).length === 0 : of.method !== "CONNECT" || !isSuccess(status)) {
      throw new Misuse(`${status} does not switch protocols here: answer Upgrade with 101, and CONNECT with 2xx`);
    }
    this.#take = take;
    this.machine.switchTo(id, status, fields);
    this.drive.wake();
  }
  /** Trailers follow the last chunk, and a chunked message has no Content-Length (rfc9112#6.1, #7.1.2). */
  override get lengthWithTrailers(): boolean {
    return false;
  }
  override tunnel(id: ExchangeId, of: Request, { status, fields, body }: TunnelAnswer): boolean {
    const take = (switched: Switched): void => {
      if (of.body instanceof TunnelBody) of.body.open(switched);
      void pour(body, switched.socket, (error) => this.context.failed(error, of));
    };
    this.switchTo(id, of, { status, fields, take });
    return true;
  }
  abort(): void {
    this.drive.destroy();
  }
}
