/** From `from` up to, and without, `to`. */
export type Span = { readonly from: number; readonly to: number };

/** A set of integers as spans: sorted, neither empty nor adjacent. Its size is for the user to bound. */
export class Spans {
  #spans: Span[] = [];

  get size(): number {
    return this.#spans.length;
  }
  get first(): Span | undefined {
    return this.#spans[0];
  }
  get last(): Span | undefined {
    return this.#spans.at(-1);
  }
  /** In ascending order; valid until the next change. */
  get list(): readonly Span[] {
    return this.#spans;
  }

  has(value: number): boolean {
    const span = this.#spans[this.#at(value)];
    return span !== undefined && span.from <= value;
  }
  covers(from: number, to: number): boolean {
    const span = this.#spans[this.#at(from)];
    return from >= to || (span !== undefined && span.from <= from && span.to >= to);
  }

  /** Adds a span; false if all of it was there. */
  add(from: number, to: number): boolean {
    if (from >= to || this.covers(from, to)) return false;
    const last = this.#spans.at(-1);
    if (last === undefined || from > last.to) {
      this.#spans.push({ from, to });
      return true;
    }
    // Adjacent spans are merged.
    const first = this.#at(from - 1);
    let end = first;
    let [low, high] = [from, to];
    for (; end < this.#spans.length && this.#spans[end]!.from <= to; end++) {
      low = Math.min(low, this.#spans[end]!.from);
      high = Math.max(high, this.#spans[end]!.to);
    }
    this.#spans.splice(first, end - first, { from: low, to: high });
    return true;
  }

  remove(from: number, to: number): void {
    if (from >= to) return;
    const first = this.#at(from);
    const rest: Span[] = [];
    let end = first;
    for (; end < this.#spans.length && this.#spans[end]!.from < to; end++) {
      const span = this.#spans[end]!;
      if (span.from < from) rest.push({ from: span.from, to: from });
      if (span.to > to) rest.push({ from: to, to: span.to });
    }
    if (end > first) this.#spans.splice(first, end - first, ...rest);
  }

  /** The parts of a span that are not in the set, in order. */
  missing(from: number, to: number): Span[] {
    const gaps: Span[] = [];
    let at = from;
    for (let index = this.#at(from); index < this.#spans.length && at < to; index++) {
      const span = this.#spans[index]!;
      if (span.from >= to) break;
      if (span.from > at) gaps.push({ from: at, to: span.from });
      at = Math.max(at, span.to);
    }
    if (at < to) gaps.push({ from: at, to });
    return gaps;
  }

  /** The index of the first span that ends after `value`. */
  #at(value: number): number {
    let low = 0;
    let high = this.#spans.length;
    // Most questions are about the end.
    if (high > 0 && this.#spans[high - 1]!.to <= value) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#spans[middle]!.to <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
