import type { SpecRef } from "../core/index.ts";
import type { ErrorCode } from "../http2/index.ts";

/** Why connecting failed: no answer, TLS, no common version, or a time-out. */
export type ConnectFailure = "unreachable" | "tls" | "protocol" | "timeout";

/** Connecting failed. The message says what to do. */
export class ConnectFailed extends Error {
  override readonly name = "ConnectFailed";
  readonly code = "CONNECT_FAILED";
  readonly reason: ConnectFailure;

  constructor(reason: ConnectFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/**
 * Why an exchange failed: `refused`, the peer has not processed the request; `reset`, the peer reset the stream; `fault`, the peer broke a
 * rule; `closed`, the connection ended; `unanswered` and `truncated`, in HTTP/1.1, it ended before or within the response; `aborted`, the
 * caller ended it; `timeout`, it took longer than the caller allowed.
 */
export type StreamFailure = "refused" | "reset" | "fault" | "closed" | "unanswered" | "truncated" | "aborted" | "timeout";

/** The rule that a peer broke, in any version. */
export type BrokenRule = { readonly name: string; readonly spec: SpecRef };

type Details = { readonly errorCode?: ErrorCode | undefined; readonly fault?: BrokenRule | undefined; readonly cause?: unknown };

/** An exchange failed; others on its connection may continue. */
export class StreamFailed extends Error {
  override readonly name = "StreamFailed";
  readonly code = "STREAM_FAILED";
  readonly reason: StreamFailure;
  /** The error code of RST_STREAM or GOAWAY (rfc9113#7). */
  readonly errorCode: ErrorCode | undefined;
  /** The rule that the peer broke. */
  readonly fault: BrokenRule | undefined;
  /** The peer has not acted on the request: it may be sent again, whatever its method (rfc9113#8.7). */
  readonly retryable: boolean;

  constructor(reason: StreamFailure, message: string, { errorCode, fault, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.errorCode = errorCode;
    this.fault = fault;
    this.retryable = reason === "refused";
  }
}

/** The failure for a stream that was reset. */
export function failureOf(errorCode: ErrorCode, by: "peer" | "us", fault?: BrokenRule): StreamFailed {
  if (by === "us") {
    const why = fault === undefined ? "" : `: it broke ${fault.spec} (${fault.name})`;
    return new StreamFailed("fault", `we reset the stream${why}`, { errorCode, fault });
  }
  if (errorCode === "REFUSED_STREAM") {
    return new StreamFailed("refused", "the peer has not processed the request: send it again, if necessary on a new connection", {
      errorCode,
    });
  }
  return new StreamFailed("reset", `the peer reset the stream with ${errorCode}`, { errorCode });
}
