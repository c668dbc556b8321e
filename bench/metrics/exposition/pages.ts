import {
  formatBound,
  type FamilyToWrite,
  type SampleToWrite,
  writeOpenMetrics,
  writeText,
} from "../../../reference/metrics/exposition/index.ts";
import { seeded } from "../../../reference/core/index.ts";

/** Typical pages: counters and gauges with six labels, histograms of twelve buckets, short and long values. The same in each run. */
export type Pages = { readonly text: Uint8Array; readonly openmetrics: Uint8Array; readonly samples: number };

const FAMILIES = 40;
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity];

export function pages(): Pages {
  const draw = seeded(1);
  const upTo = (most: number): number => Math.floor(draw() * most);
  const families = Array.from({ length: FAMILIES }, (_, f) => [requests(f, upTo), latency(f, draw, upTo), memory(f, draw)]).flat();
  const encoder = new TextEncoder();
  const samples = families.reduce((sum, family) => sum + family.samples.length, 0);
  return { text: encoder.encode(writeText(families)), openmetrics: encoder.encode(writeOpenMetrics(families)), samples };
}

type UpTo = (most: number) => number;

const requests = (f: number, upTo: UpTo): FamilyToWrite => ({
  name: `app_http_requests_${f}`,
  type: "counter",
  help: "Handled requests by handler, method and code.",
  samples: Array.from({ length: 60 }, (_, i): SampleToWrite => ({
    name: `app_http_requests_${f}_total`,
    labels: [
      ["cluster", "prod-eu-west-1"],
      ["handler", `/api/v1/orders/${i}`],
      ["method", ["GET", "POST", "PUT"][i % 3]!],
      ["code", String(200 + (i % 5))],
      ["instance", `10.0.${f}.${i}:9100`],
      ["job", "orders"],
    ],
    value: upTo(1e7),
  })),
});

function latency(f: number, draw: () => number, upTo: UpTo): FamilyToWrite {
  const name = `app_latency_seconds_${f}`;
  const samples = Array.from({ length: 8 }, (_, i): SampleToWrite[] => {
    const labels = [["handler", `/api/v1/orders/${i}`]] as const;
    let count = 0;
    const buckets = BOUNDS.map((bound): SampleToWrite => {
      count += upTo(1_000);
      return { name: `${name}_bucket`, labels: [...labels, ["le", formatBound(bound)]], value: count };
    });
    return [...buckets, { name: `${name}_sum`, labels, value: draw() * 1e4 }, { name: `${name}_count`, labels, value: count }];
  });
  return { name, type: "histogram", help: "Duration of requests in seconds.", samples: samples.flat() };
}

const memory = (f: number, draw: () => number): FamilyToWrite => ({
  name: `node_filesystem_avail_${f}_bytes`,
  type: "gauge",
  unit: "bytes",
  help: "Free octets.",
  samples: Array.from({ length: 20 }, (_, i): SampleToWrite => ({
    name: `node_filesystem_avail_${f}_bytes`,
    labels: [
      ["device", `/dev/sd${i}`],
      ["mountpoint", `/mnt/d${i}`],
    ],
    value: Math.round(draw() * 1e16),
  })),
});
