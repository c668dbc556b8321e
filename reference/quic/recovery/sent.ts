import { instant, type Instant } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import type { Ack, Frame } from "../frame/index.ts";
import type { StreamId } from "../stream-id.ts";

/** What a packet carried, as far as a loss or an acknowledgment concerns it: octets of streams by their place. */
export type Carried =
  | { readonly is: "octets of a stream"; readonly stream: StreamId; readonly from: number; readonly to: number; readonly fin: boolean }
  | { readonly is: "octets of the handshake"; readonly from: number; readonly to: number }
  | { readonly is: "acknowledgment"; readonly largest: number }
  /** Nothing but the size of its datagram: whether it arrives says what the path carries, and nothing of congestion (rfc9000#14.4). */
  | { readonly is: "size"; readonly octets: number }
  | Exclude<Frame, { readonly is: "STREAM" | "CRYPTO" | "ACK" | "PADDING" }>;

export const isSizeProbe = ({ carried: [first] }: SentPacket): boolean => first?.is === "size";

export type SentPacket = {
  readonly number: number;
  readonly at: Instant;
  readonly octets: number;
  /** It asks for an acknowledgment. */
  readonly elicits: boolean;
  /** It counts as in flight. */
  readonly isInFlight: boolean;
  readonly carried: readonly Carried[];
  /** A probe has sent its content again: later packets answer for it if they are lost. */
  isRepeated?: true;
};

/** The packets of one space that are neither acknowledged nor lost, and which numbers were given out. */
export class Sent {
  /** By number, in ascending order. */
  readonly #packets = new Map<number, SentPacket>();
  /** Numbers that were left out on purpose: a peer that acknowledges one has guessed (rfc9000#21.4). */
  #skipped: readonly number[] = [];
  #next = 0;
  #largestAcknowledged: number | undefined;
  #eliciting = 0;
  #lastElicitingAt: Instant = instant(Number.NEGATIVE_INFINITY);

  get next(): number {
    return this.#next;
  }
  get largestAcknowledged(): number | undefined {
    return this.#largestAcknowledged;
  }
  /** Whether a packet in flight asks for an acknowledgment. */
  get isWaiting(): boolean {
    return this.#eliciting > 0;
  }
  get lastElicitingAt(): Instant {
    return this.#lastElicitingAt;
  }
  get packets(): IterableIterator<SentPacket> {
    return this.#packets.values();
  }

  /** Leaves a number out. Few are remembered: an attack would have to guess on. */
  skip(): void {
    this.#skipped = [...this.#skipped.slice(-7), this.#next++];
  }
  add(packet: SentPacket): void {
    this.#next = packet.number + 1;
    if (!packet.isInFlight && packet.carried.length === 0) return;
    this.#packets.set(packet.number, packet);
    if (!packet.elicits) return;
    this.#eliciting++;
    this.#lastElicitingAt = packet.at;
  }
  /** The oldest packets that ask for an acknowledgment and were not repeated: from now on they are (rfc9002#6.2.4). */
  repeat(count: number): readonly SentPacket[] {
    const chosen: SentPacket[] = [];
    for (const packet of this.#packets.values()) {
      if (chosen.length === count) break;
      if (!packet.elicits || packet.isRepeated) continue;
      packet.isRepeated = true;
      chosen.push(packet);
    }
    return chosen;
  }
  remove(packet: SentPacket): void {
    if (this.#packets.delete(packet.number) && packet.elicits) this.#eliciting--;
  }

  /** Takes out what an ACK frame covers, in ascending order. */
  acknowledge({ ranges }: Ack): readonly SentPacket[] | Fault {
    const { largest } = ranges[0]!;
    if (
      largest >= this.#next ||
      this.#skipped.some((number) => ranges.some((range) => range.smallest <= number && number <= range.largest))
    )
      return fault("ackOfUnsentPacket");
    if (largest > (this.#largestAcknowledged ?? -1)) this.#largestAcknowledged = largest;
    const covered: SentPacket[] = [];
    for (let at = ranges.length - 1; at >= 0; at--) {
      const range = ranges[at]!;
      // A range may have any length, so the shorter way is taken.
      if (range.largest - range.smallest < this.#packets.size) {
        for (let number = range.smallest; number <= range.largest; number++) {
          const packet = this.#packets.get(number);
          if (packet !== undefined) covered.push(packet);
        }
      } else {
        for (const packet of this.#packets.values()) {
          if (packet.number > range.largest) break;
          if (packet.number >= range.smallest) covered.push(packet);
        }
      }
    }
    for (const packet of covered) this.remove(packet);
    return covered;
  }
}
