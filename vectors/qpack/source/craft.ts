import type { SpecRef } from "../../../reference/core/index.ts";
import type { Vector, VectorField } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/** The functions that build the vectors of QPACK. Append to lists only: the position of a vector is its id. */

/** A requirement, by its section and name. */
export type Rule = `${"rfc9204" | "rfc7541"}#${string}/${string}`;
/** What arrives at a decoder: octets of the encoder stream, a section, or the end of interest in a stream. */
export type Arrival =
  | { readonly instructions: string }
  | { readonly section: string; readonly stream: number }
  | { readonly cancel: number };
export type DecodedSection = { readonly stream: number; readonly fields: readonly VectorField[] };
/** What the decoder stream says, but for increments. */
export type Answers = {
  readonly said: readonly (readonly ["acknowledgment" | "cancellation", number])[];
  readonly inserted: number;
  readonly required?: readonly number[];
};
export type QpackVector = Vector & {
  readonly spec: string;
  /** Permanent, and unique in its file. */
  readonly name: string;
  readonly rules: readonly [Rule, ...Rule[]];
  readonly capacity: number;
  readonly blocked: number;
  readonly steps: readonly Arrival[];
  readonly sections: readonly DecodedSection[];
  readonly answers: Answers;
  readonly by?: SpecRef;
  readonly fault?: string;
  readonly code?: number;
};
export type QpackSource = VectorSource<QpackVector>;
type Draft = Omit<QpackVector, "id">;

const octet = (value: number): string => value.toString(16).padStart(2, "0");

/** An integer with a prefix of this many bits after `pattern` (rfc7541#5.1). `zeros` appends groups that add nothing. */
export function integer(value: number | bigint, prefix: number, pattern = 0, zeros = 0): string {
  const full = 2n ** BigInt(prefix) - 1n;
  let rest = BigInt(value);
  if (rest < full) return octet(pattern | Number(rest));
  rest -= full;
  const groups: number[] = [];
  for (; rest >= 0x80n; rest /= 0x80n) groups.push(Number(rest % 0x80n) | 0x80);
  groups.push(Number(rest));
  for (let at = 0; at < zeros; at++) {
    groups.push(groups.pop()! | 0x80);
    groups.push(0);
  }
  return octet(pattern | Number(full)) + groups.map(octet).join("");
}

/** Characters up to U+00FF as octets. */
export const octets = (text: string): string => [...text].map((one) => octet(one.charCodeAt(0))).join("");
/** A string without Huffman coding, after the bits of `pattern` (rfc9204#4.1.2). */
export const plain = (text: string, prefix = 8, pattern = 0): string => integer(text.length, prefix - 1, pattern) + octets(text);
/** A string with the H bit and these octets. */
export const coded = (hex: string, prefix = 8, pattern = 0): string =>
  integer(hex.length / 2, prefix - 1, pattern | (1 << (prefix - 1))) + hex;

/** Instructions of the encoder stream (rfc9204#4.3). */
export const capacity = (value: number | bigint): string => integer(value, 5, 0x20);
export const insertStatic = (index: number | bigint, value: string): string => integer(index, 6, 0xc0) + plain(value);
export const insertDynamic = (index: number | bigint, value: string): string => integer(index, 6, 0x80) + plain(value);
export const insert = (name: string, value: string): string => plain(name, 6, 0x40) + plain(value);
export const duplicate = (index: number | bigint): string => integer(index, 5);

/** The prefix of a section with the encoded insert count and base as they stand on the wire (rfc9204#4.5.1). */
export const prefix = (encoded: number | bigint, delta: number | bigint = 0, sign = false): string =>
  integer(encoded, 8) + integer(delta, 7, sign ? 0x80 : 0);
/** The field lines of a section (rfc9204#4.5.2 to rfc9204#4.5.6). */
export const fixed = (index: number | bigint): string => integer(index, 6, 0xc0);
export const indexed = (index: number | bigint): string => integer(index, 6, 0x80);
export const postBase = (index: number | bigint): string => integer(index, 4, 0x10);
export const named = (index: number | bigint, value: string, never = false): string => integer(index, 4, never ? 0x70 : 0x50) + plain(value);
export const namedDynamic = (index: number | bigint, value: string, never = false): string =>
  integer(index, 4, never ? 0x60 : 0x40) + plain(value);
export const namedPostBase = (index: number | bigint, value: string, never = false): string => integer(index, 3, never ? 8 : 0) + plain(value);
export const literal = (name: string, value: string, never = false): string => plain(name, 4, never ? 0x30 : 0x20) + plain(value);

export const instructions = (...hex: string[]): Arrival => ({ instructions: hex.join("") });
export const section = (stream: number, ...hex: string[]): Arrival => ({ section: hex.join(""), stream });
export const cancel = (stream: number): Arrival => ({ cancel: stream });

type Common = {
  readonly note: string;
  readonly rules: readonly [Rule, ...Rule[]];
  readonly flag: string;
  readonly steps: readonly Arrival[];
  readonly capacity?: number;
  readonly blocked?: number;
};
type Valid = Common & {
  /** Fields by section, with the stream; stream 0 where a list stands alone. */
  readonly gives: readonly (readonly [stream: number, ...fields: VectorField[]])[];
  readonly said?: Answers["said"];
  readonly required?: readonly number[];
  readonly inserted?: number;
  readonly by?: SpecRef;
};
type Invalid = Common & { readonly fault: string; readonly gives?: Valid["gives"]; readonly code?: number };

const nameOf = (note: string): string =>
  note
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
const sectionsOf = (gives: Valid["gives"]): DecodedSection[] => gives.map(([stream, ...fields]) => ({ stream, fields }));
const common = ({ note, rules, flag, steps, capacity: limit = 220, blocked = 16 }: Common) => ({
  name: nameOf(note),
  note,
  spec: rules[0].slice(0, rules[0].indexOf("/")),
  rules,
  flags: [flag],
  capacity: limit,
  blocked,
  steps,
});

/** A vector that must be accepted, or with `by` may be. */
export const valid = ({ gives, said = [], required, inserted = 0, by, ...rest }: Valid): Draft => ({
  ...common(rest),
  sections: sectionsOf(gives),
  answers: { said, inserted, ...(required === undefined ? {} : { required }) },
  result: by === undefined ? "valid" : "acceptable",
  ...(by === undefined ? {} : { by }),
});

const isInstruction = (step: Arrival | undefined): boolean => step !== undefined && "instructions" in step;
/** A vector whose last step must be refused, with the code that the kind of the step has (rfc9204#6). */
export const invalid = ({ fault, gives = [], code, ...rest }: Invalid): Draft => ({
  ...common(rest),
  sections: sectionsOf(gives),
  answers: { said: [], inserted: 0 },
  result: "invalid",
  fault,
  code: code ?? (isInstruction(rest.steps.at(-1)) ? 0x201 : 0x200),
});
