import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import Table from "cli-table3";
import type { BenchOptions, BenchTools } from "./command.ts";
import type { BenchGroup, BenchResult } from "./lib/result.ts";
import { FULL, QUICK, type Say, type Size } from "./lib/size.ts";
import { pairedRatio } from "./lib/stats.ts";
import { unreachable } from "./lib/dial.ts";
import { type BenchSubject, foreignSubject } from "./lib/subject.ts";
import type { BenchSuite } from "./lib/suite.ts";

/** The parsed command line. */
export type Request = {
  readonly tools: BenchTools;
  readonly suite: string | undefined;
  readonly url: string | undefined;
  readonly options: BenchOptions & Readonly<Record<string, unknown>>;
};
/** The exit status for a server that does not answer. */
const UNREACHABLE = 3;
type Named = readonly [name: string, suite: BenchSuite];

/** Performs `touchstone bench`. Returns the exit status. */
export async function runBench(request: Request): Promise<number> {
  const { tools, suite: name, url, options } = request;
  const all = await Promise.all(Object.entries(tools.benches).map(async ([one, load]): Promise<Named> => [one, (await load()).suite]));
  const suites = all.filter(([one]) => name === undefined || one === name);
  const refusal = wrong(request, suites, all);
  if (refusal !== undefined) {
    console.error(refusal);
    return 2;
  }
  const say: Say = (line) => void process.stderr.write(process.stderr.isTTY ? `\r\u001B[K${line}` : `${line}\n`);
  const startedAt = new Date().toISOString();
  const size = sizeOf(options, suites);
  const groups: BenchGroup[] = [];
  const subjects = url === undefined ? [] : foreignSubjects(url, options);
  for (const [one, suite] of suites) {
    if (url !== undefined) {
      const measured = await foreign(suite, subjects, { size, say, overUdp: one === "http3" });
      if (typeof measured === "string") {
        console.error(`touchstone: ${measured}`);
        return UNREACHABLE;
      }
      groups.push(...measured);
    } else if (options.only === undefined || suite.parts.includes(options.only))
      groups.push(...(await suite.measure(options.only, size, say)));
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: availableParallelism(), node: process.version };
  const result: BenchResult = { tool: { name: "touchstone", version: tools.version }, startedAt, machine, groups };
  console.log(options.json === true ? JSON.stringify(result) : table(result));
  if (options.save !== undefined) writeFileSync(options.save, `${JSON.stringify(result, null, 2)}\n`);
  if (options.html !== undefined) await tools.writeHtml(result, options.html);
  return 0;
}

function sizeOf(options: Request["options"], suites: readonly Named[]): Size {
  const size = { ...(options.quick === true ? QUICK : FULL), ...(options.rounds === undefined ? {} : { rounds: options.rounds }) };
  for (const { name } of suites.flatMap(([, { flags = [] }]) => flags)) {
    const given = options[name];
    if (typeof given === "number") size[name] = given;
  }
  return size;
}

/** The error in the command line, if any. */
function wrong(
  { tools, suite: name, url, options: { only, ca, cert, key } }: Request,
  suites: readonly Named[],
  all: readonly Named[],
): string | undefined {
  if (name !== undefined && suites.length === 0)
    return tools.suites.includes(name)
      ? `${name} has no bench yet: add bench/${name}/suite.ts, and a line to bench/suites.ts.`
      : `There is no bench for "${name}". Known: ${all.map(([one]) => one).join(", ")}.`;
  if (url !== undefined && suites.some(([, { foreign: measures }]) => measures === undefined))
    return `The bench ${name} measures this project and its peers: omit the URL.`;
  if ((cert === undefined) !== (key === undefined)) return "--cert and --key go together: give both.";
  if ((cert ?? ca) !== undefined && (url === undefined || (name !== "http1" && name !== "http2")))
    return '--ca, --cert and --key belong to "bench http1 URL" and "bench http2 URL".';
  if (only === undefined) return undefined;
  const parts = suites.flatMap(([, suite]) => suite.parts);
  if (parts.includes(only)) return undefined;
  const known = all.flatMap(([, suite]) => suite.parts);
  if (known.includes(only)) return `The bench ${name} has no part "${only}". It has: ${parts.join(", ")}.`;
  return `Unknown part "${only}". Known: ${[...new Set(known)].join(", ")}.`;
}

/** The servers that the user has started, with what it takes to reach them. */
function foreignSubjects(url: string, { against, ca, cert, key, iOperateThisTarget: consents = false }: BenchOptions): BenchSubject[] {
  const pem = (file: string): string => readFileSync(file, "utf8");
  const tls = {
    ...(ca !== undefined && { ca: pem(ca) }),
    ...(cert !== undefined && key !== undefined && { cert: pem(cert), key: pem(key) }),
  };
  return [url, ...(against === undefined ? [] : [against])].map((one) => foreignSubject(one, { tls, consents }));
}

type Measuring = { readonly size: Size; readonly say: Say; readonly overUdp: boolean };

/** The groups, or why they are missing: a server that does not answer. */
async function foreign(
  suite: BenchSuite,
  subjects: readonly BenchSubject[],
  { size, say, overUdp }: Measuring,
): Promise<BenchGroup[] | string> {
  for (const subject of subjects) {
    const why = overUdp ? undefined : await unreachable(subject);
    if (why !== undefined) return why;
  }
  for (const subject of subjects)
    if (subject.pid === undefined) say(`The process behind ${subject.origin} is not visible: its CPU time is not measured.`);
  try {
    return (await suite.foreign?.(subjects, size, say)) ?? [];
  } catch (error) {
    return `the servers cannot be measured: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** One table for all groups. The ratio is the first subject over each other, pair by pair. */
function table({ groups }: BenchResult): string {
  const out = new Table({
    head: ["measure", "subject", "median", "middle half", "user part", "first ÷ this"],
    style: { head: [], border: [] },
  });
  for (const group of groups) {
    const first = group.rows[0];
    group.rows.forEach((row, i) => {
      out.push([
        i === 0 ? `${group.title}, ${group.unit} (${group.better} is better)` : "",
        row.subject,
        figure(row.median),
        `${figure(row.spread[0])} to ${figure(row.spread[1])}`,
        row.userCpu === undefined ? "" : figure(row.userCpu),
        first === undefined || i === 0 ? "" : figure(pairedRatio(first.samples, row.samples)),
      ]);
    });
  }
  return out.toString();
}

const figure = (value: number): string => (Math.abs(value) >= 1_000 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3));
