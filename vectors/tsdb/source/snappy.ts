import { crc32 } from "node:zlib";
import { seeded } from "../../../reference/core/index.ts";
import type { Draft, SnappyVector } from "./kinds.ts";

/** Snappy blocks, in which the log keeps its records. Each valid one is built from its elements, octets and content side by side. */

const SPEC = "prometheus-wal#segment-encoding";
/** Longer content is described by its length and its CRC-32. */
const MOST = 600;
/** Literals of at most this many octets have their length in the tag. */
const IN_TAG = 60;

type Copy = "near" | "two" | "four";
const little = (value: number, octets: number): number[] => Array.from({ length: octets }, (_, place) => Math.floor(value / 256 ** place) % 256);
function uvarint(value: number): number[] {
  const octets: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...octets, rest];
    octets.push((rest % 128) + 128);
  }
}
const hex = (octets: readonly number[]): string => Buffer.from(octets).toString("hex");

/** The octets of one copy, as they are in a block. */
function copyOf(kind: Copy, size: number, back: number): number[] {
  if (kind === "near") return [1 + (size - 4) * 4 + Math.floor(back / 256) * 32, back % 256];
  return kind === "two" ? [2 + (size - 1) * 4, ...little(back, 2)] : [3 + (size - 1) * 4, ...little(back, 4)];
}

class Block {
  readonly #elements: number[] = [];
  readonly #content: number[] = [];

  get length(): number {
    return this.#content.length;
  }
  /** `octets`: how many hold its length; 0 if the tag does. */
  literal(content: readonly number[], octets = content.length <= IN_TAG ? 0 : content.length <= 256 ? 1 : 2): this {
    const size = content.length - 1;
    this.#elements.push(...(octets === 0 ? [size * 4] : [(IN_TAG - 1 + octets) * 4, ...little(size, octets)]), ...content);
    this.#content.push(...content);
    return this;
  }
  text(text: string, octets?: number): this {
    return this.literal([...Buffer.from(text)], octets);
  }
  copy(kind: Copy, size: number, back: number): this {
    this.#elements.push(...copyOf(kind, size, back));
    for (let left = size; left > 0; left--) this.#content.push(this.#content.at(-back)!);
    return this;
  }
  /** The block; `length` replaces its own. */
  wire(length = this.length): string {
    return hex([...uvarint(length), ...this.#elements]);
  }
  written(note: string, flag = "Snappy"): Draft<SnappyVector> {
    const content = this.length <= MOST ? { content: hex(this.#content) } : { contentLength: this.length, crc32: crc32(Uint8Array.from(this.#content)) };
    return { note, spec: SPEC, wire: this.wire(), ...content, result: "valid", flags: [flag] };
  }
}

/** Octets that do not repeat soon. */
const noise = (count: number, seed = 1): number[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => Math.floor(random() * 256));
};
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

const literals = [1, 2, 3, 4, 5, 7, 8, 9, 47, 48, 49, 59, 60, 61, 256, 257].map((size) =>
  new Block().literal(noise(size)).written(`a literal of ${size} octet${size === 1 ? "" : "s"}`),
);
const longForms = [1, 2, 3, 4].flatMap((octets) => [
  new Block().text("abc", octets).text("de").written(`a short literal with its length in ${octets} octet${octets === 1 ? "" : "s"}, and one after it`),
]);
const large = [new Block().literal(noise(65_540), 3).literal(noise(3, 2)).written("a literal of 65,540 octets, and one after it")];

/** Every kind of copy: from as near as one octet, across the word that readers copy at a time, and of its least and largest size. */
const copies = (["near", "two", "four"] as const).flatMap((kind) =>
  [1, 2, 3, 7, 8, 9, 36].flatMap((back) =>
    (kind === "near" ? [4, 7, 8, 11] : [1, 4, 8, 9, 63, 64]).map((size) =>
      new Block().text(LETTERS).copy(kind, size, back).text("!").written(`${kind === "near" ? "a short copy" : `a copy with ${kind} octets of distance`}: ${size} from ${back} before`),
    ),
  ),
);
/** This many octets, of which the first 230 do not repeat; the rest costs little. */
function far(length: number): Block {
  const block = new Block().literal(noise(Math.min(length, 230), 3));
  while (block.length < length) block.copy("two", Math.min(64, length - block.length), 1);
  return block;
}
/** Distances that need every bit of their field. */
const distances = ([["near", 255], ["near", 256], ["near", 2_047], ["two", 2_048], ["two", 255], ["two", 256], ["two", 65_535], ["four", 255], ["four", 65_535], ["four", 65_536], ["four", 70_001]] as const).map(
  ([kind, back]) => far(back).copy(kind, 10, back).copy(kind, 5, back - 200).text("end").written(`a distance of ${back} in ${kind === "near" ? "eleven bits" : `${kind} octets`}`),
);

/** What repeats for longer than one copy can say: the rest is as short as one octet. */
const repeated = [1, 2, 3, 4, 5, 60, 63, 64].flatMap((rest) =>
  [8, 300].map((back) =>
    far(back)
      .copy("two", 64, back)
      .copy("two", rest, back)
      .literal(noise(6, 7))
      .written(`${64 + rest} octets from ${back} before, in two copies`),
  ),
);

function runs(): Draft<SnappyVector> {
  const block = new Block().text("ab");
  for (let count = 0; count < 1_100; count++) block.copy("two", 64, 2);
  return block.copy("four", 64, 65_600).copy("four", 1, 70_000).written("two octets, repeated 35,200 times by copies of copies");
}

/** All kinds of elements after each other, many times. */
function mixed(seed: number): Draft<SnappyVector> {
  const random = seeded(seed);
  const block = new Block().literal(noise(9, seed));
  for (let count = 0; count < 60; count++) {
    const dice = random();
    const back = 1 + Math.floor(random() * Math.min(block.length, random() < 0.5 ? 12 : 4_000));
    if (dice < 0.4) block.literal(noise(1 + Math.floor(random() * (random() < 0.7 ? 8 : 80)), seed * 99 + count));
    else if (dice < 0.6 && back < 2_048) block.copy("near", 4 + Math.floor(random() * 8), back);
    else block.copy(dice < 0.8 ? "two" : "four", 1 + Math.floor(random() * 64), back);
  }
  return block.written(`60 elements of all kinds, ${seed}`);
}

const invalid = (note: string, octets: readonly number[], flag = "Damage"): Draft<SnappyVector> => ({ note, spec: SPEC, wire: hex(octets), result: "invalid", flags: [flag] });
const ABCD = [3 * 4, 97, 98, 99, 100];

const wrong: readonly Draft<SnappyVector>[] = [
  invalid("no octet at all", [], "Cut"),
  invalid("a length that does not end", [0x80], "Cut"),
  invalid("a length of six octets", [0x84, 0x80, 0x80, 0x80, 0x80, 0, ...ABCD]),
  invalid("a length without content", [4], "Cut"),
  invalid("one octet less than the length", [5, ...ABCD], "Cut"),
  invalid("one octet more than the length", [3, ...ABCD], "Length"),
  invalid("content of a block without any", [0, 0, 97], "Length"),
  invalid("a literal without its last octet", [4, 3 * 4, 97, 98, 99], "Cut"),
  invalid("a literal without its octets", [4, 3 * 4], "Cut"),
  ...[1, 2, 3, 4].flatMap((octets) => [
    invalid(`a literal with its length in ${octets}, of which one is missing`, [4, (59 + octets) * 4, ...little(3, octets - 1)], "Cut"),
    invalid(`a literal with its length in ${octets}, and no octets`, [4, (59 + octets) * 4, ...little(3, octets)], "Cut"),
    invalid(`a literal of the most octets that ${octets} can say`, [4, (59 + octets) * 4, ...little(256 ** octets - 1, octets), 97, 98, 99, 100], "Length"),
  ]),
  invalid("a second literal beyond the length", [4, ...ABCD, 0, 101], "Length"),
  ...(["near", "two", "four"] as const).flatMap((kind) => {
    const words = kind === "near" ? "a short copy" : `a copy with ${kind} octets of distance`;
    return [
      invalid(`${words}: from no distance`, [8, ...ABCD, ...copyOf(kind, 4, 0)]),
      invalid(`${words}: from one octet before the content`, [8, ...ABCD, ...copyOf(kind, 4, 5)]),
      invalid(`${words}: before any content`, [4, ...copyOf(kind, 4, 1)]),
      invalid(`${words}: from 256 before, where there are 4`, [8, ...ABCD, ...copyOf(kind, 4, 256 + 4)]),
      invalid(`${words}: one octet beyond the length`, [8, ...ABCD, ...copyOf(kind, 5, 4)], "Length"),
      invalid(`${words}: without the last octet of its distance`, [8, ...ABCD, ...copyOf(kind, 4, 4).slice(0, -1)], "Cut"),
      ...(kind === "near" ? [] : [invalid(`${words}: without its distance`, [8, ...ABCD, copyOf(kind, 4, 4)[0]!], "Cut")]),
    ];
  }),
  ...[2, 3].map((place) => invalid(`a copy with four octets of distance: ${256 ** place} more than there is`, [8, ...ABCD, ...copyOf("four", 4, 4 + 256 ** place)])),
  invalid("a copy after the whole content", [4, ...ABCD, ...copyOf("near", 4, 4)], "Length"),
];

/** A reader that accepts at most so many octets decides by the length, before it needs memory. */
const limited: readonly Draft<SnappyVector>[] = [
  { ...new Block().text(LETTERS).written("as many octets as the reader accepts"), most: LETTERS.length },
  { ...invalid("one octet more than the reader accepts", [...Buffer.from(new Block().text(LETTERS).wire(), "hex")], "Length"), most: LETTERS.length - 1 },
  { ...invalid("a length of four gibibytes, beyond what the reader accepts", [0xff, 0xff, 0xff, 0xff, 0x0f, 0, 97], "Length"), most: 1_000_000 },
];

export const snappyBlocks: readonly Draft<SnappyVector>[] = [
  { note: "no content", spec: SPEC, wire: "00", content: "", result: "valid", flags: ["Snappy"] },
  ...literals,
  ...longForms,
  ...large,
  ...copies,
  ...distances,
  runs(),
  ...[1, 2, 3, 4, 5, 6].map(mixed),
  ...wrong,
  ...limited,
  ...repeated,
];
