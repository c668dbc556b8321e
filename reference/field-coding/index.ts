/** What HPACK and QPACK share: prefix integers, strings, the Huffman code (rfc7541#5), the dynamic table, and what is worth an entry in it. */
export { Cursor, type CodingFault } from "./cursor.ts";
export { DynamicTable, entrySize } from "./dynamic-table.ts";
export { type Habit, habitOf, isSecret, isWorthAnEntry } from "./policy.ts";
export { readInteger, readLongInteger, writeInteger } from "./prefix-integer.ts";
export { readString, STRING_ROOM, writePrefixedString, writeString } from "./string-literal.ts";
