/** A name with its values in ascending order, and the pair number of each. */
export type NamePairs = { readonly name: number; readonly values: Uint32Array; readonly pairs: Uint32Array };

/**
 * Collects which series have which label while an index is written: the pair numbers of each series in sequence, sorted by pair at the end in two
 * passes. Names and values are symbol numbers, in the order of their texts.
 */
export class PairLists {
  /** By value, its last pair plus one; by pair, the previous pair of that value plus one. A value mostly has one name. */
  readonly #lastOf: Uint32Array;
  #before = new Uint32Array(1_024);
  #names = new Uint32Array(1_024);
  /** By pair, its number of series. */
  #counts = new Uint32Array(1_024);
  #pairCount = 0;
  /** Every series and the start of its pairs. */
  #series = new Uint32Array(1_024);
  #begins = new Uint32Array(1_024);
  #seriesCount = 0;
  #entries = new Uint32Array(8_192);
  #entryCount = 0;
  #lists: { readonly begins: Uint32Array; readonly members: Uint32Array } | undefined;

  /** `symbols`: the number of symbols. */
  constructor(symbols: number) {
    this.#lastOf = new Uint32Array(symbols);
  }

  /** Begins a series; the following pairs belong to it. Series are in ascending order. */
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

  /** All series. */
  all(): Uint32Array {
    return this.#series.subarray(0, this.#seriesCount);
  }

  /** All pairs, sorted by name and value. */
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

  /** The series of a pair, ascending, as a view. */
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
    for (let pair = 0; pair < this.#pairCount; pair++) begins[pair + 1] = begins[pair]! + this.#counts[pair]!;
    const free = begins.slice();
    const members = new Uint32Array(this.#entryCount);
    for (let row = 0; row < this.#seriesCount; row++) {
      const end = row + 1 < this.#seriesCount ? this.#begins[row + 1]! : this.#entryCount;
      for (let entry = this.#begins[row]!; entry < end; entry++) {
        const pair = this.#entries[entry]!;
        members[free[pair]!] = this.#series[row]!;
        free[pair] = free[pair]! + 1;
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
