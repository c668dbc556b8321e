import type { Server as NetServer, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { ConnectionInfo, Request } from "../http/index.ts";
import type { Limits, Settings } from "../http2/index.ts";
import {
  clearServer,
  inUrl,
  isForbidden,
  listen,
  selfSigned,
  tlsServer,
  type DriveOptions,
  type Filter,
  type Link,
  type ServerTls,
} from "../io/index.ts";
import type { Handler } from "./exchange.ts";
import { withFaults } from "./faults/index.ts";
import { answerHttp1, refuseHttp1 } from "./http1.ts";
import type { AnyServerConnection, ServerContext } from "./server-connection.ts";
import { Http2ServerConnection, type Http2Server } from "./server-http2.ts";

export type ServeOptions = {
  /** 0, any free one, by default. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** TLS with ALPN h2; `true` for a certificate that signs itself. Clear text with prior knowledge by default. */
  readonly tls?: boolean | ServerTls;
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  /** Receive windows grow to fit the path. */
  readonly autoTune?: boolean;
  /** Milliseconds that `close` gives to requests under way; 5,000 by default. */
  readonly graceMs?: number;
  /** Milliseconds without an octet from a client after which its connection is ended; 300,000 by default. */
  readonly idleMs?: number;
  /** Connections at a time; further ones are closed at once. 10,000 by default. */
  readonly maxConnections?: number;
  /** Whether responses carry a date of ours where the handler gives none; true by default. */
  readonly date?: boolean;
  /** What a handler throws, or a transport: the request is absent for the latter. Handlers' errors go to standard error by default. */
  readonly onError?: (error: unknown, request?: Request) => void;
  /** Faults on every connection, by name: `reset:code=CANCEL,after=1` (`touchstone serve http2 --list-faults` tells which there are). */
  readonly faults?: readonly string[];
  /** Requests may ask for faults by a field `touchstone-fault`; false by default. */
  readonly faultByRequest?: boolean;
  /** Stands between each connection and its socket, and may change what passes; `faults` has one of its own. */
  readonly filter?: (connection: ConnectionInfo, link: Link) => Filter;
};

/** A server that listens. */
export type Server = AsyncDisposable & {
  /** Of its root, with a slash at the end. */
  readonly url: string;
  readonly address: string;
  readonly port: number;
  /** Connections at the moment. */
  readonly connections: number;
  /** The certificate in PEM, for clients to trust; undefined in clear text. */
  readonly certificate: string | undefined;
  /** Takes no new connections, lets requests under way end, and drops what is left after `graceMs`. */
  close(): Promise<void>;
};

/** A fast upload then needs a WINDOW_UPDATE for every half MiB only: each is a write of its own, and costs more than a read. */
const STREAM_WINDOW = 1_048_576;
/** A server takes uploads on several streams at once, and one that nobody reads must not stop the others. */
const CONNECTION_WINDOW = 2 * STREAM_WINDOW;

/** How long a client of HTTP/1.1 may take to read that it is refused. */
const HTTP1_MS = 5_000;

/** Listens, and answers every request by `handler`. */
export async function serve(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  const { port = 0, host = "127.0.0.1", tls = false, graceMs = 5_000 } = options;
  const { faults = [], faultByRequest = false } = options;
  const misbehaves = faults.length > 0 || faultByRequest;
  const running = misbehaves ? misbehaving(handler, options, faults, faultByRequest) : new Running(handler, options);
  const secure = tls === false ? undefined : await withCertificate(tls === true ? {} : tls);
  const server =
    secure === undefined ? clearServer((socket) => running.accept(socket)) : await tlsServer(secure, ["h2"], (s) => running.acceptTls(s));
  server.maxConnections = options.maxConnections ?? 10_000;
  const address = await listen(server, { host, port });
  if (secure !== undefined) server.on("connection", (socket) => running.handshake(socket));
  server.on("error", (error) => options.onError?.(error));
  server.on("tlsClientError", (error) => options.onError?.(error));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= running.close(server, graceMs));
  return {
    url: `${secure === undefined ? "http" : "https"}://${inUrl(host)}:${address.port}/`,
    address: address.address,
    port: address.port,
    get connections() {
      return running.size;
    },
    certificate: secure?.cert,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function misbehaving(handler: Handler, options: ServeOptions, faults: readonly string[], byRequest: boolean): Running {
  const wrong = withFaults(handler, faults, byRequest);
  return new Running(wrong.handler, { ...options, filter: wrong.filter });
}

async function withCertificate(tls: ServerTls): Promise<ServerTls> {
  return tls.cert !== undefined && tls.key !== undefined ? tls : { ...tls, ...(await selfSigned()) };
}

/** The connections of one server. */
class Running {
  readonly #connections = new Set<AnyServerConnection>();
  readonly #context: ServerContext;
  readonly #http2: Http2Server;
  readonly #options: ServeOptions;
  /** How connections are driven, in clear text and with TLS. */
  readonly #clear: DriveOptions;
  readonly #tls: DriveOptions;
  /** Transports whose handshake may not be complete. */
  readonly #transports = new Set<Socket>();
  #count = 0;
  #allGone: (() => void) | undefined;

  constructor(handler: Handler, options: ServeOptions) {
    this.#options = options;
    const { settings, limits, autoTune, idleMs = 300_000, date = true, onError } = options;
    this.#tls = { idleMs, ...(limits?.stallMs !== undefined && { stallMs: limits.stallMs }) };
    this.#clear = { ...this.#tls, refuse: refuseHttp1 };
    this.#http2 = {
      machine: {
        side: "server",
        settings: { initialWindowSize: STREAM_WINDOW, ...settings },
        ...(autoTune !== undefined && { autoTune }),
        limits: { connectionWindow: CONNECTION_WINDOW, ...limits },
      },
      filter: options.filter,
    };
    this.#context = {
      handler,
      sendsDate: date,
      failed: (error, request) => {
        if (onError !== undefined) onError(error, request);
        else console.error(`touchstone: the handler of ${request.method} ${request.path} failed:`, error);
      },
      gone: (connection, error) => {
        this.#connections.delete(connection);
        if (error !== undefined) onError?.(error);
        if (this.#connections.size === 0) this.#allGone?.();
      },
    };
  }

  get size(): number {
    return this.#connections.size;
  }

  accept(socket: Duplex): void {
    this.#add(socket, this.#clear);
  }
  acceptTls(socket: TLSSocket): void {
    if (socket.alpnProtocol === "h2") {
      const connection = this.#add(socket, this.#tls);
      if (isForbidden(socket.getProtocol(), socket.getCipher().name)) connection.abort("INADEQUATE_SECURITY");
      return;
    }
    // Without ALPN the client cannot mean HTTP/2 (rfc9113#3.2): it gets an answer that it can read.
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
  #add(socket: Duplex, options: DriveOptions): AnyServerConnection {
    const connection = new Http2ServerConnection(++this.#count, socket, this.#context, this.#http2, options);
    this.#connections.add(connection);
    return connection;
  }

  async close(server: NetServer, graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const gone = new Promise<void>((resolve) => {
      this.#allGone = resolve;
      if (this.#connections.size === 0) resolve();
    });
    for (const { drive } of this.#connections) drive.shutdown();
    const late = setTimeout(() => {
      for (const { drive } of this.#connections) drive.destroy();
    }, graceMs);
    await gone;
    clearTimeout(late);
    for (const socket of this.#transports) socket.destroy();
    await closed;
  }
}
