import { statSync } from "node:fs";
import type { Command } from "commander";
import { exitStatus } from "../harness/baseline.ts";
import { WrongUse } from "../harness/driver.ts";
import type { Result } from "../harness/result.ts";
import { wholeOf } from "../harness/whole.ts";
import type { Wiring } from "./check.ts";
import { guarded } from "./guarded.ts";
import { merged } from "./merge.ts";

type Flags = {
  readonly json?: true;
  readonly strict?: true;
  readonly save?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly tap?: string;
  readonly sarif?: string;
  readonly pcap?: string;
  readonly github?: true;
  readonly corpus?: string;
};

/** What the verb needs besides: reads the results in a file. Throws an Error with a message for people. */
export type MergeWiring = Wiring & {
  readonly read: (path: string) => Promise<readonly Result[]>;
  /** Joins the corpora in these folders into another. Returns what it says to people. */
  readonly corpora: (folders: readonly string[], into: string) => Promise<string>;
};

/** `touchstone merge`: joins the results and the corpora of shards. */
export function mergeCommand(command: Command, wiring: MergeWiring): void {
  command
    .argument(
      "<result...>",
      "what the shards wrote with check --shard 1/4 --save FILE, or with --json; in gzip, too; or folders that fuzz --corpus kept",
    )
    .option("--corpus <folder>", "join the corpora in the folders given into this one: each input once, and the failing inputs")
    .option("--json", "print the result as JSON on standard output, and nothing else there")
    .option("--strict", "warnings and unproved cases are red too")
    .option("--save <file>", "write the result as JSON")
    .option("--junit <file>", "write JUnit XML")
    .option("--html <file>", "write one self-contained page")
    .option("--markdown <file>", "write a summary in Markdown")
    .option("--tap <file>", "write TAP 14")
    .option("--sarif <file>", "write SARIF 2.1.0, for code scanning")
    .option("--pcap <file>", "write the transcripts of cases that did not pass, as a capture for packet analysers (pcapng)")
    .option("--github", "print annotations for GitHub Actions")
    .addHelpText(
      "after",
      `
A missing shard makes the result partial: it says how many cases of how many ran.

Examples:
  touchstone check http2 http://127.0.0.1:8080 --shard 1/2 --save 1.json
  touchstone check http2 http://127.0.0.1:8080 --shard 2/2 --save 2.json
  touchstone merge 1.json 2.json --junit junit.xml --html report.html
  touchstone merge corpus-1 corpus-2 --corpus corpus

Exit status: that of check for all cases together: 0 all passed, 1 something failed, 2 the command was wrong, 3 most could not be judged.`,
    )
    .action(async (files: string[], flags: Flags) => {
      process.exitCode = await guarded(() => merge(files, flags, wiring));
    });
}

async function merge(paths: readonly string[], flags: Flags, wiring: MergeWiring): Promise<number> {
  const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  const files = paths.filter((path) => !folders.includes(path));
  if (folders.length > 0 !== (flags.corpus !== undefined))
    throw new WrongUse(
      flags.corpus === undefined ? `${folders[0]} is a folder: --corpus says where its corpus goes.` : "--corpus joins folders: name them.",
    );
  if (flags.corpus !== undefined) {
    const said = await wiring.corpora(folders, flags.corpus);
    (flags.json === true ? process.stderr : process.stdout).write(said);
  }
  return files.length === 0 ? 0 : mergeResults(files, flags, wiring);
}

async function mergeResults(files: readonly string[], flags: Flags, { read, write, text }: MergeWiring): Promise<number> {
  const given: Result[] = [];
  for (const file of files) given.push(...(await resultsIn(file, read)));
  const results = wholeOf(given);
  const { save, junit, html, markdown, tap, sarif, pcap, github, strict = false } = flags;
  const printed = flags.json === true ? { print: (words: string) => void process.stderr.write(words) } : {};
  const written = await write(results, { json: save, junit, html, markdown, tap, sarif, pcap, github }, printed);
  const problems = written.flatMap(({ problem }) => problem ?? []);
  for (const problem of problems) console.error(`touchstone: ${problem}`);
  if (flags.json === true) process.stdout.write(`${JSON.stringify(merged(results), null, 2)}\n`);
  else process.stdout.write(await text(results, { strict }));
  const isMissing = results.some(({ partial }) => partial?.why === "missing-shards");
  return Math.max(exitStatus(results, strict), problems.length > 0 || isMissing ? 1 : 0);
}

async function resultsIn(file: string, read: MergeWiring["read"]): Promise<readonly Result[]> {
  try {
    return await read(file);
  } catch (error) {
    throw new WrongUse(error instanceof Error ? error.message : String(error));
  }
}
