import { instant, NEVER, type Instant } from "../core/index.ts";

/** The one clock of all connections: monotonic milliseconds, whole ones, which cost no memory to keep. */
export const now = (): Instant => instant(Math.floor(performance.now()));

/** Something with a deadline that moves. */
export interface Timed {
  /** `NEVER` while nothing is pending. */
  readonly deadline: Instant;
  due(at: Instant): void;
}

/** How late a deadline may be noticed. Deadlines here are seconds long, and one look at all of them is cheaper than a timer each. */
const PERIOD_MS = 100;

/** One timer for everything that waits: it runs only while something does, and never keeps the process alive. */
export class Watch {
  readonly #watched = new Set<Timed>();
  #timer: NodeJS.Timeout | undefined;

  /** Looks at `timed` until its deadline is `NEVER`; to be called again when it has a new one. */
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
