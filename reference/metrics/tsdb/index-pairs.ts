/**
 * Which series have which label, collected while an index is written: for each series the numbers of its pairs, one behind another, and in the end sorted
 * by pair in two walks. Names and values are numbers of symbols, which rise as the texts do.
 */
export class PairLists {
  /** By name, by value, the number of the pair. */
  readonly #numbers = new Map<number, Map<number, number>>();
  /** Of every pair, how many series have it. */
  #counts = new Uint32Array(1_024);
  #pairCount = 0;
  /** Every series, and where its pairs begin. */
  #series = new Uint32Array(1_024);
  #begins = new Uint32Array(1_024);
  #seriesCount = 0;
  #entries = new Uint32Array(8_192);
  #entryCount = 0;
  #sorted: { readonly begins: Uint32Array; readonly members: Uint32Array } | undefined;

  /** The series that the pairs to come belong to; series rise. */
  series(series: number): void {
    if (this.#seriesCount === this.#series.length) {
      this.#series = wider(this.#series);
      this.#begins = wider(this.#begins);
    }
    this.#series[this.#seriesCount] = series;
    this.#begins[this.#seriesCount] = this.#entryCount;
    this.#seriesCount += 1;
  }

  add(name: number, value: number): void {
    let values = this.#numbers.get(name);
    if (values === undefined) {
      values = new Map();
      this.#numbers.set(name, values);
    }
    let pair = values.get(value);
    if (pair === undefined) {
      pair = this.#pairCount++;
      values.set(value, pair);
      if (pair === this.#counts.length) this.#counts = wider(this.#counts);
    }
    this.#counts[pair] = (this.#counts[pair] ?? 0) + 1;
    if (this.#entryCount === this.#entries.length) this.#entries = wider(this.#entries);
    this.#entries[this.#entryCount++] = pair;
  }

  /** Every series. */
  all(): Uint32Array {
    return this.#series.subarray(0, this.#seriesCount);
  }

  names(): number[] {
    return rising(this.#numbers.keys());
  }

  values(name: number): number[] {
    return rising(this.#numbers.get(name)?.keys() ?? []);
  }

  /** The series with a pair, rising: a view. */
  list(name: number, value: number): Uint32Array {
    this.#sorted ??= this.#sort();
    const pair = this.#numbers.get(name)?.get(value) ?? 0;
    const { begins, members } = this.#sorted;
    return members.subarray(begins[pair], begins[pair + 1]);
  }

  #sort(): { begins: Uint32Array; members: Uint32Array } {
    const begins = new Uint32Array(this.#pairCount + 1);
    for (let pair = 0; pair < this.#pairCount; pair++) begins[pair + 1] = (begins[pair] as number) + (this.#counts[pair] as number);
    const free = begins.slice();
    const members = new Uint32Array(this.#entryCount);
    for (let row = 0; row < this.#seriesCount; row++) {
      const end = row + 1 < this.#seriesCount ? (this.#begins[row + 1] as number) : this.#entryCount;
      for (let entry = this.#begins[row] as number; entry < end; entry++) {
        const pair = this.#entries[entry] as number;
        members[free[pair] as number] = this.#series[row] as number;
        free[pair] = (free[pair] as number) + 1;
      }
    }
    return { begins, members };
  }
}

function rising(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}

function wider(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const twice = new Uint32Array(array.length * 2);
  twice.set(array);
  return twice;
}
