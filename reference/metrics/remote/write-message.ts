import type { Histogram, Labels } from "../model/index.ts";
import { writeHistogramMessage } from "./histogram-write.ts";
import { MessageWriter } from "./message-writer.ts";
import type { WriteMessage } from "./write-request.ts";

/** Writing requests of both protocols (Prometheus specs, prw/remote_write_spec.md, "Protocol", and prw/remote_write_spec_2_0.md, "Protobuf Message"). */

/** A series as it is sent. Two samples belong to one series if this is the same object. */
export type SentSeries = { readonly labels: Labels };
/** A sample on its way: a float, a stale marker or a histogram. Times are milliseconds since 1970. */
export type SentSample = {
  readonly series: SentSeries;
  readonly time: number;
  readonly value: number;
  readonly isStale: boolean;
  readonly histogram: Histogram | undefined;
};

/** What is known of a metric; missing texts are empty. */
export type SentMetadata = { readonly type: string; readonly help: string; readonly unit: string };

/** By the type of a metric, its number in protocol 1 and in protocol 2. */
const TYPES: Readonly<Record<string, readonly [one: number, two: number]>> = {
  counter: [1, 1],
  gauge: [2, 2],
  histogram: [3, 3],
  gaugehistogram: [4, 4],
  summary: [5, 5],
  info: [6, 6],
  stateset: [7, 7],
};

/** Writes requests one after another; each is valid until the next. */
export class RequestWriter {
  readonly #message: WriteMessage;
  readonly #writer = new MessageWriter();
  /** Protocol 2: the texts of a request and their numbers. */
  readonly #symbols = new Map<string, number>();

  constructor(message: WriteMessage) {
    this.#message = message;
  }

  /** A request with samples, each series in the order of the list. */
  samples(samples: readonly SentSample[], metadataOf: (series: SentSeries) => SentMetadata | undefined): Uint8Array {
    const to = this.#writer;
    to.clear();
    this.#symbols.clear();
    this.#symbols.set("", 0);
    const isFirst = this.#message === "prometheus.WriteRequest";
    for (const run of runsOf(samples)) {
      const start = to.begin(isFirst ? 1 : 5);
      const [{ series }] = run;
      if (isFirst) for (const [name, value] of series.labels) labelOf(to, name, value);
      else this.#refs(series.labels);
      for (const one of run) sampleOf(to, one, isFirst);
      if (!isFirst) this.#metadata(metadataOf(series));
      to.end(start);
    }
    if (!isFirst) for (const symbol of this.#symbols.keys()) to.text(4, symbol);
    return to.content;
  }

  /** A request of protocol 1 with metadata alone. */
  metadata(all: Iterable<readonly [family: string, metadata: SentMetadata]>): Uint8Array {
    const to = this.#writer;
    to.clear();
    for (const [family, { type, help, unit }] of all) {
      const start = to.begin(3);
      to.integer(1, TYPES[type]?.[0] ?? 0);
      to.text(2, family);
      if (help !== "") to.text(4, help);
      if (unit !== "") to.text(5, unit);
      to.end(start);
    }
    return to.content;
  }

  #refs(labels: Labels): void {
    const to = this.#writer;
    const start = to.begin(1);
    for (const text of labels.flat) to.varint(this.#symbol(text));
    to.end(start);
  }

  #metadata(known: SentMetadata | undefined): void {
    if (known === undefined) return;
    const to = this.#writer;
    const start = to.begin(5);
    to.integer(1, TYPES[known.type]?.[1] ?? 0);
    to.integer(3, this.#symbol(known.help));
    to.integer(4, this.#symbol(known.unit));
    to.end(start);
  }

  #symbol(text: string): number {
    const known = this.#symbols.get(text);
    if (known !== undefined) return known;
    this.#symbols.set(text, this.#symbols.size);
    return this.#symbols.size - 1;
  }
}

/** A sample in a series; `isFirst`: of protocol 1. */
export function sampleOf(to: MessageWriter, { time, value, isStale, histogram }: Omit<SentSample, "series">, isFirst: boolean): void {
  if (histogram !== undefined) {
    const start = to.begin(isFirst ? 4 : 3);
    writeHistogramMessage(to, time, histogram);
    to.end(start);
    return;
  }
  const start = to.begin(2);
  if (isStale) to.stale(1);
  else to.double(1, value);
  to.integer(2, time);
  to.end(start);
}

export function labelOf(to: MessageWriter, name: string, value: string): void {
  const start = to.begin(1);
  to.text(1, name);
  to.text(2, value);
  to.end(start);
}

/** The samples by series, in order; floats and histograms of a series are never in the same run, and no run overtakes another of its series. */
function runsOf(samples: readonly SentSample[]): Iterable<[SentSample, ...SentSample[]]> {
  const last = new Map<SentSeries, [SentSample, ...SentSample[]]>();
  const runs: [SentSample, ...SentSample[]][] = [];
  for (const one of samples) {
    const run = last.get(one.series);
    if (run !== undefined && (run[0].histogram === undefined) === (one.histogram === undefined)) run.push(one);
    else {
      const begun: [SentSample] = [one];
      last.set(one.series, begun);
      runs.push(begun);
    }
  }
  return runs;
}
