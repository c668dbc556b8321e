import type { SetOperator, VectorMatching } from "../syntax/ast.ts";
import type { Strides, Work } from "../evaluate/strides.ts";
import { eachRow, LABELS_WORK } from "../evaluate/rows.ts";
import { ABSENT, type Matrix } from "../evaluate/value.ts";
import { Signatures } from "./match.ts";

/** For each signature and step, whether one of its rows has a sample. */
function* presence(matrix: Matrix, signatures: Int32Array, size: number, strides: Strides): Work<Uint8Array> {
  const { steps, kinds } = matrix;
  const seen = new Uint8Array(size * steps);
  yield* eachRow(matrix, strides, (row, first) => {
    const target = (signatures[row] ?? 0) * steps;
    for (let step = 0; step < steps; step++) if (kinds[first + step] !== ABSENT) seen[target + step] = 1;
  });
  return seen;
}

/** `and`, `unless` and `or` (Prometheus docs, querying/operators.md, "Logical/set binary operators"). The left matrix becomes the result. */
export function* setOperation(
  op: SetOperator,
  matching: VectorMatching,
  [left, right]: readonly [Matrix, Matrix],
  strides: Strides,
): Work<Matrix> {
  const signatures = new Signatures(matching);
  const [ofLeft, ofRight] = [yield* signatures.of(left, strides), yield* signatures.of(right, strides)];
  if (op === "or") return yield* union(left, right, { seen: yield* presence(left, ofLeft, signatures.size, strides), ofRight }, strides);
  const seen = yield* presence(right, ofRight, signatures.size, strides);
  const wanted = op === "and" ? 1 : 0;
  const { steps, kinds } = left;
  yield* eachRow(left, strides, (row, first) => {
    const source = (ofLeft[row] ?? 0) * steps;
    for (let step = 0; step < steps; step++) if (seen[source + step] !== wanted) kinds[first + step] = ABSENT;
  });
  return left;
}

type Seen = { readonly seen: Uint8Array; readonly ofRight: Int32Array };

function* union(left: Matrix, right: Matrix, { seen, ofRight }: Seen, strides: Strides): Work<Matrix> {
  const { steps } = left;
  // A series that occurs on both sides, at different steps, is one series of the result; with one step it occurs on one side only.
  const rows = steps === 1 ? undefined : new Map<string, number>();
  yield* eachRow(left, strides, (row, first) => {
    const labels = left.labelsOf(row);
    left.sources[row] = labels;
    rows?.set(labels.key, first);
    strides.charge(LABELS_WORK);
  });
  left.isNameless = false;
  yield* eachRow(right, strides, (row, from) => {
    const known = (ofRight[row] ?? 0) * steps;
    let first: number | undefined;
    for (let step = 0; step < steps; step++) {
      const source = from + step;
      if (right.kinds[source] === ABSENT || seen[known + step] === 1) continue;
      first ??= rows?.get(right.labelsOf(row).key) ?? left.addRow(right.labelsOf(row));
      left.copyCell(first + step, right, source);
    }
    strides.charge(LABELS_WORK);
  });
  return left;
}
