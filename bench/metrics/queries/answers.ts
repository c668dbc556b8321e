/** The servers add numbers in different orders and with different precision. */
const TOLERANCE = 1e-9;

type Point = readonly [time: number, value: string];
type Row = { readonly metric: Readonly<Record<string, string>>; readonly value?: Point; readonly values?: readonly Point[] };
type Body = { readonly status: string; readonly data?: { readonly result: readonly Row[] } };

/** The difference between two answers to a query, if any, except in the last digits of numbers. */
export function difference(ours: string, theirs: string): string | undefined {
  const [a, b] = [rowsOf(ours), rowsOf(theirs)];
  if (typeof a === "string") return `touchstone: ${a}`;
  if (typeof b === "string") return `prometheus: ${b}`;
  if (a.size === 0) return "both answers are empty";
  if (a.size !== b.size) return `${a.size} series and ${b.size} series`;
  for (const [key, points] of a) {
    const others = b.get(key);
    if (others === undefined) return `${key} is in one answer only`;
    if (points.length !== others.length) return `${key} has ${points.length} points and ${others.length} points`;
    for (const [at, [time, value]] of points.entries()) {
      const [otherTime, otherValue] = others[at] ?? [Number.NaN, ""];
      if (time !== otherTime || !isNear(Number(value), Number(otherValue)))
        return `${key}: ${value} at ${time}, and ${otherValue} at ${otherTime}`;
    }
  }
  return undefined;
}

const isNear = (a: number, b: number): boolean =>
  Object.is(a, b) || a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));

function rowsOf(text: string): Map<string, readonly Point[]> | string {
  const { status, data } = JSON.parse(text) as Body;
  if (status !== "success" || data === undefined) return text.slice(0, 200);
  const key = (metric: Row["metric"]): string => JSON.stringify(Object.entries(metric).sort());
  return new Map(data.result.map(({ metric, value, values }) => [key(metric), value === undefined ? (values ?? []) : [value]]));
}
