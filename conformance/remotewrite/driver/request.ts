import { requestOf } from "../../wire/remotewrite/build.ts";
import { lacking, type RequestField } from "../../wire/request-fields.ts";
import type { Counts, Step } from "../vocabulary.ts";

/** What a receiver answers. */
export type Answer = {
  readonly status: number;
  readonly body: string;
  readonly counts: Counts | undefined;
  readonly faults: readonly string[];
};

const HEADERS = {
  1: { "content-type": "application/x-protobuf", "x-prometheus-remote-write-version": "0.1.0" },
  2: { "content-type": "application/x-protobuf;proto=io.prometheus.write.v2.Request", "x-prometheus-remote-write-version": "2.0.0" },
} as const;

/** The metric and the time of one performance. */
export type Moment = { readonly metric: string; readonly base: number };

/** Where requests go, what each of them has, and how long its answer may take. */
export type Receiver = { readonly url: string; readonly fields: readonly RequestField[]; readonly timeout: number };

/** Sends the request of a step. Rejects if there is no answer. */
export async function send({ url, fields: ours, timeout }: Receiver, step: Step, { metric, base }: Moment): Promise<Answer> {
  const { protocol, contentOf = protocol, series, symbols, shape, packing, fields = {} } = step;
  const named = (text: string): string => text.replaceAll("@", metric);
  const at = <V>(points: readonly (readonly [V, number])[] = []): (readonly [V, number])[] =>
    points.map(([value, time]) => [value, base + time]);
  const content = requestOf(contentOf, {
    series: series.map((one) => ({
      ...one,
      labels: one.labels.map(([name, value]) => [named(name), named(value)]),
      samples: at(one.samples),
      histograms: at(one.histograms),
      exemplars: at(one.exemplars),
    })),
    ...(symbols && { symbols: symbols.map(named) }),
    ...(shape && { shape }),
    ...(packing && { packing }),
  });
  const headers: Record<string, string> = { "content-encoding": "snappy", "user-agent": "touchstone/0", ...HEADERS[protocol] };
  for (const [name, value] of lacking(Object.entries(fields), ours)) headers[name] = value;
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) delete headers[name];
    else headers[name] = value;
  }
  const response = await fetch(url, {
    method: "POST",
    headers,
    body: content.slice(),
    signal: AbortSignal.timeout(timeout),
    redirect: "manual",
  });
  return { status: response.status, body: await response.text(), ...countsIn(response.headers) };
}

const NAMES = { samples: "samples", histograms: "histograms", exemplars: "exemplars" } as const;

/** The counts, and what is wrong with their fields. */
function countsIn(headers: Headers): { readonly counts: Counts | undefined; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const counts: Record<string, number> = {};
  for (const name of Object.values(NAMES)) {
    const value = headers.get(`x-prometheus-remote-write-${name}-written`);
    if (value === null) continue;
    if (!/^\d+$/.test(value)) faults.push(`the field of written ${name} is ${JSON.stringify(value)}`);
    counts[name] = Number(value);
  }
  if (Object.keys(counts).length === 0) return { counts: undefined, faults };
  return { counts: { samples: 0, histograms: 0, exemplars: 0, ...counts }, faults };
}

/** What a query for the metric shows: the values of each series in order of time, histograms by their counts. */
export async function stored({ url: query, fields, timeout }: Receiver, { metric, base }: Moment): Promise<string[][]> {
  const asked = new URLSearchParams({ query: `{__name__="${metric}"}[1h]`, time: String(base / 1_000 + 600) });
  const response = await fetch(`${query}?${asked}`, { headers: Object.fromEntries(fields), signal: AbortSignal.timeout(timeout) });
  const { data } = (await response.json()) as {
    data?: { result?: { values?: [number, string][]; histograms?: [number, { count: string }][] }[] };
  };
  return (data?.result ?? [])
    .map(({ values = [], histograms = [] }) =>
      [...values, ...histograms.map(([time, { count }]) => [time, `count ${count}`] as const)]
        .sort(([a], [b]) => a - b)
        .map(([, value]) => value),
    )
    .sort((a, b) => (a.join() < b.join() ? -1 : 1));
}
