import { setTimeout as wait } from "node:timers/promises";

/** The first wrong tokens of an address are answered at once: a mistyped one costs no time. */
const FREE = 3;
const FIRST_MS = 250;
const MOST_MS = 4_000;
/** An address without a wrong token for this long starts again; counts are logged as often. */
const PERIOD_MS = 60_000;
const MOST_ADDRESSES = 1_024;
const MOST_WAITING = 64;

/**
 * Slows down whoever tries tokens, and counts the attempts: the first of a minute is logged, then one line says how many followed. A request
 * with a valid token never waits, from whatever address.
 */
export class WrongTokens {
  readonly #log: (line: string) => void;
  /** Addresses with their attempts, the latest at the end. */
  readonly #attempts = new Map<string, { count: number; last: number }>();
  #waiting = 0;
  #more = 0;
  #from = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Counts an attempt, and returns how long its answer should wait, in milliseconds; undefined if too many answers wait already. */
  note(address: string, line: string, now: number): number | undefined {
    this.#count(address, line);
    const before = this.#attempts.get(address);
    const count = before !== undefined && now - before.last < PERIOD_MS ? before.count + 1 : 1;
    this.#attempts.delete(address);
    this.#attempts.set(address, { count, last: now });
    for (const oldest of this.#attempts.keys()) {
      if (this.#attempts.size <= MOST_ADDRESSES) break;
      this.#attempts.delete(oldest);
    }
    if (count <= FREE) return 0;
    return this.#waiting >= MOST_WAITING ? undefined : Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(count - FREE - 1, 10));
  }
  async wait(ms: number): Promise<void> {
    this.#waiting++;
    await wait(ms, undefined, { ref: false });
    this.#waiting--;
  }
  close(): void {
    this.#report();
  }

  #count(address: string, line: string): void {
    if (this.#timer === undefined) {
      this.#log(line);
      this.#timer = setTimeout(() => this.#report(), PERIOD_MS).unref();
      return;
    }
    this.#more++;
    if (this.#from.size < MOST_ADDRESSES) this.#from.add(address);
  }
  #report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#more > 0)
      this.#log(
        `refused 401 ${this.#more} more times within a minute, from ${this.#from.size} address${this.#from.size === 1 ? "" : "es"}`,
      );
    this.#more = 0;
    this.#from = new Set();
  }
}
