/** What a fresh buffer holds: some hundred small messages, so that the price of an allocation is spread over them. */
const SLAB = 32_768;
/** A tail shorter than this is not worth keeping. */
const WORTH = 1_024;
/** The unused tail of a buffer that some writer has handed over; the next writer without one goes on there. */
let spare: Uint8Array<ArrayBuffer> | undefined;
const NOTHING = new Uint8Array(0);

/**
 * Growable buffer owned by one connection. It allocates on the first write. `take` copies out and keeps the buffer; `handOver` gives
 * the octets away as a view and keeps nothing, so that an idle connection holds no memory.
 */
export class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  /** Where what is not yet handed over begins. */
  #from = 0;
  #at = 0;

  constructor(initial = 0) {
    this.#bytes = initial === 0 ? NOTHING : new Uint8Array(initial);
  }

  /** How much waits to be taken. */
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
  /** Writes a 24-bit number over what stands at `at`, a `length` of before. */
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

  /** Takes back what was written after `length` was `to`. */
  rewind(to: number): void {
    this.#at = this.#from + to;
  }
  /** For codecs with a loop of their own: room for `count` octets in `octets`, from the index returned. Valid until the next write. */
  claim(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) return this.#grow(count);
    this.#at = at + count;
    return at;
  }
  /** After a `claim` of more than was needed: writing goes on at index `at` of `octets`. */
  settle(at: number): void {
    this.#at = at;
  }
  /** The buffer that `claim` gives indices of. */
  get octets(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }
  /** A view of what waits, from `at` on; valid until the next write. */
  view(at: number, end = this.length): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(this.#from + at, this.#from + end);
  }

  /** Copies out what was written and rewinds, keeping the allocation. */
  take(): Uint8Array<ArrayBuffer> {
    const out = this.#bytes.slice(this.#from, this.#at);
    this.#at = this.#from;
    return out;
  }
  /** Gives away what was written, as a view that nobody writes to again. */
  cut(): Uint8Array<ArrayBuffer> {
    const out = this.#bytes.subarray(this.#from, this.#at);
    this.#from = this.#at;
    return out;
  }
  /** As `cut`, and lets go of the buffer: what is left of it serves the next writer. */
  handOver(): Uint8Array<ArrayBuffer> {
    const out = this.#bytes.subarray(this.#from, this.#at);
    if (this.#bytes.length - this.#at >= WORTH) spare = this.#bytes.subarray(this.#at);
    this.#bytes = NOTHING;
    this.#from = 0;
    this.#at = 0;
    return out;
  }

  #grow(count: number): number {
    const size = this.#at - this.#from;
    const need = size + count;
    let grown: Uint8Array<ArrayBuffer>;
    if (spare !== undefined && spare.length >= need) {
      grown = spare;
      spare = undefined;
    } else grown = new Uint8Array(need <= SLAB / 4 ? SLAB : need * 2);
    if (size > 0) grown.set(this.#bytes.subarray(this.#from, this.#at));
    this.#bytes = grown;
    this.#from = 0;
    this.#at = need;
    return size;
  }
}
