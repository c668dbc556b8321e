import { latin1 } from "./serve-handler.ts";
import { brief, type Wire } from "./serve-wire.ts";
import type { World } from "./serve-world.ts";

/** Content that arrives piece by piece. */
class Inflow implements AsyncIterable<Uint8Array> {
  readonly #world: World;
  readonly #pieces: Uint8Array[] = [];
  #asking: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined;
  #isEnded = false;
  #error: Error | undefined;

  constructor(world: World) {
    this.#world = world;
  }
  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#move();
  }
  end(): void {
    this.#isEnded = true;
    this.#move();
  }
  fail(): void {
    this.#error = new Error("the stream was reset");
    this.#move();
  }
  /** The octets that nobody has asked for. */
  get waiting(): number {
    return this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: () => {
        this.#asking = Promise.withResolvers();
        const { promise } = this.#asking;
        this.#move();
        return promise;
      },
      return: () => {
        this.#world.say("the rest of the stream is refused");
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
  #move(): void {
    const asking = this.#asking;
    const piece = this.#pieces.shift();
    if (asking === undefined) {
      if (piece !== undefined) this.#pieces.unshift(piece);
      return;
    }
    if (piece === undefined && this.#error === undefined && !this.#isEnded) return;
    this.#asking = undefined;
    if (piece !== undefined) asking.resolve({ done: false, value: piece });
    else if (this.#error !== undefined) asking.reject(this.#error);
    else asking.resolve({ done: true, value: undefined });
  }
}

/** The far end of the transport, whatever it is. */
export type Far = {
  send(octets: Uint8Array): void;
  end(): void;
  break(): void;
  stall(isStalled: boolean): void;
  said(): void;
};
export const farWire = (wire: Wire): Far => ({
  send: (octets) => wire.send(latin1(octets)),
  end: () => wire.end(),
  break: () => wire.break(),
  stall: (isStalled) => wire.stall(isStalled),
  said: () => {},
});
/** Two halves of a stream of HTTP/2. */
export class FarStream implements Far {
  readonly inflow: Inflow;
  readonly #world: World;
  #isStalled = false;
  #go: (() => void) | undefined;
  #outgoing: AsyncIterator<Uint8Array | string> | undefined;

  constructor(world: World) {
    this.#world = world;
    this.inflow = new Inflow(world);
  }
  /** Reads what our side sends. */
  async read(content: AsyncIterable<Uint8Array | string>): Promise<void> {
    const iterator = (this.#outgoing = content[Symbol.asyncIterator]());
    for (;;) {
      if (this.#isStalled) await new Promise<void>((resolve) => (this.#go = resolve));
      const { done, value } = await iterator.next();
      if (done === true) return this.#world.say("the stream has ended");
      this.#world.say(`stream < ${brief(latin1(value as Uint8Array))}`);
    }
  }
  send(octets: Uint8Array): void {
    this.inflow.push(octets);
  }
  end(): void {
    this.inflow.end();
  }
  break(): void {
    this.inflow.fail();
    void this.#outgoing?.return?.();
  }
  stall(isStalled: boolean): void {
    this.#isStalled = isStalled;
    if (isStalled) return;
    this.#go?.();
    this.#go = undefined;
  }
  said(): void {
    this.#world.say(`${this.inflow.waiting} wait`);
  }
}
