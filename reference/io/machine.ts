import type { Instant } from "../core/index.ts";
import type { Place } from "./tcp.ts";

/** An event of a machine; `closed`, its last one, is the only one with a meaning here. */
export type Happening = { readonly is: string };

/** A protocol without its transport, as far as it can be driven over any: time in; events and a deadline out. */
interface Driven<Event extends Happening> {
  tick(now: Instant): readonly Event[];
  /** Events caused by actions since the last drain. */
  events(): readonly Event[];
  readonly deadline: Instant;
  /** Ends gracefully. */
  shutdown(): void;
}

/** A protocol over a byte stream. */
export interface Machine<Event extends Happening = Happening> extends Driven<Event> {
  receive(bytes: Uint8Array, now: Instant): readonly Event[];
  /** The peer's half of the transport ended. */
  ended(now: Instant): readonly Event[];
  /** Octets to write, handed over for good. */
  take(): readonly Uint8Array[];
  /** The number of octets written and not yet taken. */
  readonly queued: number;
  /** False while nothing more is to be read; a machine without it always reads. */
  readonly wants?: boolean;
}

/** A datagram to send, and where to. */
export type Datagram = { readonly bytes: Uint8Array; readonly to: Place };

/** A protocol over datagrams: an endpoint, which may hold many connections, each with peers that can change their address. */
export interface DatagramMachine<Event extends Happening = Happening> extends Driven<Event> {
  receive(bytes: Uint8Array, from: Place, now: Instant): readonly Event[];
  /** Datagrams to send now, handed over for good. */
  take(now: Instant): readonly Datagram[];
}

/** The user of a machine: it handles events, and acts on the machine. */
export interface Owner<Event extends Happening = Happening> {
  /** In the order in which they happened. Actions taken meanwhile leave in the same write. */
  handle(events: readonly Event[]): void;
  /** The peer has sent nothing for `idleMs`. */
  silent(): void;
  /** The transport is closed, once; with the error if it broke. */
  gone(error?: Error): void;
}
