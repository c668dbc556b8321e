import { compareText, Labels, METADATA_NAMES } from "../../model/index.ts";
import type { Aggregate } from "../syntax/ast.ts";
import type { Strides, Work } from "../evaluate/strides.ts";
import { LABELS_WORK } from "../evaluate/rows.ts";
import type { Matrix } from "../evaluate/value.ts";

/** Which rows are aggregated together: computed once for all steps. */
export type Groups = {
  /** The group of each row. */
  readonly of: Uint32Array;
  /** The labels of each group, in order of first occurrence. */
  readonly labels: readonly Labels[];
};

const SEPARATOR = "\uDCFF";
/** The cost of looking up a label name, in samples (`Strides`). */
export const NAME_WORK = 8;

/** Prometheus docs, querying/operators.md, "Aggregation operators": `by` keeps the named labels, `without` drops them and the metric's name, type and unit. */
export function* groupsOf(matrix: Matrix, { grouping, without }: Pick<Aggregate, "grouping" | "without">, strides: Strides): Work<Groups> {
  if (without) return yield* groupsWithout(matrix, new Set([...grouping, ...METADATA_NAMES]), strides);
  return yield* groupsBy(matrix, [...new Set(grouping)].sort(compareText), strides);
}

function* groupsBy(matrix: Matrix, names: readonly string[], strides: Strides): Work<Groups> {
  const of = new Uint32Array(matrix.rows);
  if (names.length === 0) return { of, labels: [Labels.NONE] };
  const labels: Labels[] = [];
  const known = new Map<string, number>();
  const values: string[] = names.map(() => "");
  for (let row = 0; row < matrix.rows; row++) {
    if (strides.isDue(names.length * NAME_WORK)) yield;
    const flat = matrix.sources[row]?.flat ?? [];
    let key = "";
    for (let at = 0; at < names.length; at++) {
      const value = valueIn(flat, names[at] ?? "", matrix.isNameless);
      values[at] = value;
      key = at === 0 ? value : key + SEPARATOR + value;
    }
    let group = known.get(key);
    if (group === undefined) {
      group = labels.length;
      known.set(key, group);
      labels.push(Labels.sorted(names.flatMap((name, at) => (values[at] === "" ? [] : [name, values[at] ?? ""]))));
    }
    of[row] = group;
  }
  return { of, labels };
}

function valueIn(flat: readonly string[], name: string, isNameless: boolean): string {
  if (isNameless && METADATA_NAMES.has(name)) return "";
  for (let at = 0; at < flat.length; at += 2) if (flat[at] === name) return flat[at + 1] ?? "";
  return "";
}

function* groupsWithout(matrix: Matrix, dropped: ReadonlySet<string>, strides: Strides): Work<Groups> {
  const of = new Uint32Array(matrix.rows);
  const labels: Labels[] = [];
  const known = new Map<string, number>();
  for (let row = 0; row < matrix.rows; row++) {
    if (strides.isDue(LABELS_WORK)) yield;
    const source = matrix.sources[row] ?? Labels.NONE;
    const key = keyWithout(source.flat, dropped);
    let group = known.get(key);
    if (group === undefined) {
      group = labels.length;
      known.set(key, group);
      labels.push(source.without(dropped));
    }
    of[row] = group;
  }
  return { of, labels };
}

/** A key that is equal for labels that differ only in the dropped ones. */
export function keyWithout(flat: readonly string[], dropped: ReadonlySet<string>): string {
  let key = "";
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at] ?? "";
    if (!dropped.has(name)) key += name + SEPARATOR + flat[at + 1] + SEPARATOR;
  }
  return key;
}

/** The rows of each group. */
export function rowsOf({ of, labels }: Groups): number[][] {
  const rows: number[][] = labels.map(() => []);
  for (const [row, group] of of.entries()) rows[group]?.push(row);
  return rows;
}

/** A matrix with one empty row for each group. */
export function fillRows(out: Matrix, { labels }: Groups): Matrix {
  for (const own of labels) out.addRow(own);
  return out;
}
