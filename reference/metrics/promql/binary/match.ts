import { Labels, METADATA_NAMES } from "../../model/index.ts";
import { keyWithout, NAME_WORK } from "../aggregate/groups.ts";
import type { VectorMatching } from "../syntax/ast.ts";
import type { Strides, Work } from "../evaluate/strides.ts";
import { LABELS_WORK } from "../evaluate/rows.ts";
import { ABSENT, type Matrix } from "../evaluate/value.ts";

/** Matches rows of two matrices: equal compared labels get equal numbers (signatures), computed once for all steps. */
export class Signatures {
  readonly #known = new Map<string, number>();
  readonly #matching: VectorMatching;
  readonly #ignored: ReadonlySet<string>;
  readonly #named: ReadonlySet<string>;

  constructor(matching: VectorMatching) {
    this.#matching = matching;
    this.#ignored = new Set([...matching.labels, ...METADATA_NAMES]);
    this.#named = new Set(matching.labels);
  }

  get size(): number {
    return this.#known.size;
  }

  /** The signature of each row. With `isClosed`, -1 for labels that have none yet. */
  *of(matrix: Matrix, strides: Strides, isClosed = false): Work<Int32Array> {
    const known = this.#known;
    const found = new Int32Array(matrix.rows);
    const work = LABELS_WORK + (this.#matching.on ? this.#matching.labels.length * NAME_WORK : 0);
    for (let row = 0; row < matrix.rows; row++) {
      if (strides.isDue(work)) yield;
      const key = this.#keyOf(matrix, row);
      let number = known.get(key);
      if (number === undefined && !isClosed) {
        number = known.size;
        known.set(key, number);
      }
      found[row] = number ?? -1;
    }
    return found;
  }

  /** The labels that are compared. */
  labelsOf(labels: Labels): Labels {
    return this.#matching.on ? labels.only(this.#named) : labels.without(this.#ignored);
  }

  #keyOf(matrix: Matrix, row: number): string {
    const { on, labels } = this.#matching;
    if (!on) return keyWithout(matrix.sources[row]?.flat ?? [], this.#ignored);
    let key = "";
    for (const name of labels) key += `${matrix.labelOf(row, name)}\uDCFF`;
    return key;
  }
}

/** The rows of each signature as linked lists: the first row of each, and the next row of every row; -1 ends a list. */
export class Chains {
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly lengths: Uint32Array;

  constructor(signatures: Int32Array, size: number) {
    this.first = new Int32Array(size).fill(-1);
    this.next = new Int32Array(signatures.length).fill(-1);
    this.lengths = new Uint32Array(size);
    for (let row = signatures.length - 1; row >= 0; row--) {
      const signature = signatures[row] ?? -1;
      if (signature < 0) continue;
      this.next[row] = this.first[signature] ?? -1;
      this.first[signature] = row;
      this.lengths[signature] = (this.lengths[signature] ?? 0) + 1;
    }
  }

  /** The row of a signature that has a sample at a step, or -1. */
  present(matrix: Matrix, signature: number, step: number): number {
    for (let row = this.first[signature] ?? -1; row >= 0; row = this.next[row] ?? -1) {
      if (matrix.kinds[row * matrix.steps + step] !== ABSENT) return row;
    }
    return -1;
  }
}
