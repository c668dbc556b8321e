import { instant, NEVER, type Instant } from "../core/index.ts";

/** The one clock of all connections: monotonic, in whole milliseconds, which V8 stores without allocation. */
export const now = (): Instant => instant(Math.floor(performance.now()));

/** Something with a deadline that moves. */
export interface Timed {
  /** `NEVER` while nothing is pending. */
  readonly deadline: Instant;
  due(at: Instant): void;
}

/** How late a deadline may be noticed. Deadlines are seconds away, and one check of all is cheaper than a timer for each. */
const PERIOD_MS = 100;

/** One timer for all deadlines. It runs only while there are any, and does not keep the process alive. */
export class Watch {
  readonly #watched = new Set<Timed>();
  #timer: NodeJS.Timeout | undefined;

  /** Watches `timed` until its deadline is `NEVER`; call it again for a new deadline. */
  add(timed: Timed): void {
    this.#watched.add(timed);
    this.#timer ??= setInterval(() => this.#look(), PERIOD_MS).unref();
  }
  has(timed: Timed): boolean {
    return this.#watched.has(timed);
  }
  delete(timed: Timed): void {
    this.#watched.delete(timed);
  }
  get size(): number {
    return this.#watched.size;
  }

  #look(): void {
    const at = now();
    for (const timed of this.#watched) {
      if (timed.deadline <= at) timed.due(at);
      if (timed.deadline === NEVER) this.#watched.delete(timed);
    }
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Shared by all connections of the process. */
export const watch: Watch = new Watch();
