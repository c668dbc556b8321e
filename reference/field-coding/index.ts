/** What HPACK and QPACK share: prefix integers, strings, and the Huffman code (rfc7541#5). */
export { Cursor, type CodingFault } from "./cursor.ts";
export { readInteger, writeInteger } from "./prefix-integer.ts";
export { readString, STRING_ROOM, writeString } from "./string-literal.ts";
