import { createInterface } from "node:readline";
import type { ExpositionKind } from "../../../vectors/exposition/question.ts";
import { readPage, type PageReading } from "../../../vectors/exposition/read.ts";
import type { Sample } from "../../../vectors/exposition/source/craft.ts";
import { readAnything } from "./codec-lenient.ts";

/**
 * Readers of pages that are wrong on purpose: `node conformance/metrics/impostors/codec.ts NAME`. Each is ours with one mistake: it accepts what it
 * must refuse, refuses what it must accept, or returns something else than it has read.
 */
type Request = { readonly id: number; readonly op: ExpositionKind; readonly page: string };
type Flaw = {
  readonly about: string;
  /** Faults that it misses: it then reads as much of the page as it can. */
  readonly takes?: RegExp;
  /** Valid pages that it refuses. */
  readonly refuses?: (page: string, op: ExpositionKind) => boolean;
  readonly reports?: (sample: Sample, at: number) => Sample | undefined;
};

const value =
  (change: (text: string) => string) =>
  (sample: Sample): Sample => ({ ...sample, value: change(sample.value) });
const isPlain = (page: string): boolean => /^(?:up|first) 1\n(?:# EOF\n)?$/.test(page);
/** The lines of a page, without empty lines and `# EOF`. */
const linesOf = (page: string): string[] => page.split("\n").filter((line) => line !== "" && line !== "# EOF");

export const METRICS_CODEC_FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { about: "accepts everything", takes: /./ },
  refuses: { about: "refuses everything, the first question too", refuses: () => true },
  timid: { about: "accepts only one plain sample", refuses: (page) => !isPlain(page) },
  "any-line": { about: "accepts any line ending", takes: /^(?:line|blank|carriage|eof|byteOrder)/ },
  "any-name": { about: "accepts any name", takes: /^(?:name|label(?:Invalid|Reserved)|metadataName|lineUnexpected)/ },
  "any-label": { about: "accepts any labels", takes: /^(?:label|equals|quote|comma)/ },
  "any-escape": { about: "accepts any escape", takes: /^(?:escape|help)/ },
  "any-octet": { about: "does not check UTF-8", takes: /^utf8/ },
  "any-number": { about: "reads an invalid number as NaN", takes: /^(?:value(?:Invalid|OutOfRange|Missing)|timestamp)/ },
  "any-metadata": { about: "accepts any metadata, repeated and late", takes: /^(?:metadata|type|unit)/ },
  "any-order": { about: "accepts lines in any order", takes: /(?:Apart|Late|Clash|Repeated)$|^point/ },
  "any-bucket": { about: "accepts any buckets and quantiles", takes: /^(?:bucket|quantile|count|sum)/ },
  "any-value": { about: "accepts any value of any type", takes: /^(?:valueForbidden|total|state|suffix)/ },
  "any-exemplar": { about: "accepts exemplars anywhere and of any length", takes: /^exemplar/ },
  "drops-labels": { about: "reads no labels", reports: (sample) => ({ ...sample, labels: [] }) },
  "drops-timestamps": { about: "reads no timestamps", reports: ({ timestamp: _timestamp, ...sample }) => sample },
  "seconds-for-milliseconds": {
    about: "reads milliseconds as seconds",
    reports: (sample) => (sample.timestamp === undefined ? sample : { ...sample, timestamp: sample.timestamp * 1000 }),
  },
  "keeps-escapes": {
    about: "leaves escapes as they are",
    reports: (sample) => ({ ...sample, labels: sample.labels.map(([name, text]) => [name, JSON.stringify(text).slice(1, -1)]) }),
  },
  "one-octet-a-character": {
    about: "treats UTF-8 as one character an octet",
    reports: (sample) => ({ ...sample, labels: sample.labels.map(([name, text]) => [name, Buffer.from(text).toString("latin1")]) }),
  },
  "floats-of-32-bits": {
    about: "keeps 32 bits of a value",
    reports: value((text) => (Number.isFinite(Number(text)) ? String(Math.fround(Number(text))) : text)),
  },
  "integers-only": {
    about: "keeps the whole part of a value",
    reports: value((text) => (Number.isFinite(Number(text)) ? String(Math.trunc(Number(text))) : text)),
  },
  "no-infinity": { about: "does not support infinities and NaN", reports: value((text) => (Number.isFinite(Number(text)) ? text : "0")) },
  "first-sample": { about: "returns the first sample of a page only", reports: (sample, at) => (at === 0 ? sample : undefined) },
  "drops-suffixes": {
    about: "returns the family's name as the sample's",
    reports: (sample) => ({ ...sample, name: sample.name.replace(/_[a-z]+$/, "") }),
  },
  "wrong-exemplars": {
    about: "returns the sample's value as its exemplar's",
    reports: (sample) => (sample.exemplar === undefined ? sample : { ...sample, exemplar: { ...sample.exemplar, value: sample.value } }),
  },
  "refuses-the-empty": {
    about: "refuses a page without samples",
    refuses: (page) => linesOf(page).every((line) => line.trim() === "" || line.trim().startsWith("#")),
  },
  "refuses-metadata": { about: "supports samples only", refuses: (page) => linesOf(page).some((line) => line.trim().startsWith("#")) },
  "refuses-quoted-names": { about: "supports plain names only", refuses: (page) => /\{[ \t]*"|, *"/.test(page) },
  "refuses-blanks": {
    about: "accepts only single blanks between tokens",
    refuses: (page) => linesOf(page).some((line) => /^[ \t]|[ \t]$|\t|  /.test(line)),
  },
  "refuses-signs": { about: "supports unsigned numbers only", refuses: (page) => / [+-]/.test(page) },
};

function answer({ takes, refuses, reports }: Flaw, { op, page }: Request): PageReading {
  if (refuses?.(page, op) === true) return { samples: [], error: "too much for it" };
  const ours = readPage(op, page);
  if (ours.error !== undefined) return takes?.test(ours.error) === true ? { samples: readAnything(page) } : { samples: [], error: "no" };
  if (reports === undefined || isPlain(page)) return ours;
  return { ...ours, samples: ours.samples.flatMap((sample, at) => reports(sample, at) ?? []) };
}

if (import.meta.main) {
  const flaw = METRICS_CODEC_FLAWS[process.argv[2] ?? "lenient"];
  if (flaw === undefined) throw new RangeError(`Known: ${Object.keys(METRICS_CODEC_FLAWS).join(", ")}.`);
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(flaw, request) })}\n`);
  }
}
