import { type Columns, type Histogram, Labels, METADATA_NAMES } from "../../model/index.ts";

/** The content of a cell of a `Matrix`. */
export const ABSENT = 0;
export const FLOAT = 1;
export const HISTOGRAM = 2;
/** One octet a cell. */
export type Kind = typeof ABSENT | typeof FLOAT | typeof HISTOGRAM;

const FIRST_ROWS = 16;

/**
 * An instant vector at every step of a query: rows are series, columns are steps, and cell `row * steps + step` holds a sample or nothing. One
 * array holds all rows, so that an operator is a loop over numbers. There are no stale markers in it.
 */
export class Matrix {
  readonly is = "vector";
  readonly steps: number;
  values: Float64Array;
  kinds: Uint8Array;
  /** By cell, for cells of kind `HISTOGRAM`; undefined if there are none. */
  histograms: (Histogram | undefined)[] | undefined;
  /** The samples that the budget holds for this matrix. */
  held = 0;
  /** The labels of each row as read; `labelsOf` applies `isNameless`. */
  readonly sources: Labels[] = [];
  /** An operator dropped the metric name, type and unit. Labels without them are made only on demand. */
  isNameless = false;

  constructor(steps: number, rows = FIRST_ROWS) {
    this.steps = steps;
    this.values = new Float64Array(steps * rows);
    this.kinds = new Uint8Array(steps * rows);
  }

  get rows(): number {
    return this.sources.length;
  }

  /** Cells in use. */
  get cells(): number {
    return this.sources.length * this.steps;
  }

  /** Adds an empty row and returns its first cell. */
  addRow(labels: Labels): number {
    const first = this.cells;
    this.sources.push(labels);
    if (this.cells > this.values.length) this.#grow();
    return first;
  }

  /** Removes the last row, which must be empty. */
  dropRow(): void {
    this.sources.pop();
  }

  setHistogram(cell: number, histogram: Histogram): void {
    this.histograms ??= [];
    this.histograms[cell] = histogram;
    this.kinds[cell] = HISTOGRAM;
  }

  histogramAt(cell: number): Histogram | undefined {
    return this.kinds[cell] === HISTOGRAM ? this.histograms?.[cell] : undefined;
  }

  labelsOf(row: number): Labels {
    const labels = this.sources[row] ?? Labels.NONE;
    return this.isNameless ? labels.without(METADATA_NAMES) : labels;
  }

  /** The value of a label, with `isNameless` applied. */
  labelOf(row: number, name: string): string {
    return this.isNameless && METADATA_NAMES.has(name) ? "" : (this.sources[row]?.get(name) ?? "");
  }

  /** The metric name, for annotations. */
  metricOf(row: number): string {
    return this.isNameless ? "" : (this.sources[row]?.metric ?? "");
  }

  /** Copies a cell of another matrix. */
  copyCell(cell: number, from: Matrix, source: number): void {
    const histogram = from.histogramAt(source);
    if (histogram !== undefined) return this.setHistogram(cell, histogram);
    this.values[cell] = from.values[source] ?? 0;
    this.kinds[cell] = from.kinds[source] ?? ABSENT;
  }

  /** Appends a copy of a row of another matrix. */
  copyRow(from: Matrix, row: number, labels: Labels): void {
    const first = this.addRow(labels);
    const source = row * from.steps;
    for (let step = 0; step < this.steps; step++) this.copyCell(first + step, from, source + step);
  }

  /** Appends the samples of a row, at the times of the steps. */
  readRow(row: number, times: Float64Array, into: Columns): void {
    const first = row * this.steps;
    for (let step = 0; step < this.steps; step++) {
      if (this.kinds[first + step] === ABSENT) continue;
      const histogram = this.histogramAt(first + step);
      if (histogram === undefined) into.push(times[step] ?? 0, this.values[first + step] ?? 0);
      else into.pushHistogram(times[step] ?? 0, histogram);
    }
  }

  isRowEmpty(row: number): boolean {
    const end = (row + 1) * this.steps;
    for (let cell = row * this.steps; cell < end; cell++) if (this.kinds[cell] !== ABSENT) return false;
    return true;
  }

  count(): number {
    let found = 0;
    const { kinds, cells } = this;
    for (let cell = 0; cell < cells; cell++) if (kinds[cell] !== ABSENT) found += 1;
    return found;
  }

  #grow(): void {
    const room = Math.max(this.values.length * 2, this.cells, FIRST_ROWS);
    const values = new Float64Array(room);
    values.set(this.values);
    this.values = values;
    const kinds = new Uint8Array(room);
    kinds.set(this.kinds);
    this.kinds = kinds;
  }
}

/** A number at every step. */
export class Scalar {
  readonly is = "scalar";
  readonly values: Float64Array;
  constructor(values: Float64Array) {
    this.values = values;
  }
}

/** A string literal, the same at every step. */
export class Text {
  readonly is = "string";
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The value of an expression. Range vectors are never completely in memory: see `range-rows.ts`. */
export type Value = Matrix | Scalar | Text;
