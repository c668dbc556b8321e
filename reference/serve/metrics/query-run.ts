import { formatDuration, readDuration } from "../../metrics/promql/index.ts";
import { readTime } from "../../metrics/api/index.ts";
import { createClient } from "../index.ts";
import type { QueryAnswer } from "./query-answer.ts";
import { harmless, printed } from "./query-print.ts";

/** The command line of `query instant` and `query range` after parsing; times and durations are as they were written. */
export type QueryOptions = {
  readonly time?: string;
  readonly start?: string;
  readonly end?: string;
  readonly last: string;
  readonly step?: string;
  readonly limit?: number;
  readonly json?: true;
};

const MOST_OCTETS = 256 << 20;
/** A range without a step has so many points. */
const POINTS = 60;

/** The command's words are wrong: the message says what to say instead. */
class WrongWords extends Error {}

/** Asks, prints, and sets the exit status. */
export async function runQuery(kind: "instant" | "range", url: string, expression: string, options: QueryOptions): Promise<void> {
  try {
    const { text, answer } = await ask(target(kind, url), form(kind, expression, options));
    if (options.json === true) console.log(text);
    else if (answer.status === "success") console.log(printed(answer, process.stdout.columns ?? Number.POSITIVE_INFINITY));
    if (answer.status === "success") return;
    if (options.json !== true) console.error(harmless(`${answer.errorType ?? "error"}: ${answer.error ?? "no reason was given"}`));
    process.exitCode = 1;
  } catch (error) {
    console.error(`touchstone query: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof WrongWords ? 2 : 3;
  }
}

function target(kind: "instant" | "range", url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new WrongWords(`"${url}" is no http: or https: URL, such as http://127.0.0.1:9090`);
  base.pathname = `${base.pathname.replace(/\/$/, "")}/api/v1/${kind === "instant" ? "query" : "query_range"}`;
  return base;
}

function form(kind: "instant" | "range", expression: string, options: QueryOptions): URLSearchParams {
  const words = new URLSearchParams({ query: expression });
  if (options.limit !== undefined) words.set("limit", String(options.limit));
  if (kind === "instant") {
    if (options.time !== undefined) words.set("time", seconds("--time", options.time));
    return words;
  }
  const end = options.end === undefined ? String(Date.now() / 1_000) : seconds("--end", options.end);
  const start =
    options.start === undefined ? String(Number(end) - milliseconds("--last", options.last) / 1_000) : seconds("--start", options.start);
  const step =
    options.step === undefined
      ? Math.max(1, Math.ceil((Number(end) - Number(start)) / POINTS)) * 1_000
      : milliseconds("--step", options.step);
  words.set("start", start);
  words.set("end", end);
  words.set("step", formatDuration(step));
  return words;
}

function seconds(name: string, text: string): string {
  const time = readTime(text);
  if (time === undefined) throw new WrongWords(`${name} "${text}" is no time: write 2026-01-02T03:04:05Z, or seconds since 1970`);
  return String(time / 1_000);
}
function milliseconds(name: string, text: string): number {
  const ms = readDuration(text);
  if (typeof ms !== "number" || ms === 0) throw new WrongWords(`${name} "${text}" is no duration: write 30s, 5m, or 1h30m`);
  return ms;
}

async function ask(url: URL, words: URLSearchParams): Promise<{ readonly text: string; readonly answer: QueryAnswer }> {
  await using client = createClient({ alpn: ["http/1.1"] });
  const response = await client.request(url, {
    method: "POST",
    fields: [["content-type", "application/x-www-form-urlencoded"]],
    body: words.toString(),
  });
  const text = await response.body.text(MOST_OCTETS);
  try {
    return { text, answer: JSON.parse(text) as QueryAnswer };
  } catch {
    throw new Error(`${url.origin} answers ${response.status}, and not in the JSON of a metrics server: is the URL right?`);
  }
}
