/** No series: the rules drop the sample. */
export const DROPPED_ID = 0;

/** The number of scrapes after which a series that is gone is forgotten; until then it does not count as added when it comes back. */
const KEPT = 2;

/**
 * The series of one target: their numbers in the storage, and the scrape that had each last. Ids are small and stay, so that the reader of pages can
 * keep them from page to page.
 */
export class TargetSeries {
  #refs: number[] = [-1];
  /** The scrape that last had the series. */
  #seen: number[] = [0];
  /** The scrape before that had it: a page that fails after all never counted. */
  #before: number[] = [0];
  /** Whether its absence is marked: not if it has timestamps of its own. */
  #isTracked: boolean[] = [false];
  #free: number[] = [];
  readonly #byRef = new Map<number, number>();
  /** The number of the current scrape. */
  #scrape = 0;

  /** The number of series that are known. */
  get size(): number {
    return this.#byRef.size;
  }

  begin(): void {
    this.#scrape += 1;
  }

  refOf(id: number): number {
    return this.#refs[id]!;
  }

  /** The id of a series; `isNew` if it was not known. */
  idOf(ref: number): { readonly id: number; readonly isNew: boolean } {
    const known = this.#byRef.get(ref);
    if (known !== undefined) return { id: known, isNew: false };
    const id = this.#free.pop() ?? this.#refs.length;
    this.#refs[id] = ref;
    this.#seen[id] = 0;
    this.#before[id] = 0;
    this.#isTracked[id] = false;
    this.#byRef.set(ref, id);
    return { id, isNew: true };
  }

  /** The storage gave the series another number. */
  move(id: number, ref: number): void {
    this.#byRef.delete(this.#refs[id]!);
    this.#byRef.set(ref, id);
    this.#refs[id] = ref;
  }

  see(id: number, isTracked: boolean): void {
    if (this.#seen[id] !== this.#scrape) this.#before[id] = this.#seen[id]!;
    this.#seen[id] = this.#scrape;
    this.#isTracked[id] = isTracked;
  }

  /** The series of the scrape before that this one lacks. */
  *gone(): Generator<number> {
    for (const [ref, id] of this.#byRef) if (this.#seen[id] === this.#scrape - 1 && this.#isTracked[id] === true) yield ref;
  }

  /** All series that the last stored scrape had: the current one failed. They do not end twice, and are not new when they come back. */
  *all(): Generator<number> {
    for (const [ref, id] of this.#byRef) {
      if (this.#seen[id] === this.#scrape) this.#seen[id] = this.#before[id]!;
      if (this.#seen[id] !== this.#scrape - 1) continue;
      this.#seen[id] = this.#scrape - 2;
      if (this.#isTracked[id] === true) yield ref;
    }
  }

  /** Forgets series that have been gone for a while. Ids of the last page are never reused. */
  forget(): void {
    for (const [ref, id] of this.#byRef) {
      if (this.#scrape - this.#seen[id]! <= KEPT) continue;
      this.#byRef.delete(ref);
      this.#free.push(id);
    }
  }
}
