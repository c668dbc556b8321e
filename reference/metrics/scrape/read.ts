import {
  type Format,
  KnownSeries,
  metadataByFamily,
  Page,
  parseContentType,
  type ProtobufFamily,
  readOpenMetrics,
  readProtobuf,
  readText,
  SCRAPE,
  TEXT,
  type FamilyMetadata,
} from "../exposition/index.ts";
import { type Histogram, METRIC_NAME } from "../model/index.ts";

/** Names of protocols of scraping, as the configuration has them, with their formats. */
const FALLBACKS: Readonly<Record<string, Format["is"]>> = {
  PrometheusProto: "protobuf",
  "OpenMetricsText0.0.1": "openmetrics",
  "OpenMetricsText1.0.0": "openmetrics",
  "PrometheusText0.0.4": "text",
  "PrometheusText1.0.0": "text",
};

/** The format of a page, from its Content-Type; undefined if it says none that we read and there is no fallback. */
export function formatOf(contentType: string | undefined, fallback: string | undefined): Format["is"] | undefined {
  const stated = parseContentType(contentType);
  if (stated !== undefined) return stated.is;
  // Any other version of the text format is read as the one that all know.
  if (contentType !== undefined && /^text\/plain\s*(?:;|$)/i.test(contentType)) return TEXT.is;
  return fallback === undefined ? undefined : FALLBACKS[fallback];
}

/** A sample of a page of messages. */
export type MessageSample = {
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number | Histogram;
  /** Milliseconds, or NaN. */
  readonly timestamp: number;
  readonly exemplars: readonly PageExemplar[];
};
/** An exemplar of a page; its time in milliseconds, or NaN or absent if it has none. */
export type PageExemplar = {
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
  readonly timestamp?: number;
};

/** What a page has: a page of text, or samples of messages. */
export type Content =
  | { readonly page: Page; readonly samples?: undefined }
  | { readonly samples: readonly MessageSample[]; readonly page?: undefined };

export type ReadOptions = {
  /** Store native histograms. */
  readonly isNative: boolean;
  /** Store the classic series of a histogram that has a native form, too. */
  readonly isAlwaysClassic: boolean;
};

/** Reads the pages of one target, one after the other. */
export class PageReader {
  readonly known: KnownSeries = new KnownSeries();
  readonly #page = new Page();
  metadata: ReadonlyMap<string, FamilyMetadata> = new Map();

  /** The content of a page, valid until the next; a text that says what is wrong with it. */
  read(octets: Uint8Array, format: Format["is"], options: ReadOptions): Content | string {
    if (format === "protobuf") {
      const families = readProtobuf(octets);
      if ("is" in families) return families.message;
      this.metadata = new Map(
        families.map(({ name, type, help, unit }) => [name, { ...(type && { type }), ...(help && { help }), ...(unit && { unit }) }]),
      );
      return { samples: [...samplesOf(families, options)] };
    }
    const page = this.#page;
    const read = format === "openmetrics" ? readOpenMetrics : readText;
    const fault = read(page, octets, { lenient: SCRAPE, known: this.known });
    if (fault !== undefined) return fault.message;
    this.metadata = metadataByFamily(page);
    return { page };
  }
}

function* samplesOf(families: readonly ProtobufFamily[], { isNative, isAlwaysClassic }: ReadOptions): Generator<MessageSample> {
  for (const { name, samples, histograms } of families) {
    const native = new Set(isNative ? histograms.map(({ labels }) => keyOf(labels)) : []);
    for (const { name: sample, labels = [], value, timestamp = Number.NaN, exemplar } of samples)
      if (isAlwaysClassic || native.size === 0 || !native.has(keyOf(labels.filter(([label]) => label !== "le"))))
        yield { labels: [[METRIC_NAME, sample], ...labels], value, timestamp, exemplars: exemplar === undefined ? [] : [exemplar] };
    if (isNative)
      for (const { labels, histogram, timestamp = Number.NaN, exemplars } of histograms)
        yield { labels: [[METRIC_NAME, name], ...labels], value: histogram, timestamp, exemplars };
  }
}
const keyOf = (labels: readonly (readonly [string, string])[]): string => JSON.stringify([...labels].sort(([a], [b]) => (a < b ? -1 : 1)));
