import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";
import { MATRICES } from "./matrices.ts";

const named = (matrix: string, wanted: Parameters<typeof columnsOf>[2]): string[] =>
  columnsOf(matrix, MATRICES[matrix]!, wanted).map(({ name }) => `${matrix} ${name}`);
const part = (index: number): string[] => Object.keys(MATRICES).flatMap((matrix) => named(matrix, { shard: { index, of: 3 } }));

test("each column of each matrix is in one of three parts, and none of these is empty", () => {
  const parts = [part(1), part(2), part(3)];
  expect(parts.flat().sort()).toEqual(
    Object.keys(MATRICES)
      .flatMap((matrix) => named(matrix, {}))
      .sort(),
  );
  expect(Math.min(...parts.map(({ length }) => length))).toBeGreaterThan(5);
});

test("a column that is named is judged by the machine whose part it is in", () => {
  const [matrix = "", name = ""] = part(1)[0]?.split(" ") ?? [];
  expect(named(matrix, { names: [name], shard: { index: 1, of: 3 } })).toEqual([`${matrix} ${name}`]);
  expect(named(matrix, { names: [name], shard: { index: 2, of: 3 } })).toEqual([]);
});
