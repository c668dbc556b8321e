/** A buffer that octets are appended to, without a copy for every append. */
export class Growing {
  #octets = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  push(more: Uint8Array): void {
    this.#reserve(more.length);
    this.#octets.set(more, this.#length);
    this.#length += more.length;
  }
  add(octet: number): void {
    this.#reserve(1);
    this.#octets[this.#length++] = octet;
  }
  /** Appends `length` octets from `distance` octets back; with a shorter distance they repeat (rfc1951#3.2.3). */
  repeat(distance: number, length: number): void {
    this.#reserve(length);
    const octets = this.#octets;
    for (let at = this.#length; at < this.#length + length; at++) octets[at] = octets[at - distance] ?? 0;
    this.#length += length;
  }
  #reserve(more: number): void {
    const length = this.#length + more;
    if (length <= this.#octets.length) return;
    const larger = new Uint8Array(Math.max(length, this.#octets.length * 2));
    larger.set(this.#octets.subarray(0, this.#length));
    this.#octets = larger;
  }
  view(from: number, to = this.#length): Uint8Array {
    return this.#octets.subarray(from, Math.min(to, this.#length));
  }
}
