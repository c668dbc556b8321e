import { isNear } from "../../../vectors/promql/judge.ts";

/** Numbers as texts, within the tolerance; a zero is like the other zero. */
export function isNearText(a: string, b: string): boolean {
  const [x, y] = [numberOf(a), numberOf(b)];
  return x !== undefined && y !== undefined && isNear(x, y);
}

/** A number as answers have it; undefined where a text is none. */
export function numberOf(text: string): number | undefined {
  if (text === "NaN") return Number.NaN;
  const [, sign, word] = /^([+-]?)(Inf)$/.exec(text) ?? [];
  if (word !== undefined) return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}
