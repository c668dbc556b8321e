/** Reads an input as a script: numbers and runs of octets, which are 0 or empty once the input has ended. */
export class Script {
  readonly #octets: Uint8Array;
  #at = 0;

  constructor(octets: Uint8Array) {
    this.#octets = octets;
  }
  get ended(): boolean {
    return this.#at >= this.#octets.length;
  }
  /** A number from 0 to 255. */
  next(): number {
    return this.#octets[this.#at++] ?? 0;
  }
  /** A number from 0 to 65,535. */
  pair(): number {
    return this.next() * 256 + this.next();
  }
  /** At most this many octets, in memory of their own. */
  take(count: number): Uint8Array {
    const octets = this.#octets.slice(this.#at, this.#at + count);
    this.#at += count;
    return octets;
  }
}

/** Octets of seeds and dictionaries, written in hexadecimal. */
export const inputs = (...hex: readonly string[]): Uint8Array[] =>
  hex.map((one) => new Uint8Array(Buffer.from(one.replaceAll(" ", ""), "hex")));

/** A value as text, octets (though not those of a `Buffer`) in hexadecimal: equal values have equal texts. */
export const shown = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof Uint8Array ? Buffer.from(part).toString("hex") : part));

/** Pieces of 1, 2, 3, 5, 8, … octets, so that cuts fall in all kinds of places. */
export function* pieces(octets: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, size = 1, next = 2; at < octets.length; at += size, [size, next] = [next > 64 ? 1 : next, next > 64 ? 2 : size + next])
    yield octets.slice(at, at + size);
}
