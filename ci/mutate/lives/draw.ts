/** Numbers from 0 to below 1, from a seed. */
export type Draw = () => number;

export const below = (draw: Draw, count: number): number => Math.floor(draw() * count);
export const among = <Item>(draw: Draw, items: readonly [Item, ...Item[]]): Item => items[below(draw, items.length)] ?? items[0];
export const chance = (draw: Draw, part: number): boolean => draw() < part;
/** Random octets. */
export const octetsOf = (draw: Draw, length: number): Uint8Array => Uint8Array.from({ length }, () => below(draw, 256));

/** Octets as hexadecimal; long ones by their length, their ends and a sum. */
export function hexOf(octets: Uint8Array): string {
  const { length } = octets;
  if (length <= 160) return Buffer.from(octets).toString("hex");
  let sum = 0x811c_9dc5;
  for (let at = 0; at < length; at++) sum = Math.imul(sum ^ octets[at]!, 0x0100_0193);
  return `${length} octets, ${hexOf(octets.subarray(0, 24))}…${hexOf(octets.subarray(length - 8))}, sum ${sum >>> 0}`;
}
/** Text as JSON; long text by its octets. */
export const textOf = (text: string): string => (text.length <= 80 ? JSON.stringify(text) : `text of ${hexOf(Buffer.from(text))}`);

/** What a call returns, or that it throws. */
export function tried<Result>(call: () => Result): Result | string {
  try {
    return call();
  } catch (error) {
    return `throws ${(error as Error).name}: ${(error as Error).message}`;
  }
}
