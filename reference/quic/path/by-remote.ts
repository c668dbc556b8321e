import type { Address } from "./path.ts";

const keyOf = ({ host, port }: Address): string => `${port} ${host}`;

/** Which connections have their peer at an address. */
export class ByRemote<One extends { readonly remote: Address }> {
  readonly #places = new Map<One, Address>();
  readonly #at = new Map<string, Set<One>>();

  at(address: Address): readonly One[] {
    return [...(this.#at.get(keyOf(address)) ?? [])];
  }
  /** Notes where the peer of `one` is now. */
  note(one: One): void {
    const { remote } = one;
    if (this.#places.get(one) === remote) return;
    this.delete(one);
    this.#places.set(one, remote);
    const key = keyOf(remote);
    const there = this.#at.get(key);
    if (there === undefined) this.#at.set(key, new Set([one]));
    else there.add(one);
  }
  delete(one: One): void {
    const place = this.#places.get(one);
    if (place === undefined) return;
    this.#places.delete(one);
    const there = this.#at.get(keyOf(place));
    there?.delete(one);
    if (there?.size === 0) this.#at.delete(keyOf(place));
  }
}
