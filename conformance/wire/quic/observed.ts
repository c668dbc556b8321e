import type { ReadCode } from "./names.ts";
import type { Level } from "./packets.ts";
import type { ReadFrame } from "./read.ts";

/** Where an end writes down both directions. */
export type Transcript = { wire(way: "->" | "<-", means: string, octets: Uint8Array): void; remark(means: string): void };

/** What the peer does, in the order in which it reaches us. */
export type Observed =
  | { readonly is: "datagram"; readonly octets: number }
  | { readonly is: "packet"; readonly level: Level; readonly number: number; readonly frames: readonly ReadFrame[]; readonly size: number }
  /** A packet number came again. */
  | { readonly is: "repeated"; readonly level: Level; readonly number: number }
  | { readonly is: "frame"; readonly level: Level; readonly frame: ReadFrame }
  /** An Initial packet of a client begins a datagram. */
  | {
      readonly is: "initial";
      readonly token: string;
      readonly destination: string;
      readonly source: string;
      /** Of the datagram. */
      readonly octets: number;
    }
  | { readonly is: "retry"; readonly token: string; readonly source: string }
  | { readonly is: "versions"; readonly versions: readonly number[] }
  /** Its transport parameters. */
  | { readonly is: "parameters"; readonly parameters: ReadonlyMap<number, Uint8Array> }
  /** The handshake is complete; with a session of an earlier connection, or without. */
  | { readonly is: "established"; readonly resumed: boolean }
  /** Whether it takes 0-RTT data. */
  | { readonly is: "early data"; readonly accepted: boolean }
  /** Our last message of the handshake leaves. */
  | { readonly is: "finished" }
  /** A packet that cannot be read. */
  | { readonly is: "unreadable" }
  /** It began a new key phase. */
  | { readonly is: "phase" }
  | { readonly is: "closed"; readonly layer: "transport" | "application"; readonly code: ReadCode; readonly words: string }
  | { readonly is: "stateless reset" }
  /** Our own TLS gave up. */
  | { readonly is: "failed"; readonly words: string };
