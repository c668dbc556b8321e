import snappy from "snappyjs";
import { histogramMessage, staleHistogramMessage, type WrittenHistogram } from "./histogram.ts";
import { joined, lengthDelimited as field, varint } from "../protobuf.ts";
import { STALE } from "./stale.ts";

/** What is sent to a metrics server: samples as a page of OpenMetrics, or in a remote write request (Prometheus specs, prw/remote_write_spec.md). */

export type WrittenSample = {
  readonly value: number | "stale";
  /** Milliseconds since 1970. */
  readonly time: number;
};
export type WrittenSeries = {
  /** With `__name__`, in any order. */
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly WrittenSample[];
  /** Their times lie between or after those of the samples. */
  readonly histograms?: readonly WrittenHistogramSample[];
};
/** A native histogram, or the marker of the end of a series of them. */
export type WrittenHistogramSample = { readonly value: WrittenHistogram | "stale"; readonly time: number };

/** The fields of a remote write request. */
export const REMOTE_WRITE_FIELDS: Readonly<Record<string, string>> = {
  "content-type": "application/x-protobuf",
  "content-encoding": "snappy",
  "user-agent": "touchstone",
  "x-prometheus-remote-write-version": "0.1.0",
};

/** A remote write request: a protobuf message in one block of Snappy. */
export const remoteWrite = (series: readonly WrittenSeries[]): Uint8Array => snappy.compress(writeRequest(series));

/** `WriteRequest` before it is compressed. */
export const writeRequest = (series: readonly WrittenSeries[]): Uint8Array => joined(series.map((one) => field(1, timeSeries(one))));

function timeSeries({ labels, samples, histograms = [] }: WrittenSeries): Uint8Array {
  const sorted = Object.entries(labels).sort(([a], [b]) => Buffer.compare(fromUtf8(a), fromUtf8(b)));
  return joined([
    ...sorted.map(([name, value]) => field(1, joined([field(1, fromUtf8(name)), field(2, fromUtf8(value))]))),
    ...samples.map((one) => field(2, sample(one))),
    ...histograms.map(({ value, time }) => field(4, value === "stale" ? staleHistogramMessage(time) : histogramMessage(value, time))),
  ]);
}

/** Wire type 1 for the value, 0 for the time. */
function sample({ value, time }: WrittenSample): Uint8Array {
  const head = new Uint8Array(9);
  const view = new DataView(head.buffer);
  head[0] = (1 << 3) | 1;
  if (value === "stale") {
    view.setUint32(1, STALE[0], true);
    view.setUint32(5, STALE[1], true);
  } else view.setFloat64(1, value, true);
  return joined([head, Uint8Array.of(2 << 3), varint(time)]);
}

const fromUtf8 = (text: string): Uint8Array => Buffer.from(text);

/** A name that needs no quotes. */
const PLAIN_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const PLAIN_LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

/** A page of OpenMetrics, without staleness markers. Series of one name must be adjacent. */
export function openMetricsPage(series: readonly WrittenSeries[]): string {
  const lines: string[] = [];
  for (const { labels, samples } of series) {
    const { __name__: name = "", ...others } = labels;
    const pairs = Object.entries(others).map(([key, text]) => `${PLAIN_LABEL.test(key) ? key : quoted(key)}=${quoted(text)}`);
    const head = PLAIN_NAME.test(name) ? `${name}{${pairs.join(",")}}` : `{${[quoted(name), ...pairs].join(",")}}`;
    for (const { value, time } of samples) if (value !== "stale") lines.push(`${head} ${numberText(value)} ${time / 1_000}`);
  }
  return `${lines.join("\n")}\n# EOF\n`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return Object.is(value, -0) ? "-0" : String(value);
}
