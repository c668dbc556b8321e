import { writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import Table from "cli-table3";
import { InvalidArgumentError, type Command } from "commander";
import * as http1 from "./http1/suite.ts";
import * as http2 from "./http2/suite.ts";
import * as websocket from "./websocket/suite.ts";
import { hpackGroups } from "./hpack/suite.ts";
import { METRICS_PARTS, metricsGroups } from "./metrics/suite.ts";
import type { BenchGroup, BenchResult } from "./lib/result.ts";
import { FULL, QUICK, type Say, type Size } from "./lib/size.ts";
import { pairedRatio } from "./lib/stats.ts";
import { foreignSubject } from "./lib/subject.ts";

type Options = {
  readonly against?: string;
  readonly only?: string;
  readonly quick?: true;
  readonly rounds?: number;
  readonly series?: number;
  readonly json?: true;
  readonly save?: string;
  readonly html?: string;
};
/** Given by the command line: what writes the page (reports know no bench, and bench no reports). */
export type BenchTools = { readonly version: string; readonly writeHtml: (result: BenchResult, path: string) => Promise<void> };

const SERVER_PARTS = ["hpack", "requests", "transfers", "memory"] as const;
type Part = (typeof SERVER_PARTS)[number];
const PARTS: readonly string[] = [...new Set<string>([...SERVER_PARTS, ...Object.keys(METRICS_PARTS)])];
const SUITES = { http1, http2, websocket } as const;
type SuiteName = keyof typeof SUITES;
const isSuite = (name: string): boolean => Object.hasOwn(SUITES, name) || name === "metrics";

/** `touchstone bench`: ours beside its peers, or your server beside another, always in one run. */
export function benchCommand(program: Command, tools: BenchTools): void {
  program
    .command("bench")
    .argument("[suite]", '"http1", "http2", "websocket" or "metrics"; without a URL everything is measured on this project and its peers')
    .argument("[url]", "measure the server that listens there (loopback only)")
    .description("measure speed and memory, ours and a peer in one run, as ratios")
    .option("--against <url>", "the server to compare with")
    .option("--only <part>", `one of ${PARTS.join(", ")}`)
    .option("--quick", "fewer and shorter rounds")
    .option("--rounds <n>", "how often each subject takes its turn", (text) => {
      if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError("A number from 1 to 99 is wanted.");
      return Number(text);
    })
    .option("--series <n>", "series of the metrics bench, 100 to 1000000", (text) => {
      if (/^\d{3,7}$/.test(text) && Number(text) >= 100 && Number(text) <= 1_000_000) return Number(text);
      throw new InvalidArgumentError("A number from 100 to 1000000 is wanted.");
    })
    .option("--json", "print the result as JSON and nothing else")
    .option("--save <file>", "write the result as JSON")
    .option("--html <file>", "write a page with charts")
    .addHelpText(
      "after",
      `
Examples:
  touchstone bench                                         everything: ours beside node:http(2), nginx, nghttpd, HPACK libraries, ws, prometheus
  touchstone bench http1 --only requests --quick
  touchstone bench metrics --only exposition               pages of metrics: ours, the parser of the Prometheus server, prometheus_client
  touchstone bench metrics --only memory --series 1000000  a million series: ours and Debian's prometheus
  touchstone bench http2 http://127.0.0.1:8080 --against http://127.0.0.1:9090
`,
    )
    .action(async (suite: string | undefined, url: string | undefined, options: Options) => {
      const refusal = wrong(suite, url, options.only);
      if (refusal !== undefined) {
        console.error(refusal);
        process.exitCode = 2;
        return;
      }
      const say: Say = (line) => void process.stderr.write(process.stderr.isTTY ? `\r\u001B[K${line}` : `${line}\n`);
      const startedAt = new Date().toISOString();
      const size: Size = {
        ...(options.quick === true ? QUICK : FULL),
        ...(options.rounds === undefined ? {} : { rounds: options.rounds }),
        ...(options.series === undefined ? {} : { series: options.series }),
      };
      const suites = (Object.keys(SUITES) as SuiteName[]).filter((name) => suite === undefined || name === suite);
      const groups: BenchGroup[] = [];
      if (url !== undefined) groups.push(...(await foreign(suites[0] ?? "http2", url, options.against, size, say)));
      else {
        for (const name of suites) groups.push(...(await everything(name, size, options.only as Part | undefined, say)));
        if (suite === undefined || suite === "metrics") groups.push(...(await metricsGroups(size, options.only, say)));
      }
      if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
      const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: availableParallelism(), node: process.version };
      const result: BenchResult = { tool: { name: "touchstone", version: tools.version }, startedAt, machine, groups };
      console.log(options.json === true ? JSON.stringify(result) : table(result));
      if (options.save !== undefined) writeFileSync(options.save, `${JSON.stringify(result, null, 2)}\n`);
      if (options.html !== undefined) await tools.writeHtml(result, options.html);
    });
}

function wrong(suite: string | undefined, url: string | undefined, only: string | undefined): string | undefined {
  if (suite !== undefined && !isSuite(suite)) return `There is no bench for "${suite}". Known: ${Object.keys(SUITES).join(", ")}, metrics.`;
  if (suite === "metrics" && url !== undefined) return "The bench metrics measures this project and its peers: leave out the URL.";
  const known = suite === undefined ? PARTS : suite === "metrics" ? Object.keys(METRICS_PARTS) : SERVER_PARTS;
  if (only !== undefined && PARTS.includes(only) && !known.some((part) => part === only))
    return `The bench ${suite} has no part "${only}". It has: ${known.join(", ")}.`;
  if (only !== undefined && !PARTS.includes(only)) return `There is no part "${only}". Known: ${PARTS.join(", ")}.`;
  return undefined;
}

async function everything(name: SuiteName, size: Size, only: Part | undefined, say: Say): Promise<BenchGroup[]> {
  const { embeddedSubjects, requestGroups, transferGroups, memoryGroups } = SUITES[name];
  const wanted = (part: Part): boolean => only === undefined || only === part;
  const groups = name === "http2" && wanted("hpack") ? await hpackGroups(size.rounds, say) : [];
  if (wanted("requests") || wanted("transfers")) {
    const { subjects, stop } = await embeddedSubjects(say);
    try {
      if (wanted("requests")) groups.push(...(await requestGroups(subjects, size, say)));
      if (wanted("transfers")) groups.push(...(await transferGroups(subjects, size, say)));
    } finally {
      await stop();
    }
  }
  if (wanted("memory")) groups.push(...(await memoryGroups(size, say)));
  return groups;
}

async function foreign(name: SuiteName, url: string, against: string | undefined, size: Size, say: Say): Promise<BenchGroup[]> {
  const subjects = [foreignSubject(url), ...(against === undefined ? [] : [foreignSubject(against)])];
  for (const subject of subjects)
    if (subject.pid === undefined) say(`The process behind ${subject.origin} cannot be told from here: its CPU time is not measured.`);
  return SUITES[name].requestGroups(subjects, size, say);
}

/** One table for all groups; the ratio is the first subject over each other, pair by pair. */
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
