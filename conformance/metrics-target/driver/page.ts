import {
  type FaultName,
  type Format,
  Page,
  parseContentType,
  type ProtobufFamily,
  readOpenMetrics,
  readProtobuf,
  readText,
} from "../../../reference/metrics/exposition/index.ts";
import { type Answer, fieldOf } from "./fetch.ts";

/** A page as the rules see it: read line by line, so that a line with a mistake hides no other. */

export type Labels = readonly (readonly [name: string, value: string])[];
export type Exemplar = { readonly labels: Labels; readonly value: number };
export type Sample = {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly timestamp: number | undefined;
  readonly exemplar: Exemplar | undefined;
  /** Its number on the page. */
  readonly at: number;
  /** Where it stands, with its text: `line 3: up 1`. */
  readonly place: string;
};
export type Metadata = {
  readonly kind: "type" | "help" | "unit";
  readonly name: string;
  readonly text: string;
  /** The number of the next sample. */
  readonly before: number;
  readonly place: string;
};
/** A line that the format does not have. */
export type LineFault = { readonly name: FaultName; readonly place: string; readonly advice: string };
/** A family with its samples. Types are those of the page; `unknown` without one. */
export type Family = {
  readonly name: string;
  readonly type: string;
  readonly help: string | undefined;
  readonly unit: string | undefined;
  readonly samples: readonly Sample[];
};
export type PageRead = {
  readonly is: Format["is"];
  readonly samples: readonly Sample[];
  readonly metadata: readonly Metadata[];
  readonly faults: readonly LineFault[];
  readonly families: readonly Family[];
  /** When it was there. */
  readonly at: number;
  /** Whether the last line ends with a line feed. */
  readonly isEnded: boolean;
};

const LF = 0x0a;
const SHOWN = 100;
/** So many lines with mistakes are enough. */
const MOST_FAULTS = 50;
const EOF = Buffer.from("# EOF\n");

/** The format of an answer: that of its Content-Type, otherwise the one that was asked for. */
export function formatOf(answer: Answer, asked: Format["is"] = "text"): Format["is"] {
  return parseContentType(fieldOf(answer, "content-type"))?.is ?? asked;
}

/** Reads the page of an answer; undefined without content. */
export function readPage(answer: Answer, asked: Format["is"] = "text"): PageRead | undefined {
  const { body, answered: at } = answer;
  if (body === undefined) return undefined;
  const is = formatOf(answer, asked);
  const { samples, metadata, faults } = is === "protobuf" ? messages(body) : lines(body, is);
  return { is, samples, metadata, faults, families: familiesOf({ is, samples, metadata }), at, isEnded: body.at(-1) === LF };
}

type Parts = Pick<PageRead, "samples" | "metadata" | "faults">;

function lines(body: Uint8Array, is: "text" | "openmetrics"): Parts {
  const page = new Page();
  const faults: LineFault[] = [];
  let octets = body;
  /** The numbers of the lines that are left. */
  let numbers: number[] | undefined;
  for (;;) {
    const fault = (is === "text" ? readText : readOpenMetrics)(page, octets, { lenient: { families: true } });
    if (fault === undefined) break;
    numbers ??= Array.from({ length: octets.reduce((sum, octet) => sum + (octet === LF ? 1 : 0), 2) }, (_, at) => at + 1);
    const line = numbers[fault.line - 1] ?? numbers.length;
    faults.push({ name: fault.name, place: `line ${line}: ${textOf(octets, fault.line)}`, advice: fault.advice });
    const mended = withoutFault(octets, fault.name, fault.line);
    if (faults.length === MOST_FAULTS || mended === undefined) return { samples: [], metadata: [], faults };
    if (mended.isCut) numbers.splice(fault.line - 1, 1);
    octets = mended.octets;
  }
  const number = lineNumbers(page.octets);
  const placeOf = (offset: number): string => {
    const line = number(offset);
    return `line ${numbers?.[line - 1] ?? line}: ${textOf(page.octets, line, offset)}`;
  };
  const exemplars = new Map<number, Exemplar>();
  for (let e = 0; e < page.exemplarCount; e++)
    exemplars.set(page.exemplarOf[e]!, { labels: page.exemplarLabels(e), value: page.exemplarValues[e]! });
  const samples = Array.from({ length: page.count }, (_, at): Sample => {
    const timestamp = page.timestamps[at]!;
    return {
      name: page.name(at),
      labels: page.labels(at),
      value: page.values[at]!,
      timestamp: Number.isNaN(timestamp) ? undefined : timestamp,
      exemplar: exemplars.get(at),
      at,
      place: placeOf(page.from[at]!),
    };
  });
  const metadata = page.metadata.map((line): Metadata => ({
    kind: line.kind,
    name: page.metadataName(line),
    text: page.metadataText(line),
    before: line.before,
    place: placeOf(line.offset),
  }));
  return { samples, metadata, faults };
}

/** The page without the mistake: mended at an end of the page, otherwise without the line. Undefined if nothing can be taken away. */
function withoutFault(
  octets: Uint8Array,
  name: FaultName,
  line: number,
): { readonly octets: Uint8Array; readonly isCut: boolean } | undefined {
  if (name === "eofMissing") return { octets: Buffer.concat([octets, EOF]), isCut: false };
  if (name === "lineUnended") return { octets: Buffer.concat([octets, Buffer.of(LF)]), isCut: false };
  if (name === "byteOrderMark") return { octets: octets.subarray(3), isCut: false };
  const [from, to] = bounds(octets, line);
  if (to <= from) return undefined;
  return { octets: Buffer.concat([octets.subarray(0, from), octets.subarray(to)]), isCut: true };
}

/** Where the n-th line begins and ends, with its line feed. */
function bounds(octets: Uint8Array, line: number): [from: number, to: number] {
  let from = 0;
  for (let n = 1; n < line; n++) {
    const next = octets.indexOf(LF, from);
    if (next < 0) break;
    from = next + 1;
  }
  const end = octets.indexOf(LF, from);
  return [from, end < 0 ? octets.length : end + 1];
}

/** The text of a line, cut; `offset`: an octet in it, so that the line is not sought. */
function textOf(octets: Uint8Array, line: number, offset?: number): string {
  const from = offset ?? bounds(octets, line)[0];
  const end = octets.indexOf(LF, from);
  const text = Buffer.from(octets.subarray(from, end < 0 ? octets.length : end)).toString();
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** The line of an octet; asked for in ascending order mostly. */
function lineNumbers(octets: Uint8Array): (offset: number) => number {
  const begins = [0];
  for (let at = octets.indexOf(LF); at >= 0; at = octets.indexOf(LF, at + 1)) begins.push(at + 1);
  return (offset) => {
    let [low, high] = [0, begins.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (begins[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function messages(body: Uint8Array): Parts {
  const read = readProtobuf(body);
  if ("is" in read) return { samples: [], metadata: [], faults: [{ name: "lineUnexpected", place: read.message, advice: "" }] };
  const samples: Sample[] = [];
  const metadata: Metadata[] = [];
  for (const family of read) {
    const place = `family ${family.name}`;
    const before = samples.length;
    metadata.push({ kind: "type", name: family.name, text: family.type ?? "unknown", before, place });
    if (family.help !== undefined) metadata.push({ kind: "help", name: family.name, text: family.help, before, place });
    if (family.unit !== undefined) metadata.push({ kind: "unit", name: family.name, text: family.unit, before, place });
    for (const one of samplesOf(family)) samples.push({ ...one, at: samples.length, place: `${place}: ${one.name}` });
  }
  return { samples, metadata, faults: [] };
}

const samplesOf = ({ samples }: ProtobufFamily): Omit<Sample, "at" | "place">[] =>
  samples.map(({ name, labels = [], value, timestamp, exemplar }) => ({
    name,
    labels,
    value,
    timestamp,
    exemplar: exemplar === undefined ? undefined : { labels: exemplar.labels, value: exemplar.value },
  }));

/** Suffixes of samples by type, in each format. In the text format and in messages the name of a counter is that of its sample. */
export const SUFFIXES: Readonly<Record<Format["is"], Readonly<Record<string, readonly string[]>>>> = {
  openmetrics: {
    counter: ["_total", "_created"],
    gauge: [""],
    histogram: ["_bucket", "_count", "_sum", "_created"],
    gaugehistogram: ["_bucket", "_gcount", "_gsum"],
    stateset: [""],
    info: ["_info"],
    summary: ["", "_count", "_sum", "_created"],
    unknown: [""],
  },
  text: { histogram: ["_bucket", "_count", "_sum"], summary: ["", "_count", "_sum"] },
  protobuf: { histogram: ["_bucket", "_count", "_sum"], summary: ["", "_count", "_sum"], gaugehistogram: ["_bucket", "_gcount", "_gsum"] },
};

type Draft = { readonly name: string; readonly from: number; type?: string; help?: string; unit?: string; readonly samples: Sample[] };

/** The families of a page. A name whose metadata comes again after samples is another family: what is said of one does not hold for the other. */
function familiesOf({ is, samples, metadata }: Pick<PageRead, "is" | "samples" | "metadata">): Family[] {
  const suffixes = SUFFIXES[is];
  const drafts = new Map<string, Draft[]>();
  const begun = (name: string, from: number): Draft => {
    const draft: Draft = { name, from, samples: [] };
    drafts.set(name, [...(drafts.get(name) ?? []), draft]);
    return draft;
  };
  const hasSampleBetween = (from: number, to: number, name: string): boolean =>
    samples.slice(from, to).some((one) => one.name.startsWith(name));
  for (const { kind, name, text, before } of metadata) {
    if (text === "") continue;
    const last = drafts.get(name)?.at(-1);
    const isAgain = last?.[kind] !== undefined && hasSampleBetween(last.from, before, name);
    const draft = last === undefined || isAgain ? begun(name, before) : last;
    draft[kind] = text;
  }
  /** The family of a sample: the last that began before it, or the first. */
  const at = (name: string, n: number): Draft | undefined => {
    const all = drafts.get(name);
    return all?.findLast(({ from }) => from <= n) ?? all?.[0];
  };
  for (const sample of samples) {
    const { name } = sample;
    let home: Draft | undefined;
    for (let cut = name.lastIndexOf("_"); cut > 0 && home === undefined; cut = name.lastIndexOf("_", cut - 1)) {
      const draft = at(name.slice(0, cut), sample.at);
      if (suffixes[draft?.type ?? ""]?.includes(name.slice(cut)) === true) home = draft;
    }
    (home ?? at(name, sample.at) ?? begun(name, sample.at)).samples.push(sample);
  }
  return [...drafts.values()].flat().map(({ type = "unknown", help, unit, ...rest }) => ({ ...rest, type, help, unit }));
}
