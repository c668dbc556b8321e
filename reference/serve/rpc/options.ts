import type { AnyMethod, DialectName, ServerCall } from "../../rpc/index.ts";
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

/** Options of `serveRpc`. */
export type RpcServeOptions = RpcHandlerOptions & ServeOptions;
