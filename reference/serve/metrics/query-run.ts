import { formatDuration, readDuration } from "../../metrics/promql/index.ts";
import { readTime } from "../../metrics/api/index.ts";
import { createClient } from "../index.ts";
import type { QueryAnswer } from "./query-answer.ts";
import { escapeControls, renderAnswer } from "./query-print.ts";

/** The parsed options of `query instant` and `query range`; times and durations are still text. */
export type QueryOptions = {
  readonly time?: string;
  readonly start?: string;
  readonly end?: string;
  readonly last: string;
  readonly step?: string;
  readonly limit?: number;
  readonly json?: true;
};

/** The largest accepted response. */
const MAX_OCTETS = 256 << 20;
/** The number of steps in a range without --step. */
const STEPS = 60;

/** A wrong command line. */
class UsageError extends Error {}

type QueryCommand = {
  readonly kind: "instant" | "range";
  readonly url: string;
  readonly expression: string;
  readonly options: QueryOptions;
};

/** Sends the query, prints the result and sets the exit status. */
export async function runQuery({ kind, url, expression, options }: QueryCommand): Promise<void> {
  try {
    const { text, answer } = await send(target(kind, url), form(kind, expression, options));
    if (options.json === true) console.log(text);
    else if (answer.status === "success") console.log(renderAnswer(answer, process.stdout.columns ?? Number.POSITIVE_INFINITY));
    if (answer.status === "success") return;
    if (options.json !== true)
      console.error(escapeControls(`${answer.errorType ?? "error"}: ${answer.error ?? "the server gives no reason"}`));
    process.exitCode = 1;
  } catch (error) {
    console.error(`touchstone query: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 3;
  }
}

/** The address of the query API of a server. Throws for anything but a URL of HTTP. */
export function target(kind: "instant" | "range", url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new UsageError(`"${url}" is not an http: or https: URL: write one such as http://127.0.0.1:9090`);
  base.pathname = `${base.pathname.replace(/\/$/, "")}/api/v1/${kind === "instant" ? "query" : "query_range"}`;
  return base;
}

function form(kind: "instant" | "range", expression: string, options: QueryOptions): URLSearchParams {
  const parameters = new URLSearchParams({ query: expression });
  if (options.limit !== undefined) parameters.set("limit", String(options.limit));
  if (kind === "instant") {
    if (options.time !== undefined) parameters.set("time", seconds("--time", options.time));
    return parameters;
  }
  const end = options.end === undefined ? String(Date.now() / 1_000) : seconds("--end", options.end);
  const start =
    options.start === undefined ? String(Number(end) - milliseconds("--last", options.last) / 1_000) : seconds("--start", options.start);
  const step =
    options.step === undefined
      ? Math.max(1, Math.ceil((Number(end) - Number(start)) / STEPS)) * 1_000
      : milliseconds("--step", options.step);
  parameters.set("start", start);
  parameters.set("end", end);
  parameters.set("step", formatDuration(step));
  return parameters;
}

function seconds(name: string, text: string): string {
  const time = readTime(text);
  if (time === undefined) throw new UsageError(`${name} "${text}" is not a time: write 2026-01-02T03:04:05Z or seconds since 1970`);
  return String(time / 1_000);
}
function milliseconds(name: string, text: string): number {
  const ms = readDuration(text);
  if (typeof ms !== "number" || ms === 0) throw new UsageError(`${name} "${text}" is not a duration: write 30s, 5m or 1h30m`);
  return ms;
}

/** Posts a query to the API. Rejects for an answer that is not JSON. */
export async function send(url: URL, parameters: URLSearchParams): Promise<{ readonly text: string; readonly answer: QueryAnswer }> {
  await using client = createClient({ alpn: ["http/1.1"] });
  const response = await client.request(url, {
    method: "POST",
    fields: [["content-type", "application/x-www-form-urlencoded"]],
    body: parameters.toString(),
  });
  const text = await response.body.text(MAX_OCTETS);
  try {
    return { text, answer: JSON.parse(text) as QueryAnswer };
  } catch {
    throw new Error(`${url.origin} responds with ${response.status} and no JSON: is this the URL of a metrics server?`);
  }
}
