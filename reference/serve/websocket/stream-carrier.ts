import { Duplex } from "node:stream";
import type { Switched } from "../handler.ts";

type Step = IteratorResult<Uint8Array, undefined>;
const END: Step = { done: true, value: undefined };
const NOTHING = new Uint8Array(0);
/** When this many octets wait in one direction, its sender is held back. */
const HIGH_WATER = 65_536;

/**
 * A stream of HTTP/2 or HTTP/3 as a duplex (rfc8441#5, rfc9220#3): it reads the content of one message and writes the content of the other,
 * and ends as TCP would (rfc8441#5.1). It uses message content alone, so that it works with any version that has extended CONNECT.
 */
export class StreamCarrier extends Duplex {
  readonly #reset: () => void;
  #incoming: AsyncIterator<Uint8Array, unknown> | undefined;
  #isReading = false;
  #outgoing: Uint8Array[] = [];
  /** Called once all of `#outgoing` has been fetched. */
  #fetched: (() => void) | undefined;
  #asking: ((step: Step) => void) | undefined;
  #hasEnded = false;

  /** `reset` abandons the stream if this is destroyed before its end. */
  constructor(reset: () => void) {
    super({ highWaterMark: HIGH_WATER });
    this.#reset = reset;
  }

  /** Sets the source of what is read. */
  from(incoming: AsyncIterable<Uint8Array>): Switched {
    this.#incoming = incoming[Symbol.asyncIterator]();
    if (this.#isReading) void this.#pull(this.#incoming);
    return { socket: this, rest: NOTHING };
  }
  /** What is written, to be sent as content. */
  readonly content: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => this.#fetch(),
      return: () => {
        // The stream is over and accepts no more.
        if (!this.#hasEnded) this.destroy();
        return Promise.resolve(END);
      },
    }),
  };

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    if (this.#incoming !== undefined) void this.#pull(this.#incoming);
  }
  async #pull(incoming: AsyncIterator<Uint8Array, unknown>): Promise<void> {
    try {
      const { done, value } = await incoming.next();
      this.#isReading = false;
      this.push(done === true ? null : value);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#offer([chunk], done);
  }
  override _writev(chunks: { readonly chunk: Uint8Array }[], done: () => void): void {
    this.#offer(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }
  override _final(done: () => void): void {
    this.#hasEnded = true;
    this.#asking?.(END);
    this.#asking = undefined;
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#hasEnded || !this.readableEnded) this.#reset();
    this.#hasEnded = true;
    this.#asking?.(END);
    this.#asking = undefined;
    done(error);
  }

  #offer(chunks: Uint8Array[], done: () => void): void {
    this.#outgoing = chunks;
    this.#fetched = done;
    const asking = this.#asking;
    if (asking === undefined) return;
    this.#asking = undefined;
    asking({ done: false, value: this.#take() });
  }
  #fetch(): Promise<Step> {
    if (this.#outgoing.length > 0) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#hasEnded) return Promise.resolve(END);
    return new Promise((resolve) => {
      this.#asking = resolve;
    });
  }
  #take(): Uint8Array {
    const pieces = this.#outgoing;
    this.#outgoing = [];
    const fetched = this.#fetched;
    this.#fetched = undefined;
    // The writer may continue at once.
    if (fetched !== undefined) process.nextTick(fetched);
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
}
