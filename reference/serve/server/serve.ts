import type { ConnectionInfo, Request } from "../../http/index.ts";
import type { Leniency, Limits as Http1Limits } from "../../http1/index.ts";
import type { Limits, Settings } from "../../http2/index.ts";
import { clearServer, inUrl, listen, selfSigned, tlsServer, type Filter, type Link, type ServerTls } from "../../io/index.ts";
import type { Handler } from "../handler.ts";
import { withFaults } from "../faults/index.ts";
import { protocolsOf, type Protocol } from "../versions.ts";
import { Running } from "./connections.ts";

export type ServeOptions = {
  /** 0, any free one, by default. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /**
   * What is spoken, the best first: both by default. Over TLS the client chooses by ALPN, and speaks HTTP/1.1 where it has none. In clear
   * text its first octets tell: HTTP/2 with prior knowledge by its preface, else HTTP/1.1.
   */
  readonly protocols?: readonly Protocol[];
  /** TLS; `true` for a certificate that signs itself. Clear text by default. */
  readonly tls?: boolean | ServerTls;
  /** Whether a client in clear text may go on in HTTP/2 by `Upgrade: h2c` (rfc7540#3.2); true by default, where both are spoken. */
  readonly h2c?: boolean;
  /** HTTP/1.1: what it is lenient about, and its limits. */
  readonly http1?: { readonly limits?: Partial<Http1Limits>; readonly lenient?: Partial<Leniency> };
  /** HTTP/2. */
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  /** Receive windows grow to fit the path. */
  readonly autoTune?: boolean;
  /** Milliseconds that `close` gives to requests under way; 5,000 by default. */
  readonly graceMs?: number;
  /** Milliseconds without an octet from a client after which its connection is ended; in HTTP/2 300,000 by default, in HTTP/1.1 as its limits say. */
  readonly idleMs?: number;
  /** Connections at a time; further ones are closed at once. 10,000 by default. */
  readonly maxConnections?: number;
  /** Whether responses carry a date of ours where the handler gives none; true by default. */
  readonly date?: boolean;
  /** What a handler throws, or a transport: the request is absent for the latter. Handlers' errors go to standard error by default. */
  readonly onError?: (error: unknown, request?: Request) => void;
  /** Faults on every connection of HTTP/2, by name: `reset:code=CANCEL,after=1` (`touchstone serve http2 --list-faults` tells which there are). */
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

/** Listens, and answers every request by `handler`. */
export async function serve(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  const { port = 0, host = "127.0.0.1", tls = false, graceMs = 5_000 } = options;
  const { faults = [], faultByRequest = false } = options;
  const protocols = protocolsOf(options.protocols);
  const misbehaves = faults.length > 0 || faultByRequest;
  const wrong = misbehaves ? withFaults(handler, faults, faultByRequest) : undefined;
  const running = new Running(wrong?.handler ?? handler, protocols, options, wrong?.filter);
  const secure = tls === false ? undefined : await withCertificate(tls === true ? {} : tls);
  const server =
    secure === undefined
      ? clearServer((socket) => running.accept(socket))
      : await tlsServer(secure, protocols, (s) => running.acceptTls(s));
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

async function withCertificate(tls: ServerTls): Promise<ServerTls> {
  return tls.cert !== undefined && tls.key !== undefined ? tls : { ...tls, ...(await selfSigned()) };
}
