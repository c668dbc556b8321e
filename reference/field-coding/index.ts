/** What HPACK and QPACK share: integers in a prefix, strings, and the Huffman code (rfc7541#5). */
export { Cursor, type CodingFault } from "./cursor.ts";
export { MAX_INTEGER, readInteger, writeInteger } from "./prefix-integer.ts";
export { readString, STRING_ROOM, writeString } from "./string-literal.ts";
