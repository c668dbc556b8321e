import { spreadIn } from "../model/index.ts";

/** The first time at or after `from`, in milliseconds since 1970, at which the group of this seed is evaluated. */
export function slotFrom(seed: string, intervalMs: number, from: number): number {
  const since = (((from - spreadIn(seed, intervalMs)) % intervalMs) + intervalMs) % intervalMs;
  return since === 0 ? from : from - since + intervalMs;
}

/** When a group is evaluated: at equal distances, at an offset of its own within the interval. Times are milliseconds since 1970. */
export class Slots {
  readonly #seed: string;
  readonly #intervalMs: number;
  #next: number;
  #missed = 0;
  #begun = 0;

  /** `seed` distinguishes groups. */
  constructor(seed: string, intervalMs: number, now: number) {
    this.#seed = seed;
    this.#intervalMs = intervalMs;
    this.#next = slotFrom(seed, intervalMs, now);
  }

  /** The time of the next evaluation. */
  get next(): number {
    return this.#next;
  }
  /** Evaluations that began, and those that never did because the one before took too long. */
  get begun(): number {
    return this.#begun;
  }
  get missed(): number {
    return this.#missed;
  }

  /** The time of the evaluation that begins now; undefined before it is due. Samples get this time however late the timer is. */
  begin(now: number): number | undefined {
    // The clock went back: the plan of before would wait for it.
    if (this.#next - now > this.#intervalMs) this.#next = slotFrom(this.#seed, this.#intervalMs, now);
    if (now < this.#next) return undefined;
    // Only the last of the times that are over is evaluated; the others are missed.
    const late = Math.floor((now - this.#next) / this.#intervalMs);
    const due = this.#next + late * this.#intervalMs;
    this.#missed += late;
    this.#begun += 1;
    this.#next = due + this.#intervalMs;
    return due;
  }
}
