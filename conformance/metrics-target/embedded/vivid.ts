import {
  escapeName,
  type FamilyToWrite,
  type Format,
  formatBound,
  type SampleToWrite,
  writeOpenMetrics,
  writeText,
} from "../../../reference/metrics/exposition/index.ts";
import { joined, lengthDelimited as field, varint, varintField } from "../../wire/protobuf.ts";

/** A page with every type, which changes from scrape to scrape as pages do. */

export type Style = "exemplary" | "old-fashioned";

/** When everything began, in seconds since 1970. */
const BEGAN = 1_700_000_000;
const BOUNDS = [0.1, 1, 10, Infinity] as const;
const created = (name: string): SampleToWrite => ({ name: `${name}_created`, value: BEGAN });

/** Buckets that count `each` more than the one before; the last has all. */
const buckets = (name: string, each: number, exemplar?: SampleToWrite["exemplar"]): SampleToWrite[] =>
  BOUNDS.map((bound, at) => ({
    name: `${name}_bucket`,
    labels: [["le", formatBound(bound)]],
    value: each * (at + 1),
    ...(at === 1 && exemplar !== undefined && { exemplar }),
  }));

/** The families of the n-th scrape. `old-fashioned`: only what a page should rather not have, quantiles and timestamps. */
export function familiesOf(scrape: number, style: Style): readonly FamilyToWrite[] {
  if (style === "old-fashioned")
    return [
      {
        name: "vivid_wait_seconds",
        type: "summary",
        unit: "seconds",
        help: "How long they wait.",
        samples: [
          ...[0.5, 0.99, 1].map((quantile): SampleToWrite => ({
            name: "vivid_wait_seconds",
            labels: [["quantile", formatBound(quantile)]],
            value: quantile * 2,
          })),
          { name: "vivid_wait_seconds_count", value: scrape },
          { name: "vivid_wait_seconds_sum", value: scrape * 1.5 },
          created("vivid_wait_seconds"),
        ],
      },
      {
        name: "vivid_seen",
        type: "gauge",
        help: "What was seen, with its time.",
        samples: [{ name: "vivid_seen", labels: [["place", "here"]], value: scrape, timestamp: BEGAN * 1_000 + scrape }],
      },
    ];
  const exemplar = { labels: [["trace_id", "KOO5S4vxi0o"]], value: 0.67 } as const;
  return [
    { name: "target", type: "info", help: "Where it runs.", samples: [{ name: "target_info", labels: [["zone", "a"]], value: 1 }] },
    {
      name: "vivid_requests",
      type: "counter",
      help: 'Requests, by their "method".',
      samples: ["get", 'p\\u"t'].flatMap((method): SampleToWrite[] => [
        {
          name: "vivid_requests_total",
          labels: [
            ["method", method],
            ["code", "200"],
          ],
          value: 100 + scrape,
          exemplar,
        },
        {
          name: "vivid_requests_created",
          labels: [
            ["method", method],
            ["code", "200"],
          ],
          value: BEGAN,
        },
      ]),
    },
    {
      name: "vivid_temperature_celsius",
      type: "gauge",
      unit: "celsius",
      help: "The temperature outside.",
      samples: [{ name: "vivid_temperature_celsius", value: scrape % 2 === 0 ? -3.5 : NaN }],
    },
    { name: "vivid.load_ratio", type: "gauge", unit: "ratio", help: "The load.", samples: [{ name: "vivid.load_ratio", value: 0.25 }] },
    {
      name: "vivid_latency_seconds",
      type: "histogram",
      unit: "seconds",
      help: "How long they take.",
      samples: [
        ...buckets("vivid_latency_seconds", 5 + scrape, exemplar),
        { name: "vivid_latency_seconds_count", value: 4 * (5 + scrape) },
        { name: "vivid_latency_seconds_sum", value: 40.5 + scrape },
        created("vivid_latency_seconds"),
      ],
    },
    {
      name: "vivid_size_bytes",
      type: "summary",
      unit: "bytes",
      help: "How large they are.",
      samples: [
        { name: "vivid_size_bytes_count", value: 7 + scrape },
        { name: "vivid_size_bytes_sum", value: 1_024 * (7 + scrape) },
        created("vivid_size_bytes"),
      ],
    },
    {
      name: "vivid_queue_seconds",
      type: "gaugehistogram",
      unit: "seconds",
      help: "How long they have been in the queue.",
      samples: [
        ...buckets("vivid_queue_seconds", 3 + (scrape % 3)),
        { name: "vivid_queue_seconds_gcount", value: 4 * (3 + (scrape % 3)) },
        { name: "vivid_queue_seconds_gsum", value: 12 },
      ],
    },
    {
      name: "vivid_state",
      type: "stateset",
      help: "What it does.",
      samples: ["idle", "busy"].map((state, at) => ({ name: "vivid_state", labels: [["vivid_state", state]], value: (scrape + at) % 2 })),
    },
    {
      name: "vivid_build",
      type: "info",
      help: "What it is.",
      samples: [{ name: "vivid_build_info", labels: [["version", "1.2.3"]], value: 1 }],
    },
  ];
}

/** The page of families in a format. */
export function pageOf(families: readonly FamilyToWrite[], { is, escaping }: Format): Buffer {
  if (is === "protobuf") return Buffer.from(joined(families.map(message)));
  if (is === "openmetrics") return Buffer.from(writeOpenMetrics(families, { escaping }));
  // The text format has no such histograms.
  return Buffer.from(
    writeText(
      families.filter(({ type }) => type !== "gaugehistogram"),
      { escaping },
    ),
  );
}

const TYPES: Readonly<Record<string, number>> = { counter: 0, gauge: 1, summary: 2, histogram: 4, gaugehistogram: 5 };

function double(number: number, value: number): Uint8Array {
  const octets = Buffer.alloc(8);
  octets.writeDoubleLE(value);
  return joined([varint(number * 8 + 1), octets]);
}
const text = (number: number, value: string): Uint8Array => field(number, Buffer.from(value));

/** A family as a message after its length; what messages do not have is a gauge. */
function message({ name, type = "gauge", help = "", samples }: FamilyToWrite): Uint8Array {
  const isGauge = TYPES[type] === undefined;
  const suffix = type === "counter" ? "_total" : type === "info" ? "_info" : "";
  const counted = samples.filter((one) => !one.name.endsWith("_created"));
  const metrics =
    type === "counter" || type === "gauge" || isGauge
      ? counted.map((one) => single(one, type === "counter" ? 3 : 2))
      : [whole(type, counted)];
  const content = joined([
    text(1, escapeName(name, "underscores") + suffix),
    text(2, help),
    varintField(3, isGauge ? 1 : TYPES[type]!),
    ...metrics.map((one) => field(4, one)),
  ]);
  return joined([varint(content.length), content]);
}
const single = ({ labels = [], value }: SampleToWrite, number: number): Uint8Array =>
  joined([...labels.map(([name, one]) => field(1, joined([text(1, name), text(2, one)]))), field(number, double(1, value))]);
const whole = (type: string, samples: readonly SampleToWrite[]): Uint8Array => {
  const valueOf = (suffix: string): number => samples.find(({ name }) => name.endsWith(suffix))?.value ?? 0;
  const parts = [varintField(1, valueOf("count")), double(2, valueOf("sum"))];
  if (type === "summary") return field(4, joined(parts));
  const all = samples.filter(({ name }) => name.endsWith("_bucket"));
  const bound = ({ labels = [] }: SampleToWrite): number => Number(labels[0]?.[1].replace("+Inf", "Infinity"));
  return field(7, joined([...parts, ...all.map((one) => field(3, joined([varintField(1, one.value), double(2, bound(one))])))]));
};
