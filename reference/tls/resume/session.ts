import type { Instant } from "../../core/index.ts";
import type { SuiteName } from "../names.ts";

/** What a client keeps of a connection to resume it (rfc8446#4.6.1). Use it once: a ticket that is sent twice links two connections (rfc8446#C.4). */
export type Session = {
  readonly ticket: Uint8Array;
  readonly psk: Uint8Array;
  readonly suite: SuiteName;
  readonly ageAdd: number;
  readonly receivedAt: Instant;
  readonly lifetimeMs: number;
  /** Whether the server permits 0-RTT data with it. */
  readonly early: boolean;
  readonly alpn: string;
  readonly serverName: string | undefined;
  /** The transport parameters of the server, some of which hold for 0-RTT data (rfc9001#4.6.3). */
  readonly parameters: Uint8Array;
  readonly chain: readonly Uint8Array[];
};

/** Whether a client may still offer it (rfc8446#4.6.1). */
export const isFresh = (session: Session, now: Instant): boolean => {
  const age = now - session.receivedAt;
  return age >= 0 && age < session.lifetimeMs;
};
