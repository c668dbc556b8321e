import { SLABS } from "./slabs.ts";

const NOTHING = new Uint8Array(0);

/**
 * A growable buffer that belongs to one connection and allocates on the first write. `take` copies the octets and keeps the buffer;
 * `handOver` gives them away as a view and keeps nothing, so that an idle connection holds no memory.
 */
export class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  /** The first octet that has not been handed over. */
  #from = 0;
  #at = 0;

  constructor(initial = 0) {
    this.#bytes = initial === 0 ? NOTHING : new Uint8Array(initial);
  }

  /** Octets that wait to be taken. */
  get length(): number {
    return this.#at - this.#from;
  }
  u8(value: number): this {
    const at = this.claim(1);
    this.#bytes[at] = value;
    return this;
  }
  u16(value: number): this {
    const at = this.claim(2);
    const bytes = this.#bytes;
    bytes[at] = value >>> 8;
    bytes[at + 1] = value;
    return this;
  }
  u24(value: number): this {
    const at = this.claim(3);
    const bytes = this.#bytes;
    bytes[at] = value >>> 16;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value;
    return this;
  }
  u32(value: number): this {
    const at = this.claim(4);
    const bytes = this.#bytes;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
    return this;
  }
  bytes(value: Uint8Array): this {
    const at = this.claim(value.length);
    this.#bytes.set(value, at);
    return this;
  }
  /** Reserves a 24-bit length, runs `body`, then patches in how much `body` wrote beyond `fixed` bytes. */
  sized24(fixed: number, body: () => void): this {
    const lengthAt = this.length;
    this.u24(0);
    body();
    this.patch24(lengthAt, this.length - lengthAt - 3 - fixed);
    return this;
  }
  /** Overwrites the 24-bit number at `at`, an earlier `length`. */
  patch24(at: number, value: number): void {
    const bytes = this.#bytes;
    const from = this.#from + at;
    bytes[from] = value >>> 16;
    bytes[from + 1] = value >>> 8;
    bytes[from + 2] = value;
  }
  patch8(at: number, value: number): void {
    this.#bytes[this.#from + at] = value;
  }

  /** Drops what was written since `length` was `to`. */
  rewind(to: number): void {
    this.#at = this.#from + to;
  }
  /** For codecs with their own loop: reserves `count` octets of `octets`, from the returned index. Valid until the next write. */
  claim(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) return this.#grow(count);
    this.#at = at + count;
    return at;
  }
  /** After a `claim` of too much: writing continues at index `at` of `octets`. */
  settle(at: number): void {
    this.#at = at;
  }
  /** The buffer that the indices from `claim` refer to. */
  get octets(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }
  /** A view of the waiting octets from `at`; valid until the next write. */
  view(at: number, end = this.length): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(this.#from + at, this.#from + end);
  }

  /** Copies the waiting octets and rewinds; the buffer stays. */
  take(): Uint8Array<ArrayBuffer> {
    const out = this.#bytes.slice(this.#from, this.#at);
    this.#at = this.#from;
    return out;
  }
  /** Gives the waiting octets away, as a view that is never written to again. */
  cut(): Uint8Array<ArrayBuffer> {
    const out = this.#bytes.subarray(this.#from, this.#at);
    this.#from = this.#at;
    return out;
  }
  /** As `cut`, but also releases the buffer, whose rest serves the next writer. */
  handOver(): Uint8Array<ArrayBuffer> {
    const out = this.#bytes.subarray(this.#from, this.#at);
    SLABS.giveBack(this.#bytes.subarray(this.#at));
    this.#bytes = NOTHING;
    this.#from = 0;
    this.#at = 0;
    return out;
  }

  #grow(count: number): number {
    const size = this.#at - this.#from;
    const need = size + count;
    const grown = SLABS.take(need);
    if (size > 0) grown.set(this.#bytes.subarray(this.#from, this.#at));
    this.#bytes = grown;
    this.#from = 0;
    this.#at = need;
    return size;
  }
}
