/** A name with its values, rising, and the number of the pair of the name and each. */
export type NamePairs = { readonly name: number; readonly values: Uint32Array; readonly pairs: Uint32Array };

/**
 * Which series have which label, collected while an index is written: for each series the numbers of its pairs, one behind another, and in the end sorted
 * by pair in two walks. Names and values are numbers of symbols, which rise as the texts do.
 */
export class PairLists {
  /** By value, one more than the last pair that has it; by pair, the one before. A value mostly has one name. */
  readonly #lastOf: Uint32Array;
  #before = new Uint32Array(1_024);
  #names = new Uint32Array(1_024);
  /** Of every pair, how many series have it. */
  #counts = new Uint32Array(1_024);
  #pairCount = 0;
  /** Every series, and where its pairs begin. */
  #series = new Uint32Array(1_024);
  #begins = new Uint32Array(1_024);
  #seriesCount = 0;
  #entries = new Uint32Array(8_192);
  #entryCount = 0;
  #lists: { readonly begins: Uint32Array; readonly members: Uint32Array } | undefined;

  /** `symbols`: how many there are. */
  constructor(symbols: number) {
    this.#lastOf = new Uint32Array(symbols);
  }

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
    let pair = (this.#lastOf[value] ?? 0) - 1;
    while (pair >= 0 && this.#names[pair] !== name) pair = (this.#before[pair] ?? 0) - 1;
    if (pair < 0) pair = this.#addPair(name, value);
    this.#counts[pair] = (this.#counts[pair] ?? 0) + 1;
    if (this.#entryCount === this.#entries.length) this.#entries = wider(this.#entries);
    this.#entries[this.#entryCount++] = pair;
  }

  /** Every series. */
  all(): Uint32Array {
    return this.#series.subarray(0, this.#seriesCount);
  }

  /** All pairs, by name and then by value. */
  sorted(): NamePairs[] {
    const byName = new Map<number, { values: number[]; pairs: number[] }>();
    for (let value = 0; value < this.#lastOf.length; value++) {
      for (let pair = (this.#lastOf[value] ?? 0) - 1; pair >= 0; pair = (this.#before[pair] ?? 0) - 1) {
        const name = this.#names[pair] ?? 0;
        let own = byName.get(name);
        if (own === undefined) byName.set(name, (own = { values: [], pairs: [] }));
        own.values.push(value);
        own.pairs.push(pair);
      }
    }
    return [...byName]
      .sort(([a], [b]) => a - b)
      .map(([name, { values, pairs }]) => ({ name, values: Uint32Array.from(values), pairs: Uint32Array.from(pairs) }));
  }

  /** The series with a pair, rising: a view. */
  list(pair: number): Uint32Array {
    this.#lists ??= this.#sort();
    const { begins, members } = this.#lists;
    return members.subarray(begins[pair], begins[pair + 1]);
  }

  #addPair(name: number, value: number): number {
    const pair = this.#pairCount++;
    if (pair === this.#counts.length) {
      this.#counts = wider(this.#counts);
      this.#before = wider(this.#before);
      this.#names = wider(this.#names);
    }
    this.#names[pair] = name;
    this.#before[pair] = this.#lastOf[value] ?? 0;
    this.#lastOf[value] = pair + 1;
    return pair;
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

function wider(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const twice = new Uint32Array(array.length * 2);
  twice.set(array);
  return twice;
}
