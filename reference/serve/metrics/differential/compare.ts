import type { ApiResponse } from "./exchange.ts";

/** The relative tolerance for numbers: another order of operations changes their last digits. */
const TOLERANCE = 1e-9;

/** Compares status and envelope: errors by type and not by message, lists of series or names in any order. */
export function agree(ours: ApiResponse, theirs: ApiResponse): boolean {
  if (ours.status !== theirs.status) return false;
  // Responses without content, and refusals that do not come from the API, have no envelope.
  if (ours.envelope === undefined && theirs.envelope === undefined) return true;
  const [a, b] = [ours.envelope ?? {}, theirs.envelope ?? {}];
  return a.status === b.status && a.errorType === b.errorType && same(a.data, b.data);
}

/** Compares two JSON values: numbers, also those in strings, within the tolerance; lists of series or names in any order. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b || close(numberOf(a), numberOf(b));
  if (typeof a === "number" && typeof b === "number") return close(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && pairs(ordered(a), ordered(b)).every(([x, y]) => same(x, y));
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const pairs = (a: readonly unknown[], b: readonly unknown[]): (readonly [unknown, unknown])[] => a.map((one, at) => [one, b[at]]);
const numberOf = (text: string): number => (text === "" ? Number.NaN : Number(text.replace(/Inf$/, "Infinity")));
const close = (a: number, b: number): boolean =>
  a === b || (Number.isFinite(a) && Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b)));

/** Sorts series by their labels, and strings; lists of samples keep their order. */
function ordered(list: readonly unknown[]): readonly unknown[] {
  const isSet = list.every((one) => typeof one === "string" || isRecord(one));
  return isSet
    ? list
        .map((one) => [keyOf(one), one] as const)
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([, one]) => one)
    : list;
}
function keyOf(one: unknown): string {
  if (!isRecord(one)) return String(one);
  const labels = isRecord(one["metric"]) ? one["metric"] : one;
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}
