import { Acks } from "../recovery/acks.ts";
import type { SpaceName } from "../recovery/recovery.ts";
import type { Keys } from "../packet/keys.ts";
import { Reassembler } from "../stream/reassembler.ts";
import { SendBuffer } from "../stream/send-buffer.ts";

/** One packet-number space: its keys, its acknowledgments, and its octets of the handshake (rfc9000#12.3). */
export class Space {
  readonly name: SpaceName;
  readonly acks: Acks;
  readonly cryptoOut = new SendBuffer();
  readonly cryptoIn = new Reassembler();
  /** Keys of Initial and Handshake packets; in the application's space those of 0-RTT packets. */
  read: Keys | undefined;
  write: Keys | undefined;
  /** Packets to send in spite of congestion, because nothing was acknowledged (rfc9002#6.2.4). */
  probes = 0;

  constructor(name: SpaceName, ackDelayMs: number) {
    this.name = name;
    this.acks = new Acks(ackDelayMs);
  }
}
