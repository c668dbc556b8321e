type Waiting = { readonly alone: boolean; readonly go: () => void };

/** Runs tasks concurrently, except exclusive ones: such a task waits for all before it, and all after it wait for it. */
export class Turns {
  #running = 0;
  #alone = false;
  readonly #waiting: Waiting[] = [];

  async take<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((go) => {
      this.#waiting.push({ alone, go });
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#alone = false;
      this.#next();
    }
  }

  #next(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#alone || (first.alone && this.#running > 0)) return;
      this.#waiting.shift();
      this.#running += 1;
      this.#alone = first.alone;
      first.go();
    }
  }
}
