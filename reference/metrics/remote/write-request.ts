import { compareText, type Histogram, Labels, METRIC_NAME } from "../model/index.ts";
import { MessageCursor, MessageFault } from "./cursor.ts";
import { readHistogramMessage } from "./histogram.ts";

/** Write requests of both protocols (Prometheus specs, prw/remote_write_spec.md and prw/remote_write_spec_2_0.md, "Protobuf Message"). */

/** The protobuf message of a request. */
export type WriteMessage = "prometheus.WriteRequest" | "io.prometheus.write.v2.Request";

/** A sample; times are milliseconds since 1970. The halves of a value tell a stale mark from other NaNs. */
export type FloatSample = { readonly time: number; readonly value: number; readonly high: number; readonly low: number };
export type HistogramSample = { readonly time: number; readonly histogram: Histogram };

/** One series of a request; `fault` says why its labels are invalid. */
export type WrittenSeries = {
  readonly labels: Labels;
  readonly fault: string | undefined;
  readonly floats: readonly FloatSample[];
  readonly histograms: readonly HistogramSample[];
  readonly exemplars: number;
};

/** The most labels of a series. */
const MOST_LABELS = 1_000;

/** The series of a request, one after another. Throws `MessageFault`. */
export function* seriesOf(octets: Uint8Array, message: WriteMessage): Generator<WrittenSeries> {
  const symbols = message === "prometheus.WriteRequest" ? undefined : symbolsOf(octets);
  const at = new MessageCursor(octets);
  const field = symbols === undefined ? 1 : 5;
  while (at.next()) {
    if (at.field === field) yield readSeries(at.message(), symbols);
    else at.skip();
  }
}

/** The texts that series of protocol 2 refer to; the first is empty. */
function symbolsOf(octets: Uint8Array): readonly string[] {
  const symbols: string[] = [];
  const at = new MessageCursor(octets);
  while (at.next()) {
    if (at.field === 4) symbols.push(at.text());
    else at.skip();
  }
  if (symbols.length > 0 && symbols[0] !== "") throw new MessageFault("the first symbol is not empty");
  return symbols;
}

/** The numbers of the fields of a series that differ between the protocols. */
const FIELDS = { one: { floats: 2, histograms: 4, exemplars: 3 }, two: { floats: 2, histograms: 3, exemplars: 4 } } as const;

function readSeries(at: MessageCursor, symbols: readonly string[] | undefined): WrittenSeries {
  const fields = symbols === undefined ? FIELDS.one : FIELDS.two;
  const pairs: [string, string][] = [];
  const refs: number[] = [];
  const floats: FloatSample[] = [];
  const histograms: HistogramSample[] = [];
  let exemplars = 0;
  while (at.next()) {
    if (at.field === 1 && symbols === undefined) pairs.push(readLabel(at.message()));
    else if (at.field === 1) at.numbers(refs, 0, (one) => one.varint());
    else if (at.field === fields.floats) floats.push(readFloat(at.message()));
    else if (at.field === fields.histograms) histograms.push(readHistogramMessage(at.message()));
    else {
      if (at.field === fields.exemplars) exemplars += 1;
      at.skip();
    }
    if (pairs.length > MOST_LABELS || refs.length > 2 * MOST_LABELS) throw new MessageFault(`a series has more than ${MOST_LABELS} labels`);
  }
  if (refs.length % 2 === 1) throw new MessageFault("a series has a label name without a value");
  for (let index = 0; index < refs.length; index += 2) {
    const [name, value] = [symbols?.[refs[index]!], symbols?.[refs[index + 1]!]];
    if (name === undefined || value === undefined) throw new MessageFault("a series refers to a symbol that does not exist");
    pairs.push([name, value]);
  }
  return { labels: Labels.of(pairs), fault: labelFault(pairs), floats, histograms, exemplars };
}

function readLabel(at: MessageCursor): [string, string] {
  const label: [string, string] = ["", ""];
  while (at.next()) {
    if (at.field === 1) label[0] = at.text();
    else if (at.field === 2) label[1] = at.text();
    else at.skip();
  }
  return label;
}

function readFloat(at: MessageCursor): FloatSample {
  let value = { value: 0, high: 0, low: 0 };
  let time = 0;
  while (at.next()) {
    if (at.field === 1) value = at.double();
    else if (at.field === 2) time = at.integer();
    else at.skip();
  }
  return { time, ...value };
}

/** What is wrong with the labels of a series: sorted, without repetition and without empty names or values, and with a metric name. */
function labelFault(pairs: readonly (readonly [string, string])[]): string | undefined {
  let before: string | undefined;
  for (const [name, value] of pairs) {
    if (name === "") return "a label has an empty name";
    if (value === "") return `the label ${JSON.stringify(name)} has an empty value`;
    if (before === name) return `the label ${JSON.stringify(name)} is repeated`;
    if (before !== undefined && compareText(before, name) > 0) return `the label ${JSON.stringify(name)} is not in order`;
    before = name;
  }
  return pairs.some(([name]) => name === METRIC_NAME) ? undefined : "there is no metric name";
}
