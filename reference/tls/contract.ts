import type { Instant } from "../core/index.ts";
import type { Fault } from "./faults.ts";
import type { GroupName, SuiteName } from "./names.ts";
import type { Session } from "./resume/session.ts";

/**
 * What crosses the boundary of a handshake. Octets of CRYPTO frames come in by `receive`, in order for each level; octets leave by `take`.
 * After any input drain both: events and octets. A client has both at once. Octets of the peer never make it throw.
 *
 * - The octets of a level may come before its turn: they wait, up to a limit.
 * - Keys may be announced before the octets that need them are taken. A key of a level is announced once for each direction.
 * - `now` is only compared with the times in tickets: connections that share tickets or sessions share one clock.
 * - `closed` is the last event. Report `fault.error` in CONNECTION_CLOSE (rfc9001#4.8); there is nothing more to take.
 */

/** Levels in the order in which keys become available (rfc9001#4.1.3). `early` carries no handshake octets. */
export type Level = "initial" | "early" | "handshake" | "application";
/** Octets of one level to send, in order; the caller owns them. */
export type Flight = { readonly level: Level; readonly octets: Uint8Array };

export type Event =
  /** The secret of a level: the transport derives its keys from it (rfc9001#5.1). */
  | {
      readonly is: "secret";
      readonly level: Exclude<Level, "initial">;
      readonly direction: "read" | "write";
      readonly suite: SuiteName;
      readonly secret: Uint8Array;
    }
  /** The transport parameters of the peer; they are authentic once the handshake is `complete` (rfc9001#8.2). */
  | { readonly is: "parameters"; readonly octets: Uint8Array }
  /** The chain of the peer, which has proved its key; after a resumption, the chain of the first connection. */
  | { readonly is: "peerCertificate"; readonly chain: readonly Uint8Array[] }
  /** Whether the server takes 0-RTT data that the client asked to send (rfc9001#4.6.2). */
  | { readonly is: "earlyData"; readonly accepted: boolean }
  /** Both Finished messages are there (rfc9001#4.1.1). */
  | {
      readonly is: "complete";
      readonly alpn: string;
      readonly suite: SuiteName;
      readonly group: GroupName;
      readonly resumed: boolean;
      /** On a server, the name that the client asked for. */
      readonly serverName: string | undefined;
    }
  /** Client: a session for a later connection to the same server. */
  | { readonly is: "session"; readonly session: Session }
  /** A line of a key log file, if the owner asked for them: whoever has it can read the connection. */
  | { readonly is: "keyLog"; readonly line: string }
  | { readonly is: "closed"; readonly fault: Fault };

export interface Machine {
  receive(level: Level, octets: Uint8Array, now: Instant): readonly Event[];
  /** Events since the last call: a client has some before it receives anything. */
  events(): readonly Event[];
  take(): readonly Flight[];
  /** Keying material for an application, once the handshake is complete (rfc8446#7.5). */
  exported(label: string, context: Uint8Array, length: number): Uint8Array;
}
