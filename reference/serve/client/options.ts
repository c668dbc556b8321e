import type { Duplex } from "node:stream";
import type { ClientTls, DriveOptions } from "../../io/index.ts";
import type { Http1Options } from "../http1/options.ts";
import type { Http2ConnectOptions } from "../http2/options.ts";
import type { Http3ConnectOptions } from "../http3/options.ts";
import type { Alpn } from "../versions.ts";

/** Options of `connect`; `createClient` and `proxy` have them too. */
export type ConnectOptions = {
  /**
   * The versions to speak, by ALPN name, in order of preference. The entry that the function comes from decides the default. Over TLS the
   * server chooses one; for clear text see `http2.h2c`. With `h3` first, a connection to an `https:` URL is tried in HTTP/3 over UDP, with a short
   * head start over the others; with `h3` behind others, only where the server has said that it speaks HTTP/3 (Alt-Svc, rfc7838#3).
   */
  readonly alpn?: readonly Alpn[];
  /** For `https:` URLs. */
  readonly tls?: ClientTls;
  readonly http1?: Http1Options;
  readonly http2?: Http2ConnectOptions;
  readonly http3?: Http3ConnectOptions;
  /** Milliseconds until the connection stands, which in HTTP/2 includes the server's first SETTINGS; 10,000 by default. */
  readonly connectMs?: number;
  /** Ends attempts to connect; a connection that stands is not affected. */
  readonly signal?: AbortSignal;
  /** Milliseconds that `close` allows for requests in progress; 5,000 by default. */
  readonly graceMs?: number;
  /** Milliseconds for which the server may leave our output unread before the connection is dropped; 30,000 by default. */
  readonly stallMs?: number;
  /**
   * HTTP/1.1: milliseconds for which a request waits while the content of the responses before it is not read; then it fails with the reason
   * `refused`. 10,000 by default.
   */
  readonly unreadMs?: number;
  /**
   * Faults on every connection, by name, to test servers: `bad-chunk`. Every version that the connection can speak must have them:
   * `CLIENT_FAULTS` lists them.
   */
  readonly faults?: readonly string[];
  /**
   * A connection that leads to a host with its port, such as through a proxy; undefined to connect as usual. `isSecure`: TLS follows. `signal`
   * ends when nobody waits for it any more.
   */
  readonly tunnel?: (authority: string, isSecure: boolean, signal: AbortSignal) => Promise<Duplex> | undefined;
  /** Stands between the connection and its socket, and may change what passes; faults take its place. */
  readonly filter?: DriveOptions["filter"];
};

/** Options of `createClient`. */
export type ClientOptions = ConnectOptions & {
  /** Connections to one origin at a time; 6 by default. One connection of HTTP/2 carries all requests. */
  readonly maxConnections?: number;
  /** Requests to one origin that may wait for a connection; further ones are refused. 10,000 by default. */
  readonly maxWaiting?: number;
  /** Milliseconds for which an idle connection is kept; 10,000 by default, which is less than servers wait. */
  readonly keepMs?: number;
};
