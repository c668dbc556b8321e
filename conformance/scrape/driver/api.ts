import type { Series } from "./record.ts";

/** Asks a scraper what it stored, as its users do (Prometheus docs, querying/api.md). */

/** A query that takes longer has no answer. */
const LONGEST_MS = 10_000;

type Found = {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
  readonly histograms?: readonly unknown[];
};

const numberOf = (text: string): number => (text === "+Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text));

/** The series of a selector, with their samples; undefined if there is no answer. */
export async function queried(base: string, selector: string, time?: number): Promise<Series[] | undefined> {
  const url = new URL(`${base.replace(/\/$/, "")}/api/v1/query`);
  url.searchParams.set("query", selector);
  if (time !== undefined) url.searchParams.set("time", String(time));
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_MS) });
    const { data } = (await response.json()) as { data?: { result?: readonly Found[] } };
    return data?.result?.map(({ metric, value, values = value === undefined ? [] : [value], histograms = [] }) => ({
      labels: metric,
      points: values.map(([at, text]) => ({ time: at, value: numberOf(text) })),
      histograms: histograms.length,
    }));
  } catch {
    return undefined;
  }
}
