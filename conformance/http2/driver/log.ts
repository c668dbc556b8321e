import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import type { TlsOutcome } from "../vocabulary.ts";

/** The outcome of a separate TLS connection, or an error code without a name. */
export type ObservedTls = TlsOutcome | `0x${string}`;

/** One observation of the subject, in the order in which it reached us. `on` is the number of the connection, from 0. */
export type Seen =
  | { readonly is: "frame"; readonly at: number; readonly on: number; readonly frame: ReadFrame; readonly section?: Section }
  /** Its half of the connection ended. `ours`: after we had ended ours. */
  | { readonly is: "end"; readonly at: number; readonly on: number; readonly how: "fin" | "reset"; readonly ours: boolean }
  /** Octets that are not HTTP/2: a wrong preface, a response in HTTP/1.1. */
  | { readonly is: "garbage"; readonly at: number; readonly on: number; readonly text: string; readonly http1?: true }
  /** What became of a separate TLS connection. */
  | { readonly is: "tls"; readonly at: number; readonly outcome: ObservedTls; readonly words: string }
  /** Client role: the command ended. */
  | { readonly is: "exit"; readonly at: number; readonly code: number | null; readonly signal: string | null };

/** Everything that was observed of the subject. */
export class Log {
  readonly seen: Seen[] = [];
  /** Frames that an `await` step (or the handshake) has matched: a later `frame` sight does not count them again. */
  readonly taken = new Set<Seen>();
  /** Protocols that a client offered by ALPN, on any of its connections. */
  readonly offered = new Set<string>();
  /** Called for every observation, in this order. */
  readonly onSeen: ((seen: Seen) => void)[] = [];

  push(seen: Seen): void {
    this.seen.push(seen);
    for (const listener of this.onSeen) listener(seen);
  }
}
