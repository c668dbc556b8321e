import type { VectorField } from "../../load.ts";
import { capacity, coded, duplicate, fixed, indexed, insert, instructions, integer, invalid, literal, named, namedDynamic, namedPostBase, octets, plain, postBase, prefix, type QpackSource, section, valid } from "./craft.ts";

const A: VectorField = ["a", "1"];
const B: VectorField = ["b", "2"];
const GET: VectorField = [":method", "GET"];
/** `a: 1` (absolute index 0) and `b: 2` (1). The table has room for six entries, so counts are sent modulo 12. */
const FILLED = instructions(capacity(220), insert("a", "1"), insert("b", "2"));
const DONE = { said: [["acknowledgment", 0]] as const, required: [2], inserted: 2 };
const ten = instructions(capacity(100), ...Array.from("0123456789", (digit) => insert(digit, "x")));

export const source: QpackSource = {
  about: "Encoded field sections: their prefix, and every representation",
  spec: "rfc9204#4.5",
  flags: {
    Prefix: { why: "insert count and base", bug: "WRONG_PREFIX" },
    Representation: { why: "a representation of a field", bug: "BASICS" },
    NeverIndexed: { why: "a value that no hop may index: the decoder must keep the mark", bug: "LEAK" },
    Reference: { why: "a reference that must not be resolved", bug: "MISSING_CHECK" },
    Truncated: { why: "a section that ends too early", bug: "MISSING_CHECK" },
    Huffman: { why: "strings are Huffman-coded", bug: "WRONG_HUFFMAN" },
    Integer: { why: "an integer in an unusual form", bug: "WRONG_INTEGER" },
  },
  vectors: [
    valid({ note: "no fields", rules: ["rfc9204#4.5/possibly-empty"], flag: "Prefix", steps: [section(0, prefix(0))], gives: [[0]] }),
    valid({ note: "an entry before the base", rules: ["rfc9204#4.5.2/indexed", "rfc9204#4.5.1.2/base"], flag: "Prefix", steps: [FILLED, section(0, prefix(3), indexed(0), indexed(1))], gives: [[0, B, A]], ...DONE }),
    valid({ note: "a base beyond the insert count", rules: ["rfc9204#4.5.1.2/base"], flag: "Prefix", steps: [FILLED, section(0, prefix(3, 5), indexed(5), indexed(6))], gives: [[0, B, A]], ...DONE }),
    valid({ note: "a base of 0", rules: ["rfc9204#4.5.1.2/base", "rfc9204#3.2.6/post-base"], flag: "Prefix", steps: [FILLED, section(0, prefix(3, 1, true), postBase(0), postBase(1))], gives: [[0, A, B]], ...DONE }),
    valid({ note: "a base between two entries", rules: ["rfc9204#4.5.1.2/base", "rfc9204#3.2.6/post-base"], flag: "Prefix", steps: [FILLED, section(0, prefix(3, 0, true), postBase(0), indexed(0))], gives: [[0, B, A]], ...DONE }),
    valid({ note: "any base without references", rules: ["rfc9204#4.5.1.2/base"], flag: "Prefix", steps: [section(0, prefix(0, 77), fixed(17))], gives: [[0, GET]] }),
    valid({ note: "an insert count that has wrapped", rules: ["rfc9204#4.5.1.1/encoding"], flag: "Prefix", capacity: 100, steps: [ten, section(0, prefix(4), indexed(0)), section(4, prefix(5), indexed(0))], gives: [[0, ["8", "x"]], [4, ["9", "x"]]], said: [["acknowledgment", 0], ["acknowledgment", 4]], required: [9, 10], inserted: 10 }),
    valid({ note: "an insert count as large as its encoding permits", rules: ["rfc9204#4.5.1.1/encoding"], flag: "Prefix", capacity: 100, steps: [ten, instructions(insert("a", "1"), insert("b", "2")), section(0, prefix(1), indexed(0))], gives: [[0, B]], said: [["acknowledgment", 0]], required: [12], inserted: 12 }),

    valid({ note: "literals with names of the static table", rules: ["rfc9204#4.5.4/name-reference"], flag: "Representation", steps: [section(0, prefix(0), named(0, "h"), named(15, "PATCH"), named(98, "x"))], gives: [[0, [":authority", "h"], [":method", "PATCH"], ["x-frame-options", "x"]]] }),
    valid({ note: "a literal with a name of the dynamic table", rules: ["rfc9204#4.5.4/name-reference"], flag: "Representation", steps: [FILLED, section(0, prefix(3), namedDynamic(0, "x"), namedDynamic(1, "y"))], gives: [[0, ["b", "x"], ["a", "y"]]], ...DONE }),
    valid({ note: "a literal with a name after the base", rules: ["rfc9204#4.5.5/post-base-name"], flag: "Representation", steps: [FILLED, section(0, prefix(3, 1, true), namedPostBase(1, "x"), namedPostBase(0, "y"))], gives: [[0, ["b", "x"], ["a", "y"]]], ...DONE }),
    valid({ note: "a literal with its name", rules: ["rfc9204#4.5.6/literal-name"], flag: "Representation", steps: [section(0, prefix(0), literal("name", "value"), literal("n", ""))], gives: [[0, ["name", "value"], ["n", ""]]] }),
    valid({ note: "names of 7 and 200 octets, whose lengths need more octets", rules: ["rfc9204#4.5.6/literal-name", "rfc9204#4.1.2/strings"], flag: "Representation", steps: [section(0, prefix(0), literal("n".repeat(7), "1"), literal("n".repeat(200), "2"))], gives: [[0, ["n".repeat(7), "1"], ["n".repeat(200), "2"]]] }),
    valid({ note: "a value of 5,000 octets", rules: ["rfc9204#4.1.2/strings"], flag: "Representation", steps: [section(0, prefix(0), literal("n", "v".repeat(5_000)))], gives: [[0, ["n", "v".repeat(5_000)]]] }),
    valid({ note: "octets beyond ASCII", rules: ["rfc9204#4.1.2/strings"], flag: "Representation", steps: [section(0, prefix(0), literal("a", "\u00e4\u0000\u00ff"))], gives: [[0, ["a", "\u00e4\u0000\u00ff"]]] }),
    valid({ note: "the order of the fields", rules: ["rfc9204#2.2/order"], flag: "Representation", steps: [FILLED, section(0, prefix(3), fixed(17), indexed(1), literal("c", "3"), indexed(0), fixed(17))], gives: [[0, GET, A, ["c", "3"], B, GET]], ...DONE }),
    valid({ note: "a literal changes no table", rules: ["rfc9204#4.5.6/literal-name"], flag: "Representation", steps: [FILLED, section(0, prefix(3), literal("c", "3"), indexed(0)), section(4, prefix(3), indexed(0))], gives: [[0, ["c", "3"], B], [4, B]], said: [["acknowledgment", 0], ["acknowledgment", 4]], required: [2, 2], inserted: 2 }),

    valid({ note: "each literal with the N bit", rules: ["rfc9204#4.5.4/never-indexed"], flag: "NeverIndexed", steps: [FILLED, section(0, prefix(3, 0, true), named(84, "s", true), namedDynamic(0, "s", true), namedPostBase(0, "s", true), literal("c", "s", true))], gives: [[0, ["authorization", "s", true], ["a", "s", true], ["b", "s", true], ["c", "s", true]]], ...DONE }),

    valid({ note: "Huffman-coded name and value", rules: ["rfc9204#4.1.2/strings"], flag: "Huffman", steps: [section(0, prefix(0), coded("25a849e95ba97d7f", 4, 0x20), coded("25a849e95bb8e8b4bf"))], gives: [[0, ["custom-key", "custom-value"]]] }),
    valid({ note: "a Huffman-coded name of one octet", rules: ["rfc9204#4.1.2/strings"], flag: "Huffman", steps: [section(0, prefix(0), coded("1f", 4, 0x20), plain("1"))], gives: [[0, A]] }),
    valid({ note: "an empty Huffman-coded value", rules: ["rfc9204#4.1.2/strings"], flag: "Huffman", steps: [section(0, prefix(0), plain("a", 4, 0x20), coded(""))], gives: [[0, ["a", ""]]] }),
    invalid({ note: "the end-of-string symbol", rules: ["rfc7541#5.2/eos", "rfc9204#4.1.2/strings"], flag: "Huffman", steps: [section(0, prefix(0), plain("a", 4, 0x20), coded("ffffffff"))], fault: "huffmanEos" }),
    invalid({ note: "padding of a whole octet", rules: ["rfc7541#5.2/padding-long", "rfc9204#4.1.2/strings"], flag: "Huffman", steps: [section(0, prefix(0), plain("a", 4, 0x20), coded("1fff"))], fault: "huffmanPaddingTooLong" }),
    invalid({ note: "padding that is not of ones", rules: ["rfc7541#5.2/padding-eos", "rfc9204#4.1.2/strings"], flag: "Huffman", steps: [section(0, prefix(0), plain("a", 4, 0x20), coded("18"))], fault: "huffmanPaddingWrong" }),

    valid({ note: "indices with groups that add nothing", rules: ["rfc9204#4.1.1/integers"], flag: "Integer", steps: [section(0, prefix(0), integer(98, 6, 0xc0, 2))], gives: [[0, ["x-frame-options", "sameorigin"]]] }),
    valid({ note: "a base of 62 bits without references", rules: ["rfc9204#4.1.1/integers", "rfc9204#4.5.1.2/base"], flag: "Integer", steps: [section(0, prefix(0, 2n ** 62n - 1n), fixed(17))], gives: [[0, GET]] }),

    invalid({ note: "a reference at the insert count", rules: ["rfc9204#2.2.3/reference-invalid", "rfc9204#2.2.1/insert-count-small"], flag: "Reference", steps: [FILLED, section(0, prefix(2), postBase(0))], fault: "referenceBeyondRequired" }),
    invalid({ note: "a name at the insert count", rules: ["rfc9204#2.2.3/reference-invalid", "rfc9204#2.2.1/insert-count-small"], flag: "Reference", steps: [FILLED, section(0, prefix(2), namedPostBase(0, "x"))], fault: "referenceBeyondRequired" }),
    invalid({ note: "a reference before the base but at the insert count", rules: ["rfc9204#2.2.3/reference-invalid", "rfc9204#2.2.1/insert-count-small"], flag: "Reference", steps: [FILLED, section(0, prefix(2, 1), indexed(0))], fault: "referenceBeyondRequired" }),
    invalid({ note: "a reference with an insert count of 0", rules: ["rfc9204#2.2.3/reference-invalid", "rfc9204#2.2.1/insert-count-small"], flag: "Reference", steps: [FILLED, section(0, prefix(0, 2), indexed(0))], fault: "referenceBeyondRequired" }),
    invalid({ note: "an index below the first entry", rules: ["rfc9204#2.2.3/reference-invalid"], flag: "Reference", steps: [FILLED, section(0, prefix(3), indexed(2))], fault: "referenceEvicted" }),
    invalid({ note: "a name below the first entry", rules: ["rfc9204#2.2.3/reference-invalid"], flag: "Reference", steps: [FILLED, section(0, prefix(3), namedDynamic(2, "x"))], fault: "referenceEvicted" }),
    invalid({ note: "an evicted entry", rules: ["rfc9204#2.2.3/reference-invalid"], flag: "Reference", capacity: 100, steps: [ten, section(0, prefix(5), indexed(3))], fault: "referenceEvicted" }),
    invalid({ note: "an entry that a smaller capacity has evicted", rules: ["rfc9204#2.2.3/reference-invalid", "rfc9204#3.2.2/capacity-evicts"], flag: "Reference", steps: [FILLED, instructions(capacity(34)), section(0, prefix(3), indexed(1))], fault: "referenceEvicted" }),
    invalid({ note: "an entry that was evicted while the section waited", rules: ["rfc9204#2.2.3/reference-invalid"], flag: "Reference", capacity: 70, steps: [section(0, prefix(3), indexed(0), indexed(1)), instructions(capacity(40), insert("a", "1"), duplicate(0))], fault: "referenceEvicted", code: 0x200 }),

    invalid({ note: "an insert count beyond its range", rules: ["rfc9204#4.5.1.1/impossible"], flag: "Prefix", steps: [FILLED, section(0, prefix(13), indexed(0))], fault: "requiredInsertCountImpossible" }),
    invalid({ note: "an insert count of 62 bits", rules: ["rfc9204#4.5.1.1/impossible", "rfc9204#4.1.1/integers"], flag: "Prefix", steps: [section(0, prefix(2n ** 62n - 1n), fixed(17))], fault: "requiredInsertCountImpossible" }),
    invalid({ note: "an insert count beyond what a table can have by now", rules: ["rfc9204#4.5.1.1/impossible"], flag: "Prefix", steps: [section(0, prefix(8), indexed(0))], fault: "requiredInsertCountImpossible" }),
    invalid({ note: "an insert count where no table is permitted", rules: ["rfc9204#4.5.1.1/impossible"], flag: "Prefix", capacity: 0, steps: [section(0, prefix(1), fixed(17))], fault: "requiredInsertCountImpossible" }),
    invalid({ note: "an insert count that stands for 0", rules: ["rfc9204#4.5.1.1/impossible"], flag: "Prefix", steps: [section(0, prefix(1), fixed(17))], fault: "requiredInsertCountImpossible" }),
    invalid({ note: "a base one below 0", rules: ["rfc9204#4.5.1.2/negative"], flag: "Prefix", steps: [FILLED, section(0, prefix(3, 2, true), postBase(1))], fault: "baseNegative" }),
    invalid({ note: "a base far below 0", rules: ["rfc9204#4.5.1.2/negative"], flag: "Prefix", steps: [FILLED, section(0, prefix(3, 2n ** 62n - 1n, true), postBase(2))], fault: "baseNegative" }),
    invalid({ note: "the sign bit with an insert count of 0", rules: ["rfc9204#4.5.1.2/negative"], flag: "Prefix", steps: [section(0, prefix(0, 0, true), fixed(17))], fault: "baseNegative" }),

    valid({
      note: "a literal with an empty name",
      rules: ["rfc9204#4.5.6/literal-name"],
      flag: "Representation",
      steps: [section(0, prefix(0), literal("", "1"))],
      gives: [[0, ["", "1"]]],
      by: "rfc9110#5.1",
    }),
    valid({
      note: "an insert count larger than necessary",
      rules: ["rfc9204#2.2.1/insert-count-large"],
      flag: "Prefix",
      steps: [FILLED, section(0, prefix(3), indexed(1))],
      gives: [[0, A]],
      by: "rfc9204#2.2.1",
      ...DONE,
    }),

    ...truncated(),
  ],
};

/** Sections that end within their last part. */
function truncated() {
  const parts: readonly (readonly [note: string, hex: string])[] = [
    ["an empty section", ""],
    ["a section without a base", "00"],
    ["an insert count without its end", "ff"],
    ["a base without its end", "007f"],
    ["an index without its end", `${prefix(0)}ff`],
    ["an index after the base without its end", `${prefix(3, 1, true)}1f`],
    ["a literal without a value", `${prefix(0)}51`],
    ["a literal after the base without a value", `${prefix(3, 1, true)}00`],
    ["a literal without a name", `${prefix(0)}21`],
    ["a literal whose name is cut", `${prefix(0)}22${octets("a")}`],
    ["a literal with a name and without a value", `${prefix(0)}${plain("a", 4, 0x20)}`],
    ["a literal whose value is cut", `${prefix(0)}5102${octets("a")}`],
    ["a value whose length is cut", `${prefix(0)}517f`],
    ["a Huffman-coded value that is cut", `${prefix(0)}5182${octets("a")}`],
  ];
  return parts.map(([note, hex]) =>
    invalid({
      note,
      rules: ["rfc9204#4.5.6/whole"],
      flag: "Truncated",
      steps: [FILLED, section(0, hex)],
      fault: /name is cut|value is cut|value that is cut|without a name$/.test(note) ? "stringTruncated" : "integerTruncated",
    }),
  );
}
