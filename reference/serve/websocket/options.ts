import type { FieldsInit, Request } from "../../http/index.ts";
import type { ClientTls } from "../../io/index.ts";
import { DEFAULT_LIMITS, type HandshakeFault, type Limits, type OriginPolicy, type ServerPolicy } from "../../websocket/index.ts";
import type { Client } from "../client/connect.ts";
import type { Names } from "../options/check.ts";
import { namesOf } from "../options/check.ts";
import { CONNECT_OPTIONS, SERVE_OPTIONS } from "../options/known.ts";
import type { ServeOptions } from "../server/options.ts";
import type { Backoff } from "./backoff.ts";
import type { Ending, Message, MessageKind, OpenWebSocket, SlowReader } from "./open-websocket.ts";
import type { Compression } from "./platform.ts";

/** What servers and clients have in common. */
type SocketOptions = {
  /** permessage-deflate (rfc7692): a server agrees to it, a client offers it; false by default. */
  readonly deflate?: boolean | Compression;
  readonly limits?: Partial<Limits>;
  /** What to do with a peer that does not read: `close` by default. */
  readonly slowReader?: SlowReader;
  /** How text is delivered: as strings by default, or as octets that are valid UTF-8, which saves the conversion. */
  readonly text?: "string" | "octets";
  /** Receives what callbacks and handlers throw; standard error by default. */
  readonly onError?: (error: unknown) => void;
  /** Faults on every connection, by name: `bad-utf8:after=2`. `touchstone serve websocket --list-faults` prints them. */
  readonly faults?: readonly string[];
};

/** How to accept WebSockets. */
export type WebSocketOptions = SocketOptions & {
  /** Origins whose pages may connect, `*` for all; the server's own origin by default (rfc6455#10.2). */
  readonly origins?: OriginPolicy;
  /** Supported subprotocols: the first offered one among them is chosen; or a function that chooses from the offer. */
  readonly subprotocols?: ServerPolicy["subprotocols"];
  /** Called with each handshake that is refused. */
  readonly onRefused?: (fault: HandshakeFault, why: string, request: Request) => void;
};

/** How to accept WebSockets, and how to set up the HTTP server that carries them; `limits` are those of WebSocket. */
export type WebSocketServeOptions = WebSocketOptions &
  Omit<ServeOptions, "onError" | "faults" | "faultByRequest"> & {
    /** The paths that open WebSockets, without their query; all by default. */
    readonly paths?: readonly string[];
  };

/** What to offer in the opening handshake (rfc6455#4.1), and over which connection. */
export type ConnectWebSocketOptions = SocketOptions & {
  /** Offered subprotocols, the best first. */
  readonly subprotocols?: readonly string[];
  /** Further fields of the handshake, such as Authorization. */
  readonly fields?: FieldsInit | Readonly<Record<string, string>>;
  /** The Origin field, as a browser sends it; none by default. */
  readonly origin?: string;
  /** For `wss:`. */
  readonly tls?: ClientTls;
  /** A connection in HTTP/2 or HTTP/3 to open the WebSocket on, by extended CONNECT (rfc8441, rfc9220); by default a new HTTP/1.1 connection. */
  readonly over?: Client;
  /** Milliseconds until the WebSocket must be open; 10,000 by default. */
  readonly connectMs?: number;
  /** Ends the attempt to open it; an open WebSocket is not affected. */
  readonly signal?: AbortSignal;
};

/** How to connect, and when to connect again. */
export type KeepOptions = Omit<ConnectWebSocketOptions, "signal"> & {
  /** Called with each message, on any connection. */
  readonly onMessage: (data: Message, kind: MessageKind) => void;
  /**
   * Called with each new connection before anything else is sent on it, so that the application can say where it stopped. `returns` is 0 for
   * the first connection, and then counts. An error closes the connection and counts as a failed attempt.
   */
  readonly resume?: (socket: OpenWebSocket, returns: number) => void | Promise<void>;
  readonly backoff?: Backoff;
  /** After which endings to reconnect: by default 1006 (no Close), and 1001, 1012 and 1013, with which a server announces its return. */
  readonly comesBack?: (ending: Ending) => boolean;
  /** Called when a connection has ended or an attempt has failed, with the milliseconds until the next attempt. */
  readonly onLost?: (why: Ending | Error, waitMs: number) => void;
};

// The same options as tables, for `checkOptions`.

const SOCKET = {
  deflate: {
    serverTakeover: true,
    clientTakeover: true,
    serverBits: true,
    clientBits: true,
    offersClientBits: true,
    level: true,
    memLevel: true,
    threshold: true,
  } satisfies Names<Compression>,
  limits: namesOf(DEFAULT_LIMITS),
  slowReader: true,
  text: true,
  onError: true,
  faults: true,
} satisfies Names<SocketOptions>;

export const WEB_SOCKET_OPTIONS = { ...SOCKET, origins: true, subprotocols: true, onRefused: true } satisfies Names<WebSocketOptions>;
const { faultByRequest: _, ...HTTP } = SERVE_OPTIONS;
export const WEB_SOCKET_SERVE_OPTIONS = { ...HTTP, ...WEB_SOCKET_OPTIONS, paths: true } satisfies Names<WebSocketServeOptions>;
export const CONNECT_WEB_SOCKET_OPTIONS = {
  ...SOCKET,
  subprotocols: true,
  fields: true,
  origin: true,
  tls: CONNECT_OPTIONS.tls,
  over: true,
  connectMs: true,
  signal: true,
} satisfies Names<ConnectWebSocketOptions>;
const { signal: _signal, ...ATTEMPTS } = CONNECT_WEB_SOCKET_OPTIONS;
export const KEEP_OPTIONS = {
  ...ATTEMPTS,
  onMessage: true,
  resume: true,
  backoff: { firstMs: true, mostMs: true, attempts: true } satisfies Names<Backoff>,
  comesBack: true,
  onLost: true,
} satisfies Names<KeepOptions>;
