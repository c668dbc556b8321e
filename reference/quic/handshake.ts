import type { Instant } from "../core/index.ts";
import type { SuiteName } from "./packet/suites.ts";

/**
 * What a connection needs of TLS (rfc9001#4). Octets of CRYPTO frames go in by `receive`, in order for each level; octets come out by
 * `take`. `reference/tls` satisfies it. After any input the connection drains both outputs.
 */
export interface Handshake {
  receive(level: Level, octets: Uint8Array, now: Instant): readonly HandshakeEvent[];
  /** Events since the last call: a client has some before it receives anything. */
  events(): readonly HandshakeEvent[];
  take(): readonly { readonly level: Level; readonly octets: Uint8Array }[];
}

/** Levels in the order in which their keys become available; `early` carries no octets of the handshake (rfc9001#4.1.3). */
export type Level = "initial" | "early" | "handshake" | "application";

export type HandshakeEvent =
  | {
      readonly is: "secret";
      readonly level: Exclude<Level, "initial">;
      readonly direction: "read" | "write";
      readonly suite: SuiteName;
      readonly secret: Uint8Array;
    }
  /** The transport parameters of the peer. */
  | { readonly is: "parameters"; readonly octets: Uint8Array }
  | { readonly is: "earlyData"; readonly accepted: boolean }
  | { readonly is: "complete"; readonly alpn: string }
  /** For the owner alone. */
  | { readonly is: "peerCertificate" | "session" | "keyLog" }
  /** The handshake failed: `error` is the code of the transport, which carries an alert (rfc9001#4.8). */
  | { readonly is: "closed"; readonly fault: { readonly name: string; readonly error: number } };
