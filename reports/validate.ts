import { readFileSync } from "node:fs";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { BenchResult } from "../bench/lib/result.ts";
import type { CaseInfo } from "../conformance/harness/case.ts";
import type { Result } from "../conformance/harness/result.ts";
import { STATES } from "./coverage.ts";
import { NONE } from "./order.ts";
import { DamagedFile, firstLine, why } from "./damaged.ts";
import { plainText } from "./gzip.ts";
import { type Connection, connectionOf } from "./qlog/connection.ts";
import { isQlog, readQlog } from "./qlog/read.ts";

type Kinds = { result: Result; bench: BenchResult; list: readonly CaseInfo[] };
export type Kind = keyof Kinds;

const ajv = new Ajv2020({ allErrors: false, verbose: true });
const compiled = new Map<Kind, ValidateFunction>();

function validator(kind: Kind): ValidateFunction {
  const known = compiled.get(kind);
  if (known !== undefined) return known;
  const schema = JSON.parse(readFileSync(new URL(`./schema/${kind}.json`, import.meta.url), "utf8")) as object;
  const made = ajv.compile(schema);
  compiled.set(kind, made);
  return made;
}

/** One line about what is wrong with a value of this kind; undefined if it is valid. */
export function problem(kind: Kind, value: unknown): string | undefined {
  const validate = validator(kind);
  return validate(value) ? undefined : describe(validate.errors?.[0]);
}

function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return "does not fit the schema";
  const where = error.instancePath === "" ? "the document" : error.instancePath.slice(1);
  if (error.keyword === "enum")
    return `${where} is ${show(error.data)}, but must be one of ${error.params["allowedValues"].map(show).join(", ")}`;
  if (error.keyword === "const") return `${where} is ${show(error.data)}, but must be ${show(error.params["allowedValue"])}`;
  if (error.keyword === "required") return `${where} lacks "${error.params["missingProperty"]}"`;
  return `${where} ${error.message ?? "is wrong"} (it is ${show(error.data)})`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The results in a file: one, or an array. */
export function readResults(path: string): Result[] {
  const read = readReport(path);
  if (read.results.length > 0) return read.results;
  const what = read.benches.length > 0 ? "benchmarks" : "the log of a connection";
  throw new DamagedFile(`${path}: contains ${what}; this command needs results of "touchstone check".`);
}

type Content = { results: Result[]; benches: BenchResult[]; connections: Connection[] };

/** The content of a saved file, plain or in gzip: results of suites and runs of the benchmarks, or logs of connections in the form of qlog. */
export function readReport(path: string): Content {
  const text = textIn(path);
  if (isQlog(text)) return { results: [], benches: [], connections: readQlog(path, text).map(connectionOf) };
  const value = parse(path, text);
  const items = Array.isArray(value) ? value : [value];
  if (items.length === 0) throw new DamagedFile(`${path}: contains an empty list: write it again with "touchstone check … --json".`);
  const read: Content = { results: [], benches: [], connections: [] };
  for (const [at, item] of items.entries()) {
    const bench = typeof item === "object" && item !== null && "groups" in item;
    const wrong = problem(bench ? "bench" : "result", item);
    if (wrong !== undefined) {
      const which = items.length > 1 ? `entry ${at + 1}: ` : "";
      throw new DamagedFile(`${path}: is not a ${bench ? "bench result" : "result"} of Touchstone: ${which}${wrong}.`);
    }
    if (bench) read.benches.push(item as BenchResult);
    else read.results.push(complete(item as Result));
  }
  return read;
}

/** Adds the counts that an older version did not write. Its coverage was of the tool, not of the run: it is left out. */
const complete = (result: Result): Result => ({
  ...result,
  summary: { ...NONE, ...result.summary },
  coverage: result.coverage.filter(({ state }) => (STATES as readonly string[]).includes(state)),
});

function textIn(path: string): string {
  try {
    return plainText(readFileSync(path));
  } catch (error) {
    throw new DamagedFile(`${path}: cannot be read: ${why(error)}.`, { cause: error });
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const detail = text.trim() === "" ? "it is empty" : firstLine((error as Error).message);
    throw new DamagedFile(`${path}: is not JSON: ${detail}.`, { cause: error });
  }
}
