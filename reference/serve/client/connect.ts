import type { Content, FieldsInit, HttpVersion, ResponseHead } from "../../http/index.ts";
import type { Leniency, Limits as Http1Limits } from "../../http1/index.ts";
import type { Limits, Settings } from "../../http2/index.ts";
import type { ClientTls, DriveOptions } from "../../io/index.ts";
import type { ClientResponse } from "./exchange.ts";
import { openConnection, placeOf } from "./dial.ts";
import type { Protocol } from "../versions.ts";

export type ConnectOptions = {
  /** What may be spoken, the best first: `["h2"]` by default. Over TLS the server chooses by ALPN. */
  readonly protocols?: readonly Protocol[];
  /**
   * How HTTP/2 is begun in clear text, where there is nothing to choose by: with prior knowledge (rfc9113#3.3), or from HTTP/1.1 with the
   * first request without content (rfc7540#3.2). Prior knowledge by default, where nothing but HTTP/2 may be spoken; else it is not begun.
   */
  readonly h2c?: "prior-knowledge" | "upgrade";
  /** For `https:` URLs. */
  readonly tls?: ClientTls;
  /** HTTP/1.1: its limits, and what it is lenient about: by default folded lines alone, which a user agent is to take (rfc9112#5.2). */
  readonly http1?: { readonly limits?: Partial<Http1Limits>; readonly lenient?: Partial<Leniency> };
  /** HTTP/2. */
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  readonly autoTune?: boolean;
  /** Lets the server push; false by default. */
  readonly push?: boolean;
  /** Milliseconds until the connection stands, and in HTTP/2 the server's first SETTINGS have come; 10,000 by default. */
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
  /** HTTP/1.1: what stands in the request line, where it is not the path: absolute-form towards a proxy (rfc9112#3.2.2). */
  readonly target?: string;
  /** Extended CONNECT: what the tunnel will speak (rfc8441#4). */
  readonly protocol?: string;
  readonly fields?: FieldsInit;
  readonly body?: Content;
  /** Sent after the content; a function is asked when the content has ended. */
  readonly trailers?: FieldsInit | (() => FieldsInit);
  /** Content is sent when the server asks for it by 100, at the latest after so many milliseconds; at once by default (rfc9110#10.1.1). */
  readonly expectMs?: number;
  /** Told of each 1xx response when it comes (rfc9110#15.2). */
  readonly onInterim?: (head: ResponseHead) => void;
  /** How urgent it is, as a Priority field value such as `u=1, i` (rfc9218#5). */
  readonly priority?: string;
  readonly signal?: AbortSignal;
};

/** One connection to a server. */
export type Client = AsyncDisposable & {
  /** What is spoken on it. */
  readonly version: HttpVersion;
  /** Sends a request; resolves when the head of the final response has come. In HTTP/1.1 requests wait for one another. */
  request(request?: ClientRequest): Promise<ClientResponse>;
  /** Asks the server for a sign of life; resolves to the milliseconds it took (rfc9113#6.7). HTTP/1.1 has no such thing. */
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

/** Connects to a server, once: `createClient` keeps connections to many. */
export async function connect(url: string | URL, options: ConnectOptions = {}): Promise<Client> {
  const first = await openConnection(placeOf(url), options.protocols ?? ["h2"], options);
  const current = () => first.successor ?? first;
  const closed = first.closed.then(() => first.successor?.closed);
  const close = (): Promise<void> => current().close(options.graceMs ?? 5_000);
  return {
    get version() {
      return current().version;
    },
    request: (request = {}) => current().request(request),
    ping: () => current().ping(),
    get accepting() {
      return current().accepting;
    },
    get settings() {
      return current().settings;
    },
    closed,
    close,
    [Symbol.asyncDispose]: close,
  };
}
