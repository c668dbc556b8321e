import type { Head } from "./frame/head.ts";
import { fault, type Fault } from "./faults.ts";
import type { Limits } from "./limits.ts";
import { CONNECTION, type StreamId } from "./stream-id.ts";

/**
 * A field block that did not fit into one frame: its fragments, until the frame with END_HEADERS (rfc9113#4.3). While one is being
 * collected, nothing else may come.
 */
export class HeaderBlock {
  readonly stream: StreamId;
  /** Of the HEADERS frame that began it. */
  readonly endStream: boolean;
  /** Of the PUSH_PROMISE frame that began it; `CONNECTION` where HEADERS did. */
  readonly promised: StreamId;
  /** The deprecated signal named the stream itself (rfc7540#5.3.1). */
  readonly dependsOnItself: boolean;
  #fragments: Uint8Array[] = [];
  #octets = 0;

  constructor(stream: StreamId, first: Uint8Array, endStream: boolean, promised: StreamId = CONNECTION, dependsOnItself = false) {
    this.stream = stream;
    this.endStream = endStream;
    this.promised = promised;
    this.dependsOnItself = dependsOnItself;
    this.#keep(first);
  }

  /** Whether a frame may follow: CONTINUATION on the same stream, and nothing else. */
  interruptedBy(head: Head, continuation: number): boolean {
    return head.type !== continuation || head.stream !== this.stream;
  }

  /** The next fragment; the fault when there are too many of them, or too many octets in them. */
  add(fragment: Uint8Array, limits: Limits): Fault | undefined {
    if (this.#fragments.length > limits.continuations) return fault("floodOfContinuations");
    if (this.#octets + fragment.length > limits.blockOctets) return fault("blockTooLarge");
    this.#keep(fragment);
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

  /** Fragments outlive the read that brought them, so they are copied. */
  #keep(fragment: Uint8Array): void {
    this.#fragments.push(fragment.slice());
    this.#octets += fragment.length;
  }
}
