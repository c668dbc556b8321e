import { type FamilyToWrite, type SampleToWrite, writeOpenMetrics, writeText } from "../../../reference/metrics/exposition/index.ts";
import type { Target } from "../../lib/target.ts";
import { DICTIONARY, familiesOf, type Format, formatOf, isFault, MAX_LENGTH, pageOf, read, type Reading, seeds, show } from "./pages.ts";

/** Timestamps beyond are not kept to the millisecond. */
const FAR = 2 ** 53;
const isNear = ({ timestamp = 0, exemplar }: SampleToWrite): boolean =>
  Math.abs(timestamp) < FAR && Math.abs(exemplar?.timestamp ?? 0) < FAR;
/** Writers write whole milliseconds. */
const whole = (sample: SampleToWrite): SampleToWrite => ({
  ...sample,
  ...(sample.timestamp === undefined ? {} : { timestamp: Math.trunc(sample.timestamp) + 0 }),
  ...(sample.exemplar?.timestamp === undefined
    ? {}
    : { exemplar: { ...sample.exemplar, timestamp: Math.trunc(sample.exemplar.timestamp) + 0 } }),
});
const write = (format: Format, families: readonly FamilyToWrite[]): Uint8Array =>
  new TextEncoder().encode(format === "text" ? writeText(families) : writeOpenMetrics(families));
const bySeries = (samples: readonly SampleToWrite[]): string[] => samples.map((sample) => show(whole(sample))).sort();

/** Written and read again, strictly, a page says the same. */
function staysTheSame(format: Format, reading: Reading): void {
  if (!reading.samples.every(isNear) || reading.samples.some(({ labels = [] }) => labels.some(([name]) => name === "__name__"))) return;
  const families = familiesOf(reading);
  const octets = write(format, families);
  const again = read(format, octets, { lenient: { families: true } });
  if (isFault(again)) throw new Error(`what was written is no page: ${again.message} ${new TextDecoder().decode(octets)}`);
  const [before, after] = [bySeries(reading.samples), bySeries(again.samples)];
  if (show(before) !== show(after)) throw new Error(`read ${show(before)}, and after writing ${show(after)}`);
  for (const [name, { type, help, unit }] of reading.metadata) {
    // Without a sample nothing tells whether a counter of the text format has its suffix in its name: it is given one.
    if (format === "text" && type === "counter" && !reading.samples.some((sample) => sample.name === name)) continue;
    const other = again.metadata.get(name);
    if (other?.help !== help || other?.unit !== unit)
      throw new Error(`metadata of ${name} was ${show({ help, unit })}, and is ${show(other)}`);
  }
}

export const target: Target = {
  name: "metrics/exposition/round-trip",
  about: "a page that was read can be written, and what is read of it again is the same",
  run(input) {
    const format = formatOf(input);
    const reading = read(format, pageOf(input));
    if (!isFault(reading)) staysTheSame(format, reading);
  },
  seeds: seeds(),
  dictionary: DICTIONARY,
  maxLength: MAX_LENGTH,
};
