import { setTimeout as pause } from "node:timers/promises";
import { Unreachable } from "../../harness/driver.ts";
import { itemsOf, membersOf } from "../../harness/shapes.ts";
import { REMOTE_WRITE_FIELDS, remoteWrite, type WrittenSample, type WrittenSeries } from "../../wire/metrics/build.ts";
import { dataSet, type DataSeries, LENGTH, BEGIN, MARK, MARK_VALUE } from "../data/data-set.ts";
import { NATIVE_AT } from "../data/native.ts";
import { pushNative } from "./native-data.ts";
import type { Answer, QueryClient } from "./server-client.ts";

/** The time span of the data set in one request, in milliseconds. */
const SLICE_MS = 600_000;
const POLLS = 100;
const POLL_MS = 50;
/** Fewer polls for native histograms: a server may accept and ignore them. */
const NATIVE_POLLS = 20;
const LOAD = [
  "write it with: touchstone check metrics --data data.om",
  "then load it: promtool tsdb create-blocks-from openmetrics data.om DATA_DIRECTORY (before 3.0 without its lines that begin with {), or touchstone serve metrics --load data.om",
  "or let the server take remote write (prometheus --web.enable-remote-write-receiver) on an empty data directory",
].join("; ");

/** Whether the data set was there, or we pushed it. */
export type Arrival = "found" | "pushed";

/**
 * Ensures that the subject has the data set: it is there already, or we push it by remote write; otherwise throws `Unreachable`. Missing
 * native histograms are pushed too; if that fails, their cases are skipped.
 */
export async function ensureData(client: QueryClient): Promise<Arrival> {
  const first = await firstAnswer(client);
  if (!succeeded(first))
    throw new Unreachable(`${client.host} does not answer api/v1/query as a metrics server does (status ${first.status}).`);
  const arrival = await ensureFloats(client);
  // A server that drops them does not offer the feature, and their cases are skipped.
  if (!(await hasNative(client)) && (await pushNative(client).catch(() => false)))
    for (let poll = 0; poll < NATIVE_POLLS && !(await hasNative(client)); poll++) await pause(POLL_MS);
  return arrival;
}

async function ensureFloats(client: QueryClient): Promise<Arrival> {
  if (await isThere(client)) return "found";
  for (const part of requests(dataSet())) {
    const content = remoteWrite(part);
    const answer = await client.send({ method: "POST", path: "write", fields: REMOTE_WRITE_FIELDS, content }).catch((error: unknown) => {
      throw unreachable(client, error);
    });
    // Servers without UTF-8 names refuse such names: they accept the rest of the request, or answer 400.
    if (answer.status >= 300 && !(await retried(client, part, answer))) {
      const why = answer.text.trim().split("\n")[0]?.slice(0, 160) ?? "";
      throw new Unreachable(
        `${client.host} does not have the data set, and refuses it by remote write (${answer.status}: ${why}): ${LOAD}.`,
      );
    }
  }
  for (let poll = 0; poll < POLLS; poll++) {
    if (await isThere(client)) return "pushed";
    await pause(POLL_MS);
  }
  throw new Unreachable(`${client.host} accepted the data set by remote write, but does not have it: ${LOAD}.`);
}

/** The first answer; while it is 503, the server is starting. */
async function firstAnswer(client: QueryClient): Promise<Answer> {
  for (let poll = 0; ; poll++) {
    const answer = await client.ask({ do: "ask", path: "query", params: [["query", "1"]] }).catch((error: unknown) => {
      throw unreachable(client, error);
    });
    if (answer.status !== 503 || poll === POLLS) return answer;
    await pause(POLL_MS);
  }
}

const OLD_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const isOld = ({ labels }: WrittenSeries): boolean =>
  OLD_NAME.test(labels["__name__"] ?? "") && Object.keys(labels).every((name) => OLD_NAME.test(name));

/** Pushes a part again without UTF-8 names; true if that helped. */
async function retried(client: QueryClient, part: readonly WrittenSeries[], answer: Answer): Promise<boolean> {
  if (answer.status !== 400 || part.every(isOld)) return false;
  const again = await client.send({ method: "POST", path: "write", fields: REMOTE_WRITE_FIELDS, content: remoteWrite(part.filter(isOld)) });
  return again.status < 300;
}

function unreachable({ host }: QueryClient, error: unknown): Unreachable {
  const { code, message } = membersOf(error);
  return new Unreachable(code === "ECONNREFUSED" ? `Nothing listens on ${host}.` : `${host} cannot be reached: ${String(message)}.`);
}

/** Every sample of a series in order of time, with its staleness markers. */
export function written({ name, labels, times, values, stale }: DataSeries): WrittenSeries {
  const samples = [
    ...times.map((time, at): WrittenSample => ({ time, value: values[at] ?? 0 })),
    ...stale.map((time): WrittenSample => ({ time, value: "stale" })),
  ].sort((a, b) => a.time - b.time);
  return { labels: { __name__: name, ...labels }, samples };
}

/** Requests in order of time: a server refuses samples much older than its newest. */
export function requests(series: readonly DataSeries[]): WrittenSeries[][] {
  const all = series.map(written);
  const slices = Array.from({ length: Math.ceil((LENGTH * 1_000) / SLICE_MS) }, (_, at) => BEGIN * 1_000 + at * SLICE_MS);
  return slices.map((from) =>
    all.flatMap(({ labels, samples }) => {
      const some = samples.filter(({ time }) => time >= from && time < from + SLICE_MS);
      return some.length === 0 ? [] : [{ labels, samples: some }];
    }),
  );
}

export const succeeded = ({ status, json }: Answer): boolean => status === 200 && membersOf(json)["status"] === "success";

async function isThere(client: QueryClient): Promise<boolean> {
  const [first] = resultOf(await answerOf(client, MARK, BEGIN + LENGTH));
  const [, value] = itemsOf(membersOf(first)["value"]);
  return Number(value) === MARK_VALUE;
}

async function hasNative(client: QueryClient): Promise<boolean> {
  return resultOf(await answerOf(client, "native_seconds", BEGIN + NATIVE_AT)).length > 0;
}

/** The elements of a result. */
export const resultOf = ({ json }: Answer): readonly unknown[] => itemsOf(membersOf(membersOf(json)["data"])["result"]);

const answerOf = (client: QueryClient, expr: string, time: number): Promise<Answer> =>
  client.ask({
    do: "ask",
    path: "query",
    params: [
      ["query", expr],
      ["time", String(time)],
    ],
  });
