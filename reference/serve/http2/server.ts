import type { Duplex } from "node:stream";
import { field, Misuse } from "../../core/index.ts";
import type { PushedRequest, Request, ResetCode, Response } from "../../http/index.ts";
import { Connection, type Event, type Machine, type Options, type StreamId } from "../../http2/index.ts";
import { Drive, now, type DriveOptions, type Link, type Owner } from "../../io/index.ts";
import { failureOf, StreamFailed } from "../errors.ts";
import { fieldList } from "../message/outgoing.ts";
import { PseudoFieldRequest } from "../message/request.ts";
import { ConnectionInfo } from "../server/connection-info.ts";
import { ServerConnection, type ServerContext } from "../server/connection.ts";
import { ServerExchange } from "../server/exchange.ts";
import type { ServerSetup } from "../version.ts";
import { Steward, type Stewardship } from "./steward.ts";

class Http2Request extends PseudoFieldRequest {
  declare readonly version: "HTTP/2";
}
// On the prototype: a member would cost eight octets in each request.
Object.defineProperty(Http2Request.prototype, "version", { value: "HTTP/2" });

/** What all connections of a server in HTTP/2 share. */
export type Http2Server = { readonly machine: Options; readonly stewardship: Stewardship } & Pick<ServerSetup, "filter">;

type Parts = {
  readonly socket: Duplex;
  readonly id: number;
  readonly context: ServerContext;
  readonly server: Http2Server;
  readonly drive: DriveOptions;
};

const NO_PROTOCOLS: readonly string[] = [];

/** A server's connection in HTTP/2. */
export class Http2ServerConnection extends ServerConnection<StreamId> implements Owner<Event> {
  readonly machine: Machine;
  readonly drive: Drive<Event, Machine>;
  readonly #id: number;
  #info: ConnectionInfo | undefined;
  /** Present if the connection has limits. */
  readonly #steward: Steward | undefined;

  constructor({ socket, id, context, server: { machine, filter, stewardship }, drive }: Parts) {
    super(context);
    this.#id = id;
    this.machine = new Connection(machine, now());
    const options = filter === undefined ? drive : { ...drive, filter: (link: Link) => filter(this.info, link) };
    this.drive = new Drive(socket, this.machine, this, options);
    const isWatched = stewardship.keepalive !== undefined || stewardship.life !== undefined;
    this.#steward = isWatched ? new Steward(stewardship, this) : undefined;
  }

  get info(): ConnectionInfo {
    return (this.#info ??= new ConnectionInfo(this.#id, this));
  }

  handle(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.is) {
        case "request": {
          const exchange = new ServerExchange(this, event.stream, !event.end);
          exchange.request = new Http2Request(event.fields, exchange.body);
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
          this.over(event.stream, failureOf(event.code, event.by, event.fault));
          break;
        case "closed":
          this.failAll(new StreamFailed("closed", "the connection has ended", { fault: event.fault }));
          break;
        default:
        // Settings, pongs and GOAWAY of a client need no action.
      }
    }
    this.#steward?.changed();
  }

  /** The client is silent: streams that miss content are reset; without any stream, the connection closes. */
  silent(): void {
    if (this.open === undefined || this.open.size === 0) return this.machine.shutdown();
    for (const stream of this.open.values()) if (stream.body !== undefined && !stream.body.isOver) stream.reset("CANCEL");
    return undefined;
  }

  override gone(error?: Error): void {
    this.#steward?.dismiss();
    super.gone(error);
  }
  protected giveUp(id: StreamId, code: ResetCode): void {
    this.machine.reset(id, code);
  }
  push(parent: StreamId, of: Request, { path, method = "GET", authority, fields }: PushedRequest, response: Response): boolean {
    const list = [
      field(":method", method),
      field(":scheme", of.scheme),
      field(":authority", authority ?? of.authority),
      field(":path", path),
      ...fieldList(fields),
    ];
    const promised = this.machine.push(parent, list);
    if (promised === undefined) return false;
    const exchange = new ServerExchange(this, promised, false);
    exchange.request = new Http2Request(list, undefined);
    this.settle(promised, exchange, response);
    this.drive.wake();
    return true;
  }
  upgradeOf(): readonly string[] {
    return NO_PROTOCOLS;
  }
  switchTo(): never {
    throw new Misuse(
      "an HTTP/2 connection cannot switch protocols: answer CONNECT with 200, and the content of both messages is the tunnel",
    );
  }
  abort(code: ResetCode): void {
    this.machine.abort(code);
    this.drive.wake();
  }
}
