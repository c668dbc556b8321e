import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { field, type Field } from "../core/index.ts";
import { DynamicTable, entrySize } from "../field-coding/index.ts";
import { EncoderTable } from "./encoder-table.ts";
import { STATIC_NAMES } from "./static-names.ts";
import { STATIC_TABLE } from "./static-table.ts";

const find = (table: EncoderTable, one: Field): number => table.find(one, STATIC_NAMES.get(one.name));
const insert = (table: EncoderTable, one: Field): void => table.insert(one, STATIC_NAMES.get(one.name), entrySize(one));

describe("EncoderTable", () => {
  test("every entry of the static table is found at its index", () => {
    const table = new EncoderTable(4_096);
    STATIC_TABLE.forEach((one, i) => expect(find(table, one)).toBe(i + 1));
    expect([find(table, field(":status", "418")), find(table, field("x-own", ""))]).toEqual([-8, 0]);
  });

  test("agrees with a decoder's table under any insertions and resizes", () => {
    const one = fc.record({
      name: fc.constantFrom("a", "b", ":path", "cookie", "c"),
      value: fc.constantFrom("1", "2", "3", "x".repeat(70), "/"),
    });
    const action = fc.oneof({ weight: 8, arbitrary: one }, fc.constantFrom(0, 34, 70, 140, 300));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60, size: "max" }), fc.array(one), (actions, asked) => {
        const table = new EncoderTable(200);
        const decoder = new DynamicTable(200);
        for (const each of actions) {
          if (typeof each === "number") {
            table.resize(each);
            decoder.resize(each);
          } else {
            insert(table, field(each.name, each.value));
            decoder.insert(field(each.name, each.value));
          }
          for (const { name, value } of asked) {
            const all = [...STATIC_TABLE, ...Array.from({ length: decoder.count }, (_, age) => decoder.get(age))];
            const index = find(table, field(name, value));
            const at = all[Math.abs(index) - 1];
            const wanted = all.some((entry) => entry?.name === name && entry.value === value)
              ? { whole: true, name, value }
              : { whole: false, name: all.some((entry) => entry?.name === name) ? name : undefined, value: at?.value };
            expect({ whole: index > 0, name: at?.name, value: at?.value }).toEqual(wanted);
          }
        }
      }),
    );
  });
});
