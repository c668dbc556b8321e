/**
 * `node vectors/promql/write-expressions.ts URL PLAIN-URL [FLAG TEXT]…` asks a Prometheus how it formats and parses each expression of `expressions.json`, adds
 * new ones, and writes the file. PLAIN-URL is a server without experimental features. Where the server differs from this project, the vector has
 * both answers, and it is `acceptable` unless both refuse.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { vectorFile, type VectorSource } from "../write.ts";
import type { Json } from "../../reference/metrics/promql/index.ts";
import { type Answer, answerOf, type ExpressionVector } from "./expression.ts";

const PATH = join(import.meta.dirname, "expressions.json");
type Asked = Pick<ExpressionVector, "text" | "without" | "flags">;
type Reply = { readonly status: string; readonly data?: Json; readonly error?: string };

/** Members that the server writes with their defaults, and the documentation leaves out (Prometheus docs, querying/api.md, "Parsing"). */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  anchored: false,
  smoothed: false,
  offsetExpr: null,
  rangeExpr: null,
  stepExpr: null,
  fillValues: { lhs: null, rhs: null },
};

function withoutDefaults(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutDefaults);
  if (tree === null || typeof tree !== "object") return tree;
  const kept = Object.entries(tree).filter(([key, value]) => !(key in DEFAULTS && isDeepStrictEqual(value, DEFAULTS[key])));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutDefaults(value)]));
}

async function post(url: string, query: string): Promise<Reply | undefined> {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams({ query }) });
  const text = await response.text();
  // Version 3.16 answers a fill value of Inf with a text that is not JSON.
  return text.startsWith("{") ? (JSON.parse(text) as Reply) : undefined;
}

async function peerAnswer(url: string, text: string): Promise<Partial<Answer>> {
  const [formatted, parsed] = [await post(`${url}/api/v1/format_query`, text), await post(`${url}/api/v1/parse_query`, text)];
  if (formatted?.status === "error") return { fault: String(formatted.error).replace(/^invalid parameter "query": /, "") };
  const tree = withoutDefaults(parsed?.data) as Answer["tree"];
  return { printed: String(formatted?.data), ...(tree === undefined ? {} : { tree }) };
}

async function vectorOf(url: string, { text, without, flags }: Asked): Promise<Omit<ExpressionVector, "id">> {
  const [ours, theirs] = [answerOf(text, without === true), await peerAnswer(url, text)];
  const differs = Object.entries(theirs).filter(([key, value]) => !isDeepStrictEqual(value, ours[key as keyof Answer]));
  const isRefused = ours.fault !== undefined && theirs.fault !== undefined;
  return {
    note: ours.fault === undefined ? "a valid expression" : "an invalid expression",
    text,
    ...(without === true ? { without } : {}),
    result: isRefused ? "invalid" : differs.length > 0 || ours.fault !== undefined ? "acceptable" : "valid",
    ...ours,
    ...(differs.length === 0 ? {} : { peer: Object.fromEntries(differs) }),
    flags,
  };
}

async function record(urls: readonly string[], added: readonly Asked[]): Promise<void> {
  const { about, source, flags, vectors } = JSON.parse(readFileSync(PATH, "utf8")) as Omit<VectorSource<never>, "vectors"> & {
    readonly source: { readonly spec: string; readonly name: string; readonly version: string };
    readonly vectors: readonly Asked[];
  };
  const made: Omit<ExpressionVector, "id">[] = [];
  for (const one of [...vectors, ...added]) made.push(await vectorOf(urls[one.without === true ? 1 : 0] ?? "", one));
  writeFileSync(PATH, vectorFile("promql-expression", { about, spec: source.spec, flags, vectors: made }, source));
}

if (import.meta.main) {
  const [url = "", plain = "", ...more] = process.argv.slice(2);
  const added = more.flatMap((flag, at) => (at % 2 === 0 ? [{ flags: [flag], text: more[at + 1] ?? "" }] : []));
  await record([url, plain], added);
}
