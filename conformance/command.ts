import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { baselineOf, exitStatus, readBaseline, writeBaseline } from "./harness/baseline.ts";
import { guarded } from "./guarded.ts";
import { WrongUse } from "./harness/driver.ts";
import type { Result } from "./harness/result.ts";
import { renderText } from "./harness/transcript.ts";
import { check, type CheckOptions, roleOf, type Subject } from "./check.ts";
import { embedded } from "./embedded.ts";
import { list } from "./listing.ts";
import { merged } from "./merge.ts";
import { dataPage, writeDataDirectory } from "./metrics/index.ts";
import { progressOn, silent } from "./progress.ts";
import { oneOf, suiteNamed, suiteNames, SUITES, type SuiteName } from "./suites.ts";
import { summaryText } from "./terminal.ts";

export { crosscheckCommand } from "./crosscheck/command.ts";

/** Puts reports where they are wanted; each entry says where its file is, and `problem` why it is not where it was asked for. */
export type WriteReports = (
  results: readonly Result[],
  wanted: {
    readonly json?: string | undefined;
    readonly junit?: string | undefined;
    readonly html?: string | undefined;
    readonly markdown?: string | undefined;
    readonly github?: boolean | undefined;
  },
  options?: { readonly print?: (text: string) => void },
) => Promise<readonly { readonly path?: string; readonly problem?: string }[]>;

export type Wiring = { readonly version: string; readonly write: WriteReports };

type Flags = {
  client?: string;
  codec?: string;
  proxy?: string;
  origin?: string;
  proxyHttp2?: string;
  only?: string[];
  level?: string[];
  group?: string;
  abuse?: boolean;
  iOperateThisTarget?: boolean;
  list?: boolean;
  json?: boolean;
  trace?: boolean;
  baseline?: string;
  writeBaseline?: string;
  strict?: boolean;
  concurrency?: number;
  timeout?: number;
  seed?: number;
  scale?: number;
  tls?: boolean;
  verify?: boolean;
  pid?: number;
  name?: string;
  data?: string;
  save?: string;
  junit?: string;
  html?: string;
  markdown?: string;
  github?: boolean;
};

const wholeNumber =
  (name: string, min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new WrongUse(`${name} is a whole number from ${min} to ${max}, not "${text}".`);
    return value;
  };
const several = (text: string, before: string[] | undefined): string[] => [...(before ?? []), ...text.split(",").map((one) => one.trim())];

/** What a shell gives a program that was ended by Ctrl-C: what was measured is reported, and is not the whole. */
const INTERRUPTED = 130;

/** `touchstone check`: performs suites on a subject, and says what came of it. */
export function checkCommand(program: Command, wiring: Wiring): void {
  program
    .command("check")
    .description("Judge a server, a client, a proxy or a codec: a verdict for every requirement, with its evidence.")
    .argument("[suite]", `${oneOf(suiteNames)}; all of them against the embedded reference when left out`)
    .argument(
      "[url]",
      "the server: http:// (for http2: with prior knowledge) or https://, ws:// or wss://; the embedded reference when left out",
    )
    .option(
      "--client <command>",
      "judge a client: started once a case, {url} in it becomes the address (for http1 more: see below); or the name of a peer",
    )
    .option("--proxy <what>", "judge a reverse proxy: its address, or a command with {origin} and {port} in it, or the name of a peer")
    .option("--origin <address>", "proxy: HOST:PORT that it forwards everything to; the harness listens there")
    .option("--proxy-http2 <url>", "proxy: where it speaks HTTP/2, when that is another address")
    .option("--codec <command>", "judge a codec: one child that answers JSON lines (vectors/README.md)")
    .option("--only <what>", "ids, globs ('http2/ping-*') or sections (6.5, 'RFC 9113 §8.3'); again, or with commas, for more", several)
    .option("--level <level>", "must, should, may; with commas for more", several)
    .option("--group <name>", "only cases of this group")
    .option("--abuse", "also run the cases of the group abuse: bounded floods")
    .option("--i-operate-this-target", "allow --abuse on a target that is not this machine")
    .option("--list", "print the cases instead of running them")
    .option("--json", "print the result (or the list) as JSON on standard output, and nothing else there")
    .option("--trace", "print the transcript of every case that runs")
    .option("--baseline <file>", "known failures: only a change is red")
    .option("--write-baseline <file>", "write the failures of this run as a baseline")
    .option("--strict", "warnings are red too")
    .option("--concurrency <n>", "cases at the same time (server 16, client 8)", wholeNumber("--concurrency", 1, 256))
    .option("--timeout <ms>", "the longest silence that is waited for (2000)", wholeNumber("--timeout", 10, 600_000))
    .option(
      "--scale <n>",
      "websocket: how large the larger cases are (1), at most 5: messages of 16 MiB, thousands of them",
      wholeNumber("--scale", 1, 5),
    )
    .option("--seed <n>", "shuffle the cases", wholeNumber("--seed", 0, 2 ** 32 - 1))
    .option("--tls", "client: give it an https: address with a certificate that it must not verify")
    .option("--verify", "server: refuse a certificate that is not trusted")
    .option("--pid <n>", "server: its process, so that --abuse can measure what it costs (Linux)", wholeNumber("--pid", 1, 2 ** 31 - 1))
    .option(
      "--data <file>",
      "metrics: write the data set that is asked about as a page of OpenMetrics, or as a data directory where it ends with /, and ask nothing",
    )
    .option("--name <name>", "what reports call the subject")
    .option("--save <file>", "write the result as JSON")
    .option("--junit <file>", "write JUnit XML")
    .option("--html <file>", "write one self-contained page")
    .option("--markdown <file>", "write a summary in Markdown")
    .option("--github", "print annotations for GitHub Actions")
    .addHelpText(
      "after",
      `
Suites: ${suiteNames.map((name) => `${name}, ${SUITES[name].about}`).join("; ")}.

Examples:
  touchstone check http1 http://127.0.0.1:8080/                     a server of HTTP/1.1
  touchstone check http2 http://127.0.0.1:8080/                     a server in clear text
  touchstone check http2 https://127.0.0.1:8443/ --html report.html over TLS, with a page to read
  touchstone check http2 --client 'curl -s --http2-prior-knowledge {url}'
  touchstone check http1 --client 'curl -s --http1.1 {head:-I} {post:-d x} {url} {url2}'
                                                                    {url2} asks again, {head:…} and {post:…} stand where HEAD or POST is sent
  touchstone check http1 --client wget                              a peer as a client
  touchstone check http1 --proxy nginx                              a peer as a reverse proxy, started here
  touchstone check http1 --proxy http://127.0.0.1:8080/ --origin 127.0.0.1:9090
  touchstone check websocket ws://127.0.0.1:9001/                   an endpoint that echoes every message
  touchstone check websocket --client 'my-client {url}'             gives every message back, and offers the sub-protocols of ?protocols=a,b
  touchstone check hpack --codec './my-codec --json-lines'
  touchstone check websocket --codec './my-codec'                   frames, fragments, compression and handshakes, without a socket
  touchstone check metrics --codec './my-reader'                     pages of metrics, in the text format and in OpenMetrics
  touchstone check metrics http://127.0.0.1:9090/                    the query language: the data set is pushed by remote write to who takes it
  touchstone check metrics --data data.om                            the data set, for who does not: promtool tsdb create-blocks-from openmetrics
                                                                    data.om DIRECTORY (before 3.0 without the lines that begin with {)
  touchstone check metrics --data data/                              the same as a data directory, with native histograms, which no page can carry
  touchstone check http2 http://127.0.0.1:8080/ --only 6.9 --trace  one section, with every octet
  touchstone check http2 http://127.0.0.1:8080/ --baseline known.json

Exit status: 0 all passed (warnings allowed without --strict), 1 something failed, 2 the command was wrong, 3 the subject could not be reached.`,
    )
    .action(async (suite: string | undefined, url: string | undefined, flags: Flags) => {
      process.exitCode = await guarded(() => act(suite, url, flags, wiring));
    });
}

async function act(suiteWord: string | undefined, url: string | undefined, flags: Flags, wiring: Wiring): Promise<number> {
  const suite = suiteWord === undefined ? undefined : suiteNamed(suiteWord);
  const subject = subjectOf(suite, url, flags);
  if (flags.list === true) return printList(suite, subject, flags);
  if (flags.data !== undefined) return writeData(suite, flags.data);
  // A damaged baseline is told before the work, not after it.
  if (flags.baseline !== undefined) readBaseline(flags.baseline);
  const interrupt = new AbortController();
  const results = await measure(suite, subject, flags, interrupt);
  const status = interrupt.signal.aborted ? INTERRUPTED : exitStatus(results, flags.strict ?? false);
  const written = await report(results, flags, wiring);
  if (flags.json === true) process.stdout.write(`${JSON.stringify(merged(results), null, 2)}\n`);
  else process.stdout.write(`${traces(results, flags)}${summaryText(results, flags.strict ?? false)}`);
  return written ? status : Math.max(status, 1);
}

/** Who is meant; undefined for the embedded reference. */
function subjectOf(
  suite: SuiteName | undefined,
  url: string | undefined,
  { client, codec, proxy, origin, proxyHttp2 }: Flags,
): Subject | undefined {
  const given = [url, client, codec, proxy].filter((one) => one !== undefined);
  if (given.length > 1) throw new WrongUse("One subject at a time: a URL, or --client, or --codec, or --proxy.");
  if (proxy === undefined && (origin ?? proxyHttp2) !== undefined)
    throw new WrongUse("--origin and --proxy-http2 say more of --proxy: name it.");
  if (suite === undefined && given.length > 0)
    throw new WrongUse(`Say which suite: touchstone check ${codec !== undefined ? "hpack" : proxy === undefined ? "http2" : "http1"} …`);
  if (url !== undefined && suite === "hpack")
    throw new WrongUse("The suite hpack is for codecs: --codec COMMAND. A server's HPACK is judged by http2.");
  if (url !== undefined) return { url };
  if (client !== undefined) return { client };
  if (proxy !== undefined)
    return { proxy, ...(origin === undefined ? {} : { origin }), ...(proxyHttp2 === undefined ? {} : { http2: proxyHttp2 }) };
  return codec === undefined ? undefined : { codec };
}

async function writeData(suite: SuiteName | undefined, file: string): Promise<number> {
  if (suite !== "metrics") throw new WrongUse("--data goes with the suite that has one: touchstone check metrics --data FILE.");
  try {
    if (file.endsWith("/")) await writeDataDirectory(file);
    else writeFileSync(file, dataPage());
  } catch (error) {
    throw new WrongUse(`The data set cannot be written: ${(error as Error).message}.`);
  }
  return 0;
}

async function printList(suite: SuiteName | undefined, subject: Subject | undefined, flags: Flags): Promise<number> {
  const infos = await list({
    ...selectionOf(flags),
    ...(suite === undefined ? {} : { suites: [suite] }),
    ...(subject === undefined ? {} : { role: roleOf(subject) }),
  });
  if (flags.json === true) process.stdout.write(`${JSON.stringify(infos, null, 2)}\n`);
  else {
    for (const { id, spec, level, role, title } of infos) process.stdout.write(`${id}  ${spec}  ${level}  ${role}  ${title}\n`);
    process.stdout.write(`${infos.length} cases\n`);
  }
  return 0;
}

const selectionOf = ({ only, level, group }: Flags) => ({
  ...(only === undefined ? {} : { only }),
  ...(level === undefined ? {} : { level }),
  ...(group === undefined ? {} : { group }),
});

async function measure(
  suite: SuiteName | undefined,
  subject: Subject | undefined,
  flags: Flags,
  interrupt: AbortController,
): Promise<Result[]> {
  const stop = (): void => {
    console.error("touchstone: interrupted; what was measured is kept.");
    interrupt.abort();
  };
  process.once("SIGINT", stop);
  const progress = flags.json === true && !process.stderr.isTTY ? silent : progressOn(process.stderr);
  const common = (name: string): Omit<CheckOptions, "suite" | "subject"> => ({
    ...selectionOf(flags),
    ...pick(flags, ["abuse", "iOperateThisTarget", "concurrency", "timeout", "seed", "scale", "tls", "verify", "pid", "name", "baseline"]),
    signal: interrupt.signal,
    onStart: (total) => progress.start(name, total),
    onResult: ({ verdict }, done, total) => progress.step(done, total, verdict === "fail"),
  });
  try {
    if (subject !== undefined && suite !== undefined) return [await check({ ...common(suite), suite, subject })];
    return await embedded(suite === undefined ? suiteNames : [suite], (name, part) => check({ ...common(name), ...part }), {
      ...selectionOf(flags),
      abuse: flags.abuse ?? false,
    });
  } finally {
    progress.stop();
    process.removeListener("SIGINT", stop);
  }
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): { [P in K]: NonNullable<T[P]> } {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) as {
    [P in K]: NonNullable<T[P]>;
  };
}

const traces = (results: readonly Result[], { trace }: Flags): string => {
  if (trace !== true) return "";
  const colour = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  return results
    .flatMap((result) => result.cases)
    .map(({ id, verdict, transcript, control }) => {
      const twin = control === undefined ? "" : `\n  the control, without the mistake:\n${renderText(control, { colour })}\n`;
      return `${id}: ${verdict}${twin}\n  the case:\n${renderText(transcript, { colour })}\n\n`;
    })
    .join("");
};

/** Writes what was asked for; false when a file is not where it should be. What was measured is printed all the same. */
async function report(results: readonly Result[], flags: Flags, { write }: Wiring): Promise<boolean> {
  const { save, junit, html, markdown, github } = flags;
  let whole = true;
  const printed = flags.json === true ? { print: (text: string) => void process.stderr.write(text) } : {};
  for (const { problem } of await write(results, { json: save, junit, html, markdown, github }, printed)) {
    if (problem === undefined) continue;
    console.error(`touchstone: ${problem}`);
    whole = false;
  }
  if (flags.writeBaseline === undefined) return whole;
  try {
    const older = flags.baseline === undefined ? [] : readBaseline(flags.baseline);
    const known = baselineOf(
      results.flatMap((result) => result.cases),
      older,
      flags.strict ?? false,
    );
    writeBaseline(flags.writeBaseline, known);
    console.error(`touchstone: wrote ${known.length} known failures to ${flags.writeBaseline}.`);
  } catch (error) {
    console.error(`touchstone: cannot write the baseline ${flags.writeBaseline}: ${(error as Error).message}`);
    return false;
  }
  return whole;
}
