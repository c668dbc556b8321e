/** Octets and bits: what the formats are made of, without knowing any of them. */
export { BitDesk, BitReader, BitWriter, peek, putBits, upperHalf } from "./bits.ts";
export { crc32c } from "./crc32c.ts";
export { roomFor, widerF64, widerU16, widerU32, widerU8 } from "./grow.ts";
export { Unpacker } from "./snappy.ts";
export { Cursor, i32At, putUvarint, putVarint, uvarintLength } from "./varint.ts";
