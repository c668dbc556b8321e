import type { Duplex } from "node:stream";
import { field, Misuse, type Field } from "../../core/index.ts";
import { Fields, type Body, type PushedRequest, type Request, type ResetCode, type Response } from "../../http/index.ts";
import { Connection, type Event, type Machine, type Options, type StreamId } from "../../http2/index.ts";
import { Drive, now, type DriveOptions, type Link, type Owner } from "../../io/index.ts";
import { failureOf, StreamFailed } from "../errors.ts";
import { NO_BODY } from "../message/body.ts";
import { fieldList } from "../message/outgoing.ts";
import { ConnectionInfo } from "../server/connection-info.ts";
import { ServerConnection, type ServerContext } from "../server/connection.ts";
import { ServerExchange } from "../server/exchange.ts";
import type { ServerSetup } from "../version.ts";
import { Steward, type Stewardship } from "./steward.ts";

/** A request; its fields and its content are made on first use. */
class Http2Request implements Request {
  declare readonly version: "HTTP/2";
  readonly method: string = "";
  readonly scheme: string = "";
  readonly authority: string = "";
  readonly path: string = "";
  declare readonly protocol?: string;
  /** The regular fields alone: the array of a whole block has room for more, and an open stream keeps it. */
  readonly #list: readonly Field[];
  #fields: Fields | undefined;
  /** Present if content can arrive. */
  readonly #body: Body | undefined;

  constructor(list: readonly Field[], body: Body | undefined) {
    this.#body = body;
    const count = list.length;
    let at = 0;
    for (; at < count; at++) {
      const { name, value } = list[at]!;
      if (name.charCodeAt(0) !== 0x3a) break;
      switch (name) {
        case ":method":
          this.method = value;
          break;
        case ":scheme":
          this.scheme = value;
          break;
        case ":authority":
          this.authority = value;
          break;
        case ":path":
          this.path = value;
          break;
        default:
          this.protocol = value;
      }
    }
    this.#list = list.slice(at);
    if (this.authority === "") this.authority = this.fields.get("host") ?? "";
  }

  get fields(): Fields {
    return (this.#fields ??= new Fields(this.#list));
  }
  get body(): Body {
    return this.#body ?? NO_BODY;
  }
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
