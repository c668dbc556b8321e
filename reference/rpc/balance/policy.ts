import type { Instant } from "../../core/index.ts";

/** A place where the server of a channel is reached. */
export type Address = {
  /** Tells it from others: `10.0.0.1:80`. */
  readonly key: string;
  /** 4 or 6 for the version of IP, 0 for anything else. */
  readonly family: 0 | 4 | 6;
  /** Its share of calls where a policy weighs; 1 by default. */
  readonly weight?: number;
};

/** The state of a channel, or of its connection to one address, as existing channels name it. */
export type ConnectivityState = "IDLE" | "CONNECTING" | "READY" | "TRANSIENT_FAILURE" | "SHUTDOWN";

/** What the owner of a policy does for it. */
export type Command =
  /** Connect to an address: `connected` or `failed` follows, unless it is dropped before. */
  | { readonly is: "connect"; readonly key: string }
  /** Close the connection to an address when its calls are over, or stop connecting. */
  | { readonly is: "drop"; readonly key: string }
  /** Look the addresses up again. */
  | { readonly is: "resolve" };

/** What becomes of a call. */
export type Pick =
  | { readonly is: "connection"; readonly key: string }
  /** Nothing can be said yet. */
  | { readonly is: "wait" }
  /** There is no connection: the call fails, unless it waits for one. */
  | { readonly is: "fail"; readonly why: string };

/**
 * Decides which connections a channel has, and which of them a call takes. It performs no I/O: after each input, and at the deadline, the owner
 * carries out what `take` returns.
 */
export interface Policy {
  /** The addresses as they were looked up last, without duplicates. */
  update(addresses: readonly Address[], now: Instant): void;
  connected(key: string, now: Instant): void;
  failed(key: string, why: string, now: Instant): void;
  /** A connection has ended, or takes no further calls. */
  lost(key: string, now: Instant): void;
  /** A call, or the owner, wants connections. */
  wake(now: Instant): void;
  tick(now: Instant): void;
  pick(): Pick;
  take(): readonly Command[];
  /** A call on a connection has ended, with a status that is OK or not; only policies that judge by it have this. */
  ended?(key: string, isGood: boolean): void;
  /** An address has reported its load (A51); only policies that weigh by it have this. */
  readonly reported?: ((key: string, report: Uint8Array, now: Instant) => void) | undefined;
  /** The policy wants reports on a stream of their own for each connection, this often; undefined: those in the trailers of calls. */
  readonly reportsEveryMs?: number | undefined;
  /** The server at an address says that it is healthy, or that it is not (A17); only policies that spread calls have this. */
  readonly healthy?: ((key: string, isHealthy: boolean) => void) | undefined;
  readonly state: ConnectivityState;
  readonly deadline: Instant;
}

/** A policy that another one can keep from sending calls to an address. */
export interface ChildPolicy extends Policy {
  /** Calls do not go to the address, or go to it again. What happens to its connection stays with the policy. */
  exclude(key: string, isExcluded: boolean): void;
}
