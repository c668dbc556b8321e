import { after, type Instant } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { FrameType, type Head } from "../frame/head.ts";
import type { Headers } from "../frame/headers.ts";
import type { PushPromise } from "../frame/push-promise.ts";
import type { Limits } from "../limits.ts";

/**
 * A field block that did not fit into one frame: its fragments until the frame with END_HEADERS (rfc9113#4.3). Meanwhile no other frame may
 * arrive.
 */
export class HeaderBlock {
  /** The frame that began the block. */
  readonly first: Headers | PushPromise;
  readonly #since: Instant;
  readonly #fragments: Uint8Array[];
  #octets: number;

  /** Fragments outlive the read that brought them, so they are copied. */
  constructor(first: Headers | PushPromise, now: Instant) {
    const block = first.block.slice();
    this.first = { ...first, block };
    this.#since = now;
    this.#fragments = [block];
    this.#octets = block.length;
  }

  /** Whether a frame is anything but CONTINUATION on the same stream. */
  isInterruptedBy({ type, stream }: Head): boolean {
    return type !== FrameType.CONTINUATION || stream !== this.first.stream;
  }
  /** When to stop waiting for the rest. */
  deadline(patienceMs: number): Instant {
    return after(this.#since, patienceMs);
  }

  /** Adds a fragment; returns the fault if there are too many of them, or too many bytes in them. */
  add(fragment: Uint8Array, limits: Limits): Fault | undefined {
    if (this.#fragments.length > limits.continuations) return fault("floodOfContinuations");
    if (this.#octets + fragment.length > limits.blockOctets) return fault("blockTooLarge");
    this.#fragments.push(fragment.slice());
    this.#octets += fragment.length;
    return undefined;
  }

  /** The block in one piece. */
  join(): Uint8Array {
    const whole = new Uint8Array(this.#octets);
    let at = 0;
    for (const fragment of this.#fragments) {
      whole.set(fragment, at);
      at += fragment.length;
    }
    return whole;
  }
}
