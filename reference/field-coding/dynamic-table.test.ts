import fc from "fast-check";
import { expect, test } from "vitest";
import { field, type Field } from "../core/index.ts";
import { DynamicTable, entrySize } from "./dynamic-table.ts";

const entries = (table: DynamicTable): (Field | undefined)[] => Array.from({ length: table.count }, (_, age) => table.get(age));

test("DynamicTable: agrees with a truncated list under any insertions and resizes", () => {
  const insertion = fc.record({ name: fc.string({ maxLength: 5 }), value: fc.string({ maxLength: 60 }) });
  const action = fc.oneof({ weight: 5, arbitrary: insertion }, fc.nat(300));
  fc.assert(
    fc.property(fc.nat(300), fc.array(action, { maxLength: 120, size: "max" }), (capacity, actions) => {
      const table = new DynamicTable(capacity);
      let model: Field[] = [];
      let limit = capacity;
      const fit = (list: Field[]): Field[] => {
        while (list.reduce((sum, one) => sum + entrySize(one), 0) > limit) list.pop();
        return list;
      };
      for (const each of actions) {
        if (typeof each === "number") table.resize((limit = each));
        else table.insert(field(each.name, each.value));
        // An entry that is too large goes in and takes everything with it: nothing is left, as rfc7541#4.4 says.
        model = fit(typeof each === "number" ? model : [field(each.name, each.value), ...model]);
        expect(entries(table)).toEqual(model);
        expect(table.size).toBe(model.reduce((sum, one) => sum + entrySize(one), 0));
        expect(table.get(table.count)).toBeUndefined();
      }
    }),
  );
});

test("DynamicTable: releases what it evicts, and returns the objects inserted", () => {
  const table = new DynamicTable(100);
  const first = field("a", "1");
  table.insert(first);
  expect(table.get(0)).toBe(first);
  table.insert(field("b", "2".repeat(60)));
  expect(entries(table)).toEqual([field("b", "2".repeat(60))]);
});
