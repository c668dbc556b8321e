import { TooManySamples } from "./failure.ts";
import type { SamplePool } from "./pool.ts";
import { HISTOGRAM, type Matrix } from "./value.ts";

/** Cells that may be allocated per allowed sample, empty ones included: a matrix of many short-lived series is mostly empty. */
const CELLS_A_SAMPLE = 2;
/** Characters of new labels per allowed sample: label functions can double a label at every call. */
const CHARACTERS_A_SAMPLE = 2;
/** Octets of a float sample: the size of a histogram is counted in samples. */
const SAMPLE_OCTETS = 16;

/** Counts the samples that a query holds in memory and ends it beyond `--query.max-samples` (Prometheus docs, feature_flags.md, "peakSamples"). */
export class Budget {
  readonly max: number;
  readonly #pool: SamplePool | undefined;
  #textSamples = 0;
  held = 0;
  peak = 0;

  /** `pool`: the budget of the whole server, of which this one is a part. */
  constructor(max: number, pool?: SamplePool) {
    this.max = max;
    this.#pool = pool;
  }

  hold(samples: number): void {
    this.#pool?.take(samples);
    this.held += samples;
    if (this.held > this.peak) this.peak = this.held;
    if (this.held > this.max) throw new TooManySamples();
  }

  release(samples: number): void {
    this.#pool?.giveBack(samples);
    this.held -= samples;
  }

  /** Gives everything back to the pool: call when the query has ended. */
  end(): void {
    this.#pool?.giveBack(this.held + this.#textSamples);
    this.#textSamples = 0;
    this.held = 0;
  }

  /** Samples that are held only for a moment, such as those of one window. */
  glance(samples: number): void {
    this.hold(samples);
    this.release(samples);
  }

  /** Call before allocating a matrix of `cells` cells. */
  room(cells: number): void {
    if (cells > this.max * CELLS_A_SAMPLE) throw new TooManySamples();
  }

  /** Call before making label text of `characters` characters. */
  text(characters: number): void {
    const samples = characters / CHARACTERS_A_SAMPLE;
    if (this.#textSamples + samples > this.max) throw new TooManySamples();
    this.#pool?.take(samples);
    this.#textSamples += samples;
  }

  /** Counts the samples of a new matrix as held, until `drop`. */
  keep(matrix: Matrix): Matrix {
    const samples = matrix.histograms === undefined ? matrix.count() : weigh(matrix);
    this.hold(samples - matrix.held);
    matrix.held = samples;
    return matrix;
  }

  drop(matrix: Matrix): void {
    this.release(matrix.held);
    matrix.held = 0;
  }
}

function weigh(matrix: Matrix): number {
  let samples = matrix.count();
  for (let cell = 0; cell < matrix.cells; cell++) {
    if (matrix.kinds[cell] !== HISTOGRAM) continue;
    const histogram = matrix.histograms?.[cell];
    if (histogram === undefined) continue;
    const numbers =
      8 + histogram.positive.length + histogram.negative.length + histogram.positiveSpans.length + histogram.negativeSpans.length;
    samples += Math.floor((numbers * 8) / SAMPLE_OCTETS) - 1;
  }
  return samples;
}
