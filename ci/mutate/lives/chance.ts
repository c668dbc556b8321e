import { seeded } from "../../../reference/core/index.ts";

/** The choices of one life, all drawn from its seed. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  /** A whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.#next() * count);
  }
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }
  /** True once in `count` times. */
  once(count: number): boolean {
    return this.below(count) === 0;
  }
  one<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }
  /** One of any items; undefined if there are none. */
  any<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }
  /** A number at which something changes, one less or one more, or a small one. */
  near(edge: number): number {
    return Math.max(0, this.once(8) ? this.below(20) : edge + this.between(-1, 1));
  }
  /** One of the names, as often as their weights say. */
  weighed<Name extends string>(weights: { readonly [Key in Name]?: number }): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.#next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[0]![0];
  }
  octets(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}
