import type { Histogram } from "../model/index.ts";
import type { Exemplar } from "../storage/index.ts";
import { writeHistogramMessage } from "./histogram-write.ts";
import { MessageWriter } from "./message-writer.ts";
import { labelOf, SentForms, type SentSeries, type SentText } from "./sent-series.ts";
import type { WriteMessage } from "./write-request.ts";

/** Writing requests of both protocols (Prometheus specs, prw/remote_write_spec.md, "Protocol", and prw/remote_write_spec_2_0.md, "Protobuf Message"). */

/** A sample on its way: a float, a stale marker or a histogram; or an exemplar of a series. Times are milliseconds since 1970. */
export type SentSample = {
  readonly series: SentSeries;
  readonly time: number;
  readonly value: number;
  readonly isStale: boolean;
  readonly histogram: Histogram | undefined;
  readonly exemplar: Exemplar | undefined;
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

/** The kinds of what a series has in a message: floats and histograms are never in the same one. */
const [EXEMPLARS, FLOATS, HISTOGRAMS] = [0, 1, 2];
const kindOf = ({ histogram, exemplar }: SentSample): number =>
  histogram !== undefined ? HISTOGRAMS : exemplar === undefined ? FLOATS : EXEMPLARS;

/** Writes requests one after another; each is valid until the next. */
export class RequestWriter {
  readonly #isFirst: boolean;
  /** The series of the requests are made here, and are for this writer alone. */
  readonly forms: SentForms;
  readonly #writer = new MessageWriter();
  /** The number of the request; series and texts note the last one that had them. */
  #request = 0;
  /** Protocol 2: the texts of the request, by their numbers. */
  readonly #texts: SentText[] = [];
  /** Protocol 2: texts of the request that no series shares. */
  readonly #others = new Map<string, SentText>();
  /** By sample, the next one of the same message of its series; 0 if there is none. */
  #next = new Int32Array(4_096);

  constructor(message: WriteMessage) {
    this.#isFirst = message === "prometheus.WriteRequest";
    this.forms = new SentForms(message);
  }

  /** A request with samples, each series in the order of the list. */
  samples(samples: readonly SentSample[], metadataOf: (metric: string) => SentMetadata | undefined): Uint8Array {
    const to = this.#writer;
    to.clear();
    this.#request += 1;
    this.#texts.length = 0;
    this.#others.clear();
    if (!this.#isFirst) this.#ref(this.forms.textsOf([""])[0]!);
    for (const first of this.#linked(samples)) {
      const { series } = samples[first]!;
      const start = this.#isFirst ? to.begin(1, series.fields.length) : to.begin(5);
      if (this.#isFirst) to.raw(series.fields);
      else this.#refs(1, series.texts);
      for (let at = first; ; at = this.#next[at]!) {
        this.#one(samples[at]!);
        if (this.#next[at] === 0) break;
      }
      if (!this.#isFirst) this.#metadata(metadataOf(series.metric));
      to.end(start);
    }
    for (const { field } of this.#texts) to.raw(field);
    return to.content;
  }

  /** Links the samples of one message; returns the first of each. No message overtakes another of its series. */
  #linked(samples: readonly SentSample[]): number[] {
    if (this.#next.length < samples.length) this.#next = new Int32Array(samples.length * 2);
    const next = this.#next;
    const firsts: number[] = [];
    for (let at = 0; at < samples.length; at++) {
      next[at] = 0;
      const one = samples[at]!;
      const { series } = one;
      const kind = kindOf(one);
      const isKnown = series.request === this.#request;
      if (isKnown && (series.kinds === kind || kind === EXEMPLARS || series.kinds === EXEMPLARS)) {
        next[series.last] = at;
        series.kinds ||= kind;
      } else {
        firsts.push(at);
        series.request = this.#request;
        series.kinds = kind;
      }
      series.last = at;
    }
    return firsts;
  }

  #one(sample: SentSample): void {
    const { exemplar } = sample;
    if (exemplar === undefined) return sampleOf(this.#writer, sample, this.#isFirst);
    const { labels, value, time } = exemplar;
    const to = this.#writer;
    const start = to.begin(this.#isFirst ? 3 : 4);
    if (this.#isFirst) for (const [name, text] of labels) labelOf(to, name, text);
    else
      this.#refs(
        1,
        labels.flat.map((text) => this.#passing(text)),
      );
    to.double(2, value);
    to.integer(3, time);
    return to.end(start);
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

  #refs(field: number, texts: readonly SentText[]): void {
    if (texts.length === 0) return;
    const to = this.#writer;
    const start = to.begin(field);
    for (const text of texts) to.varint(this.#ref(text));
    to.end(start);
  }

  #metadata(known: SentMetadata | undefined): void {
    if (known === undefined) return;
    const to = this.#writer;
    const [help, unit] = this.forms.textsOf([known.help, known.unit]);
    const start = to.begin(5);
    to.integer(1, TYPES[known.type]?.[1] ?? 0);
    to.integer(3, this.#ref(help!));
    to.integer(4, this.#ref(unit!));
    to.end(start);
  }

  /** A text that is not kept for other requests. */
  #passing(text: string): SentText {
    const one = this.#others.get(text) ?? this.forms.known(text);
    this.#others.set(text, one);
    return one;
  }

  /** The number of a text in this request. */
  #ref(given: SentText): number {
    const text = given.isForgotten ? this.#passing(given.text) : given;
    if (text.request !== this.#request) {
      text.request = this.#request;
      text.ref = this.#texts.push(text) - 1;
    }
    return text.ref;
  }
}

/** A sample in a series; `isFirst`: of protocol 1. */
export function sampleOf(
  to: MessageWriter,
  { time, value, isStale, histogram }: Omit<SentSample, "series" | "exemplar">,
  isFirst: boolean,
): void {
  if (histogram !== undefined) {
    const start = to.begin(isFirst ? 4 : 3);
    writeHistogramMessage(to, time, histogram);
    to.end(start);
    return;
  }
  to.sample(2, { time, value, isStale });
}
