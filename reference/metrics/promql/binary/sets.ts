import type { SetOperator, VectorMatching } from "../ast.ts";
import { ABSENT, type Matrix } from "../value.ts";
import { Signatures } from "./match.ts";

/** By signature and step, whether a row of it has a sample. */
function presence(matrix: Matrix, signatures: Int32Array, size: number): Uint8Array {
  const { steps, kinds } = matrix;
  const seen = new Uint8Array(size * steps);
  for (const [row, signature] of signatures.entries()) {
    for (let step = 0; step < steps; step++) if (kinds[row * steps + step] !== ABSENT) seen[signature * steps + step] = 1;
  }
  return seen;
}

/** `and`, `unless` and `or` (querying/operators.md, "Logical/set binary operators"). The left matrix becomes the result. */
export function setOperation(op: SetOperator, matching: VectorMatching, left: Matrix, right: Matrix): Matrix {
  const signatures = new Signatures(matching);
  const [ofLeft, ofRight] = [signatures.of(left), signatures.of(right)];
  if (op === "or") return union(left, right, presence(left, ofLeft, signatures.size), ofRight);
  const seen = presence(right, ofRight, signatures.size);
  const wanted = op === "and" ? 1 : 0;
  const { steps, kinds } = left;
  for (const [row, signature] of ofLeft.entries()) {
    for (let step = 0; step < steps; step++) if (seen[signature * steps + step] !== wanted) kinds[row * steps + step] = ABSENT;
  }
  return left;
}

function union(left: Matrix, right: Matrix, seen: Uint8Array, ofRight: Int32Array): Matrix {
  const { steps } = left;
  for (let row = 0; row < left.rows; row++) left.sources[row] = left.labelsOf(row);
  left.isNameless = false;
  // A series that is on both sides, at different steps, is one series of the result; with one step it can only be on one.
  const rows = steps === 1 ? undefined : new Map(left.sources.map((labels, row) => [labels.key, row * steps] as const));
  for (const [row, signature] of ofRight.entries()) {
    let first: number | undefined;
    for (let step = 0; step < steps; step++) {
      const source = row * steps + step;
      if (right.kinds[source] === ABSENT || seen[signature * steps + step] === 1) continue;
      first ??= rows?.get(right.labelsOf(row).key) ?? left.addRow(right.labelsOf(row));
      left.copyCell(first + step, right, source);
    }
  }
  return left;
}
