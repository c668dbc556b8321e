import { type Labels, METADATA_NAMES } from "../../model/index.ts";
import type { VectorMatching } from "../syntax/ast.ts";
import { ExecutionFailure } from "../evaluate/failure.ts";
import { eachRow, haveOneName } from "../evaluate/rows.ts";
import type { Strides, Work } from "../evaluate/strides.ts";
import { ABSENT, FLOAT, Matrix } from "../evaluate/value.ts";
import { Chains, Signatures } from "./match.ts";
import type { Operation } from "./operate.ts";

/** The two sides before rows are joined. "Many" is the side that may have several elements for one of the other. */
type Sides = {
  /** The left side is "one" (`group_right`). */
  readonly isSwapped: boolean;
  readonly many: Matrix;
  readonly one: Matrix;
  readonly signatures: Signatures;
  readonly ofMany: Int32Array;
  readonly ofOne: Int32Array;
};

/**
 * An operator between two vectors (Prometheus docs, querying/operators.md, "Vector matching"). Rows are paired once; then each pair is a loop over
 * steps.
 */
export function* matched(
  operation: Operation,
  matching: VectorMatching,
  [left, right]: readonly [Matrix, Matrix],
  strides: Strides,
): Work<Matrix> {
  const isSwapped = matching.card === "one-to-many";
  const [many, one] = isSwapped ? [right, left] : [left, right];
  const signatures = new Signatures(matching);
  const ofOne = yield* signatures.of(one, strides);
  const isFilled = matching.fill.left !== undefined || matching.fill.right !== undefined;
  const ofMany = yield* signatures.of(many, strides, !isFilled);
  return yield* new Matching(operation, matching, { isSwapped, many, one, signatures, ofMany, ofOne }).run(strides);
}

class Matching {
  readonly #operation: Operation;
  readonly #matching: VectorMatching;
  readonly #isSwapped: boolean;
  readonly #many: Matrix;
  readonly #one: Matrix;
  readonly #signatures: Signatures;
  readonly #ofMany: Int32Array;
  readonly #ofOne: Int32Array;
  readonly #ones: Chains;
  readonly #manies: Chains;
  readonly #out: Matrix;
  /** Rows of the result by their labels, if two pairs may give the same labels. */
  readonly #rows = new Map<string, number>();
  /** For each signature with several rows on the "one" side, the row that has an element at each step. */
  readonly #inTurn = new Map<number, Int32Array>();
  /** The steps at which a pair matched, by signature and, unless one-to-one, by labels: a second match there is refused. */
  readonly #matched = new Map<string, Uint8Array>();
  /** The value of `#matched` for one pair of rows, which are asked about at many steps. */
  #known: { readonly many: number; readonly one: number; readonly matched: Uint8Array } | undefined;

  constructor(operation: Operation, matching: VectorMatching, { isSwapped, many, one, signatures, ofMany, ofOne }: Sides) {
    this.#operation = operation;
    this.#matching = matching;
    this.#isSwapped = isSwapped;
    this.#many = many;
    this.#one = one;
    this.#signatures = signatures;
    this.#ofMany = ofMany;
    this.#ofOne = ofOne;
    this.#ones = new Chains(ofOne, signatures.size);
    this.#manies = new Chains(ofMany, signatures.size);
    this.#out = new Matrix(many.steps, Math.min(many.rows, 1 << 16));
  }

  *run(strides: Strides): Work<Matrix> {
    yield* this.#refuseDuplicates(strides);
    const { left, right } = this.#matching.fill;
    const [fillMany, fillOne] = this.#isSwapped ? [right, left] : [left, right];
    const isUnique = fillMany === undefined && fillOne === undefined && this.#isUnique();
    yield* eachRow(this.#many, strides, (row) => {
      const signature = this.#ofMany[row] ?? -1;
      if (signature < 0) return;
      const one = this.#ones.first[signature] ?? -1;
      if (this.#ones.lengths[signature] === 1) this.#pair(row, one, signature, isUnique);
      else if (one >= 0) this.#pairInTurn(row, signature);
      if (fillOne !== undefined) this.#fillOne(row, signature, fillOne);
    });
    if (fillMany !== undefined) yield* eachRow(this.#one, strides, (row) => this.#fillMany(row, fillMany));
    return this.#out;
  }

  /** Whether different rows of "many" give different labels, so that results need no lookup. */
  #isUnique(): boolean {
    const { card, include } = this.#matching;
    if (card === "one-to-one") return this.#manies.lengths.every((length) => length <= 1);
    const { sources } = this.#many;
    return (!this.#operation.dropsName || haveOneName(sources)) && !sources.some((labels) => include.some((label) => labels.has(label)));
  }

  /** Fails if "one" has two elements with the same compared labels at a step; if a signature has several rows, keeps which one has the element. */
  *#refuseDuplicates(strides: Strides): Work<void> {
    const { steps, kinds } = this.#one;
    for (const [row, signature] of this.#ofOne.entries()) {
      if (this.#ones.lengths[signature] === 1) continue;
      if (strides.isDue(steps)) yield;
      const inTurn = this.#inTurn.get(signature) ?? new Int32Array(steps).fill(-1);
      this.#inTurn.set(signature, inTurn);
      for (let step = 0; step < steps; step++) {
        if (kinds[row * steps + step] === ABSENT) continue;
        const other = inTurn[step] ?? -1;
        if (other >= 0 && this.#canMatch(step)) throw this.#duplicate(row, other);
        inTurn[step] = row;
      }
    }
  }

  /** Whether "many" has an element at a step, or missing ones are filled in: with nothing on one side nothing matches, not even several. */
  #canMatch(step: number): boolean {
    const { fill } = this.#matching;
    if (fill.left !== undefined || fill.right !== undefined) return true;
    const { rows, steps, kinds } = this.#many;
    for (let row = 0; row < rows; row++) if (kinds[row * steps + step] !== ABSENT) return true;
    return false;
  }

  /** The row of "one" that has an element at a step, or -1. */
  #oneAt(signature: number, step: number): number {
    if (this.#ones.lengths[signature] !== 1) return this.#inTurn.get(signature)?.[step] ?? -1;
    const row = this.#ones.first[signature] ?? -1;
    return this.#one.kinds[row * this.#one.steps + step] === ABSENT ? -1 : row;
  }

  /** Joins a row with several rows of "one" that alternate, such as a series that ends and another that begins. */
  #pairInTurn(many: number, signature: number): void {
    const { steps, kinds, values } = this.#many;
    const firsts = new Map<number, number>();
    for (let step = 0; step < steps; step++) {
      const one = kinds[many * steps + step] === ABSENT ? -1 : this.#oneAt(signature, step);
      if (one < 0) continue;
      const [x, y] = [values[many * steps + step] ?? 0, this.#one.values[one * steps + step] ?? 0];
      const first = this.#put(step, firsts.get(one) ?? -1, many, one, signature, x, y, false);
      if (first >= 0) firsts.set(one, first);
    }
  }

  #duplicate(row: number, other: number): ExecutionFailure {
    const [a, b] = [this.#one.labelsOf(row), this.#one.labelsOf(other)];
    const side = this.#isSwapped ? "left" : "right";
    const group = this.#signatures.labelsOf(a);
    const rule = "many-to-many matching not allowed: matching labels must be unique on one side";
    return new ExecutionFailure(
      `found duplicate series for the match group ${group} on the ${side} hand-side of the operation: [${b}, ${a}];${rule}`,
    );
  }

  #pair(many: number, one: number, signature: number, isAlone: boolean): void {
    const { steps, kinds, values, histograms } = this.#many;
    const other = this.#one;
    const [source, target] = [many * steps, one * steps];
    const { floats, isFilter } = this.#operation;
    const isPlain = floats !== undefined && isAlone && histograms === undefined && other.histograms === undefined;
    let first = -1;
    for (let step = 0; step < steps; step++) {
      if (kinds[source + step] === ABSENT || other.kinds[target + step] === ABSENT) continue;
      const [x, y] = [values[source + step] ?? 0, other.values[target + step] ?? 0];
      if (isPlain) {
        const [a, b] = this.#isSwapped ? [y, x] : [x, y];
        const value = floats(a, b);
        if (isFilter && value === 0) continue;
        if (first < 0) first = this.#out.addRow(this.#labels(this.#many.labelsOf(many), other.labelsOf(one)));
        this.#out.values[first + step] = isFilter ? a : value;
        this.#out.kinds[first + step] = FLOAT;
      } else {
        first = this.#put(step, first, many, one, signature, x, y, isAlone);
      }
    }
  }

  /** The general case of one step. Returns the first cell of the result's row, or the one that was given if there is no result. */
  // oxlint-disable-next-line max-params -- called for each sample: an object would be allocated a million times.
  #put(step: number, row: number, many: number, one: number, signature: number, x: number, y: number, isAlone: boolean): number {
    const { steps } = this.#many;
    const [h, i] = [
      many < 0 ? undefined : this.#many.histogramAt(many * steps + step),
      one < 0 ? undefined : this.#one.histogramAt(one * steps + step),
    ];
    const operation = this.#operation;
    const kind = this.#isSwapped ? operation.apply(y, i, x, h) : operation.apply(x, h, y, i);
    if (operation.isUndefined) return row;
    // Pairs that a comparison drops have matched, too.
    if (!isAlone) this.#refuseSecond(this.#matchedOf(many, one, signature), step);
    if (kind === ABSENT) return row;
    const first = row >= 0 ? row : this.#rowFor(many, one, isAlone);
    if (!isAlone && this.#out.kinds[first + step] !== ABSENT) throw this.#ambiguous();
    operation.put(this.#out, first + step, kind);
    return first;
  }

  #rowFor(many: number, one: number, isAlone: boolean): number {
    const labels = this.#labelsOfPair(many, one);
    if (isAlone) return this.#out.addRow(labels);
    const first = this.#rows.get(labels.key) ?? this.#out.addRow(labels);
    this.#rows.set(labels.key, first);
    return first;
  }

  #matchedOf(many: number, one: number, signature: number): Uint8Array {
    if (this.#known?.many === many && this.#known.one === one) return this.#known.matched;
    const key = this.#matching.card === "one-to-one" ? `${signature}` : `${signature} ${this.#labelsOfPair(many, one).key}`;
    const matched = this.#matched.get(key) ?? new Uint8Array(this.#out.steps);
    this.#matched.set(key, matched);
    this.#known = { many, one, matched };
    return matched;
  }

  #refuseSecond(matched: Uint8Array, step: number): void {
    if (matched[step] === 1) throw this.#ambiguous();
    matched[step] = 1;
  }

  #ambiguous(): ExecutionFailure {
    const isOneToOne = this.#matching.card === "one-to-one";
    const rule = isOneToOne
      ? "many-to-one matching must be explicit (group_left/group_right)"
      : "grouping labels must ensure unique matches";
    return new ExecutionFailure(`multiple matches for labels: ${rule}`);
  }

  /** Prometheus docs, querying/operators.md, "Filling in missing matches" */
  #fillOne(many: number, signature: number, value: number): void {
    const { steps, kinds, values } = this.#many;
    let first = -1;
    for (let step = 0; step < steps; step++) {
      if (kinds[many * steps + step] === ABSENT || this.#oneAt(signature, step) >= 0) continue;
      first = this.#put(step, first, many, -1, signature, values[many * steps + step] ?? 0, value, false);
    }
  }

  #fillMany(one: number, value: number): void {
    const { steps, kinds, values } = this.#one;
    const signature = this.#ofOne[one] ?? -1;
    let first = -1;
    for (let step = 0; step < steps; step++) {
      if (kinds[one * steps + step] === ABSENT || this.#manies.present(this.#many, signature, step) >= 0) continue;
      first = this.#put(step, first, -1, one, signature, value, values[one * steps + step] ?? 0, false);
    }
  }

  #labelsOfPair(many: number, one: number): Labels {
    return this.#labels(
      many < 0 ? this.#signatures.labelsOf(this.#one.labelsOf(one)) : this.#many.labelsOf(many),
      one < 0 ? undefined : this.#one.labelsOf(one),
    );
  }

  /** The labels of a result: for one-to-one the compared labels, otherwise those of "many" plus the included labels of "one". */
  #labels(many: Labels, one: Labels | undefined): Labels {
    const { card, on, labels, include } = this.#matching;
    let found = this.#operation.dropsName ? many.without(METADATA_NAMES) : many;
    if (card === "one-to-one") {
      const named = new Set(labels);
      return on ? found.only(named) : found.without(named);
    }
    // Included labels come from "one" alone: where it is filled in they have no source, and no value (Prometheus docs, querying/operators.md).
    for (const name of include) found = found.with(name, one?.get(name) ?? "");
    return found;
  }
}
