/** A buffer that octets are appended to, without a copy for every append. */
export class Growing {
  #octets = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  push(more: Uint8Array): void {
    const length = this.#length + more.length;
    if (length > this.#octets.length) {
      const larger = new Uint8Array(Math.max(length, this.#octets.length * 2));
      larger.set(this.#octets.subarray(0, this.#length));
      this.#octets = larger;
    }
    this.#octets.set(more, this.#length);
    this.#length = length;
  }
  view(from: number, to = this.#length): Uint8Array {
    return this.#octets.subarray(from, Math.min(to, this.#length));
  }
}
