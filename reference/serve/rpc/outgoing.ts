/** The most octets of requests that are kept for another attempt. */
const KEPT_OCTETS = 1_048_576;

/**
 * The requests of a call, which a further attempt may send again from the beginning: until `commit`, or until they are too many, sent messages
 * are kept. One attempt reads at a time.
 */
export class Outgoing implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  /** The kept messages, of which the first has this number. */
  #kept: Uint8Array[] = [];
  #first = 0;
  #octets = 0;
  #isCommitted = false;
  #isOver = false;
  /** The next message is on its way; an attempt that ended meanwhile leaves it to the next one. */
  #pending: Promise<void> | undefined;
  #reader = 0;
  /** The attempt that stopped reading last. */
  #left = -1;
  /** What the source threw. */
  failure: { readonly error: unknown } | undefined;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether another attempt can send everything again. */
  get isReplayable(): boolean {
    return !this.#isCommitted && this.failure === undefined;
  }
  /** No further attempt follows. */
  commit(): void {
    this.#isCommitted = true;
    // The response was complete before its headers were read.
    if (this.#left === this.#reader) void this.stop();
  }
  /** The call has ended: nobody reads the source any more. */
  async stop(): Promise<void> {
    this.#reader++;
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      await this.#source.return?.();
    } catch {
      // The call has its status.
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    const reader = ++this.#reader;
    let at = 0;
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      for (;;) {
        if (reader !== this.#reader) return { done: true, value: undefined };
        const octets = this.#kept[at - this.#first];
        if (octets !== undefined) {
          at++;
          if (this.#isCommitted) this.#forget(at);
          return { done: false, value: octets };
        }
        if (this.#isOver) return { done: true, value: undefined };
        await (this.#pending ??= this.#read());
      }
    };
    // The attempt has ended; only the last one ends the source.
    const end = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      this.#left = reader;
      if (reader === this.#reader && this.#isCommitted) await this.stop();
      return { done: true, value: undefined };
    };
    return { next, return: end };
  }

  async #read(): Promise<void> {
    try {
      const step = await this.#source.next();
      if (step.done === true) this.#isOver = true;
      else {
        this.#kept.push(step.value);
        this.#octets += step.value.length;
        if (this.#octets > KEPT_OCTETS) this.#isCommitted = true;
      }
    } catch (error) {
      this.failure = { error };
      this.#isOver = true;
      throw error;
    } finally {
      this.#pending = undefined;
    }
  }
  #forget(count: number): void {
    this.#kept.splice(0, count - this.#first);
    this.#first = count;
  }
}
