import { type FamilyToWrite, type SampleToWrite, writeOpenMetrics, writeText } from "../../../reference/metrics/exposition/index.ts";
import type { Target } from "../../lib/target.ts";
import { DICTIONARY, familiesOf, type Format, formatOf, isFault, MAX_LENGTH, pageOf, read, type Reading, seeds, show } from "./pages.ts";

/** Larger timestamps lose milliseconds. */
const MAX_EXACT = 2 ** 53;
const isExact = ({ timestamp = 0, exemplar }: SampleToWrite): boolean =>
  Math.abs(timestamp) < MAX_EXACT && Math.abs(exemplar?.timestamp ?? 0) < MAX_EXACT;
/** The sample with timestamps in whole milliseconds, as the writers write them. */
const truncated = (sample: SampleToWrite): SampleToWrite => ({
  ...sample,
  ...(sample.timestamp === undefined ? {} : { timestamp: Math.trunc(sample.timestamp) + 0 }),
  ...(sample.exemplar?.timestamp === undefined
    ? {}
    : { exemplar: { ...sample.exemplar, timestamp: Math.trunc(sample.exemplar.timestamp) + 0 } }),
});
const write = (format: Format, families: readonly FamilyToWrite[]): Uint8Array =>
  new TextEncoder().encode(format === "text" ? writeText(families) : writeOpenMetrics(families));
const bySeries = (samples: readonly SampleToWrite[]): string[] => samples.map((sample) => show(truncated(sample))).sort();

/** A page that is written and read strictly again has the same content. */
function staysTheSame(format: Format, reading: Reading): void {
  if (!reading.samples.every(isExact) || reading.samples.some(({ labels = [] }) => labels.some(([name]) => name === "__name__"))) return;
  const families = familiesOf(format, reading);
  const octets = write(format, families);
  const again = read(format, octets, { lenient: { families: true } });
  if (isFault(again)) throw new Error(`the written page is invalid: ${again.message} ${new TextDecoder().decode(octets)}`);
  const [before, after] = [bySeries(reading.samples), bySeries(again.samples)];
  if (show(before) !== show(after)) throw new Error(`read ${show(before)}; after writing, read ${show(after)}`);
  for (const [name, { type, help, unit }] of reading.metadata) {
    // A counter of the text format without a sample gets a suffix in its name, because it is unknown whether it has one.
    if (format === "text" && type === "counter" && !reading.samples.some((sample) => sample.name === name)) continue;
    const other = again.metadata.get(name);
    if (other?.help !== help || other?.unit !== unit)
      throw new Error(`the metadata of ${name} changed from ${show({ help, unit })} to ${show(other)}`);
  }
}

export const target: Target = {
  name: "metrics/exposition/round-trip",
  about: "a page that is read can be written, and reads the same again",
  run(input) {
    const format = formatOf(input);
    const reading = read(format, pageOf(input));
    if (!isFault(reading)) staysTheSame(format, reading);
  },
  seeds: seeds(),
  dictionary: DICTIONARY,
  maxLength: MAX_LENGTH,
};
