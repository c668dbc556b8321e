import type { Examined } from "./examine.ts";

/** Resolves `late` once no case has ended for `limit` milliseconds. */
export class Silence {
  readonly late: Promise<void>;
  readonly #timer: NodeJS.Timeout;

  constructor(limit: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.late = promise;
    this.#timer = setTimeout(() => resolve(), limit);
  }

  /** The same subject, whose results are heard. */
  heard<Heard extends Pick<Examined, "ask">>(examined: Heard): Heard {
    const ask: Examined["ask"] = (asked) =>
      examined.ask({
        ...asked,
        onResult: (result) => {
          this.#timer.refresh();

          asked.onResult?.(result);
        },
      });
    return { ...examined, ask };
  }
  end(): void {
    clearTimeout(this.#timer);
  }
}
