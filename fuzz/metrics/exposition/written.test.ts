import { expect, test } from "vitest";
import { type FamilyToWrite, writeOpenMetrics, writeText } from "../../../reference/metrics/exposition/index.ts";
import { kindOf, loadVectors, type Vector, vectorFiles } from "../../../vectors/load.ts";
import { type Format, familiesOf, isFault, read, type Reading, show } from "./pages.ts";

/** What the valid pages of the vectors contain is the same after it was written. */

type PageVector = Vector & { readonly page: string };
const FORMATS: Readonly<Record<string, Format>> = { "exposition-text": "text", "exposition-openmetrics": "openmetrics" };
const octets = (page: string): Uint8Array => Uint8Array.from(page, (sign) => sign.charCodeAt(0));
const pages = vectorFiles()
  .filter((name) => name.startsWith("exposition/"))
  .flatMap((name) => {
    const file = loadVectors<PageVector>(name);
    const format = FORMATS[kindOf(file)];
    if (format === undefined) return [];
    return file.vectors
      .filter(({ result }) => result === "valid")
      .map(({ page }) => ({ page, format, reading: read(format, octets(page)) }));
  })
  .filter((one): one is typeof one & { readonly reading: Reading } => !isFault(one.reading) && one.reading.samples.length > 0);

const written = (format: Format, families: readonly FamilyToWrite[]): Reading => {
  const text = format === "text" ? writeText(families) : writeOpenMetrics(families);
  const again = read(format, new TextEncoder().encode(text), { lenient: { families: true } });
  if (isFault(again)) throw new Error(`${again.message}: ${text}`);
  return again;
};
const bySeries = ({ samples }: Reading): string[] => samples.map((sample) => show(sample)).sort();
const isWhole = ({ samples }: Reading): boolean =>
  samples.every(({ timestamp = 0, exemplar, labels = [] }) => {
    const times = [timestamp, exemplar?.timestamp ?? 0];
    return times.every((time) => Number.isSafeInteger(time)) && labels.every(([name]) => name !== "__name__");
  });

test.each(["text", "openmetrics"] as const)("every valid page in %s reads the same after it was written", (format) => {
  const some = pages.filter((one) => one.format === format && isWhole(one.reading));
  expect(some.length).toBeGreaterThan(70);
  for (const { page, reading } of some) {
    const again = written(format, familiesOf(format, reading));
    expect(bySeries(again), page).toEqual(bySeries(reading));
    for (const [name, { help, unit }] of reading.metadata)
      expect(again.metadata.get(name) ?? { help, unit }, page).toMatchObject({ ...(help && { help }), ...(unit && { unit }) });
  }
});

test("samples of OpenMetrics without exemplars read the same in the text format", () => {
  for (const { page, format, reading } of pages) {
    if (format === "text" || !isWhole(reading) || reading.samples.some(({ exemplar }) => exemplar !== undefined)) continue;
    const families = familiesOf(format, reading).map(({ name, samples }) => ({ name, samples }));
    expect(bySeries(written("text", families)), page).toEqual(bySeries(reading));
  }
});
