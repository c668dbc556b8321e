import { after, NEVER, type Instant } from "../../core/index.ts";
import type { Ack, Range } from "../frame/index.ts";
import { Spans } from "../spans.ts";

/** Ranges that are remembered, and reported at most; the lowest are forgotten first (rfc9000#13.2.3). */
const MAX_RANGES = 64;
/** Every second packet that asks for it is acknowledged at once (rfc9000#13.2.2). */
const AT_ONCE = 2;

/** Which packets of a space arrived, and when to say so (rfc9000#13.2). */
export class Acks {
  /** How long an acknowledgment may wait; 0 in the spaces of the handshake (rfc9000#13.2.1). */
  readonly #delayMs: number;
  readonly #received = new Spans();
  /** Everything below counts as received: it was, or was forgotten. */
  #floor = 0;
  #largest: number | undefined;
  #largestAt: Instant = NEVER;
  /** Packets that ask for an acknowledgment and have none. */
  #owed = 0;
  #deadline: Instant = NEVER;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  get largest(): number | undefined {
    return this.#largest;
  }
  /** When an acknowledgment has to leave. */
  get deadline(): Instant {
    return this.#deadline;
  }
  /** Something arrived that was not reported, though nothing asks for it. */
  get hasNews(): boolean {
    return this.#owed > 0;
  }
  isDuplicate(number: number): boolean {
    return number < this.#floor || this.#received.has(number);
  }

  received(number: number, elicits: boolean, now: Instant): void {
    const largest = this.#largest ?? -1;
    this.#received.add(number, number + 1);
    if (this.#received.size > MAX_RANGES) this.#forget(this.#received.first!.to);
    if (number > largest) {
      this.#largest = number;
      this.#largestAt = now;
    }
    if (!elicits) return;
    this.#owed++;
    // Out of order, or after a gap: the peer should know soon (rfc9000#13.2.1).
    const isOdd = number < largest || number > largest + 1;
    const isDue = this.#delayMs === 0 || isOdd || this.#owed >= AT_ONCE;
    const due = isDue ? now : after(now, this.#delayMs);
    if (due < this.#deadline) this.#deadline = due;
  }

  /** What arrived, the highest first; undefined if nothing did. `exponent` scales the delay; the spaces of the handshake have none. */
  frame(now: Instant, exponent: number): Ack | undefined {
    if (this.#received.size === 0) return undefined;
    const ranges: Range[] = [];
    for (let at = this.#received.list.length - 1; at >= 0; at--) {
      const { from, to } = this.#received.list[at]!;
      ranges.push({ smallest: from, largest: to - 1 });
    }
    const delay = this.#delayMs === 0 ? 0 : Math.floor((Math.max(0, now - this.#largestAt) * 1_000) / 2 ** exponent);
    return { is: "ACK", delay, ranges };
  }
  /** The frame has left. */
  reported(): void {
    this.#owed = 0;
    this.#deadline = NEVER;
  }
  /** The peer knows what an acknowledgment with this largest number said (rfc9000#13.2.4). */
  confirmed(largest: number): void {
    this.#forget(largest);
  }

  #forget(below: number): void {
    if (below <= this.#floor) return;
    this.#floor = below;
    this.#received.remove(0, below);
  }
}
