import { type Histogram, LabelOctets, Labels, METRIC_NAME, STALE_HIGH, STALE_LOW } from "../model/index.ts";
import type { Exemplar } from "../storage/index.ts";
import { MessageCursor, MessageFault } from "./cursor.ts";
import { readHistogramMessage } from "./histogram.ts";

/** Write requests of both protocols (Prometheus specs, prw/remote_write_spec.md and prw/remote_write_spec_2_0.md, "Protobuf Message"). */

/** The protobuf message of a request. */
export type WriteMessage = "prometheus.WriteRequest" | "io.prometheus.write.v2.Request";

/** One series of a request: the same object for one series after another. Times are milliseconds since 1970. */
export class WrittenSeries {
  /** Valid until the next series. */
  readonly labels = new LabelOctets();
  /** What is wrong with the labels. */
  fault: string | undefined;
  /** Floats in columns. */
  readonly times: number[] = [];
  readonly values: number[] = [];
  readonly isStale: boolean[] = [];
  readonly histograms: { readonly time: number; readonly histogram: Histogram }[] = [];
  readonly exemplars: Exemplar[] = [];

  clear(): void {
    this.labels.clear();
    this.fault = undefined;
    this.times.length = 0;
    this.values.length = 0;
    this.isStale.length = 0;
    this.histograms.length = 0;
    this.exemplars.length = 0;
  }
}

/** The most labels of a series. */
const MOST_LABELS = 1_000;

/** The series of a request, one after another. Throws `MessageFault`. */
export function* seriesIn(octets: Uint8Array, message: WriteMessage): Generator<WrittenSeries> {
  const at = new MessageCursor(octets);
  const reader = new SeriesReader(at, message === "prometheus.WriteRequest" ? undefined : symbolsIn(octets));
  const field = reader.symbols === undefined ? 1 : 5;
  while (at.next()) {
    if (at.field !== field) {
      at.skip();
      continue;
    }
    const outer = at.enter();
    yield reader.read();
    at.leave(outer);
  }
}

/** The places of the texts that series of protocol 2 refer to; the first is empty. */
type Symbols = { readonly starts: readonly number[]; readonly ends: readonly number[] };

function symbolsIn(octets: Uint8Array): Symbols {
  const [starts, ends]: [number[], number[]] = [[], []];
  const at = new MessageCursor(octets);
  while (at.next()) {
    if (at.field !== 4) {
      at.skip();
      continue;
    }
    const outer = at.enter();
    at.checkText(at.at, at.end);
    starts.push(at.at);
    ends.push(at.end);
    at.leave(outer);
  }
  if (starts.length > 0 && starts[0] !== ends[0]) throw new MessageFault("the first symbol is not empty");
  return { starts, ends };
}

/** The numbers of the fields of a series that differ between the protocols. */
const FIELDS = { one: { histogram: 4, exemplar: 3 }, two: { histogram: 3, exemplar: 4 } } as const;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const METRIC: readonly number[] = Array.from(METRIC_NAME, (letter) => letter.charCodeAt(0));

class SeriesReader {
  readonly symbols: Symbols | undefined;
  readonly #at: MessageCursor;
  readonly #series = new WrittenSeries();
  readonly #refs: number[] = [];
  /** The name of the label before. */
  #nameFrom = 0;
  #nameTo = 0;
  #labels = 0;
  #hasMetric = false;

  constructor(at: MessageCursor, symbols: Symbols | undefined) {
    this.#at = at;
    this.symbols = symbols;
  }

  /** Reads the series that the cursor has entered. */
  read(): WrittenSeries {
    const series = this.#series;
    const at = this.#at;
    series.clear();
    this.#refs.length = 0;
    this.#labels = 0;
    this.#hasMetric = false;
    const { histogram, exemplar } = this.symbols === undefined ? FIELDS.one : FIELDS.two;
    while (at.next()) {
      if (at.field === 1) this.#labelField();
      else if (at.field === 2) this.#float();
      else if (at.field === histogram) {
        const outer = at.enter();
        series.histograms.push(readHistogramMessage(at));
        at.leave(outer);
      } else if (at.field === exemplar) this.#exemplar();
      else at.skip();
    }
    if (this.symbols !== undefined) {
      this.#resolve(this.symbols);
      if (series.times.length > 0 && series.histograms.length > 0) series.fault ??= "it has floats and histograms";
    }
    if (!this.#hasMetric) series.fault ??= "there is no metric name";
    return series;
  }

  #labelField(): void {
    const at = this.#at;
    if (this.symbols !== undefined) {
      at.numbers(this.#refs, 0, (one) => one.varint());
      if (this.#refs.length > 2 * MOST_LABELS) throw tooMany();
      return;
    }
    const outer = at.enter();
    let [nameFrom, nameTo, valueFrom, valueTo] = [0, 0, 0, 0];
    while (at.next()) {
      if (at.field !== 1 && at.field !== 2) {
        at.skip();
        continue;
      }
      const isName = at.field === 1;
      const inner = at.enter();
      at.checkText(at.at, at.end);
      if (isName) [nameFrom, nameTo] = [at.at, at.end];
      else [valueFrom, valueTo] = [at.at, at.end];
      at.leave(inner);
    }
    at.leave(outer);
    this.#label(nameFrom, nameTo, valueFrom, valueTo);
  }

  #resolve({ starts, ends }: Symbols): void {
    const refs = this.#refs;
    if (refs.length % 2 === 1) throw new MessageFault("a series has a label name without a value");
    for (let index = 0; index < refs.length; index += 2) {
      const [name, value] = [refs[index]!, refs[index + 1]!];
      if (name >= starts.length || value >= starts.length) throw new MessageFault("a series refers to a symbol that does not exist");
      this.#label(starts[name]!, ends[name]!, starts[value]!, ends[value]!);
    }
  }

  /** Labels are sorted, without repetition and without empty names or values, and one is the metric name. */
  // oxlint-disable-next-line max-params -- two stretches of octets, for each label of a request
  #label(nameFrom: number, nameTo: number, valueFrom: number, valueTo: number): void {
    const series = this.#series;
    if (++this.#labels > MOST_LABELS) throw tooMany();
    const name = (): string => JSON.stringify(new TextDecoder().decode(this.#at.octets.subarray(nameFrom, nameTo)));
    if (nameFrom === nameTo) series.fault ??= "a label has an empty name";
    else if (valueFrom === valueTo) series.fault ??= `the label ${name()} has an empty value`;
    else if (this.#labels > 1) {
      const order = this.#order(nameFrom, nameTo);
      if (order === 0) series.fault ??= `the label ${name()} is repeated`;
      else if (order > 0) series.fault ??= `the label ${name()} is not in order`;
    }
    this.#hasMetric ||= this.#isMetric(nameFrom, nameTo);
    this.#nameFrom = nameFrom;
    this.#nameTo = nameTo;
    series.labels.add(this.#at.octets, nameFrom, nameTo, valueFrom, valueTo);
  }

  /** Positive if the name before sorts after this one. */
  #order(from: number, to: number): number {
    const { octets } = this.#at;
    let before = this.#nameFrom;
    let at = from;
    for (; before < this.#nameTo && at < to; before++, at++) if (octets[before] !== octets[at]) return octets[before]! - octets[at]!;
    return this.#nameTo - before - (to - at);
  }

  #isMetric(from: number, to: number): boolean {
    return to - from === METRIC.length && METRIC.every((octet, index) => this.#at.octets[from + index] === octet);
  }

  #exemplar(): void {
    const at = this.#at;
    const { exemplars } = this.#series;
    const pairs: [string, string][] = [];
    const refs: number[] = [];
    let [value, time] = [0, 0];
    const outer = at.enter();
    while (at.next()) {
      if (at.field === 1 && this.symbols === undefined) pairs.push(this.#pair());
      else if (at.field === 1) at.numbers(refs, 0, (one) => one.varint());
      else if (at.field === 2) value = at.double();
      else if (at.field === 3) time = at.integer();
      else at.skip();
      if (pairs.length > MOST_LABELS || refs.length > 2 * MOST_LABELS) throw tooMany();
    }
    at.leave(outer);
    if (refs.length % 2 === 1) throw new MessageFault("an exemplar has a label name without a value");
    for (let index = 0; index < refs.length; index += 2) pairs.push([this.#symbol(refs[index]!), this.#symbol(refs[index + 1]!)]);
    exemplars.push({ labels: Labels.of(pairs), value, time });
  }

  #pair(): [string, string] {
    const at = this.#at;
    const pair: [string, string] = ["", ""];
    const outer = at.enter();
    while (at.next()) {
      if (at.field !== 1 && at.field !== 2) {
        at.skip();
        continue;
      }
      const place = at.field - 1;
      const inner = at.enter();
      at.checkText(at.at, at.end);
      pair[place] = decoder.decode(at.octets.subarray(at.at, at.end));
      at.leave(inner);
    }
    at.leave(outer);
    return pair;
  }

  #symbol(ref: number): string {
    const { starts, ends } = this.symbols!;
    if (ref >= starts.length) throw new MessageFault("an exemplar refers to a symbol that does not exist");
    return decoder.decode(this.#at.octets.subarray(starts[ref], ends[ref]));
  }

  #float(): void {
    const at = this.#at;
    const { times, values, isStale } = this.#series;
    const outer = at.enter();
    let [value, time] = [0, 0];
    let stale = false;
    while (at.next()) {
      if (at.field === 1) {
        value = at.double();
        stale = Number.isNaN(value) && at.high === STALE_HIGH && at.low === STALE_LOW;
      } else if (at.field === 2) time = at.integer();
      else at.skip();
    }
    at.leave(outer);
    times.push(time);
    values.push(value);
    isStale.push(stale);
  }
}

const tooMany = (): MessageFault => new MessageFault(`a series has more than ${MOST_LABELS} labels`);
