/** A client's knowledge of the origins that the server may promise responses for (rfc9113#8.4, #10.1). */
export class Authority {
  readonly #speaksFor: ((origin: string) => boolean) | undefined;
  #requested: Set<string> | undefined;

  /** Without `speaksFor` the server is authoritative for the origins of earlier requests. */
  constructor(speaksFor?: (origin: string) => boolean) {
    this.#speaksFor = speaksFor;
  }

  /** A request goes to this origin. */
  add(origin: string): void {
    if (this.#speaksFor === undefined) (this.#requested ??= new Set()).add(origin);
  }
  /** May run the owner's callback, which may use this connection or another. */
  includes(origin: string): boolean {
    return this.#speaksFor === undefined ? this.#requested?.has(origin) === true : this.#speaksFor(origin);
  }
}
