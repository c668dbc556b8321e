/**
 * What a reader sees stays as it was when it began, whatever is appended meanwhile (DESIGN: reads are isolated from writes). Samples of a series come in
 * order, so that one time a series says it: that of its last sample before the first that was appended behind the reader's back. It is noted
 * only while there is a reader, and readers are nearly always gone before the next append.
 */
export class View {
  /** Series that were made later have higher rows. */
  readonly rows: number;
  /** How many late samples there were, of all series together. */
  readonly late: number;
  readonly #horizons = new Map<number, number>();

  constructor(rows: number, late: number) {
    this.rows = rows;
    this.late = late;
  }

  /** A sample is about to be appended behind the one at `lastTime`. */
  note(row: number, lastTime: number): void {
    if (!this.#horizons.has(row)) this.#horizons.set(row, lastTime);
  }

  /** The last time at which this reader sees samples of a series. */
  horizon(row: number): number {
    return this.#horizons.get(row) ?? Infinity;
  }
}

/** The views that are open. Rows may move only while there are none. */
export class Views {
  readonly #open = new Set<View>();
  readonly #waiting: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  open(rows: number, late: number): View {
    const view = new View(rows, late);
    this.#open.add(view);
    return view;
  }

  close(view: View): void {
    if (!this.#open.delete(view) || this.#open.size > 0) return;
    for (const task of this.#waiting.splice(0)) task();
  }

  note(row: number, lastTime: number): void {
    for (const view of this.#open) view.note(row, lastTime);
  }

  /** Does it now, or when the last of those that are open now is closed. */
  whenEmpty(task: () => void): void {
    if (this.isEmpty) task();
    else this.#waiting.push(task);
  }
}
