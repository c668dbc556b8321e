/** Joins a float from two 32-bit halves and splits it. Belongs to one reader or writer. The bits of a NaN may change on the way. */
export class FloatHalves {
  readonly #float = new Float64Array(1);
  readonly #halves = new Int32Array(this.#float.buffer);

  /** The result of the last `split`. */
  get high(): number {
    return this.#halves[1]!;
  }

  get low(): number {
    return this.#halves[0]!;
  }

  split(value: number): void {
    this.#float[0] = value;
  }

  join(high: number, low: number): number {
    this.#halves[0] = low;
    this.#halves[1] = high;
    return this.#float[0]!;
  }
}
