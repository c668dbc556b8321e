import { HUFFMAN_CODES, HUFFMAN_LENGTHS, EOS } from "./huffman-table.ts";
import type { Cursor } from "./cursor.ts";

/** Bits decoded in one step. For most text two codes fit: the shortest have five bits, letters and digits five to eight. */
const STEP = 12;
/** The longest code, that of EOS. */
const LONGEST = 30;

/**
 * The symbols at the beginning of the next `STEP` bits, by these bits. From the low end: four bits for the length of all symbols in bits, four
 * for their number (0 if none ends within the step, else 1 or 2), four for the length of the first alone, then eight bits for each symbol.
 */
const STEPS: ArrayLike<number> = steps();

function steps(): Uint32Array {
  const table = new Uint32Array(1 << STEP);
  for (let symbol = 0; symbol <= EOS; symbol++) {
    const length = HUFFMAN_LENGTHS[symbol]!;
    if (length > STEP) continue;
    // Every step that begins with this code.
    const from = HUFFMAN_CODES[symbol]! << (STEP - length);
    table.fill((symbol << 12) | (length << 8) | (1 << 4) | length, from, from + (1 << (STEP - length)));
  }
  for (let bits = 0; bits < 1 << STEP; bits++) {
    const first = table[bits]!;
    const length = (first >>> 8) & 15;
    if (length === 0) continue;
    // The bits after the first symbol, then zeros: they name a second symbol if its code ends before the zeros.
    const second = table[(bits << length) & ((1 << STEP) - 1)]!;
    const both = length + ((second >>> 8) & 15);
    if (both > length && both <= STEP) table[bits] = (((second >>> 12) & 0xff) << 20) | (first & 0xff000) | (length << 8) | (2 << 4) | both;
  }
  return table;
}

/** The codes of one length above `STEP`: they are consecutive, as the code is canonical. */
type LongCodes = { readonly length: number; readonly first: number; readonly symbols: readonly number[] };
const LONG_CODES: readonly LongCodes[] = longCodes();

function longCodes(): LongCodes[] {
  const found: LongCodes[] = [];
  for (let length = STEP + 1; length <= LONGEST; length++) {
    const symbols = Array.from({ length: EOS + 1 }, (_, symbol) => symbol).filter((symbol) => HUFFMAN_LENGTHS[symbol] === length);
    if (symbols.length > 0) found.push({ length, first: HUFFMAN_CODES[symbols[0]!]!, symbols });
  }
  return found;
}

/**
 * Decodes `count` bytes at the cursor into `out` and returns the number of decoded bytes (rfc7541#5.2). `out` must have room for eight
 * bytes for every five, and two more.
 */
export function readHuffman(cursor: Cursor, count: number, out: Uint8Array): number {
  const { octets } = cursor;
  const end = cursor.at + count;
  let at = cursor.at;
  let n = 0;
  /** The last `held` bits of `bits` have been read, but not decoded. */
  let bits = 0;
  let held = 0;
  for (;;) {
    if (held < STEP) {
      if (end - at >= 2) {
        bits = (bits << 16) | (octets[at]! << 8) | octets[at + 1]!;
        at += 2;
        held += 16;
      } else if (at < end) {
        bits = (bits << 8) | octets[at++]!;
        held += 8;
        continue;
      } else break;
    }
    const step = STEPS[(bits >>> (held - STEP)) & ((1 << STEP) - 1)]!;
    const symbols = (step >>> 4) & 15;
    if (symbols !== 0) {
      out[n] = step >>> 12;
      out[n + 1] = step >>> 20;
      n += symbols;
      held -= step & 15;
      continue;
    }
    const from = at * 8 - held;
    const long = longCode(octets, from, end * 8);
    if (long === undefined) return refuse(cursor, "huffmanPaddingTooLong");
    if (long.symbol === EOS) return refuse(cursor, "huffmanEos");
    out[n++] = long.symbol;
    at = (from + long.length + 7) >>> 3;
    held = at * 8 - from - long.length;
    bits = octets[at - 1]!;
  }
  // Less than a step is left: fill it with padding, and decode symbols while they end before it.
  while (held > 0) {
    const step = STEPS[((bits << (STEP - held)) | ((1 << (STEP - held)) - 1)) & ((1 << STEP) - 1)]!;
    const length = (step >>> 8) & 15;
    if (length === 0 || length > held) break;
    out[n++] = step >>> 12;
    held -= length;
  }
  if (held > 7) return refuse(cursor, "huffmanPaddingTooLong");
  // Padding consists of ones, the beginning of the code of EOS.
  const padding = (1 << held) - 1;
  if ((bits & padding) !== padding) return refuse(cursor, "huffmanPaddingWrong");
  cursor.at = end;
  return n;
}

/** The code longer than a step that begins at a bit; undefined if the string ends within it. */
function longCode(octets: Uint8Array, bit: number, endBit: number): { readonly symbol: number; readonly length: number } | undefined {
  for (const { length, first, symbols } of LONG_CODES) {
    if (bit + length > endBit) return undefined;
    const place = bitsAt(octets, bit, length) - first;
    if (place >= 0 && place < symbols.length) return { symbol: symbols[place]!, length };
  }
  return undefined;
}

function bitsAt(octets: Uint8Array, bit: number, count: number): number {
  let value = 0;
  for (let i = bit; i < bit + count; i++) value = (value << 1) | ((octets[i >>> 3]! >>> (7 - (i & 7))) & 1);
  return value;
}

function refuse(cursor: Cursor, fault: "huffmanEos" | "huffmanPaddingTooLong" | "huffmanPaddingWrong"): 0 {
  cursor.fail(fault);
  return 0;
}
