/**
 * Work that is done bit by bit: it pauses between series, and whoever runs it looks at the clock, does something else, or ends it by `return()`
 * or `throw()`.
 */
export type Work<T> = Generator<undefined, T, undefined>;

/** Samples that are looked at between two pauses: about a millisecond. */
const STRIDE = 1 << 16;
/** What goes with each piece of work, however small. */
const LEAST = 16;

/** Counts what is done, and says when it is time to pause. */
export class Strides {
  #work = 0;

  /** Whether it is time to pause after so much more work, in samples that were looked at. */
  isDue(samples: number): boolean {
    this.#work += samples + LEAST;
    if (this.#work < STRIDE) return false;
    this.#work = 0;
    return true;
  }

  /** Work that was done without a pause; it counts for the next. */
  charge(samples: number): void {
    this.#work += samples;
  }
}
