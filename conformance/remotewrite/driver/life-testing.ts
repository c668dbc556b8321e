import { type Packing, type Protocol, type RequestSeries, requestOf, type Shape, type WrittenValue } from "../../wire/remotewrite/build.ts";
import { ESCAPED, EXTERNAL, HELP, UTF8 } from "./page.ts";
import { type Arrived, contentOf, type Record } from "./record.ts";

/** Lives of senders as they would be recorded, for tests of the rules. */

const BEGAN = Date.UTC(2025, 0, 1);
const TARGET = [["job", "harness"], ["instance", "h:1"], ...EXTERNAL] as const;
export type Labels = RequestSeries["labels"];
export const labels = (name: string, ...own: Labels): Labels =>
  [...new Map([...TARGET, ["__name__", name] as const, ...own])].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const SPECIAL: readonly (readonly [string, WrittenValue])[] = [
  ["nan", "NaN"],
  ["inf", "+Inf"],
  ["minus", "-Inf"],
  ["large", 1.7976931348623157e308],
  ["small", 5e-324],
  ["fraction", 0.1],
];

const native = (n: number) =>
  ({
    schema: 0,
    zeroThreshold: 0.5,
    zeroCount: 1,
    positive: { 0: 1, 1: 1 + n },
    negative: {},
    count: n + 3,
    sum: n * 1.5,
    isInteger: true,
    isGauge: false,
  }) as const;
/** What is sent of the n-th scrape. */
function scrape(n: number): RequestSeries[] {
  const time = BEGAN + n * 200;
  const one = (value: WrittenValue, name: string, ...own: Labels): RequestSeries => ({
    labels: labels(name, ...own),
    samples: [[value, time]],
  });
  return [
    { ...one(n < 5 ? n : "stale", "ticks_total"), metadata: [1, HELP, ""] },
    ...(n > 1 ? [] : SPECIAL.map(([kind, value]) => one(value, "special", ["kind", kind]))),
    ...(n > 1 ? [] : [one(1, "texts", ["a", UTF8], ["b", ESCAPED]), one(1, "conflict", ["region", "us"])]),
    ...(n > 4 ? [one("stale", "native")] : [{ labels: labels("native"), histograms: [[native(n), time]] as const }]),
    ...(n > 3 ? [] : [one(n < 3 ? 1 : "stale", "vanishing")]),
  ];
}

export type Change = {
  readonly request?: (one: Arrived) => Partial<Arrived>;
  readonly series?: (one: RequestSeries, n: number) => RequestSeries;
  readonly all?: (all: readonly RequestSeries[], n: number) => readonly RequestSeries[];
  readonly shape?: Shape;
  readonly packing?: Packing;
  readonly symbols?: readonly string[];
  /** The scrape of each request, and its status. */
  readonly order?: readonly (readonly [scrape: number, status: number, at?: number])[];
  readonly record?: Partial<Record>;
};
const STEADY = [1, 2, 3, 4, 5].map((n) => [n, 204] as const);

export function life(
  protocol: Protocol,
  { request, series = (one) => one, all = (same) => same, shape, packing, symbols, order = STEADY, record }: Change = {},
): Record {
  const url = "http://h/receive?tenant=1";
  const requests = order.map(([n, status, at = n * 200]): Arrived => {
    const own = all(scrape(n), n).map((one) => series(one, n));
    const body = requestOf(protocol, { series: own, ...(shape && { shape }), ...(packing && { packing }), ...(symbols && { symbols }) });
    const type = protocol === 1 ? "application/x-protobuf" : "application/x-protobuf;proto=io.prometheus.write.v2.Request";
    const headers = [
      ["content-type", type],
      ["content-encoding", "snappy"],
      ["user-agent", "a/1"],
      ["x-prometheus-remote-write-version", protocol === 1 ? "0.1.0" : "2.0.0"],
    ] as const;
    const one = { at, method: "POST", path: "/receive?tenant=1", headers, status, answeredAt: at + 1, ...contentOf(type, body) };
    return { ...one, ...request?.(one) };
  });
  return {
    protocol,
    url,
    requests,
    scrapes: 5,
    began: BEGAN,
    ended: BEGAN + 2_000,
    restartedAt: undefined,
    scrapesAway: 0,
    complaint: "",
    ...record,
  };
}
