import type { AppendRefusal } from "../../../reference/metrics/storage/index.ts";

/**
 * The state of a sample: acknowledged; refused by a failing disk, so invisible until the next opening; written but never acknowledged; deleted; several of
 * these, so that it may be there or not; appended again with another value.
 */
type State = "there" | "failed" | "maybe" | "gone" | "unclear" | "contested";
type Known = { value: number; state: State; isSynced: boolean };

type Sample = { readonly series: number; readonly time: number; readonly value: number; readonly isLate: boolean };
type Answer = AppendRefusal | undefined;

/**
 * The expected content of a storage, as a map of times for each series. It follows the rules of the Prometheus docs (storage.md), implemented independently.
 */
export class Model {
  readonly series: Map<number, Map<number, Known>> = new Map();
  readonly #window: number;
  readonly #last = new Map<number, number>();
  readonly #deleted: { readonly series: number; readonly start: number; readonly end: number }[] = [];
  /** Time ranges of damaged blocks: their content is unknown. */
  readonly #unsettled: { readonly start: number; readonly end: number }[] = [];
  #batch: Sample[] = [];

  constructor(window: number) {
    this.#window = window;
  }

  /**
   * Checks an answer of the storage. `floor`: samples in order are accepted from this time on; `newest`: the newest time in memory. `got`: the answer, which
   * decides whether the sample is in the batch.
   */
  append(sample: Omit<Sample, "isLate">, floor: number, newest: number, got: AppendRefusal | undefined): readonly Answer[] {
    const { series, time, value } = sample;
    const stored = this.#last.get(series) ?? -Infinity;
    const inBatch = this.#batch.filter((other) => other.series === series && !other.isLate).at(-1);
    const { value: known, state } = this.series.get(series)?.get(time) ?? {};
    // Of two values the one in order and the late one are remembered: a repetition of either may be compared with the other.
    const mayBeAnother = this.#mayReturn(time) || state === "contested";
    if (time >= floor && time > stored && time > (inBatch?.time ?? -Infinity)) {
      this.#batch.push({ ...sample, isLate: false });
      return [undefined];
    }
    if (time >= floor && (time === stored || time === inBatch?.time)) {
      if (mayBeAnother) return [undefined, "duplicate sample for timestamp"];
      return [(time === stored ? known : inBatch?.value) === value ? undefined : "duplicate sample for timestamp"];
    }
    if (this.#window === 0) return [time < floor ? "out of bounds" : "out of order sample"];
    if (time < newest - this.#window) return ["too old sample"];
    if (got === undefined) this.#batch.push({ ...sample, isLate: true });
    // Repetitions are only noticed among late samples.
    return !mayBeAnother && (known === undefined || known === value) ? [undefined] : [undefined, "duplicate sample for timestamp"];
  }

  /** The batch was committed. */
  commit(state: "there" | "failed" | "maybe"): void {
    for (const { series, time, value, isLate } of this.#batch) {
      const samples = this.series.get(series) ?? new Map<number, Known>();
      this.series.set(series, samples);
      const known = samples.get(time);
      if (known === undefined)
        samples.set(time, { value, state: isLate && this.#isDeleted(series, time) ? "unclear" : state, isSynced: false });
      // Either of two values may win, and compaction may change that.
      else if (known.value !== value) known.state = "contested";
      else if (known.state !== "there") known.state = "unclear";
      if (!isLate && state === "there") this.#last.set(series, Math.max(time, this.#last.get(series) ?? -Infinity));
    }
    this.#batch = [];
  }

  rollback(): void {
    this.#batch = [];
  }

  #isUnsettled(time: number): boolean {
    return this.#unsettled.some(({ start, end }) => time >= start && time < end);
  }

  /** The newest block is gone: the log brings back what it still has of that time. */
  #mayReturn(time: number): boolean {
    return this.#unsettled.some(({ end }) => time < end);
  }

  /** A late sample in a deleted range is deleted if it is in memory, and visible if it is in a block. */
  #isDeleted(series: number, time: number): boolean {
    return this.#deleted.some((one) => one.series === series && time >= one.start && time <= one.end);
  }

  delete(series: number, start: number, end: number, isAcknowledged: boolean): void {
    this.#deleted.push({ series, start, end });
    for (const [time, known] of this.series.get(series) ?? []) {
      if (time < start || time > end) continue;
      if (!isAcknowledged && known.state !== "contested") known.state = "unclear";
      else if (known.state === "there") known.state = "gone";
    }
  }

  /** A block is damaged: its samples are invisible, except those still in the log, and deletions before `end` are unknown. */
  unsettle(start: number, end: number): void {
    this.#unsettled.push({ start, end });
  }

  sync(): void {
    for (const samples of this.series.values()) for (const known of samples.values()) known.isSynced = true;
  }

  /** The process died. A power loss may drop unsynced samples; the next opening decides what is there. */
  restart(isPowerLost: boolean, isSyncedByCommit: boolean): void {
    this.#batch = [];
    if (!isPowerLost || isSyncedByCommit) return;
    for (const samples of this.series.values()) {
      for (const known of samples.values()) {
        if (known.state !== "contested" && (!known.isSynced || known.state === "gone")) known.state = "unclear";
      }
    }
  }

  /** The storage was opened: failed writes that could not be removed are there now. */
  reopen(): void {
    for (const samples of this.series.values()) for (const known of samples.values()) if (known.state === "failed") known.state = "maybe";
  }

  /** Compares with the storage's samples of a series; returns the difference. */
  check(series: number, shown: ReadonlyMap<number, number>): string[] {
    const wrong: string[] = [];
    const samples = this.series.get(series) ?? new Map<number, Known>();
    for (const [time, value] of shown) {
      if (this.#isUnsettled(time)) continue;
      const known = samples.get(time);
      if (this.#mayReturn(time) && known?.state !== "there") continue;
      if (known === undefined) wrong.push(`series ${series} at ${time}: ${value} was never appended`);
      else if (known.state === "failed") wrong.push(`series ${series} at ${time}: ${value} was refused`);
      else if (known.state === "gone") wrong.push(`series ${series} at ${time}: ${value} was deleted`);
      else if (known.state === "there" && known.value !== value) wrong.push(`series ${series} at ${time}: ${value} is not ${known.value}`);
    }
    for (const [time, known] of samples) {
      if (known.state === "there" && !shown.has(time) && !this.#isUnsettled(time))
        wrong.push(`series ${series} at ${time}: ${known.value} is lost`);
    }
    return wrong;
  }

  /** Resolves uncertain samples by what the storage shows. */
  settle(series: number, shown: ReadonlyMap<number, number>, last: number): void {
    const samples = this.series.get(series) ?? new Map<number, Known>();
    this.series.set(series, samples);
    for (const [time, known] of samples) {
      const value = shown.get(time);
      if (known.state === "gone" || known.state === "contested") continue;
      if (value === undefined) samples.delete(time);
      else samples.set(time, { value, state: "there", isSynced: known.isSynced });
    }
    this.#last.set(series, last);
  }
}
