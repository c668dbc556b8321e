/**
 * What HTTP/3 needs of its transport (rfc9114#6). Its streams are numbered as in QUIC: bit 0 is set if the server has opened one, bit 1 if it
 * is unidirectional (rfc9000#2.1). `reference/quic` satisfies it.
 */
export interface Transport {
  /** Opens a stream; undefined while the peer allows no more: `streams` says when it does. */
  open(direction: "bidirectional" | "unidirectional"): number | undefined;
  /** Queues octets, which must not change until they are acknowledged; false if the owner should wait for `writable`. */
  send(stream: number, octets: Uint8Array, end: boolean): boolean;
  /** Octets of the stream that were queued and have not left yet: the peer gives no credit, or the path is slow. */
  unsent(stream: number): number;
  /** This many octets of the stream are dealt with; the peer gets credit for others. */
  consumed(stream: number, octets: number): void;
  /** Gives up sending. */
  reset(stream: number, code: number): void;
  /** Wants no more of what the peer sends. */
  stop(stream: number, code: number): void;
  /** Sends a datagram; false if the peer takes none of this size (rfc9221#5). */
  datagram(octets: Uint8Array): boolean;
  /** Ends the connection at once. */
  close(code: number, reason: string): void;
}

/** What HTTP/3 learns from its transport; events without a meaning here are ignored. */
export type TransportEvent =
  | { readonly is: "established" }
  /** The parameters of the peer are known: a server may send from here on. */
  | { readonly is: "parameters" }
  /** Client: whether the server takes what was sent before `established`. */
  | { readonly is: "earlyData"; readonly accepted: boolean }
  | { readonly is: "opened"; readonly stream: number }
  | { readonly is: "data"; readonly stream: number; readonly octets: Uint8Array; readonly end: boolean }
  | { readonly is: "reset"; readonly stream: number; readonly code: number }
  /** The peer wants no more; the transport has reset our part with the same code. */
  | { readonly is: "stopped"; readonly stream: number; readonly code: number }
  | { readonly is: "writable"; readonly stream: number }
  /** Both parts are done: everything that we have sent is acknowledged. */
  | { readonly is: "done"; readonly stream: number }
  | { readonly is: "streams" }
  | { readonly is: "datagram"; readonly octets: Uint8Array }
  | Closed
  | { readonly is: "confirmed" | "handshake" | "token" | "migrated" };

type Closed = {
  readonly is: "closed";
  readonly by: string;
  readonly layer: "transport" | "application";
  readonly code: number;
  readonly reason: string;
};
