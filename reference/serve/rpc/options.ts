import type { AnyMethod, CallOptions, DialectName, ServerCall } from "../../rpc/index.ts";
import type { ConnectOptions } from "../client/options.ts";
import type { ServeOptions } from "../server/options.ts";

/** A call on its way to its handler: what an interceptor sees. */
export type InterceptedCall = ServerCall & { readonly method: AnyMethod };
/**
 * Stands before the handlers of a server: passes a call on by `next`, or throws `CallFailed`. The request is a message, or an iteration of
 * messages; what `next` returns is a response or a promise of it, or an iteration of responses, as the kind of the method says.
 */
export type ServerInterceptor = (request: unknown, call: InterceptedCall, next: (request: unknown) => unknown) => unknown;

/** Options of a handler of calls. */
export type RpcHandlerOptions = {
  /** The spelling of all names: `rpc` by default, `grpc` for existing clients. */
  readonly dialect?: DialectName;
  /** The most octets of a received message, before and after decompression; 4,194,304 by default. */
  readonly maxMessageOctets?: number;
  /** Compresses responses by this encoding for clients that accept it: `gzip`, `deflate`, `zstd`. Uncompressed by default. */
  readonly encoding?: string;
  /** The first one sees a call first. */
  readonly interceptors?: readonly ServerInterceptor[];
  /** Called with what a handler throws, unless it is `CallFailed`; the caller learns UNKNOWN only. Standard error by default. */
  readonly onCallError?: (error: unknown, call: ServerCall) => void;
};

/**
 * Existing implementations measure the path of their data with a PING in each round trip: on a fast path that is thousands a second, where
 * the limit of HTTP/2 is meant for seldom ones.
 */
export const RPC_LIMITS = { pings: { burst: 10_000, perSecond: 10_000 } };

/** Options of `serveRpc`. */
export type RpcServeOptions = RpcHandlerOptions & ServeOptions;

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
  /** The spelling of all names: `rpc` by default, `grpc` for existing servers. */
  readonly dialect?: DialectName;
  /** The most octets of a received message, before and after decompression; 4,194,304 by default. */
  readonly maxMessageOctets?: number;
  /** The encoding of the messages of all calls: `gzip`, `deflate`, `zstd`. Uncompressed by default. */
  readonly encoding?: string;
  /** The first one sees a call first. */
  readonly interceptors?: readonly ClientInterceptor[];
  readonly userAgent?: string;
  /**
   * The service config, as JSON has it: `methodConfig` with `name`, `timeout`, `waitForReady` and `retryPolicy`, and `retryThrottling`. A
   * field that it does not know is a `Misuse`.
   */
  readonly serviceConfig?: unknown;
};
