import { describe, expect, test } from "vitest";
import { LabelOctets, Labels } from "../../model/index.ts";
import { SeriesTable } from "./series-table.ts";

const labels = (at: number): Labels => Labels.of({ __name__: "m", series: String(at), ...(at % 3 === 0 ? { third: "yes" } : {}) });

describe("the series table", () => {
  test("equal labels are one series; a superset of labels is another", () => {
    const table = new SeriesTable();
    const row = table.ensure(Labels.of({ a: "1", b: "2" }));
    expect(table.ensure(Labels.of({ b: "2", a: "1" }))).toBe(row);
    expect(table.find(Labels.of({ a: "1" }))).toBe(-1);
    expect(table.ensure(Labels.of({ a: "1" }))).not.toBe(row);
    expect(table.ensure(Labels.of({ a: "2", b: "1" }))).not.toBe(row);
    expect(table.count).toBe(3);
    expect(table.labels(row).toString()).toBe('{a="1", b="2"}');
  });

  test("texts and octets of the same labels are one series", () => {
    const table = new SeriesTable();
    const octets = new LabelOctets();
    for (let at = 0; at < 2_000; at++) {
      octets.clear();
      for (const [name, value] of labels(at)) octets.addText(name, value);
      const isFirst = at % 2 === 0;
      const row = isFirst ? table.ensureOctets(octets) : table.ensure(labels(at));
      expect(isFirst ? table.ensure(labels(at)) : table.ensureOctets(octets)).toBe(row);
      expect(table.labels(row).equals(labels(at))).toBe(true);
    }
    expect(table.count).toBe(2_000);
  });

  test("dropping series keeps the others unchanged and frees no reference", () => {
    const table = new SeriesTable();
    const refs = Array.from({ length: 5_000 }, (_, at) => table.refOf(table.ensure(labels(at))));
    for (let row = 0; row < table.count; row++) table.states.times[row] = row * 10;
    const moves: [number, number][] = [];
    table.keepOnly(
      (row) => row % 7 === 1,
      (from, to) => moves.push([from, to]),
    );
    expect(moves.slice(0, 3)).toEqual([
      [1, 0],
      [8, 1],
      [15, 2],
    ]);
    expect(table.count).toBe(moves.length);
    const isKept = (at: number): boolean => at % 7 === 1;
    expect(refs.filter((ref, at) => isKept(at) !== table.rowOf(ref) >= 0)).toEqual([]);
    const kept = refs.map((ref, at) => ({ at, row: table.rowOf(ref) })).filter(({ at }) => isKept(at));
    expect(kept.filter(({ at, row }) => !table.labels(row).equals(labels(at)))).toEqual([]);
    expect(kept.filter(({ at, row }) => table.find(labels(at)) !== row || table.lastTime(row) !== at * 10)).toEqual([]);
    const again = table.refOf(table.ensure(labels(0)));
    expect(again).toBe(Math.max(...refs) + 1);
  });

  test("a second reference is valid while its series exists", () => {
    const table = new SeriesTable();
    const kept = table.ensure(labels(1));
    const gone = table.ensure(labels(2));
    table.alias(70, kept);
    table.alias(80, gone);
    expect(table.rowOf(70)).toBe(kept);
    table.keepOnly(
      (row) => row === kept,
      () => {},
    );
    expect(table.rowOf(70)).toBe(0);
    expect(table.rowOf(80)).toBe(-1);
    // References in the log are not reused.
    expect(table.refOf(table.ensure(labels(3)))).toBe(81);
  });

  test("references of five octets, far apart", () => {
    const table = new SeriesTable();
    const refs = [3, 4_097, 2 ** 31 + 5, 2 ** 32 + 3, 2 ** 40 - 1];
    for (const [at, ref] of refs.entries()) {
      const { symbols } = table;
      table.scratch(1)[0] = symbols.value(symbols.name("n"), String(at));
      table.ensureScratch(1, ref);
    }
    expect(refs.map((ref) => table.rowOf(ref))).toEqual([0, 1, 2, 3, 4]);
    expect(refs.map((_, row) => table.refOf(row))).toEqual(refs);
    expect(table.rowOf(2 ** 31 + 4)).toBe(-1);
  });
});
