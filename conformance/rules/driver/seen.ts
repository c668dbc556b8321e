import { nameOf, type Point, type Series } from "../../scrape/driver/record.ts";
import type { CaseRecord } from "./record.ts";

/** What must be true of what a case left behind. Each rule returns its first fault. */
export type Rules = Readonly<{ [name: string]: (record: CaseRecord, words: readonly string[]) => string | undefined }>;

/** Times are shown in seconds with three digits. */
export const MILLISECOND = 0.0015;

/** Series of a name with labels that are written as `a=b`. */
export function seriesOf({ series }: CaseRecord, name: string, ...labels: readonly string[]): Series[] {
  const wanted = labels.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)] as const);
  return series.filter((one) => nameOf(one) === name && wanted.every(([label, value]) => (one.labels[label] ?? "") === value));
}
/** The samples of such series, in the order of their times. */
export const pointsOf = (record: CaseRecord, name: string, ...labels: readonly string[]): Point[] =>
  seriesOf(record, name, ...labels)
    .flatMap(({ points }) => points)
    .toSorted((a, b) => a.time - b.time);
export const isSame = (a: number, b: number): boolean => Math.abs(a - b) < MILLISECOND;
export const shown = ({ labels }: Series): string =>
  `${labels["__name__"] ?? ""}{${Object.entries(labels)
    .flatMap(([name, value]) => (name === "__name__" || name === "case" ? [] : [`${name}="${value}"`]))
    .join(",")}}`;
