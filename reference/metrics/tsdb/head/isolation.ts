/**
 * Isolates a reader from later writes. Samples of a series arrive in order, so one time per series is enough: its last sample when the reader began.
 * It is noted at the first append while a reader is open; readers have nearly always closed before the next append.
 */
export class View {
  /** Later series have higher rows. */
  readonly rows: number;
  /** The number of late samples of all series when the reader began. */
  readonly late: number;
  readonly #horizons = new Map<number, number>();

  constructor(rows: number, late: number) {
    this.rows = rows;
    this.late = late;
  }

  /** To be called before a sample is appended after the one at `lastTime`. */
  note(row: number, lastTime: number): void {
    if (!this.#horizons.has(row)) this.#horizons.set(row, lastTime);
  }

  /** The reader sees samples of a series up to this time. */
  horizon(row: number): number {
    return this.#horizons.get(row) ?? Infinity;
  }
}

/** The open views. Rows may move only while there are none. */
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

  /** Runs a task now, or when the last open view closes. */
  whenEmpty(task: () => void): void {
    if (this.isEmpty) task();
    else this.#waiting.push(task);
  }
}
