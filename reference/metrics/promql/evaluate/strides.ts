/**
 * Work that yields between series: the caller checks the clock, does other work, or ends it with `return()` or `throw()`.
 */
export type Work<T> = Generator<undefined, T, undefined>;

/** Samples between two yields: about a millisecond of work. */
const STRIDE = 1 << 16;
/** The cost of any piece of work, however small. */
const LEAST = 16;

/** Counts work in samples and tells when to yield. */
export class Strides {
  #work = 0;

  /** Adds work, in samples, and returns whether it is time to yield. */
  isDue(samples: number): boolean {
    this.#work += samples + LEAST;
    if (this.#work < STRIDE) return false;
    this.#work = 0;
    return true;
  }

  /** Adds work without a chance to yield; it counts towards the next yield. */
  charge(samples: number): void {
    this.#work += samples;
  }
}
