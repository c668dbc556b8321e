import type { Address } from "./policy.ts";

/** Addresses in the order of attempts: the families take turns, that of the first address first, so that a family without a way costs one attempt. */
export function interleaved(addresses: readonly Address[]): readonly Address[] {
  const families = new Map<number, Address[]>();
  for (const address of addresses) {
    const list = families.get(address.family);
    if (list === undefined) families.set(address.family, [address]);
    else list.push(address);
  }
  const lists = [...families.values()];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => (at < list.length ? [list[at]!] : []))).flat();
}

/** Addresses in any order, each as likely as the others. */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const list = [...items];
  for (let last = list.length - 1; last > 0; last--) {
    const at = Math.min(last, Math.floor(random() * (last + 1)));
    [list[last], list[at]] = [list[at]!, list[last]!];
  }
  return list;
}
