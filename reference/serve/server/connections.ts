import type { Server as NetServer, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { field, type Field } from "../../core/index.ts";
import type { ConnectionInfo } from "../../http/index.ts";
import { HeadMemory } from "../../http1/index.ts";
import { DEFAULT_LIMITS } from "../../http2/index.ts";
import { isForbidden, type DriveOptions, type Filter, type Link } from "../../io/index.ts";
import type { Handler, Leaver } from "../handler.ts";
import { FirstOctets } from "./first-octets.ts";
import type { Upgraded } from "../http2/h2c.ts";
import { answerHttp1, refuseHttp1 } from "./refuse-http1.ts";
import { dateLine } from "../message/outgoing.ts";
import type { Protocol } from "../versions.ts";
import type { ServerContext } from "./connection.ts";
import { Http1ServerConnection, type Http1Server } from "../http1/server.ts";
import { Http2ServerConnection, type Http2Server } from "../http2/server.ts";
import type { ServeOptions } from "./serve.ts";

/** A fast upload then needs a WINDOW_UPDATE for every half MiB only: each is a write of its own, and costs more than a read. */
const STREAM_WINDOW = 1_048_576;
/** A server takes uploads on several streams at once, and one that nobody reads must not stop the others. */
const CONNECTION_WINDOW = 2 * STREAM_WINDOW;

/** Field names, and field lines, that the HTTP/1.1 connections of one server remember between them; a power of two. */
const HEADS_REMEMBERED = 1_024;
/** How long a client of HTTP/1.1 may take to read that it is refused. */
const HTTP1_MS = 5_000;

/** A connection, as far as the server's end concerns it. */
type Member = { shutdown(): void; destroy(): void };

/** The connections of one server, of whatever version. */
export class Running {
  readonly #members = new Set<Member>();
  /** Sockets that speak something else by now. One function listens to all of them: closures of their own would be a tenth of what they cost. */
  readonly #switched = new Set<Duplex>();
  readonly #switchedClosed: (this: Duplex) => void;
  /** What goes on in them without an end of its own. */
  readonly #closing = new Set<Leaver>();
  readonly #protocols: readonly Protocol[];
  readonly #context: ServerContext;
  readonly #http1: Http1Server;
  readonly #http2: Http2Server;
  readonly #options: ServeOptions;
  readonly #http1Drive: DriveOptions;
  readonly #http2Drive: DriveOptions;
  /** The same, with an answer for those who speak HTTP/1.1 where it is not spoken. */
  readonly #http2Only: DriveOptions;
  /** Transports whose handshake may not be complete. */
  readonly #transports = new Set<Socket>();
  #count = 0;
  #allGone: (() => void) | undefined;

  constructor(
    handler: Handler,
    protocols: readonly Protocol[],
    options: ServeOptions,
    faults: ((connection: ConnectionInfo, link: Link) => Filter) | undefined,
  ) {
    this.#options = options;
    this.#protocols = protocols;
    const gone = (socket: Duplex): void => {
      this.#switched.delete(socket);
      if (this.size === 0) this.#allGone?.();
    };
    this.#switchedClosed = function closed(this: Duplex) {
      gone(this);
    };
    const { settings, limits, autoTune, idleMs, date = true, onError, filter, http1 = {}, h2c = true } = options;
    const stall = limits?.stallMs === undefined ? {} : { stallMs: limits.stallMs };
    this.#http1Drive = stall;
    this.#http2Drive = { idleMs: idleMs ?? 300_000, ...stall };
    this.#http2Only = { ...this.#http2Drive, refuse: refuseHttp1 };
    const machine = {
      side: "server",
      limits: { ...(idleMs !== undefined && { idleMs }), ...http1.limits },
      ...(http1.lenient !== undefined && { lenient: http1.lenient }),
      ...(date && { refusalFields: dated }),
      memory: new HeadMemory(HEADS_REMEMBERED),
    } as const;
    this.#http1 = {
      clear: { ...machine, scheme: "http" },
      secure: { ...machine, scheme: "https" },
      filter,
      h2c: h2c && protocols.includes("h2") ? (upgraded) => this.#goOn(upgraded) : undefined,
      switched: (socket) => this.#watch(socket),
    };
    this.#http2 = {
      machine: {
        side: "server",
        settings: { initialWindowSize: STREAM_WINDOW, ...settings },
        ...(autoTune !== undefined && { autoTune }),
        limits: { connectionWindow: CONNECTION_WINDOW, ...limits },
      },
      filter: faults ?? filter,
    };
    this.#context = {
      handler,
      sendsDate: date,
      closing: this.#closing,
      failed: (error, request) => {
        if (onError !== undefined) onError(error, request);
        else console.error(`touchstone: the handler of ${request?.method ?? "what"} ${request?.path ?? "has switched"} failed:`, error);
      },
      gone: ({ drive }, error) => this.#gone(drive, error),
    };
  }

  get size(): number {
    return this.#members.size + this.#switched.size;
  }

  accept(socket: Duplex): void {
    if (this.#protocols.length === 1) {
      if (this.#protocols[0] === "h2") this.#speakHttp2(socket, this.#http2Only);
      else this.#speakHttp1(socket);
      return;
    }
    const withinMs = this.#options.limits?.prefaceMs ?? DEFAULT_LIMITS.prefaceMs;
    const first: FirstOctets = new FirstOctets(
      socket,
      withinMs,
      (protocol, octets) => {
        this.#members.delete(first);
        const { drive } = protocol === "h2" ? this.#speakHttp2(socket, this.#http2Drive) : this.#speakHttp1(socket);
        drive.feed(octets);
      },
      (error) => this.#gone(first, error),
    );
    this.#members.add(first);
  }
  acceptTls(socket: TLSSocket): void {
    if (socket.alpnProtocol === "h2") {
      const connection = this.#speakHttp2(socket, this.#http2Drive);
      if (isForbidden(socket.getProtocol(), socket.getCipher().name)) connection.abort("INADEQUATE_SECURITY");
      return;
    }
    // Without ALPN the client cannot mean HTTP/2 (rfc9113#3.2).
    if (this.#protocols.includes("http/1.1")) {
      this.#speakHttp1(socket);
      return;
    }
    // It gets an answer that it can read.
    socket.on("error", (error) => this.#options.onError?.(error));
    socket.setTimeout(HTTP1_MS, () => socket.destroy());
    socket.end(answerHttp1());
    socket.resume();
  }
  /** A transport over which TLS is yet to be agreed on. */
  handshake(socket: Socket): void {
    this.#transports.add(socket);
    socket.once("close", () => this.#transports.delete(socket));
  }

  #speakHttp1(socket: Duplex): Http1ServerConnection {
    const connection = new Http1ServerConnection(++this.#count, socket, this.#context, this.#http1, this.#http1Drive);
    this.#members.add(connection.drive);
    return connection;
  }
  #speakHttp2(socket: Duplex, options: DriveOptions, server = this.#http2): Http2ServerConnection {
    const connection = new Http2ServerConnection(++this.#count, socket, this.#context, server, options);
    this.#members.add(connection.drive);
    return connection;
  }
  /** From HTTP/1.1 to HTTP/2, with the request that asked for it as the first stream (rfc7540#3.2). */
  #goOn({ socket, rest, settings, request }: Upgraded): void {
    const { method, scheme, authority, path, fields } = request;
    const list = [field(":method", method), field(":scheme", scheme), field(":authority", authority), field(":path", path)];
    list.push(...fields.filter(({ name }) => !HOP_BY_HOP.has(name)));
    const machine = { ...this.#http2.machine, upgraded: { settings, fields: list } };
    const { drive } = this.#speakHttp2(socket, this.#http2Drive, { ...this.#http2, machine });
    drive.feed(rest);
  }
  /** A socket that others use: it is closed with the server all the same. */
  #watch(socket: Duplex): void {
    this.#switched.add(socket);
    socket.on("error", IGNORED).on("close", this.#switchedClosed);
  }
  #gone(member: object, error?: Error): void {
    this.#members.delete(member as Member);
    if (error !== undefined) this.#options.onError?.(error);
    if (this.size === 0) this.#allGone?.();
  }

  async close(server: NetServer, graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const gone = new Promise<void>((resolve) => {
      this.#allGone = resolve;
      if (this.size === 0) resolve();
    });
    for (const each of this.#closing) each.shutdown();
    for (const member of this.#members) member.shutdown();
    const late = setTimeout(() => {
      for (const member of this.#members) member.destroy();
      for (const socket of this.#switched) socket.destroy();
    }, graceMs);
    await gone;
    clearTimeout(late);
    for (const socket of this.#transports) socket.destroy();
    await closed;
  }
}

const IGNORED = (): void => {};
const dated = (): Field[] => [dateLine()];

/** What spoke of the connection in HTTP/1.1, and has no place in HTTP/2 (rfc9113#8.2.2). */
const HOP_BY_HOP = new Set([
  "connection",
  "upgrade",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "host",
  "te",
]);
