import { Chance } from "./chance.ts";

/** Choices from lists. */
export class Draw extends Chance {
  /** An item of a list that has some. */
  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
  /** An item, each as often as its number says. */
  often<Item>(items: readonly (readonly [times: number, item: Item])[]): Item {
    let left = this.below(items.reduce((sum, [times]) => sum + times, 0));
    for (const [times, item] of items) {
      left -= times;
      if (left < 0) return item;
    }
    return items[0]![1];
  }
  list<Item>(most: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}
