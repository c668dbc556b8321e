import { describe, expect, test } from "vitest";
import { MessageFault, MessageWriter } from "../remote/index.ts";
import { type OtlpSettings, readJson, readMessage, seriesOf, targetInfoOf } from "./index.ts";

const SETTINGS: OtlpSettings = {
  naming: { strategy: "UnderscoreEscapingWithSuffixes", prefixesUnderscores: true, keepsUnderscores: true },
  isPromoted: () => false,
  promotesScope: false,
  keepsIdentifying: false,
  toCustomBuckets: false,
  lookbackMs: 300_000,
};
const T = 1_700_000_000_000;
const nanos = (ms: number): string => `${ms}000000`;
const attributes = (texts: Readonly<Record<string, string>>): unknown[] =>
  Object.entries(texts).map(([key, stringValue]) => ({ key, value: { stringValue } }));
const request = (metrics: readonly unknown[], resource: Readonly<Record<string, string>> = {}): string =>
  JSON.stringify({
    resourceMetrics: [
      {
        resource: { attributes: attributes(resource) },
        scopeMetrics: [{ scope: { name: "lib", version: "1", attributes: attributes({ "s.a": "v" }) }, schemaUrl: "u", metrics }],
      },
    ],
  });

/** Each series as one line, and what was rejected. */
function translated(text: string, change: Partial<OtlpSettings> = {}): { lines: string[]; rejected: string[] } {
  const [lines, rejected]: [string[], string[]] = [[], []];
  const resources = readJson(text);
  const settings = { ...SETTINGS, ...change };
  const tell = ({
    labels,
    times,
    values,
    isStale,
    histograms,
  }: ReturnType<typeof seriesOf> extends Generator<infer S> ? S : never): void => {
    const floats = times.map((time, at) => `${isStale[at] === true ? "stale" : values[at]} @${time - T}`);
    const natives = histograms.map(({ time, histogram: h }) => `${JSON.stringify([h.schema, h.positiveSpans, h.positive])} @${time - T}`);
    lines.push(`${labels.toLabels().toString()} ${[...floats, ...natives].join(" ")}`);
  };
  for (const one of seriesOf(resources, settings, (points, why) => rejected.push(`${points}: ${why}`))) tell(one);
  for (const one of targetInfoOf(resources, settings)) tell(one);
  return { lines, rejected };
}
const point = (more: object = {}): object => ({ timeUnixNano: nanos(T), ...more });

describe("series of OpenTelemetry metrics", () => {
  test("exemplars: of counters, of the bucket that they fall into, and of native histograms; long attributes are left out", () => {
    const one = (asDouble: number, more: object = {}): object => ({
      timeUnixNano: nanos(T),
      asDouble,
      traceId: "0AF7651916CD43DD8448EB211C80319C",
      spanId: "b7ad6b7169203331",
      ...more,
    });
    const text = request([
      { name: "g", gauge: { dataPoints: [point({ asInt: 1, exemplars: [one(1)] })] } },
      {
        name: "c",
        sum: {
          aggregationTemporality: 2,
          isMonotonic: true,
          dataPoints: [point({ asInt: 7, exemplars: [one(1, { filteredAttributes: attributes({ "user.id": "u" }) })] })],
        },
      },
      {
        name: "h",
        histogram: {
          aggregationTemporality: 2,
          dataPoints: [
            point({
              count: 3,
              explicitBounds: [1, 2],
              bucketCounts: [1, 1, 1],
              exemplars: [
                one(2),
                one(9, { filteredAttributes: attributes({ long: "x".repeat(99) }) }),
                { timeUnixNano: nanos(T), asInt: "1" },
              ],
            }),
          ],
        },
      },
    ]);
    const seen: string[] = [];
    for (const { labels, exemplars } of seriesOf(readJson(text), SETTINGS, () => {}))
      for (const { labels: own, value, time } of exemplars) seen.push(`${labels.toLabels()} # ${own} ${value} @${time - T}`);
    const ids = 'span_id="b7ad6b7169203331", trace_id="0af7651916cd43dd8448eb211c80319c"';
    expect(seen).toEqual([
      `c_total # {${ids}, user_id="u"} 1 @0`,
      'h_bucket{le="1"} # {} 1 @0',
      `h_bucket{le="2"} # {${ids}} 2 @0`,
      `h_bucket{le="+Inf"} # {${ids}} 9 @0`,
    ]);
    expect(() => readJson(text.replace("b7ad6b7169203331", "xyz"))).toThrow(/spanId is not in hexadecimal/);
  });

  test("a gauge, a counter and a sum that may fall", () => {
    const { lines } = translated(
      request([
        { name: "cpu", unit: "1", gauge: { dataPoints: [point({ asDouble: 0.5, attributes: attributes({ "cpu.id": "0" }) })] } },
        { name: "served", sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [point({ asInt: "7" })] } },
        { name: "queue", sum: { aggregationTemporality: 2, dataPoints: [point({ asInt: 3 })] } },
      ]),
    );
    expect(lines).toEqual(['cpu_ratio{cpu_id="0"} 0.5 @0', "served_total 7 @0", "queue 3 @0"]);
  });

  test("job and instance come from the resource and win; target_info has the rest of it", () => {
    const { lines } = translated(
      request(
        [
          {
            name: "a",
            gauge: { dataPoints: [point({ attributes: attributes({ job: "mine", b: "1" }) }), point({ timeUnixNano: nanos(T + 1000) })] },
          },
        ],
        { "service.namespace": "ns", "service.name": "svc", "service.instance.id": "i", "host.name": "h" },
      ),
    );
    expect(lines).toEqual([
      'a{b="1", instance="i", job="ns/svc"} 0 @0',
      'a{instance="i", job="ns/svc"} 0 @1000',
      'target_info{host_name="h", instance="i", job="ns/svc"} 1 @0 1 @1000',
    ]);
  });

  test("target_info is repeated often enough to stay current, and absent if nothing names the resource", () => {
    const points = [point(), point({ timeUnixNano: nanos(T + 400_000) })];
    const info = (resource: Readonly<Record<string, string>>): string | undefined =>
      translated(request([{ name: "a", gauge: { dataPoints: points } }], resource)).lines.find((line) => line.startsWith("target_info"));
    expect(info({ "service.name": "s", x: "1" })).toBe('target_info{job="s", x="1"} 1 @0 1 @150000 1 @300000 1 @400000');
    expect(info({ x: "1" })).toBeUndefined();
    expect(info({ "service.name": "s" })).toBeUndefined();
  });

  test("resources and scopes become labels where that is asked for; those of a point win", () => {
    const text = request([{ name: "a", gauge: { dataPoints: [point({ attributes: attributes({ "host.name": "own" }) })] } }], {
      "host.name": "h",
      "os.type": "linux",
    });
    const { lines } = translated(text, { isPromoted: () => true, promotesScope: true });
    expect(lines).toEqual([
      'a{host_name="own", os_type="linux", otel_scope_name="lib", otel_scope_s_a="v", otel_scope_schema_url="u", otel_scope_version="1"} 0 @0',
    ]);
  });

  test("attributes that get one name share it", () => {
    const { lines } = translated(
      request([{ name: "a", gauge: { dataPoints: [point({ attributes: attributes({ "x.y": "0", "x-y": "1" }) })] } }]),
    );
    expect(lines).toEqual(['a{x_y="1;0"} 0 @0']);
  });

  test("a histogram: cumulative buckets, count, and a sum if it has one", () => {
    const histogram = { count: "10", sum: 5.5, bucketCounts: ["1", "2", "7"], explicitBounds: [0.5, 1e21] };
    const { lines } = translated(
      request([{ name: "h", unit: "s", histogram: { aggregationTemporality: 2, dataPoints: [point(histogram)] } }]),
    );
    expect(lines).toEqual([
      "h_seconds_sum 5.5 @0",
      "h_seconds_count 10 @0",
      'h_seconds_bucket{le="0.5"} 1 @0',
      'h_seconds_bucket{le="1000000000000000000000"} 3 @0',
      'h_seconds_bucket{le="+Inf"} 10 @0',
    ]);
    const custom = translated(request([{ name: "h", histogram: { dataPoints: [point(histogram)] } }]), { toCustomBuckets: true });
    expect(custom.lines).toEqual(['h [-53,[{"offset":0,"length":3}],[1,2,7]] @0']);
  });

  test("an exponential histogram: one index further, coarser beyond schema 8, refused below -4", () => {
    const exponential = (scale: number, offset: number): string =>
      request([
        {
          name: "e",
          exponentialHistogram: {
            aggregationTemporality: 2,
            dataPoints: [point({ count: "7", scale, positive: { offset, bucketCounts: ["1", "2", "0", "0", "0", "4"] } })],
          },
        },
      ]);
    expect(translated(exponential(3, -2)).lines).toEqual(['e [3,[{"offset":-1,"length":2},{"offset":3,"length":1}],[1,2,4]] @0']);
    expect(translated(exponential(9, -1)).lines).toEqual(['e [8,[{"offset":0,"length":4}],[1,2,0,4]] @0']);
    expect(translated(exponential(-5, 0))).toEqual({ lines: [], rejected: ['1: the metric "e": its scale -5 is below -4'] });
  });

  test("a summary, and the end of a series", () => {
    const { lines } = translated(
      request([
        { name: "s", summary: { dataPoints: [point({ count: "3", sum: 6, quantileValues: [{ quantile: 0.5, value: 2 }] })] } },
        { name: "gone", gauge: { dataPoints: [point({ flags: 1 })] } },
      ]),
    );
    expect(lines).toEqual(["s_sum 6 @0", "s_count 3 @0", 's{quantile="0.5"} 2 @0', "gone stale @0"]);
  });

  test("deltas are rejected and counted; the rest is kept", () => {
    const { lines, rejected } = translated(
      request([
        { name: "d", sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints: [point(), point()] } },
        { name: "a", gauge: { dataPoints: [point({ asDouble: 1 })] } },
      ]),
    );
    expect(lines).toEqual(["a 1 @0"]);
    expect(rejected).toEqual(['2: the metric "d": its points are deltas: only cumulative ones are stored']);
  });

  test.each([
    ["{", /not JSON/],
    ["[]", /the request is not an object/],
    ['{"resourceMetrics":{}}', /resourceMetrics is not a list/],
    [request([{ name: 3 }]), /name is not a text/],
    [request([{ name: "a", gauge: { dataPoints: [{ asInt: "1.5" }] } }]), /asInt is not an integer/],
    [request([{ name: "a", gauge: { dataPoints: [{ asDouble: "x" }] } }]), /asDouble is not a number/],
  ])("JSON that is no request is refused: %s", (text, why) => {
    expect(() => readJson(text)).toThrow(why);
    expect(() => readJson(text)).toThrow(MessageFault);
  });
});

describe("a request in protobuf", () => {
  const to = new MessageWriter();
  const inside = (field: number, write: () => void): void => {
    const start = to.begin(field);
    write();
    to.end(start);
  };
  const attribute = (field: number, name: string, value: () => void): void =>
    inside(field, () => {
      to.text(1, name);
      inside(2, value);
    });
  const write = (point: () => void): Uint8Array => {
    to.clear();
    inside(1, () =>
      inside(2, () =>
        inside(2, () => {
          to.text(1, "a");
          to.text(3, "s");
          inside(5, () => inside(1, point));
        }),
      ),
    );
    return to.content;
  };

  test("reads as its JSON does", () => {
    const octets = write(() => {
      attribute(7, "text", () => to.text(1, "ü"));
      attribute(7, "flag", () => to.integer(2, 1));
      attribute(7, "list", () => inside(5, () => inside(1, () => to.integer(3, 4))));
      to.double(4, 2.5);
      to.integer(8, 1);
    });
    const [resource] = readMessage(octets);
    const [metric] = resource?.scopes[0]?.metrics ?? [];
    expect(metric).toEqual({
      name: "a",
      unit: "s",
      data: {
        is: "gauge",
        isDelta: false,
        isMonotonic: false,
        points: [
          {
            attributes: new Map(Object.entries({ text: "ü", flag: "true", list: "[4]" })),
            time: 0,
            value: 2.5,
            isStale: true,
            exemplars: [],
          },
        ],
      },
    });
  });

  test("an attribute that is nested too deep is refused", () => {
    const nest = (left: number): void => (left === 0 ? to.integer(3, 1) : inside(5, () => inside(1, () => nest(left - 1))));
    expect(() => readMessage(write(() => attribute(7, "deep", () => nest(40))))).toThrow(/nested more than 32 deep/);
  });

  test("cut off anywhere it is refused, or shorter", () => {
    const octets = write(() => {
      attribute(7, "text", () => to.text(1, "value"));
      to.double(4, 2.5);
    }).slice();
    for (let length = 1; length < octets.length; length++) expect(() => readMessage(octets.subarray(0, length))).toThrow(MessageFault);
  });
});
