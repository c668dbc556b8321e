import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareLabels, Labels, Matcher } from "../../model/index.ts";
import { sortRows, textsOf } from "./order.ts";
import { selectRows } from "./select.ts";
import { Postings } from "./postings.ts";
import { SeriesTable } from "./series-table.ts";

const labels = (at: number): Labels =>
  Labels.of({
    __name__: `m${at % 5}`,
    instance: `host-${at}`,
    ...(at % 3 === 0 ? {} : { job: at % 2 === 0 ? "api" : "wéb" }),
  });

const matcher = fc
  .tuple(
    fc.constantFrom("__name__", "job", "instance", "absent"),
    fc.constantFrom("=" as const, "!=" as const, "=~" as const, "!~" as const),
    fc.constantFrom("", "m1", "m[12]", "m1|m4", "api", "wéb", ".*", ".+", "host-1.*", "host-7|", "a.*|m3", "zzz"),
  )
  .map(([name, operator, value]) => new Matcher(name, operator, value));

function filled(count: number): { table: SeriesTable; postings: Postings } {
  const table = new SeriesTable();
  for (let at = 0; at < count; at++) table.ensure(labels(at));
  return { table, postings: new Postings(table) };
}

describe("selection by matchers", () => {
  test.each([
    ["no lists yet", 300, 0],
    ["lists of all", 3_000, 0],
    ["lists and newer series", 3_000, 200],
  ])("%s: those that a look at each of them finds", (_, count, more) => {
    const { table, postings } = filled(count);
    postings.refresh();
    expect(postings.covered).toBe(count > 1_024 ? count : 0);
    for (let at = count; at < count + more; at++) table.ensure(labels(at));
    fc.assert(
      fc.property(fc.array(matcher, { maxLength: 4 }), fc.nat(count + more), (matchers, rows) => {
        const expected: number[] = [];
        for (let row = 0; row < rows; row++) {
          const own = table.labels(row);
          if (matchers.every((one) => one.matches(own.get(one.name)))) expected.push(row);
        }
        expect([...selectRows(table, postings, matchers, rows)]).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test("lists are rebuilt after series are dropped", () => {
    const { table, postings } = filled(3_000);
    postings.refresh();
    table.keepOnly(
      (row) => row % 2 === 1,
      () => {},
    );
    postings.forget();
    const rows = selectRows(table, postings, [new Matcher("instance", "=", "host-2999")], table.count);
    expect([...rows].map((row) => table.labels(row).get("instance"))).toEqual(["host-2999"]);
  });

  test.each([20, 2_000])("%i rows are sorted by their labels", (count) => {
    const { table } = filled(count);
    table.ensure(Labels.of({ a: "1" }));
    table.ensure(Labels.of({ __name__: "m1" }));
    const rows = Uint32Array.from({ length: table.count }, (_, row) => row);
    sortRows(table, rows);
    const sorted = Array.from(rows, (row) => table.labels(row));
    expect(sorted).toEqual([...sorted].sort(compareLabels));
    expect(new Set(rows).size).toBe(count + 2);
  });

  test("textsOf() returns each text once, sorted, whether name, value, or value of two names", () => {
    const table = new SeriesTable();
    const sets = [{ b: "a", c: "one" }, { z: "none" }, { a: "one", d: "b" }];
    const rows = sets.map((labels) => table.ensure(Labels.of(labels)));
    const { texts, places } = textsOf(table, Uint32Array.of(rows[2] ?? 0, rows[0] ?? 0));
    expect(texts).toEqual(["a", "b", "c", "d", "one"]);
    const labels = [0, 1].map((at) => {
      const value = table.symbolAt(rows[2] ?? 0, at);
      return [texts[places[table.symbols.nameOf(value)] ?? 0], texts[places[value] ?? 0]];
    });
    expect(labels).toEqual([
      ["a", "one"],
      ["d", "b"],
    ]);
  });
});
