type Waiter = { readonly test: () => boolean; readonly done: (met: boolean) => void };

/** Waits for conditions, which are checked at every change, never by the clock. */
export class Waiting {
  #waiters: Waiter[] = [];
  /** Whether a wait ran out of time. */
  timedOut = false;

  /** Something has changed: checks all conditions. */
  poke(): void {
    for (const waiter of this.#waiters) if (waiter.test()) waiter.done(true);
  }

  /** True as soon as `test` holds, false if it does not within `ms`. */
  until(test: () => boolean, ms: number): Promise<boolean> {
    if (test()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const met = test();
        this.timedOut ||= !met;
        waiter.done(met);
      }, ms);
      const waiter: Waiter = {
        test,
        done: (met) => {
          clearTimeout(timer);
          this.#waiters = this.#waiters.filter((other) => other !== waiter);
          resolve(met);
        },
      };
      this.#waiters.push(waiter);
    });
  }
}
