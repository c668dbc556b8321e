import { Misuse } from "../../core/index.ts";

const ENCODER = new TextEncoder();
/** Texts of this length are written character by character. */
const SHORT = 64;
/** Memory above this size is not kept. */
const MOST_KEPT = 65_536;

/** Writes the parts of messages one after the other. It keeps its memory for the next message. */
export class MessageWriter {
  #octets: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #at = 0;

  constructor() {
    this.#octets = new Uint8Array(256);
    this.#view = new DataView(this.#octets.buffer);
  }

  get length(): number {
    return this.#at;
  }
  /** A copy of what was written; the writer begins again. */
  take(): Uint8Array {
    const octets = this.#octets.slice(0, this.#at);
    this.reset();
    return octets;
  }
  /** Forgets what was written. */
  reset(): void {
    this.#at = 0;
    if (this.#octets.length > MOST_KEPT) this.#grow(new Uint8Array(256));
  }

  varint(value: number): void {
    this.#reserve(5);
    const octets = this.#octets;
    let at = this.#at;
    let rest = value >>> 0;
    while (rest > 0x7f) {
      octets[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    octets[at++] = rest;
    this.#at = at;
  }
  /** A negative number of 32 bits takes ten octets, as one of 64 bits. */
  signed(value: number): void {
    if (value >= 0) this.varint(value);
    else this.#long(value >>> 0, 0xffff_ffff);
  }
  long(value: bigint): void {
    if (value >= 0n && value <= 0x7fff_ffffn) this.varint(Number(value));
    else this.#long(Number(value & 0xffff_ffffn), Number((value >> 32n) & 0xffff_ffffn));
  }
  #long(low: number, high: number): void {
    this.#reserve(10);
    const octets = this.#octets;
    let at = this.#at;
    let lower = low;
    let upper = high;
    while (upper > 0 || lower > 0x7f) {
      octets[at++] = (lower & 0x7f) | 0x80;
      lower = ((lower >>> 7) | (upper << 25)) >>> 0;
      upper >>>= 7;
    }
    octets[at++] = lower;
    this.#at = at;
  }
  fixed32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }
  fixed64(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigUint64(this.#at, value, true);
    this.#at += 8;
  }
  float(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.#at, value, true);
    this.#at += 4;
  }
  double(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Octets with their length before them. */
  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.raw(value);
  }
  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#octets.set(value, this.#at);
    this.#at += value.length;
  }
  /** A text as UTF-8 with its length before it. */
  string(value: string): void {
    if (value.length <= SHORT && this.#ascii(value)) return;
    if (!value.isWellFormed()) throw new Misuse("a string has half of a surrogate pair, which UTF-8 cannot express");
    // At most three octets a unit of UTF-16; the length is written once it is known.
    const begun = this.begin();
    this.#reserve(value.length * 3);
    this.#at += ENCODER.encodeInto(value, this.#octets.subarray(this.#at)).written;
    this.end(begun);
  }
  #ascii(value: string): boolean {
    const { length } = value;
    this.#reserve(length + 1);
    const octets = this.#octets;
    let at = this.#at;
    octets[at++] = length;
    for (let index = 0; index < length; index += 1) {
      const unit = value.charCodeAt(index);
      if (unit > 0x7f) return false;
      octets[at++] = unit;
    }
    this.#at = at;
    return true;
  }

  /** Begins a part whose length is not known: one octet is left for it. */
  begin(): number {
    this.#reserve(1);
    this.#at += 1;
    return this.#at;
  }
  /** Ends it: writes the length, and moves the part if the length takes more than the one octet. */
  end(begun: number): void {
    const length = this.#at - begun;
    if (length < 0x80) {
      this.#octets[begun - 1] = length;
      return;
    }
    const more = length < 0x4000 ? 1 : length < 0x20_0000 ? 2 : length < 0x1000_0000 ? 3 : 4;
    this.#reserve(more);
    this.#octets.copyWithin(begun + more, begun, this.#at);
    const end = this.#at + more;
    this.#at = begun - 1;
    this.varint(length);
    this.#at = end;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#octets.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#octets.length * 2));
    grown.set(this.#octets);
    this.#grow(grown);
  }
  #grow(octets: Uint8Array<ArrayBuffer>): void {
    this.#octets = octets;
    this.#view = new DataView(octets.buffer);
  }
}
