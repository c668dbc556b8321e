import type { SpecRef } from "../core/index.ts";
import type { ErrorCode } from "../http2/index.ts";

/** Why no connection came about: nobody there, TLS refused, another protocol, or no answer in time. */
export type ConnectFailure = "unreachable" | "tls" | "protocol" | "timeout";

/** There is no connection. The message says what to do. */
export class ConnectFailed extends Error {
  override readonly name = "ConnectFailed";
  readonly reason: ConnectFailure;

  constructor(reason: ConnectFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/**
 * Why an exchange came to nothing: the peer has not looked at it; the peer reset it; we did, for a fault of the peer's; the connection
 * ended under it, before any of the answer or in the midst of it (HTTP/1.1 can tell); the caller aborted it.
 */
export type StreamFailure = "refused" | "reset" | "fault" | "closed" | "unanswered" | "truncated" | "aborted";

/** The rule that a peer broke, in whatever version. */
export type BrokenRule = { readonly name: string; readonly spec: SpecRef };

type Details = { readonly code?: ErrorCode | undefined; readonly fault?: BrokenRule | undefined; readonly cause?: unknown };

/** One exchange has ended before its time; others on the connection may go on. */
export class StreamFailed extends Error {
  override readonly name = "StreamFailed";
  readonly reason: StreamFailure;
  /** What RST_STREAM or GOAWAY said. */
  readonly code: ErrorCode | undefined;
  /** The rule that the peer broke. */
  readonly fault: BrokenRule | undefined;
  /** The peer has certainly not acted on the request: it may be sent again, whatever its method (rfc9113#8.7). */
  readonly retryable: boolean;

  constructor(reason: StreamFailure, message: string, { code, fault, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.code = code;
    this.fault = fault;
    this.retryable = reason === "refused";
  }
}

/** The failure that a reset of the stream amounts to. */
export function failureOf(code: ErrorCode, by: "peer" | "us", fault?: BrokenRule): StreamFailed {
  if (by === "us") {
    const why = fault === undefined ? "" : `: it broke ${fault.spec} (${fault.name})`;
    return new StreamFailed("fault", `we refused what the peer sent${why}`, { code, fault });
  }
  if (code === "REFUSED_STREAM") {
    return new StreamFailed("refused", "the peer has not looked at the request: send it again, on a new connection if need be", { code });
  }
  return new StreamFailed("reset", `the peer reset the stream with ${code}`, { code });
}
