import { metadataByFamily, Page, readOpenMetrics, readText } from "../../reference/metrics/exposition/index.ts";
import type { Exemplar, Family, Sample } from "./source/craft.ts";

export type PageReading = {
  readonly samples: readonly Sample[];
  readonly families?: readonly Family[];
  readonly error?: string;
  readonly line?: number;
  readonly column?: number;
};

const page = new Page();

/** The result of our strict parser, in the format of the vectors. */
export function readPage(op: "exposition-text" | "exposition-openmetrics", octets: string): PageReading {
  const given = Uint8Array.from(octets, (sign) => sign.charCodeAt(0));
  const fault = (op === "exposition-text" ? readText : readOpenMetrics)(page, given);
  if (fault !== undefined) return { samples: [], error: fault.name, line: fault.line, column: fault.column };
  const samples = samplesOf(page);
  const families = [...metadataByFamily(page)].map(([name, metadata]) => ({ name, ...metadata }));
  return { samples, families };
}

/** The samples of a page, as the vectors write them. */
export function samplesOf(page: Page): Sample[] {
  let e = 0;
  return Array.from({ length: page.count }, (_, n): Sample => {
    const timestamp = page.timestamps[n]!;
    const exemplar = e < page.exemplarCount && page.exemplarOf[e] === n ? exemplarAt(page, e++) : undefined;
    return {
      name: page.name(n),
      labels: page.labels(n),
      value: valueText(page.values[n]!),
      ...(Number.isNaN(timestamp) ? {} : { timestamp }),
      ...(exemplar === undefined ? {} : { exemplar }),
    };
  });
}

function exemplarAt(page: Page, e: number): Exemplar {
  const timestamp = page.exemplarTimestamps[e]!;
  return { labels: page.exemplarLabels(e), value: valueText(page.exemplarValues[e]!), ...(Number.isNaN(timestamp) ? {} : { timestamp }) };
}

/** A value as text: JSON has no NaN and no infinities, and loses the sign of zero. */
export const valueText = (value: number): string =>
  Object.is(value, -0) ? "-0" : value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value);
