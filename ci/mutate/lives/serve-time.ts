/** A timer of virtual time. */
class Timer {
  readonly #time: VirtualTime;
  readonly #act: () => void;
  readonly #ms: number;
  readonly isRepeated: boolean;
  at = 0;

  constructor(time: VirtualTime, act: () => void, ms: number, isRepeated: boolean) {
    this.#time = time;
    this.#act = act;
    this.#ms = Math.max(1, ms);
    this.isRepeated = isRepeated;
    this.refresh();
  }
  refresh(): this {
    this.at = this.#time.now + this.#ms;
    return this;
  }
  unref(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  run(): void {
    this.#act();
  }
}

/** The time at which every life begins, for Date fields. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
const BEGIN_MS = 1_000;

/** In place of the timers and clocks of the platform, for one life: time passes only in `advance`. */
export class VirtualTime {
  now = BEGIN_MS;
  readonly #timers = new Set<Timer>();
  readonly #restore: () => void;
  readonly #immediate = setImmediate;

  constructor() {
    const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
    const dateNow = Date.now;
    const add = (act: () => void, ms = 0, isRepeated = false): Timer => {
      const timer = new Timer(this, act, ms, isRepeated);
      this.#timers.add(timer);
      return timer;
    };
    const remove = (timer: unknown): void => void this.#timers.delete(timer as Timer);
    Object.assign(globalThis, {
      setTimeout: (act: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => add(() => act(...given), ms),
      setInterval: (act: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => add(() => act(...given), ms, true),
      clearTimeout: remove,
      clearInterval: remove,
    });
    performance.now = () => this.now;
    Date.now = () => EPOCH_MS + this.now;
    this.#restore = () => {
      Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
      // The method of the prototype again.
      Reflect.deleteProperty(performance, "now");
      Date.now = dateNow;
    };
  }

  /** Whatever has been asked for is done: nothing waits but for time or for octets. */
  quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#immediate(resolve);
    });
  }
  async advance(ms: number): Promise<void> {
    await this.quiet();
    const until = this.now + ms;
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.now = next.at;
      if (next.isRepeated) next.refresh();
      else this.#timers.delete(next);
      next.run();
      await this.quiet();
    }
    this.now = until;
  }
  end(): void {
    this.#restore();
  }

  #next(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }
}
