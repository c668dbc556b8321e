/**
 * Variable-length numbers, seven bits per octet, lowest first (Prometheus TSDB docs, format/chunks.md, `<uvarint>` and `<varint>`; the latter folds
 * the sign into the lowest bit). Values are whole numbers up to 2^53; larger ones lose precision and are refused.
 */
const MOST_OCTETS = 10;

/** Returns the position of the next octet. */
export function putUvarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let to = at;
  while (rest >= 0x8000_0000) {
    bytes[to++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  while (rest >= 128) {
    bytes[to++] = (rest & 127) | 0x80;
    rest >>>= 7;
  }
  bytes[to++] = rest;
  return to;
}

/** Returns the position of the next octet. */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  const size = value < 0 ? -value - 1 : value;
  const first = (size % 64) * 2 + (value < 0 ? 1 : 0);
  const rest = Math.floor(size / 64);
  if (rest === 0) {
    bytes[at] = first;
    return at + 1;
  }
  bytes[at] = first | 0x80;
  return putUvarint(bytes, at + 1, rest);
}

/** How many octets `putUvarint` writes. */
export function uvarintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

/** Four octets as a signed big-endian number. */
export const i32At = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

/**
 * Reads a unit field by field. At its end, or at a number that is too long or beyond 2^53, it becomes `short` and then returns zeros: the caller
 * checks `short` once, after the last field.
 */
export class Cursor {
  bytes: Uint8Array;
  at: number;
  end: number;
  short = false;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    if (this.at >= this.end) return this.#fail();
    return this.bytes[this.at++] ?? 0;
  }

  u32(): number {
    if (this.end - this.at < 4) return this.#fail();
    const at = this.at;
    this.at += 4;
    return i32At(this.bytes, at) >>> 0;
  }

  /** An unsigned number of eight octets, up to 2^53. */
  u64(): number {
    const upper = this.u32();
    const value = upper * 0x1_0000_0000 + this.u32();
    return Number.isSafeInteger(value) ? value : this.#fail();
  }

  /** A signed number of eight octets, from -2^53 to 2^53: a time may be before 1970. */
  i64(): number {
    const upper = this.u32() | 0;
    const value = upper * 0x1_0000_0000 + this.u32();
    return Number.isSafeInteger(value) ? value : this.#fail();
  }

  uvarint(): number {
    // Usually one octet.
    const first = this.bytes[this.at] ?? 0;
    if (first < 128 && this.at < this.end) {
      this.at++;
      return first;
    }
    return this.#long(1, 0);
  }

  varint(): number {
    const { bytes, at } = this;
    if (this.end - at >= 3) {
      // Up to three octets: differences of references and of times in a log.
      let folded = bytes[at]!;
      let length = 1;
      if (folded >= 128) {
        folded = (folded & 127) | (bytes[at + 1]! << 7);
        length = 2;
        if (folded >= 1 << 14) {
          folded = (folded & 0x3fff) | (bytes[at + 2]! << 14);
          length = 3;
        }
      }
      if (folded < 1 << 21) {
        this.at = at + length;
        return (folded & 1) === 0 ? folded >>> 1 : -(folded >>> 1) - 1;
      }
    }
    const first = this.u8();
    const size = first < 128 ? first >>> 1 : this.#long(64, (first & 127) >>> 1);
    return (first & 1) === 0 || this.short ? size : -size - 1;
  }

  /** A view of the next octets. */
  view(length: number): Uint8Array {
    if (length > this.end - this.at) {
      this.#fail();
      return this.bytes.subarray(this.end, this.end);
    }
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  skip(length: number): void {
    if (length > this.end - this.at) this.#fail();
    else this.at += length;
  }

  #long(weight: number, low: number): number {
    let value = low;
    let scale = weight;
    for (let count = weight === 1 ? 0 : 1; count < MOST_OCTETS; count++) {
      const octet = this.u8();
      if (this.short) return 0;
      value += (octet & 127) * scale;
      if (octet < 128) return Number.isSafeInteger(value) ? value : this.#fail();
      scale *= 128;
    }
    return this.#fail();
  }

  #fail(): number {
    this.short = true;
    this.at = this.end;
    return 0;
  }
}
