import { keyOf } from "./families.ts";
import { LabelWalk, mixed } from "./label-walk.ts";
import type { Page } from "./page.ts";

/** Probes per set, which bounds the cost of hostile pages. A set that finds no place goes into a map by its text, which the platform hashes with a secret. */
const PROBES = 16;

/**
 * The label sets of a page so far. They are found by a hash of their octets and compared octet by octet; strings are made only if equal hashes have
 * different octets. Every set has an owner, a family or a name; sets of different owners are never equal.
 */
export class LabelSets {
  readonly #page: Page;
  readonly #walk: LabelWalk;
  readonly #isWhole: boolean;
  readonly #probes: number;
  /** Sample numbers plus one; zero is a free place. */
  readonly #places: Int32Array;
  /** Hashes of the first sample of each set. */
  readonly #hashes: Int32Array;
  readonly #from: Uint32Array;
  readonly #cutFrom: Uint32Array;
  readonly #cutTo: Uint32Array;
  readonly #crowd = new Map<string, number>();

  /** Sets of all labels (`isWhole`), or without the label that the walk sets apart, which is the same for all samples of an owner. */
  constructor(page: Page, walk: LabelWalk, { isWhole, probes = PROBES }: { readonly isWhole: boolean; readonly probes?: number }) {
    const { count } = page;
    this.#page = page;
    this.#walk = walk;
    this.#isWhole = isWhole;
    this.#probes = probes;
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
    this.#hashes = new Int32Array(count);
    this.#from = new Uint32Array(count);
    this.#cutFrom = new Uint32Array(count);
    this.#cutTo = new Uint32Array(count);
  }

  /** The first sample of the owner with the labels of sample `n`, which the walk has just read; `n` if they are new. */
  first(n: number, owner: number): number {
    const { hash: others, apartHash } = this.#walk;
    // One set has different hashes for different owners: the factor is odd and mixing is a bijection. So the owner is not stored.
    const hash = mixed((this.#isWhole ? others + apartHash : others) + Math.imul(owner, 0x9e3779b1));
    const places = this.#places;
    for (let step = 0; step < this.#probes; step++) {
      const place = (hash + step) & (places.length - 1);
      const known = places[place]! - 1;
      if (known === -1) {
        places[place] = n + 1;
        this.#enter(n, hash);
        return n;
      }
      if (this.#hashes[known] === hash) {
        if (this.#isSame(known, n)) return known;
        // Other sets with this hash are in the map: they have all met this one.
        break;
      }
    }
    const text = `${owner}:${this.#text(n)}`;
    const known = this.#crowd.get(text) ?? n;
    this.#crowd.set(text, known);
    return known;
  }

  #enter(n: number, hash: number): void {
    const { from, cutFrom, cutTo } = this.#walk;
    this.#hashes[n] = hash;
    this.#from[n] = from;
    this.#cutFrom[n] = this.#isWhole ? 0 : cutFrom;
    this.#cutTo[n] = cutTo;
  }

  /** Whether a known set equals that of the sample just read. */
  #isSame(known: number, n: number): boolean {
    const { octets, to } = this.#page;
    const { from, cutTo } = this.#walk;
    const cutFrom = this.#isWhole ? 0 : this.#walk.cutFrom;
    const otherCutFrom = this.#cutFrom[known]!;
    const otherCutTo = this.#cutTo[known]!;
    const end = to[n]!;
    let at = from;
    let other = this.#from[known]!;
    for (;;) {
      if (at === cutFrom) at = cutTo;
      if (other === otherCutFrom) other = otherCutTo;
      if (at === end || octets[at] !== octets[other]) break;
      at++;
      other++;
    }
    return (at === end && other === to[known]) || this.#text(known) === this.#text(n);
  }

  #text(n: number): string {
    return keyOf(this.#page.labels(n), this.#isWhole ? "" : this.#walk.apart);
  }
}
