/**
 * Fields of a protobuf message as they stand on the wire: a number with a kind in front of each value. What a reader does not know it passes over.
 */
export type WireField =
  | { readonly number: number; readonly is: "varint"; readonly value: bigint }
  | { readonly number: number; readonly is: "double"; readonly value: number }
  | { readonly number: number; readonly is: "octets"; readonly value: Uint8Array; readonly offset: number }
  | { readonly number: number; readonly is: "other" };

/** An integer of seven bits an octet, and the offset behind it; undefined where it is cut off or has more than 64 bits. */
export function varint(octets: Uint8Array, from: number): { readonly value: bigint; readonly next: number } | undefined {
  let value = 0n;
  for (let i = 0; i < 10 && from + i < octets.length; i++) {
    const octet = octets[from + i]!;
    value |= BigInt(octet & 0x7f) << BigInt(7 * i);
    if (octet < 0x80) return value < 1n << 64n ? { value, next: from + i + 1 } : undefined;
  }
  return undefined;
}

/**
 * The fields of a message, in order; undefined where it is torn. `base` is where the message stands in the page. Each field is an object, of as
 * little as two octets: beyond `most` of them reading ends with `tooMany`.
 */
export function fieldsOf(octets: Uint8Array, base: number, most: number): WireField[] | "tooMany" | undefined {
  const fields: WireField[] = [];
  let at = 0;
  while (at < octets.length) {
    if (fields.length === most) return "tooMany";
    const tag = varint(octets, at);
    if (tag === undefined || tag.value >> 3n === 0n || tag.value >= 1n << 32n) return undefined;
    const number = Number(tag.value >> 3n);
    at = tag.next;
    switch (Number(tag.value & 7n)) {
      case 0: {
        const found = varint(octets, at);
        if (found === undefined) return undefined;
        fields.push({ number, is: "varint", value: found.value });
        at = found.next;
        break;
      }
      case 1:
        if (octets.length - at < 8) return undefined;
        fields.push({ number, is: "double", value: new DataView(octets.buffer, octets.byteOffset + at, 8).getFloat64(0, true) });
        at += 8;
        break;
      case 2: {
        const length = varint(octets, at);
        if (length === undefined || length.value > octets.length - length.next) return undefined;
        at = length.next + Number(length.value);
        fields.push({ number, is: "octets", value: octets.subarray(length.next, at), offset: base + length.next });
        break;
      }
      case 5:
        if (octets.length - at < 4) return undefined;
        fields.push({ number, is: "other" });
        at += 4;
        break;
      default:
        return undefined;
    }
  }
  return fields;
}

/** An unsigned integer as an int64, an int32 or an enum has it: two's complement. */
export const signed = (value: bigint): number => Number(BigInt.asIntN(64, value));
/** As a sint64 or a sint32 has it: zigzag. */
export const zigzag = (value: bigint): number => Number((value >> 1n) ^ -(value & 1n));
