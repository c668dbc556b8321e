import type { Registry } from "../../rpc/channelz/index.ts";
import type { AnyDialectName, AnyMethod, CallOptions, MessageFormat, ServerCall } from "../../rpc/index.ts";
import type { ConnectOptions } from "../client/options.ts";
import type { Http2ServeOptions } from "../http2/options.ts";
import type { Http3ServeOptions } from "../http3/options.ts";
import type { ServeOptions } from "../server/options.ts";

/** A `Channelz`, as far as channels and servers need it. */
type Records = { readonly registry: Registry };

/** A call on its way to its handler: what an interceptor sees. */
export type InterceptedCall = ServerCall & { readonly method: AnyMethod };
/**
 * Stands before the handlers of a server: passes a call on by `next`, or throws `CallFailed`. The request is a message, or an iteration of
 * messages; what `next` returns is a response or a promise of it, or an iteration of responses, as the kind of the method says.
 */
export type ServerInterceptor = (request: unknown, call: InterceptedCall, next: (request: unknown) => unknown) => unknown;

/** Options of a handler of calls. */
export type RpcHandlerOptions = {
  /**
   * The spelling of all names: `rpc` by default, `grpc` for existing clients, `grpc-web` and `connect` for browsers and plain HTTP. With
   * several, the content type of a request decides.
   */
  readonly dialect?: AnyDialectName | readonly AnyDialectName[];
  /** The most octets of a received message, before and after decompression; 4,194,304 by default. */
  readonly maxMessageOctets?: number;
  /** Compresses responses by this encoding for clients that accept it: `gzip`, `deflate`, `zstd`. Uncompressed by default. */
  readonly encoding?: string;
  /** The first one sees a call first. */
  readonly interceptors?: readonly ServerInterceptor[];
  /** Called with what a handler throws, unless it is `CallFailed`; the caller learns UNKNOWN only. Standard error by default. */
  readonly onCallError?: (error: unknown, call: ServerCall) => void;
};

/** What a server of calls does by default: as the existing ones, it permits few PINGs, and asks silent clients after two hours. */
export const RPC_SERVER_HTTP2: Http2ServeOptions = {
  permitPings: { everyMs: 300_000, withoutStreams: false },
  keepalive: { timeMs: 7_200_000, timeoutMs: 20_000, withoutStreams: true },
};
/** Over HTTP/3 the client keeps a connection with calls open (rfc9114#5.1); one of which nothing is heard for five minutes is lost. */
export const RPC_SERVER_HTTP3: Http3ServeOptions = { quic: { idleMs: 300_000 } };
/** A call may be silent for as long as it likes: a PING finds out whether its client is alive. The longest time of a timer. */
export const RPC_IDLE_MS = 0x7fff_ffff;

/**
 * Options of `serveRpc`. `http2.keepalive` asks silent clients whether they are alive (after two hours), `http2.life` limits how long
 * connections are idle and how old they become (unlimited), `http2.permitPings` how often clients may ask (every five minutes, and only while
 * they have calls). `alpn` with `h3` answers calls over HTTP/3, too.
 */
export type RpcServeOptions = RpcHandlerOptions &
  ServeOptions & {
    /** Shows the server, its connections and how many calls they have had. */
    readonly channelz?: Records;
  };

/** When a channel asks its server whether it is alive. */
export type ChannelKeepalive = {
  /** Milliseconds of silence before it asks; at least 10,000. Doubled when a server says that it asks too often. */
  readonly timeMs: number;
  /** Milliseconds for the answer, after which all calls of the connection fail with UNAVAILABLE; 20,000 by default. */
  readonly timeoutMs?: number;
  /** Whether it asks without calls, too; false by default, because most servers forbid it. */
  readonly withoutCalls?: boolean;
};

/**
 * Stands before the calls of a channel: passes a call on by `next`, with other options if it gives them. The request is a message, or an
 * iteration of messages; what `next` returns is a promise of a response, or an iteration of responses, as the kind of the method says.
 */
export type ClientInterceptor = (
  request: unknown,
  call: { readonly method: AnyMethod; readonly options: CallOptions },
  next: (request: unknown, options?: CallOptions) => unknown,
) => unknown;

/** Options of `openChannel`. */
export type ChannelOptions = Omit<ConnectOptions, "alpn" | "http1"> & {
  /**
   * `["h2"]` by default; `["h3"]` for HTTP/3, which needs TLS; `["h3", "h2"]` tries both, and HTTP/3 first. Over HTTP/3 the transport asks a
   * silent server whether it is alive while calls wait for it, so `keepalive` is for HTTP/2.
   */
  readonly alpn?: readonly ("h2" | "h3")[];
  /** The spelling of all names: `rpc` by default, `grpc` for existing servers; `connect` and `grpc-web`, over HTTP/2. */
  readonly dialect?: AnyDialectName;
  /** Of `connect`: how messages are written: `proto` (as octets, by default) or `json`. */
  readonly format?: MessageFormat;
  /** Of `connect`: sends unary calls of methods without side effects as GET, which caches can answer. False by default. */
  readonly get?: boolean;
  /** Of `grpc-web`: content in Base64, for ways that pass on text only. False by default. */
  readonly text?: boolean;
  /** The most octets of a received message, before and after decompression; 4,194,304 by default. */
  readonly maxMessageOctets?: number;
  /** The encoding of the messages of all calls: `gzip`, `deflate`, `zstd`. Uncompressed by default. */
  readonly encoding?: string;
  /** The first one sees a call first. */
  readonly interceptors?: readonly ClientInterceptor[];
  readonly userAgent?: string;
  /** Asks a silent server whether it is alive. Off by default. */
  readonly keepalive?: ChannelKeepalive;
  /**
   * The service config, as JSON has it: `methodConfig` with `name`, `timeout`, `waitForReady`, `retryPolicy` and `hedgingPolicy`,
   * `retryThrottling`, `loadBalancingConfig`, `connectionScaling` and `healthCheckConfig`. A field that it does not know is a `Misuse`.
   */
  readonly serviceConfig?: unknown;
  /** `ignore` is for a service config that `lookUpServiceConfig` found: its publisher may know more fields. `refuse` by default. */
  readonly unknownConfigFields?: "refuse" | "ignore";
  /** Of a target `dns:`. */
  readonly dns?: {
    /**
     * Uses the service config that the owner of the name publishes (`lookUpServiceConfig`), looked up with the addresses; calls wait for the
     * first look-up. Without a published one `serviceConfig` counts. An invalid one leaves the one before it, or fails the look-up. False by default.
     */
    readonly serviceConfig?: boolean;
    /** The shortest time in milliseconds between two look-ups; 30,000 by default. */
    readonly lookUpApartMs?: number;
  };
  /** The most connections to one address that `connectionScaling` of the service config may ask for; 10 by default. */
  readonly maxConnectionsPerSubchannel?: number;
  /** Shows the channel, its connections and how many calls they have had. */
  readonly channelz?: Records;
};
