import {
  type FamilyToWrite,
  type Fault,
  metadataByFamily,
  Page,
  readOpenMetrics,
  readText,
  type ReadOptions,
  type SampleToWrite,
} from "../../../reference/metrics/exposition/index.ts";
import { kindOf, loadVectors, type Vector, vectorFiles } from "../../../vectors/load.ts";

export type Format = "text" | "openmetrics";
const READERS = { text: readText, openmetrics: readOpenMetrics } as const;

/** The first octet of an input selects the format of the rest. */
export const formatOf = (input: Uint8Array): Format => ((input[0] ?? 0) % 2 === 0 ? "text" : "openmetrics");
export const pageOf = (input: Uint8Array): Uint8Array => input.subarray(1);

export type Reading = { readonly samples: readonly SampleToWrite[]; readonly metadata: ReturnType<typeof metadataByFamily> };

/** The content of a page, or its fault. */
export function read(format: Format, octets: Uint8Array, options: ReadOptions = {}, page = new Page()): Reading | Fault {
  const fault = READERS[format](page, octets, options);
  if (fault !== undefined) return fault;
  let e = 0;
  const samples = Array.from({ length: page.count }, (_, n): SampleToWrite => {
    const exemplar = e < page.exemplarCount && page.exemplarOf[e] === n ? exemplarAt(page, e++) : undefined;
    return {
      name: page.name(n),
      labels: page.labels(n),
      value: page.values[n]!,
      ...timestampOf(page.timestamps[n]!),
      ...(exemplar === undefined ? {} : { exemplar }),
    };
  });
  return { samples, metadata: metadataByFamily(page) };
}

const timestampOf = (timestamp: number): { timestamp?: number } => (Number.isNaN(timestamp) ? {} : { timestamp });
const exemplarAt = (page: Page, e: number): NonNullable<SampleToWrite["exemplar"]> => ({
  labels: page.exemplarLabels(e),
  value: page.exemplarValues[e]!,
  ...timestampOf(page.exemplarTimestamps[e]!),
});

export const isFault = (reading: Reading | Fault): reading is Fault => "is" in reading;
/** A value as text, for comparison: distinguishes NaN from null and -0 from 0. */
export const show = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Map) return [...member];
    return typeof member === "number" ? (Object.is(member, -0) ? "-0" : String(member)) : member;
  });

/** The suffixes of samples by type. The text format has no created times: such a name is a metric of its own. */
const SUFFIXES: Readonly<Record<Format, Readonly<Record<string, readonly string[]>>>> = {
  text: {
    histogram: ["", "_bucket", "_count", "_sum"],
    summary: ["", "_count", "_sum"],
  },
  openmetrics: {
    counter: ["", "_total", "_created"],
    histogram: ["", "_bucket", "_count", "_sum", "_created"],
    gaugehistogram: ["_bucket", "_gcount", "_gsum"],
    info: ["_info"],
    summary: ["", "_count", "_sum", "_created"],
  },
};

/** The families of a page, as input for a writer. */
export function familiesOf(format: Format, { samples, metadata }: Reading): FamilyToWrite[] {
  const families = new Map<string, { samples: SampleToWrite[] } & Omit<FamilyToWrite, "samples">>();
  for (const [name, { type, help, unit }] of metadata) {
    const known = type === undefined ? {} : { type: (type === "untyped" ? "unknown" : type) as NonNullable<FamilyToWrite["type"]> };
    families.set(name, { name, ...known, ...(help === undefined ? {} : { help }), ...(unit === undefined ? {} : { unit }), samples: [] });
  }
  for (const sample of samples) {
    const owner = [...families.values()].find(({ name, type = "unknown" }) =>
      (SUFFIXES[format][type] ?? [""]).some((suffix) => sample.name === name + suffix),
    );
    const family = owner ?? { name: sample.name, samples: [] };
    if (owner === undefined) families.set(sample.name, family);
    family.samples.push(sample);
  }
  return [...families.values()];
}

export const MAX_LENGTH = 1_200;
const OCTET: Readonly<Record<string, string>> = { "exposition-text": "\0", "exposition-openmetrics": "\u0001" };
/** All pages of the vectors that are short enough. */
export const seeds = (): Uint8Array[] =>
  vectorFiles()
    .filter((name) => name.startsWith("exposition/"))
    .flatMap((name) => {
      const file = loadVectors<Vector & { readonly page: string }>(name);
      const first = OCTET[kindOf(file)];
      return first === undefined ? [] : file.vectors.map(({ page }) => Uint8Array.from(first + page, (sign) => sign.charCodeAt(0)));
    })
    .filter(({ length }) => length <= MAX_LENGTH);

export const DICTIONARY = [
  "# TYPE a counter\n",
  "# TYPE a histogram\n",
  "# HELP a \\\\ \\n\n",
  "# UNIT a_b b\n",
  "# EOF\n",
  'a_bucket{le="+Inf"} 1\n',
  '{"a.b",c="d"} 1\n',
  ' # {t="x"} 1 2',
  '="\\"\\\\\\n"',
  " 1520879607.789",
  "0x1p-2",
  "1_0",
  "NaN",
  "+Inf",
  "\u00e9",
  "\ud83d\ude00",
].map((text) => new TextEncoder().encode(text));
