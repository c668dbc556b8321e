/** Growable buffer owned by one connection and reused between flushes. */
export class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #at = 0;

  constructor(initial = 4096) {
    this.#bytes = new Uint8Array(initial);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#at;
  }
  u8(value: number): this {
    const at = this.#claim(1);
    this.#view.setUint8(at, value);
    return this;
  }
  u24(value: number): this {
    return this.u8(value >>> 16)
      .u8(value >>> 8)
      .u8(value);
  }
  u32(value: number): this {
    const at = this.#claim(4);
    this.#view.setUint32(at, value);
    return this;
  }
  bytes(value: Uint8Array): this {
    const at = this.#claim(value.length);
    this.#bytes.set(value, at);
    return this;
  }
  /** Reserves a 24-bit length, runs `body`, then patches in how much `body` wrote beyond `fixed` bytes. */
  sized24(fixed: number, body: () => void): this {
    const lengthAt = this.#claim(3);
    body();
    const size = this.#at - lengthAt - 3 - fixed;
    this.#view.setUint8(lengthAt, size >>> 16);
    this.#view.setUint16(lengthAt + 1, size & 0xffff);
    return this;
  }
  /** Copies out what was written and rewinds, keeping the allocation. */
  take(): Uint8Array<ArrayBuffer> {
    const out = this.#bytes.slice(0, this.#at);
    this.#at = 0;
    return out;
  }

  #claim(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, at + count));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#at = at + count;
    return at;
  }
}
