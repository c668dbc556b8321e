import { Misuse } from "../../core/index.ts";

const NOTHING = new Uint8Array(0);

/** A ring of the last octets of a stream, addressed by absolute offset. */
export class Replay {
  readonly capacity: number;
  #ring: Uint8Array = NOTHING;
  #end: number;
  #held = 0;

  constructor(capacity: number, at = 0) {
    this.capacity = capacity;
    this.#end = at;
  }

  /** The offset of the next octet. */
  get end(): number {
    return this.#end;
  }
  /** The offset of the oldest octet that is kept. */
  get start(): number {
    return this.#end - this.#held;
  }

  append(octets: Uint8Array): void {
    const { capacity } = this;
    if (capacity === 0) {
      this.#end += octets.length;
      return;
    }
    if (this.#ring.length === 0) this.#ring = new Uint8Array(capacity);
    const kept = octets.length > capacity ? octets.subarray(octets.length - capacity) : octets;
    const at = (this.#end + octets.length - kept.length) % capacity;
    const room = capacity - at;
    this.#ring.set(kept.length > room ? kept.subarray(0, room) : kept, at);
    if (kept.length > room) this.#ring.set(kept.subarray(room), 0);
    this.#end += octets.length;
    this.#held = Math.min(capacity, this.#held + octets.length);
  }

  /** A copy of the octets between two offsets, both from `start` to `end`. */
  slice(from: number, to: number = this.#end): Uint8Array {
    if (from < this.start || to > this.#end || from > to)
      throw new Misuse(`${from} to ${to} is not kept: the replay has ${this.start} to ${this.#end}`);
    const octets = new Uint8Array(to - from);
    if (octets.length === 0) return octets;
    const at = from % this.capacity;
    const first = this.#ring.subarray(at, at + octets.length);
    octets.set(first);
    octets.set(this.#ring.subarray(0, octets.length - first.length), first.length);
    return octets;
  }
}
