/** Random choices of a life, by a source of numbers in [0, 1). */
export type Draw = () => number;

export const oneOf = <T>(random: Draw, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
/** A whole number from 0 to `below`, without it. */
export const wholeBelow = (random: Draw, below: number): number => Math.floor(random() * below);
/** `least` to `most` things that `make` gives. */
export const some = <T>(random: Draw, [least, most]: readonly [number, number], make: (at: number) => T): T[] =>
  Array.from({ length: least + wholeBelow(random, most - least + 1) }, (_, at) => make(at));

/** Octets with one of them changed, lost, doubled or put in, or cut. */
export function damagedOctets(random: Draw, octets: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  const at = wholeBelow(random, octets.length + 1);
  const [before, after] = [octets.subarray(0, at), octets.subarray(at)];
  const joined = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]));
  const piece = oneOf(random, pieces);
  return oneOf(random, [
    () => joined(before),
    () => joined(after),
    () => joined(before, after.subarray(1)),
    () => joined(before, after.subarray(0, 1), after),
    () => joined(before, piece, after),
    () => joined(before, piece, after.subarray(1)),
    () => joined(before, [(after[0] ?? 0) ^ (1 << wholeBelow(random, 8))], after.subarray(1)),
    () => joined(before, [wholeBelow(random, 256)], after.subarray(1)),
    () => joined(before, after.subarray(0, wholeBelow(random, 12)), after),
    () => joined(before, after.subarray(wholeBelow(random, 12))),
  ])();
}
