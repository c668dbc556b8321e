import { WrongUse } from "../harness/driver.ts";

/** The size of the larger cases: at 1, the default, a run takes seconds; at 5 they are as large as those of the best-known suite. */
export type Scale = 1 | 2 | 3 | 4 | 5;
/** The largest scale. */
export const LARGEST: Scale = 5;

/** A size or a count at this scale, from the least to the most, each step by the same factor. */
export const sizeAt = (scale: Scale, least: number, most: number): number =>
  Math.round(least * (most / least) ** ((scale - 1) / (LARGEST - 1)));

/** A scale as a number; undefined for any other value. */
export const scaleOf = (value: number): Scale | undefined =>
  value === 1 || value === 2 || value === 3 || value === 4 || value === 5 ? value : undefined;

/** A scale as it is written on the command line. Throws `WrongUse` for anything else. */
export function wholeScale(value: string | number): Scale {
  const scale = scaleOf(Number(value));
  if (scale === undefined) throw new WrongUse(`--scale is a whole number from 1 to ${LARGEST}, not "${value}".`);
  return scale;
}
