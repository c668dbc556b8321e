import type { ClientOptions } from "../client/options.ts";

/** Options of `proxy`: those of its client, and its own. */
export type ProxyOptions = ClientOptions & {
  /** The name of this proxy in Via; `touchstone` by default (rfc9110#7.6.3). */
  readonly pseudonym?: string;
  /** Milliseconds for the origin to answer, and between two pieces of its answer; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Milliseconds for which a request with Expect waits for the origin's 100 response; 1,000 by default. */
  readonly expectMs?: number;
  /** WebSockets that pass through at a time; further ones get 503. 1,000 by default. */
  readonly maxTunnels?: number;
  /** Milliseconds without an octet in either direction until a WebSocket is dropped; 300,000 by default. */
  readonly tunnelIdleMs?: number;
};
