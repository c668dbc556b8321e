/**
 * Unpacks Snappy blocks, the compression of log records (Prometheus TSDB docs, format/wal.md, "Segment encoding"): a length, then literals and
 * copies of earlier output.
 */

/** A longer literal is copied by the platform; for a shorter one a loop is faster. */
const LONG = 48;
/** Literals of up to 60 octets have their length in the tag. */
const LITERAL_IN_TAG = 60;
const FIRST_ROOM = 1 << 16;
/** Most literals are at most this long and are copied as one number. */
const SHORT = 4;
/** Octets copied at a time. */
const WORD = 8;

/** Unpacks blocks one after another. `bytes` holds the output until the next call. */
export class Unpacker {
  bytes: Uint8Array = new Uint8Array(FIRST_ROOM);
  length = 0;
  #view = new DataView(this.bytes.buffer);

  /** Unpacks the block from `from` to `to`. Returns false if the block is invalid or longer than `most` octets. */
  unpack(packed: Uint8Array, from: number, to: number, most: number): boolean {
    let at = from;
    let length = 0;
    for (let weight = 1; ; weight *= 128) {
      if (at >= to || weight > 128 ** 4) return false;
      const octet = packed[at++]!;
      length += (octet & 127) * weight;
      if (octet < 128) break;
    }
    if (length > most) return false;
    if (length + WORD > this.bytes.length) {
      this.bytes = new Uint8Array(Math.max(length + WORD, this.bytes.length * 2));
      this.#view = new DataView(this.bytes.buffer);
    }
    this.length = length;
    return this.#fill(packed, at, to);
  }

  /** Short literals and copies write whole words past their end; the next element overwrites the excess. */
  #fill(packed: Uint8Array, from: number, to: number): boolean {
    const { bytes: out, length } = this;
    const view = this.#view;
    const source = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    let at = from;
    let end = 0;
    while (at < to) {
      const tag = packed[at++]!;
      const kind = tag & 3;
      let size = (tag >>> 2) + 1;
      if (kind === 0) {
        if (size > LITERAL_IN_TAG) {
          const octets = size - LITERAL_IN_TAG;
          if (at + octets > to) return false;
          size = 1 + little(packed, at, octets);
          at += octets;
        }
        if (size > to - at || size > length - end) return false;
        if (size <= SHORT && at + SHORT <= to) {
          view.setInt32(end, source.getInt32(at));
          at += size;
          end += size;
        } else if (size > LONG) {
          out.set(packed.subarray(at, at + size), end);
          at += size;
          end += size;
        } else for (const stop = end + size; end < stop;) out[end++] = packed[at++]!;
        continue;
      }
      if (at + (kind === 3 ? 4 : kind) > to) return false;
      let back: number;
      if (kind === 1) {
        size = ((tag >>> 2) & 7) + 4;
        back = ((tag >>> 5) << 8) | packed[at++]!;
      } else if (kind === 2) {
        back = packed[at]! | (packed[at + 1]! << 8);
        at += 2;
      } else {
        back = little(packed, at, 4);
        at += 4;
      }
      if (back === 0 || back > end || size > length - end) return false;
      const stop = end + size;
      if (back >= WORD) for (; end < stop; end += WORD) view.setBigInt64(end, view.getBigInt64(end - back));
      // Octet by octet: the copy overlaps its own output.
      else for (; end < stop; end++) out[end] = out[end - back]!;
      end = stop;
    }
    return end === length;
  }
}

/** A little-endian number of `octets` octets. */
function little(bytes: Uint8Array, at: number, octets: number): number {
  let value = 0;
  for (let place = octets - 1; place >= 0; place--) value = value * 256 + bytes[at + place]!;
  return value;
}
