const NOTHING = new Uint8Array(0);
/** The longest dictionary: zlib's window without its lookahead. */
const FEW = 1_024;

/** The last octets of a stream, up to its window: a stream that continues it may refer to them. */
export class History {
  readonly #most: number;
  #ring: Uint8Array = NOTHING;
  /** Where the next octet goes; in a full ring also where the oldest is. */
  #at = 0;
  length = 0;

  constructor(windowBits: number) {
    this.#most = 2 ** windowBits;
  }
  clear(): void {
    this.#at = 0;
    this.length = 0;
  }
  push(octets: Uint8Array): void {
    const most = this.#most;
    const last = octets.length > most ? octets.subarray(octets.length - most) : octets;
    if (this.length + last.length > this.#ring.length && this.#ring.length < most) this.#grow(this.length + last.length);
    const size = this.#ring.length;
    const first = Math.min(last.length, size - this.#at);
    this.#ring.set(first === last.length ? last : last.subarray(0, first), this.#at);
    if (first < last.length) this.#ring.set(last.subarray(first), 0);
    this.#at = (this.#at + last.length) % size || 0;
    this.length = Math.min(size, this.length + last.length);
  }
  /** The octets in order, copied. */
  octets(): Uint8Array {
    const { length } = this;
    const all = new Uint8Array(length);
    const from = length < this.#ring.length ? this.#at - length : this.#at;
    const start = from < 0 ? from + this.#ring.length : from;
    const first = this.#ring.subarray(start, Math.min(this.#ring.length, start + length));
    all.set(first, 0);
    if (first.length < length) all.set(this.#ring.subarray(0, length - first.length), first.length);
    return all;
  }

  /** Copies a ring that is not full, which begins at its start. */
  #grow(need: number): void {
    const kept = this.octets();
    this.#ring = new Uint8Array(Math.min(this.#most, Math.max(FEW, need * 2)));
    this.#ring.set(kept, 0);
    this.#at = kept.length % this.#ring.length || 0;
  }
}
