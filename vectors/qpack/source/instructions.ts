import type { VectorField } from "../../load.ts";
import { capacity, coded, duplicate, indexed, insert, insertDynamic, insertStatic, instructions, integer, invalid, plain, prefix, type QpackSource, section, valid } from "./craft.ts";

const A: VectorField = ["a", "1"];
const B: VectorField = ["b", "2"];
/** `a: 1` and `b: 2` in a table of 220 octets. */
const FILLED = instructions(capacity(220), insert("a", "1"), insert("b", "2"));
/** All entries, newest first, by a section on stream 0 after `count` insertions into a table with room for six. */
const all = (count: number, entries: number) =>
  section(0, prefix((count % 12) + 1), ...Array.from({ length: entries }, (_, index) => indexed(index)));
/** What a valid vector with `all` says and has. */
const after = (inserted: number) => ({ said: [["acknowledgment", 0]] as const, required: [inserted], inserted });

export const source: QpackSource = {
  about: "Instructions of the encoder stream",
  spec: "rfc9204#4.3",
  flags: {
    Insert: { why: "an insertion", bug: "WRONG_TABLE" },
    Capacity: { why: "the capacity of the table", bug: "WRONG_EVICTION" },
    Eviction: { why: "entries must be evicted", bug: "WRONG_EVICTION" },
    Cut: { why: "instructions are cut within", bug: "WRONG_BUFFER" },
    Refused: { why: "an instruction that breaks a rule", bug: "MISSING_CHECK" },
    Integer: { why: "an integer in an unusual form", bug: "WRONG_INTEGER" },
  },
  vectors: [
    valid({ note: "two insertions with literal names", rules: ["rfc9204#4.3.3/literal-name", "rfc9204#3.2.5/relative"], flag: "Insert", steps: [FILLED, all(2, 2)], gives: [[0, B, A]], ...after(2) }),
    valid({ note: "a name of the static table", rules: ["rfc9204#4.3.2/name-reference"], flag: "Insert", steps: [instructions(capacity(220), insertStatic(98, "deny all")), all(1, 1)], gives: [[0, ["x-frame-options", "deny all"]]], ...after(1) }),
    valid({ note: "a name of the dynamic table", rules: ["rfc9204#4.3.2/name-reference", "rfc9204#3.2.5/relative"], flag: "Insert", steps: [FILLED, instructions(insertDynamic(1, "3")), all(3, 3)], gives: [[0, ["a", "3"], B, A]], ...after(3) }),
    valid({ note: "a copy of an entry", rules: ["rfc9204#4.3.4/duplicate"], flag: "Insert", steps: [FILLED, instructions(duplicate(1)), all(3, 3)], gives: [[0, A, B, A]], ...after(3) }),
    valid({ note: "equal entries", rules: ["rfc9204#3.2/duplicates"], flag: "Insert", steps: [FILLED, instructions(insert("b", "2")), all(3, 3)], gives: [[0, B, B, A]], ...after(3) }),
    valid({ note: "an empty value", rules: ["rfc9204#3.2/empty-values"], flag: "Insert", steps: [instructions(capacity(220), insert("a", ""), insertStatic(5, "")), all(2, 2)], gives: [[0, ["cookie", ""], ["a", ""]]], ...after(2) }),
    valid({ note: "an empty name", rules: ["rfc9204#4.3.3/literal-name"], flag: "Insert", steps: [instructions(capacity(220), insert("", "1")), all(1, 1)], gives: [[0, ["", "1"]]], by: "rfc9110#5.1",
      ...after(1) }),
    valid({ note: "Huffman-coded name and value", rules: ["rfc9204#4.1.2/strings"], flag: "Insert", steps: [instructions(capacity(220), coded("25a849e95ba97d7f", 6, 0x40), coded("25a849e95bb8e8b4bf")), all(1, 1)], gives: [[0, ["custom-key", "custom-value"]]], ...after(1) }),
    valid({ note: "octets beyond ASCII", rules: ["rfc9204#4.1.2/strings"], flag: "Insert", steps: [instructions(capacity(220), insert("a", "\u00e4\u00ff\u0000")), all(1, 1)], gives: [[0, ["a", "\u00e4\u00ff\u0000"]]], ...after(1) }),
    valid({ note: "a name of 40 octets, whose length needs a second octet", rules: ["rfc9204#4.1.2/strings"], flag: "Insert", steps: [instructions(capacity(220), insert("n".repeat(40), "1")), all(1, 1)], gives: [[0, ["n".repeat(40), "1"]]], ...after(1) }),

    valid({ note: "no table until a capacity is set, and then sections without it still decode", rules: ["rfc9204#3.2.2/initial-capacity"], flag: "Capacity", steps: [section(0, prefix(0), "d1"), FILLED, section(4, prefix(3), indexed(0))], gives: [[0, [":method", "GET"]], [4, B]], said: [["acknowledgment", 4]], required: [2], inserted: 2 }),
    valid({ note: "the largest capacity", rules: ["rfc9204#4.3.1/capacity"], flag: "Capacity", steps: [instructions(capacity(220), insert("a", "x".repeat(187))), all(1, 1)], gives: [[0, ["a", "x".repeat(187)]]], ...after(1) }),
    valid({ note: "a smaller capacity evicts the oldest", rules: ["rfc9204#3.2.2/capacity-evicts", "rfc9204#3.2.1/size"], flag: "Eviction", steps: [FILLED, instructions(capacity(34), capacity(220), insert("c", "3")), all(3, 2)], gives: [[0, ["c", "3"], B]], ...after(3) }),
    valid({ note: "a capacity of 0 empties the table", rules: ["rfc9204#3.2.2/capacity-evicts"], flag: "Eviction", steps: [FILLED, instructions(capacity(0), capacity(220), insert("c", "3")), all(3, 1)], gives: [[0, ["c", "3"]]], ...after(3) }),
    valid({ note: "entries that just fit", rules: ["rfc9204#3.2.1/size", "rfc9204#3.2.2/evict-for-room"], flag: "Eviction", steps: [instructions(capacity(68), insert("a", "1"), insert("b", "2")), all(2, 2)], gives: [[0, B, A]], ...after(2) }),
    valid({ note: "an insertion that evicts one entry", rules: ["rfc9204#3.2.2/evict-for-room"], flag: "Eviction", steps: [instructions(capacity(101), insert("a", "1"), insert("b", "2"), insert("c", "3")), all(3, 2)], gives: [[0, ["c", "3"], B]], ...after(3) }),
    valid({ note: "an insertion that evicts all others", rules: ["rfc9204#3.2.2/evict-for-room"], flag: "Eviction", steps: [instructions(capacity(100), insert("a", "1"), insert("b", "2"), insert("c", "x".repeat(67))), all(3, 1)], gives: [[0, ["c", "x".repeat(67)]]], ...after(3) }),
    valid({ note: "a name of the entry that goes", rules: ["rfc9204#3.2.2/name-of-evicted"], flag: "Eviction", steps: [instructions(capacity(40), insert("abc", "1"), insertDynamic(0, "2")), all(2, 1)], gives: [[0, ["abc", "2"]]], ...after(2) }),
    valid({ note: "a copy of the entry that goes", rules: ["rfc9204#3.2.2/name-of-evicted", "rfc9204#4.3.4/duplicate"], flag: "Eviction", steps: [instructions(capacity(40), insert("abc", "1"), duplicate(0)), all(2, 1)], gives: [[0, ["abc", "1"]]], ...after(2) }),
    valid({ note: "Huffman-coded strings count their decoded length", rules: ["rfc9204#3.2.1/size"], flag: "Eviction", steps: [instructions(capacity(87), insert("a", "1"), coded("25a849e95ba97d7f", 6, 0x40), coded("25a849e95bb8e8b4bf")), all(2, 1)], gives: [[0, ["custom-key", "custom-value"]]], ...after(2) }),

    valid({ note: "an instruction octet by octet", rules: ["rfc9204#4.2/cuts"], flag: "Cut", steps: [...`${capacity(220)}${insert("abc", "12")}${insertStatic(5, "c")}${duplicate(1)}`.match(/../g)!.map((one) => instructions(one)), all(3, 3)], gives: [[0, ["abc", "12"], ["cookie", "c"], ["abc", "12"]]], ...after(3) }),
    valid({ note: "an instruction whose end never comes", rules: ["rfc9204#4.2/cuts"], flag: "Cut", steps: [FILLED, instructions("4163"), all(2, 2)], gives: [[0, B, A]], ...after(2) }),
    valid({ note: "no octets", rules: ["rfc9204#4.2/cuts"], flag: "Cut", steps: [instructions(""), FILLED, instructions(""), all(2, 2)], gives: [[0, B, A]], ...after(2) }),

    valid({ note: "integers with groups that add nothing", rules: ["rfc9204#4.1.1/integers"], flag: "Integer", steps: [instructions(integer(220, 5, 0x20, 2), insert("a", "1")), all(1, 1)], gives: [[0, A]], ...after(1) }),

    invalid({ note: "a capacity one octet beyond the limit", rules: ["rfc9204#4.3.1/beyond-limit"], flag: "Refused", steps: [instructions(capacity(221))], fault: "capacityBeyondLimit" }),
    invalid({ note: "a capacity of 62 bits", rules: ["rfc9204#4.3.1/beyond-limit", "rfc9204#4.1.1/integers"], flag: "Refused", steps: [instructions(capacity(2n ** 62n - 1n))], fault: "capacityBeyondLimit" }),
    invalid({ note: "a capacity where no table is permitted", rules: ["rfc9204#4.3.1/beyond-limit"], flag: "Refused", capacity: 0, steps: [instructions(capacity(1))], fault: "capacityBeyondLimit" }),
    invalid({ note: "an insertion before a capacity is set", rules: ["rfc9204#3.2.2/entry-too-large"], flag: "Refused", steps: [instructions(insert("a", "1"))], fault: "entryTooLarge" }),
    invalid({ note: "an entry one octet larger than the capacity", rules: ["rfc9204#3.2.2/entry-too-large"], flag: "Refused", steps: [instructions(capacity(100), insert("a", "x".repeat(68)))], fault: "entryTooLarge" }),
    invalid({ note: "a copy that is larger than a smaller capacity", rules: ["rfc9204#2.2.3/instruction-invalid"], flag: "Refused", steps: [FILLED, instructions(capacity(33), duplicate(0))], fault: "referenceEvicted" }),
    invalid({ note: "a copy of an entry that was never inserted", rules: ["rfc9204#2.2.3/instruction-invalid"], flag: "Refused", steps: [FILLED, instructions(duplicate(2))], fault: "referenceEvicted" }),
    invalid({ note: "a copy of an evicted entry", rules: ["rfc9204#2.2.3/instruction-invalid"], flag: "Refused", steps: [instructions(capacity(40), insert("a", "1"), insert("b", "2"), duplicate(1))], fault: "referenceEvicted" }),
    invalid({ note: "a name of an entry that was never inserted", rules: ["rfc9204#2.2.3/instruction-invalid"], flag: "Refused", steps: [FILLED, instructions(insertDynamic(2, "x"))], fault: "referenceEvicted" }),
    invalid({ note: "a name of an evicted entry", rules: ["rfc9204#2.2.3/instruction-invalid"], flag: "Refused", steps: [instructions(capacity(40), insert("a", "1"), insert("b", "2"), insertDynamic(1, "x"))], fault: "referenceEvicted" }),
    invalid({ note: "a name beyond the static table", rules: ["rfc9204#3.1/unknown-index"], flag: "Refused", steps: [instructions(capacity(220), insertStatic(99, "x"))], fault: "staticIndexUnknown" }),
    invalid({ note: "the end-of-string symbol in a value", rules: ["rfc7541#5.2/eos", "rfc9204#4.1.2/strings"], flag: "Refused", steps: [instructions(capacity(220), plain("a", 6, 0x40), coded("ffffffff"))], fault: "huffmanEos" }),
    invalid({ note: "padding of a whole octet in a name", rules: ["rfc7541#5.2/padding-long", "rfc9204#4.1.2/strings"], flag: "Refused", steps: [instructions(capacity(220), coded("1fff", 6, 0x40), plain("1"))], fault: "huffmanPaddingTooLong" }),
  ],
};
