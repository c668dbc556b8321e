import type { Content, FieldsInit } from "../http/index.ts";
import type { Limits, Settings } from "../http2/index.ts";
import { dialClear, dialTls, fromUrl, type ClientTls, type DriveOptions } from "../io/index.ts";
import { Http2ClientConnection } from "./client-http2.ts";
import type { ClientResponse } from "./client-exchange.ts";
import { reach } from "./reach.ts";
import { Misuse } from "../core/index.ts";

export type ConnectOptions = {
  /** For `https:` URLs. */
  readonly tls?: ClientTls;
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  readonly autoTune?: boolean;
  /** Lets the server push; false by default. */
  readonly push?: boolean;
  /** Milliseconds until the server's first SETTINGS must have come; 10,000 by default. */
  readonly connectMs?: number;
  /** Milliseconds that `close` gives to requests under way; 5,000 by default. */
  readonly graceMs?: number;
  /** Stands between the connection and its socket; for faults on purpose. */
  readonly filter?: DriveOptions["filter"];
};

export type ClientRequest = {
  /** GET by default. */
  readonly method?: string;
  /** With its query; `/` by default. A CONNECT without `protocol` has none. */
  readonly path?: string;
  /** As the URL has it, by default. */
  readonly authority?: string;
  readonly scheme?: string;
  /** Extended CONNECT: what the tunnel will speak (rfc8441#4). */
  readonly protocol?: string;
  readonly fields?: FieldsInit;
  readonly body?: Content;
  /** Sent after the content; a function is asked when the content has ended. */
  readonly trailers?: FieldsInit | (() => FieldsInit);
  /** How urgent it is, as a Priority field value such as `u=1, i` (rfc9218#5). */
  readonly priority?: string;
  readonly signal?: AbortSignal;
};

/** One connection to a server. */
export type Client = AsyncDisposable & {
  /** Sends a request; resolves when the head of the final response has come. */
  request(request?: ClientRequest): Promise<ClientResponse>;
  /** Asks the server for a sign of life; resolves to the milliseconds it took (rfc9113#6.7). */
  ping(): Promise<number>;
  /** Whether further requests may be sent: false once either side has said goodbye. */
  readonly accepting: boolean;
  /** How the server wants to be spoken to, by what it has announced last (rfc9113#6.5.2). HTTP/1.1 has no such word. */
  readonly settings: Settings | undefined;
  /** Resolves when the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;
  /** Lets requests under way end, and drops what is left after `graceMs`. */
  close(): Promise<void>;
};

/** A server may send several responses at once, and one that nobody reads must not stop the others. */
const CONNECTION_WINDOW = 4_194_304;

/** Connects to a server: `http:` in clear text with prior knowledge, `https:` over TLS with ALPN h2. */
export async function connect(url: string | URL, options: ConnectOptions = {}): Promise<Client> {
  const target = URL.parse(url);
  if (target === null) throw new Misuse(`"${String(url)}" is no URL: give one such as http://127.0.0.1:8080/`);
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw new Misuse(`"${target.protocol}" is not spoken here: give an http: or https: URL`);
  }
  const isSecure = target.protocol === "https:";
  const place = { host: fromUrl(target.hostname), port: Number(target.port || (isSecure ? 443 : 80)) };
  const socket = isSecure ? dialTls(place, options.tls ?? {}, ["h2"]) : dialClear(place);
  const connection = await reach(socket, place, options.connectMs ?? 10_000, () => {
    const { settings, limits, autoTune, push = false, filter } = options;
    return new Http2ClientConnection(
      socket,
      { scheme: isSecure ? "https" : "http", authority: target.host },
      {
        settings: { enablePush: push, ...settings },
        limits: { connectionWindow: CONNECTION_WINDOW, ...limits },
        ...(autoTune !== undefined && { autoTune }),
      },
      { ...(limits?.stallMs !== undefined && { stallMs: limits.stallMs }), ...(filter !== undefined && { filter }) },
    );
  });
  const close = (): Promise<void> => connection.close(options.graceMs ?? 5_000);
  return {
    request: (request = {}) => connection.request(request),
    ping: () => connection.ping(),
    get accepting() {
      return connection.accepting;
    },
    get settings() {
      return connection.settings;
    },
    closed: connection.closed,
    close,
    [Symbol.asyncDispose]: close,
  };
}
