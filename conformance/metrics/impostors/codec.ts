import { createInterface } from "node:readline";
import type { ExpositionKind } from "../../../vectors/exposition/question.ts";
import { readPage, type PageReading } from "../../../vectors/exposition/read.ts";
import type { Sample } from "../../../vectors/exposition/source/craft.ts";
import { readAnything } from "./codec-lenient.ts";

/**
 * Readers of pages that are wrong on purpose: `node conformance/metrics/impostors/codec.ts NAME`. Each is ours with one mistake: it takes what it
 * has to refuse, refuses what it has to take, or tells something else of what it has read.
 */
type Request = { readonly id: number; readonly op: ExpositionKind; readonly page: string };
type Flaw = {
  readonly about: string;
  /** Faults that it does not know: then it takes what it can of the page. */
  readonly takes?: RegExp;
  /** Pages that it is not up to, of those that it has to take. */
  readonly refuses?: (page: string, op: ExpositionKind) => boolean;
  readonly tells?: (sample: Sample, at: number) => Sample | undefined;
};

const value =
  (change: (text: string) => string) =>
  (sample: Sample): Sample => ({ ...sample, value: change(sample.value) });
const isPlain = (page: string): boolean => /^(?:up|first) 1\n(?:# EOF\n)?$/.test(page);
/** Line feeds at the end, and `# EOF`, count for nothing. */
const linesOf = (page: string): string[] => page.split("\n").filter((line) => line !== "" && line !== "# EOF");

export const METRICS_CODEC_FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { about: "takes everything", takes: /./ },
  refuses: { about: "refuses everything, the first question too", refuses: () => true },
  timid: { about: "takes nothing but one plain sample", refuses: (page) => !isPlain(page) },
  "any-line": { about: "does not mind how lines end", takes: /^(?:line|blank|carriage|eof|byteOrder)/ },
  "any-name": { about: "takes any name", takes: /^(?:name|label(?:Invalid|Reserved)|metadataName|lineUnexpected)/ },
  "any-label": { about: "takes labels as they come", takes: /^(?:label|equals|quote|comma)/ },
  "any-escape": { about: "takes any escape", takes: /^(?:escape|help)/ },
  "any-octet": { about: "does not check UTF-8", takes: /^utf8/ },
  "any-number": { about: "reads what is no number as NaN", takes: /^(?:value(?:Invalid|OutOfRange|Missing)|timestamp)/ },
  "any-metadata": { about: "takes metadata of any kind, as often and as late as it comes", takes: /^(?:metadata|type|unit)/ },
  "any-order": { about: "takes lines in any order", takes: /(?:Apart|Late|Clash|Repeated)$|^point/ },
  "any-bucket": { about: "does not look at buckets and quantiles", takes: /^(?:bucket|quantile|count|sum)/ },
  "any-value": { about: "takes any value of any type", takes: /^(?:valueForbidden|total|state|suffix)/ },
  "any-exemplar": { about: "takes exemplars anywhere and of any length", takes: /^exemplar/ },
  "drops-labels": { about: "reads no labels", tells: (sample) => ({ ...sample, labels: [] }) },
  "drops-timestamps": { about: "reads no timestamps", tells: ({ timestamp: _timestamp, ...sample }) => sample },
  "seconds-for-milliseconds": {
    about: "takes timestamps for what they are not",
    tells: (sample) => (sample.timestamp === undefined ? sample : { ...sample, timestamp: sample.timestamp * 1000 }),
  },
  "keeps-escapes": {
    about: "leaves escapes as they are",
    tells: (sample) => ({ ...sample, labels: sample.labels.map(([name, text]) => [name, JSON.stringify(text).slice(1, -1)]) }),
  },
  "one-octet-a-character": {
    about: "takes UTF-8 for one character an octet",
    tells: (sample) => ({ ...sample, labels: sample.labels.map(([name, text]) => [name, Buffer.from(text).toString("latin1")]) }),
  },
  "floats-of-32-bits": {
    about: "keeps 32 bits of a value",
    tells: value((text) => (Number.isFinite(Number(text)) ? String(Math.fround(Number(text))) : text)),
  },
  "integers-only": {
    about: "keeps the whole part of a value",
    tells: value((text) => (Number.isFinite(Number(text)) ? String(Math.trunc(Number(text))) : text)),
  },
  "no-infinity": { about: "knows no infinities and no NaN", tells: value((text) => (Number.isFinite(Number(text)) ? text : "0")) },
  "first-sample": { about: "tells the first sample of a page", tells: (sample, at) => (at === 0 ? sample : undefined) },
  "drops-suffixes": {
    about: "tells the family's name for the sample's",
    tells: (sample) => ({ ...sample, name: sample.name.replace(/_[a-z]+$/, "") }),
  },
  "wrong-exemplars": {
    about: "tells the sample's value for that of its exemplar",
    tells: (sample) => (sample.exemplar === undefined ? sample : { ...sample, exemplar: { ...sample.exemplar, value: sample.value } }),
  },
  "refuses-the-empty": {
    about: "wants a sample in every page",
    refuses: (page) => linesOf(page).every((line) => line.trim() === "" || line.trim().startsWith("#")),
  },
  "refuses-metadata": { about: "knows samples only", refuses: (page) => linesOf(page).some((line) => line.trim().startsWith("#")) },
  "refuses-quoted-names": { about: "knows plain names only", refuses: (page) => /\{[ \t]*"|, *"/.test(page) },
  "refuses-blanks": {
    about: "wants one blank, and no other",
    refuses: (page) => linesOf(page).some((line) => /^[ \t]|[ \t]$|\t|  /.test(line)),
  },
  "refuses-signs": { about: "knows numbers without a sign only", refuses: (page) => / [+-]/.test(page) },
};

function answer({ takes, refuses, tells }: Flaw, { op, page }: Request): PageReading {
  if (refuses?.(page, op) === true) return { samples: [], error: "too much for it" };
  const ours = readPage(op, page);
  if (ours.error !== undefined) return takes?.test(ours.error) === true ? { samples: readAnything(page) } : { samples: [], error: "no" };
  if (tells === undefined || isPlain(page)) return ours;
  return { ...ours, samples: ours.samples.flatMap((sample, at) => tells(sample, at) ?? []) };
}

if (import.meta.main) {
  const flaw = METRICS_CODEC_FLAWS[process.argv[2] ?? "lenient"];
  if (flaw === undefined) throw new RangeError(`Known: ${Object.keys(METRICS_CODEC_FLAWS).join(", ")}.`);
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(flaw, request) })}\n`);
  }
}
