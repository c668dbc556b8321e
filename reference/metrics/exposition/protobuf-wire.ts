/** A field of a protobuf message on the wire: number, kind and value. Readers skip unknown fields. */
export type WireField =
  | { readonly number: number; readonly is: "varint"; readonly value: bigint }
  | { readonly number: number; readonly is: "double"; readonly value: number }
  | { readonly number: number; readonly is: "octets"; readonly value: Uint8Array; readonly offset: number }
  | { readonly number: number; readonly is: "other" };

/** A varint and the offset after it; undefined if it is cut off or has more than 64 bits. */
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
 * The fields of a message in order; undefined if it is torn. `base`: the offset of the message in the page. A field may take only two octets, so reading
 * ends with `tooMany` beyond `most` fields.
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

/** Decodes an int64, an int32 or an enum: two's complement. */
export const signed = (value: bigint): number => Number(BigInt.asIntN(64, value));
/** Decodes a sint64 or a sint32: zigzag. */
export const zigzag = (value: bigint): number => Number((value >> 1n) ^ -(value & 1n));
