import type { Instant } from "../../core/index.ts";
import { writeControl, type Control, type Peer } from "./protocol.ts";

/** An end of one connection. Its owner passes on what arrives, until `closed`. */
export interface Receiver {
  text(text: string, now: Instant): void;
  binary(octets: Uint8Array, now: Instant): void;
  /** The connection is over, for any reason; to be called once. */
  closed(now: Instant): void;
}

/** The hub's end of one connection. */
export interface Member extends Receiver {
  /** The heartbeat of the connection is due at `deadline`. */
  readonly deadline: Instant;
  tick(now: Instant): void;
}

export function sendControl(peer: Peer, message: Control): void {
  peer.send(writeControl(message));
}
