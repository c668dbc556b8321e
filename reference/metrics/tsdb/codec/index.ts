/** Bits, numbers, checksums and compression, used by all formats of the storage. */
export { BitDesk, BitReader, BitWriter, peek, putBits, upperHalf } from "./bits.ts";
export { crc32c } from "./crc32c.ts";
export { FloatHalves } from "./float-halves.ts";
export { roomFor, widerF64, widerU16, widerU32, widerU8 } from "./grow.ts";
export { Unpacker } from "./snappy.ts";
export { pack, Packer } from "./snappy-pack.ts";
export { Cursor, i32At, putUvarint, putVarint, uvarintLength } from "./varint.ts";
