import { isNear } from "../../../vectors/promql/judge.ts";

/** Whether two numbers as strings agree within the tolerance; 0 and -0 are equal. */
export function isNearText(a: string, b: string): boolean {
  const [x, y] = [numberOf(a), numberOf(b)];
  return x !== undefined && y !== undefined && isNear(x, y);
}

/** A number in the form of answers; undefined if the string is not one. */
export function numberOf(text: string): number | undefined {
  if (text === "NaN") return Number.NaN;
  const [, sign, word] = /^([+-]?)(Inf)$/.exec(text) ?? [];
  if (word !== undefined) return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}
