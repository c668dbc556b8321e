import type { ConnectionInfo, Request } from "../../http/index.ts";
import type { Filter, Link, ServerTls } from "../../io/index.ts";
import type { Http1ServeOptions } from "../http1/options.ts";
import type { Http2ServeOptions } from "../http2/options.ts";
import type { Http3ServeOptions } from "../http3/options.ts";
import type { Alpn } from "../versions.ts";

/** Options of `serve`; everything has a default. */
export type ServeOptions = {
  /** 0, any free port, by default. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /**
   * The versions to speak, by ALPN name, in order of preference. The entry that `serve` comes from decides the default. Over TLS the client
   * chooses one by ALPN, and speaks HTTP/1.1 without it. In clear text its first octets decide: HTTP/2 with prior knowledge begins with its
   * preface, anything else is HTTP/1.1. `h3` adds HTTP/3 over UDP at the same address and port, with `tls` or a self-signed certificate.
   */
  readonly alpn?: readonly Alpn[];
  /** TLS; `true` for a self-signed certificate. Clear text by default. */
  readonly tls?: boolean | ServerTls;
  readonly http1?: Http1ServeOptions;
  readonly http2?: Http2ServeOptions;
  readonly http3?: Http3ServeOptions;
  /**
   * Faults on every connection, by name: `delay:ms=100`. Every version in `alpn` must have them; `http1.faults` and `http2.faults` are for
   * one version. `touchstone serve http --list-faults` prints them.
   */
  readonly faults?: readonly string[];
  /** Whether requests may ask for faults in the field `touchstone-fault`, in every version; false by default. */
  readonly faultByRequest?: boolean;
  /** Milliseconds that `close` allows for requests in progress; 5,000 by default. */
  readonly graceMs?: number;
  /** Milliseconds without an octet from a client until its connection is closed; by default 300,000 in HTTP/2 and `http1.limits.idleMs` in HTTP/1.1. */
  readonly idleMs?: number;
  /** Milliseconds for which a client may leave our output unread before its connection is dropped; 30,000 by default. */
  readonly stallMs?: number;
  /** Connections at a time; further ones are closed at once. 10,000 by default. */
  readonly maxConnections?: number;
  /** Adds a Date field to responses without one; true by default. */
  readonly date?: boolean;
  /** Called with errors of handlers, which go to standard error by default, and with errors of transports, without a request. */
  readonly onError?: (error: unknown, request?: Request) => void;
  /** Stands between each connection and its socket, and may change what passes; faults take its place. */
  readonly filter?: (connection: ConnectionInfo, link: Link) => Filter;
};

/** A listening server. */
export type Server = AsyncDisposable & {
  /** Ends with a slash. */
  readonly url: string;
  readonly address: string;
  readonly port: number;
  /** The number of open connections. */
  readonly connections: number;
  /** The certificate in PEM, for clients to trust; undefined in clear text. */
  readonly certificate: string | undefined;
  /** Accepts no further connections, completes requests in progress, and drops the rest after `graceMs`. */
  close(): Promise<void>;
};
