import { Misuse } from "../../core/index.ts";
import type { LabelOctets } from "../model/index.ts";
import type { Appendable, Appender, AppendRefusal, ExemplarVerdict } from "../storage/index.ts";
import type { WrittenSeries } from "./write-request.ts";

/** Why a sample is not written. */
type Refusal = AppendRefusal | Exclude<ExemplarVerdict, "new" | "same" | "not kept"> | "too far ahead" | "invalid labels" | "limit reached";

/** What became of a request. `problem` is the first reason for which something was not written. */
export type Received = {
  readonly floats: number;
  readonly histograms: number;
  readonly exemplars: number;
  readonly refused: ReadonlyMap<Refusal, number>;
  readonly problem: string | undefined;
};

/**
 * Stores series, of which the same object may be the next one. What is valid is stored even if other parts are not; samples after `latest`, in
 * milliseconds since 1970, are refused. If the series end with an error, nothing is stored and it is thrown again.
 */
export function storeSeries(storage: Appendable, all: Iterable<WrittenSeries>, latest: number): Received {
  const appender = storage.appender();
  const pass = new Pass(appender, latest);
  try {
    for (const series of all) pass.take(series);
  } catch (error) {
    appender.rollback();
    throw error;
  }
  appender.commit();
  return pass;
}

class Pass implements Received {
  readonly #appender: Appender;
  readonly #latest: number;
  readonly refused = new Map<Refusal, number>();
  floats = 0;
  histograms = 0;
  exemplars = 0;
  problem: string | undefined;

  constructor(appender: Appender, latest: number) {
    this.#appender = appender;
    this.#latest = latest;
  }

  take({ labels, fault, times, values, isStale, histograms, exemplars }: WrittenSeries): void {
    const count = times.length + histograms.length + exemplars.length;
    if (fault !== undefined) return this.#refuse("invalid labels", () => `${labels.toLabels()}: ${fault}`, count);
    const appender = this.#appender;
    const id = this.#idOf(labels);
    if (typeof id === "string") return this.#refuse("limit reached", () => `${labels.toLabels()}: ${id}`, count);
    for (const [at, time] of times.entries()) {
      const why = this.#isAhead(time) ?? (isStale[at] === true ? appender.appendStale(id, time) : appender.append(id, time, values[at]!));
      if (why === undefined) this.floats += 1;
      else this.#refuse(why, () => `${labels.toLabels()} at ${time}: ${why}`, 1);
    }
    for (const { time, histogram } of histograms) {
      const why = this.#isAhead(time) ?? appender.appendHistogram(id, time, histogram);
      if (why === undefined) this.histograms += 1;
      else this.#refuse(why, () => `${labels.toLabels()} at ${time}: ${why}`, 1);
    }
    for (const one of exemplars) {
      const why = this.#isAhead(one.time) ?? appender.appendExemplar(id, one);
      if (why === "new" || why === "same") this.exemplars += 1;
      // A storage that keeps none does not know exemplars.
      else if (why !== "not kept") this.#refuse(why, () => `${labels.toLabels()} at ${one.time}: ${why}`, 1);
    }
    return undefined;
  }

  /** The number of a series, or why the storage takes no more or no such series. */
  #idOf(labels: LabelOctets): number | string {
    try {
      return this.#appender.seriesOf(labels);
    } catch (error) {
      if (error instanceof Misuse) return error.message;
      throw error;
    }
  }

  #isAhead(time: number): "too far ahead" | undefined {
    return time > this.#latest ? "too far ahead" : undefined;
  }

  #refuse(why: Refusal, text: () => string, count: number): void {
    this.problem ??= text();
    this.refused.set(why, (this.refused.get(why) ?? 0) + count);
  }
}
