import type { Repeated, Text } from "../vocabulary.ts";

/** Content longer than anyone reads or writes at once, by length and in chunks. */

const WORDS: Text = ` ${"touchstone".repeat(28)} `;
/** Numbered words, so that what is missing, repeated or displaced shows. */
export const NUMBERS = { text: `{n}${WORDS}`, times: 1_000 } as const satisfies Repeated;
export const NUMBERS_LENGTH: number = Array.from({ length: NUMBERS.times }, (_, at) => String(at + 1).length + WORDS.length).reduce(
  (sum, one) => sum + one,
  0,
);
export const asNumbers = { body: NUMBERS.text, times: NUMBERS.times } as const;

/** The sizes of chunks: less, exactly and more than a page, a few octets, and many. */
const SIZES: readonly number[] = [4_095, 4_096, 1, 4_097, 10, 16_384];
const letters = (size: number): Text => "abcdefghij".repeat(2_000).slice(0, size);
/** Chunks of these sizes over and over, without the last one. */
export const CHUNKS = {
  text: SIZES.map((size) => `${size.toString(16)}\r\n${letters(size)}\r\n`).join(""),
  times: 10,
} as const satisfies Repeated;
export const asLetters = { body: SIZES.map(letters).join(""), times: CHUNKS.times } as const;
