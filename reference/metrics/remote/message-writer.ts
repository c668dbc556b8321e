import { STALE_HIGH, STALE_LOW } from "../model/index.ts";

const FIRST_ROOM = 1 << 16;
const encoder = new TextEncoder();

/** Writes the fields of a protobuf message one after another. Numbers are exact to 2^53. `content` is valid until the next write. */
export class MessageWriter {
  #bytes = new Uint8Array(FIRST_ROOM);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  get content(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
  get length(): number {
    return this.#at;
  }

  clear(): void {
    this.#at = 0;
  }

  /**
   * Begins the message, text or packed list that is the value of a field; `end` needs the number that this returns. `least`: as far as is known, it
   * has at least as many octets, which saves moving it.
   */
  begin(field: number, least = 0): number {
    this.#tag(field, 2);
    const octets = least < 128 ? 1 : 2;
    this.#need(octets);
    this.#at += octets;
    return this.#at * 4 + octets;
  }
  end(begun: number): void {
    const kept = begun % 4;
    const start = (begun - kept) / 4;
    const length = this.#at - start;
    let octets = 1;
    for (let rest = length >>> 7; rest > 0; rest >>>= 7) octets += 1;
    if (octets !== kept) {
      this.#need(octets);
      this.#bytes.copyWithin(start + octets - kept, start, this.#at);
    }
    const end = this.#at + octets - kept;
    this.#at = start - kept;
    this.varint(length);
    this.#at = end;
  }
  /** Fields that are written already. */
  raw(fields: Uint8Array): void {
    this.#need(fields.length);
    this.#bytes.set(fields, this.#at);
    this.#at += fields.length;
  }
  /** A message of a value and a time, of which neither is written if it is 0. */
  sample(field: number, { time, value, isStale }: { readonly time: number; readonly value: number; readonly isStale: boolean }): void {
    const start = this.begin(field);
    if (isStale) this.stale(1);
    else this.double(1, value);
    this.integer(2, time);
    this.end(start);
  }

  text(field: number, text: string): void {
    const start = this.begin(field);
    this.#need(text.length * 3);
    this.#at += encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written;
    this.end(start);
  }
  /** Octets, of `source` from `from` to `to`. */
  octets(field: number, source: Uint8Array, from: number, to: number): void {
    const start = this.begin(field);
    this.#need(to - from);
    this.#bytes.set(source.subarray(from, to), this.#at);
    this.#at += to - from;
    this.end(start);
  }
  /** A field whose default is 0, which is left out. */
  integer(field: number, value: number): void {
    if (value === 0) return;
    this.#tag(field, 0);
    this.#int64(value);
  }
  signed(field: number, value: number): void {
    if (value === 0) return;
    this.#tag(field, 0);
    this.zigzag(value);
  }
  double(field: number, value: number): void {
    if (Object.is(value, 0)) return;
    this.#tag(field, 1);
    this.eight(value);
  }
  /** A field that is written even if it is 0: one of several that exclude each other. */
  chosenInteger(field: number, value: number): void {
    this.#tag(field, 0);
    this.#int64(value);
  }
  chosenDouble(field: number, value: number): void {
    this.#tag(field, 1);
    this.eight(value);
  }
  stale(field: number): void {
    this.#tag(field, 1);
    this.#need(8);
    this.#view.setUint32(this.#at, STALE_LOW, true);
    this.#view.setUint32(this.#at + 4, STALE_HIGH, true);
    this.#at += 8;
  }

  /** Without a tag, for packed lists. */
  varint(value: number): void {
    this.#need(10);
    let rest = value;
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 0x1000_0000)) {
      // Four octets at a time: whole numbers beyond 31 bits are slow.
      const low = rest % 0x1000_0000;
      this.#bytes[this.#at++] = low | 128;
      this.#bytes[this.#at++] = (low >>> 7) | 128;
      this.#bytes[this.#at++] = (low >>> 14) | 128;
      this.#bytes[this.#at++] = (low >>> 21) | 128;
    }
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#at++] = rest | 128;
    this.#bytes[this.#at++] = rest;
  }
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }
  /** Any NaN becomes the usual one: the marker of stale series is written by `stale` alone. */
  eight(value: number): void {
    this.#need(8);
    if (Number.isNaN(value)) this.#view.setBigUint64(this.#at, 0x7ff8_0000_0000_0001n, true);
    else this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  #int64(value: number): void {
    if (value >= 0) return this.varint(value);
    this.#need(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.#bytes[this.#at++] = Number(rest & 127n) | 128;
    this.#bytes[this.#at++] = Number(rest);
    return undefined;
  }
  #tag(field: number, kind: number): void {
    this.varint(field * 8 + kind);
  }
  #need(room: number): void {
    if (this.#at + room <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(this.#at + room, this.#bytes.length * 2));
    wider.set(this.#bytes);
    this.#bytes = wider;
    this.#view = new DataView(wider.buffer);
  }
}
