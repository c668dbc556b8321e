/** The least and the most pause between calls, and how many times longer than a call it is. */
const LEAST_PAUSE_MS = 20;
const MOST_PAUSE_MS = 5_000;
const PAUSE_SHARE = 10;

/** Calls soon after the first of many changes, five seconds at most, and seldom enough that the calls take a small share of the time. */
export class Calm {
  readonly #run: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = LEAST_PAUSE_MS;

  constructor(run: () => void) {
    this.#run = run;
  }

  readonly call = (): void => {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const began = performance.now();
      this.#run();
      this.#pauseMs = Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, PAUSE_SHARE * (performance.now() - began)));
    }, this.#pauseMs).unref();
  };
  close(): void {
    clearTimeout(this.#timer);
  }
}
