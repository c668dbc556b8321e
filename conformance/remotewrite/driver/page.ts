import { joined, lengthDelimited as field, varint, varintField } from "../../wire/protobuf.ts";

/** The page that senders scrape, and what of it has to arrive. */

/** Scrapes after which a series goes away, and those after which the whole page does. */
const VANISHES_AFTER = 4;
export const GONE_AFTER = 6;

export const SPECIAL: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Infinity,
  minus: -Infinity,
  large: 1.7976931348623157e308,
  small: 5e-324,
  fraction: 0.1,
};
export const UTF8 = "zürich 東京 🚆";
export const ESCAPED = 'a"b\\c\nd';
export const EXTERNAL: readonly (readonly [string, string])[] = [
  ["region", "eu"],
  ["zone", "z1"],
];
export const HELP = "How often this page was scraped.";

const shown = (value: number): string => (value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value));

/** The page at its n-th scrape. */
export function pageAt(scrape: number, vanishes: boolean): string {
  return `# HELP ticks_total ${HELP}
# TYPE ticks_total counter
ticks_total ${scrape}
# TYPE special gauge
${Object.entries(SPECIAL)
  .map(([kind, value]) => `special{kind="${kind}"} ${shown(value)}`)
  .join("\n")}
# TYPE texts gauge
texts{a="${UTF8}",b="${ESCAPED.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"} 1
# TYPE unsorted gauge
unsorted{z="1",a="2",Z="3",_x="4"} 1
# TYPE hollow gauge
hollow{empty="",full="1"} 1
# TYPE conflict gauge
conflict{region="us"} 1
# TYPE latency histogram
latency_bucket{le="0.5"} 1
latency_bucket{le="+Inf"} 2
latency_sum 1.5
latency_count 2
${vanishes && scrape > VANISHES_AFTER ? "" : "# TYPE vanishing gauge\nvanishing 1\n"}`;
}

const text = (number: number, value: string): Uint8Array => field(number, Buffer.from(value));
function double(number: number, value: number): Uint8Array {
  const octets = new Uint8Array(8);
  new DataView(octets.buffer).setFloat64(0, value, true);
  return joined([varint(number * 8 + 1), octets]);
}
const family = (name: string, type: number, metric: Uint8Array): Uint8Array => {
  const message = joined([text(1, name), text(2, HELP), varintField(3, type), field(4, metric)]);
  return joined([varint(message.length), message]);
};

/** What the native histogram of a scrape has. */
export const nativeAt = (scrape: number): { readonly count: number; readonly sum: number; readonly positive: readonly number[] } => ({
  count: scrape + 3,
  sum: scrape * 1.5,
  positive: [1, 1 + scrape],
});

/** The page as messages: a counter, and a native histogram of schema 0 with two buckets (Prometheus specs, native_histograms.md, "Exposition formats"). */
export function nativePageAt(scrape: number): Uint8Array {
  const { count, sum } = nativeAt(scrape);
  const span = field(12, joined([varintField(1, 0), varintField(2, 2)]));
  const deltas = [1, scrape].map((delta) => joined([varint(13 * 8), varint(delta * 2)]));
  const histogram = joined([varintField(1, count), double(2, sum), varintField(5, 0), double(6, 0.5), varintField(7, 1), span, ...deltas]);
  return joined([family("native", 4, field(7, histogram)), family("ticks_total", 0, field(3, double(1, scrape)))]);
}
export const NATIVE_TYPE = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";
