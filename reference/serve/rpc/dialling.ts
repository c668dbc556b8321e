import type { AnyClientConnection } from "../client/connection.ts";

/** An attempt to connect. */
export type Dialled = { readonly connection: Promise<AnyClientConnection>; stop(): void };

/** The attempts of a channel to connect: by address one for its first connection, and one for a further connection. */
export class Dialling {
  readonly #open: (key: string, signal: AbortSignal) => Promise<AnyClientConnection>;
  /** An attempt that is dropped is in neither. */
  readonly #first = new Map<string, Dialled>();
  readonly #further = new Map<string, Dialled>();

  constructor(open: (key: string, signal: AbortSignal) => Promise<AnyClientConnection>) {
    this.#open = open;
  }

  /** Begins an attempt; one that began while other connections stood goes on as the only one. */
  first(key: string): Dialled {
    const attempt = this.#further.get(key) ?? this.#begin(key);
    this.#first.set(key, attempt);
    return attempt;
  }
  further(key: string): Dialled {
    const attempt = this.#begin(key);
    this.#further.set(key, attempt);
    return attempt;
  }
  /** Whether the attempt is still for the first connection to its address. */
  isFirst(key: string, attempt: Dialled): boolean {
    return this.#first.get(key) === attempt;
  }
  ended(key: string, attempt: Dialled): void {
    for (const attempts of [this.#first, this.#further]) if (attempts.get(key) === attempt) attempts.delete(key);
  }
  drop(key: string): void {
    for (const attempts of [this.#first, this.#further]) {
      attempts.get(key)?.stop();
      attempts.delete(key);
    }
  }
  dropAll(): void {
    for (const key of new Set([...this.#first.keys(), ...this.#further.keys()])) this.drop(key);
  }

  #begin(key: string): Dialled {
    const stop = new AbortController();
    return { connection: this.#open(key, stop.signal), stop: () => stop.abort() };
  }
}
