import { STATIC_TABLE } from "../../../reference/qpack/index.ts";
import { fixed, invalid, named, prefix, type QpackSource, section, valid } from "./craft.ts";

const rules = ["rfc9204#3.1/entries", "rfc9204#4.5.2/indexed"] as const;

/** Every entry of the static table. A test compares the table with the text of the specification by its hash. */
export const source: QpackSource = {
  about: "Every index of the static table, and those beyond it",
  spec: "rfc9204#A",
  flags: {
    Index: { why: "an entry of the static table", bug: "WRONG_TABLE" },
    Beyond: { why: "an index beyond the static table", bug: "MISSING_CHECK" },
  },
  vectors: [
    ...STATIC_TABLE.map(({ name, value }, index) =>
      valid({ note: `index ${index}: ${name} ${value}`.trim(), rules, flag: "Index", steps: [section(0, prefix(0), fixed(index))], gives: [[0, [name, value]]] }),
    ),
    invalid({
      note: "the index after the last",
      rules: ["rfc9204#3.1/unknown-index"],
      flag: "Beyond",
      steps: [section(0, prefix(0), fixed(99))],
      fault: "staticIndexUnknown",
    }),
    invalid({
      note: "an index of 62 bits",
      rules: ["rfc9204#3.1/unknown-index", "rfc9204#4.1.1/integers"],
      flag: "Beyond",
      steps: [section(0, prefix(0), fixed(2n ** 62n - 1n))],
      fault: "staticIndexUnknown",
    }),
    invalid({
      note: "the name of the index after the last",
      rules: ["rfc9204#3.1/unknown-index"],
      flag: "Beyond",
      steps: [section(0, prefix(0), named(99, "a"))],
      fault: "staticIndexUnknown",
    }),
  ],
};
