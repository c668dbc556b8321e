/** Splits a field block into its representations, without any table: their encoding, not their meaning (rfc7541#6). */

export type ReadInteger = { readonly value: number; readonly octets: number; readonly shortest: boolean };
export type ReadString = { readonly huffman: boolean; readonly length: ReadInteger; readonly octets: Uint8Array };
export type Representation =
  | { readonly is: "indexed"; readonly index: ReadInteger }
  | {
      readonly is: "literal";
      readonly mode: "incremental" | "without" | "never";
      /** 0 if the name follows as a string. */
      readonly index: ReadInteger;
      readonly name?: ReadString;
      readonly value: ReadString;
    }
  | { readonly is: "size update"; readonly size: ReadInteger };

/** The representations up to the end of the block, or up to where it breaks off (`broken`). */
export function representations(block: Uint8Array): { readonly all: readonly Representation[]; readonly broken: boolean } {
  const cursor = new Cursor(block);
  const all: Representation[] = [];
  while (cursor.left > 0) {
    const one = representation(cursor);
    if (cursor.broken) return { all, broken: true };
    all.push(one);
  }
  return { all, broken: false };
}

function representation(cursor: Cursor): Representation {
  const head = cursor.peek();
  if (head >= 0x80) return { is: "indexed", index: cursor.integer(7) };
  if (head >= 0x40) return literal(cursor, "incremental", 6);
  if (head >= 0x20) return { is: "size update", size: cursor.integer(5) };
  return literal(cursor, head >= 0x10 ? "never" : "without", 4);
}

function literal(cursor: Cursor, mode: "incremental" | "without" | "never", prefix: number): Representation {
  const index = cursor.integer(prefix);
  const name = index.value === 0 ? { name: cursor.string() } : {};
  return { is: "literal", mode, index, ...name, value: cursor.string() };
}

/** The most octets of an integer: longer ones do not occur. */
const INTEGER_OCTETS = 8;

class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;
  broken = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  get left(): number {
    return this.#bytes.length - this.#at;
  }
  peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }
  #next(): number {
    if (this.left === 0) this.broken = true;
    const octet = this.peek();
    this.#at += 1;
    return octet;
  }

  /** An integer with a prefix of this many bits (rfc7541#5.1). */
  integer(prefix: number): ReadInteger {
    const full = 2 ** prefix - 1;
    const head = this.#next() & full;
    if (head < full) return { value: head, octets: 1, shortest: true };
    let value = full;
    let octets = 1;
    for (;;) {
      const octet = this.#next();
      value += (octet & 0x7f) * 2 ** (7 * (octets - 1));
      octets += 1;
      if (this.broken || octets > INTEGER_OCTETS) {
        this.broken = true;
        return { value, octets, shortest: false };
      }
      // A last octet of zero adds nothing, unless it is the only one.
      if (octet < 0x80) return { value, octets, shortest: octet !== 0 || octets === 2 };
    }
  }

  /** A string with its length (rfc7541#5.2), still encoded. */
  string(): ReadString {
    const huffman = this.peek() >= 0x80;
    const length = this.integer(7);
    if (length.value > this.left) this.broken = true;
    const octets = this.#bytes.subarray(this.#at, this.#at + length.value);
    this.#at += length.value;
    return { huffman, length, octets };
  }
}
