import type { Duplex } from "node:stream";

/** What carries a connection, whatever its machine speaks: a byte stream (`Drive`) or datagrams (`DatagramDrive`). */
export interface Carrier {
  /** Call it after an action outside of the owner's callback: what the machine wrote leaves when the event loop has run its callbacks. */
  wake(): void;
  /** Like `wake`, after all promises that are already settled. */
  wakeAfterPromises(): void;
  /** Ends gracefully. */
  shutdown(): void;
  /** Closes the transport at once. */
  destroy(error?: Error): void;
}

/** A byte stream, which can start in other hands and be handed over. */
export interface StreamCarrier extends Carrier {
  readonly socket: Duplex;
  /** Passes on octets that someone else has read from the socket. */
  feed(bytes: Uint8Array): void;
  /** Gives the socket away after the machine's output is written. */
  handOver(): Duplex;
}
