import { InvalidArgumentError, type Command } from "commander";
import type { BenchResult } from "./lib/result.ts";
import type { BenchRegistry } from "./lib/suite.ts";

export type BenchOptions = {
  readonly against?: string;
  readonly only?: string;
  readonly quick?: true;
  readonly rounds?: number;
  readonly json?: true;
  readonly save?: string;
  readonly html?: string;
};
/** Given by the command line: the benches, the names of all suites, and the writer of the page (bench does not know the reports). */
export type BenchTools = {
  readonly version: string;
  readonly benches: BenchRegistry;
  readonly suites: readonly string[];
  readonly writeHtml: (result: BenchResult, path: string) => Promise<void>;
};

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
  };

/** `touchstone bench`: ours beside its peers, or your server beside another, always in one run. */
export async function benchCommand(command: Command, tools: BenchTools): Promise<void> {
  const suites = await Promise.all(Object.entries(tools.benches).map(async ([name, load]) => [name, (await load()).suite] as const));
  const parts = [...new Set(suites.flatMap(([, suite]) => suite.parts))];
  command
    .argument("[suite]", `${Object.keys(tools.benches).join(", ")}; without a URL, measures this project and its peers`)
    .argument("[url]", "measure the server that listens there (loopback only)")
    .option("--against <url>", "the server to compare with")
    .option("--only <part>", `one of ${parts.join(", ")}`)
    .option("--quick", "fewer and shorter rounds")
    .option("--rounds <n>", "turns of each subject", wholeNumber(1, 99));
  for (const [name, { flags = [] }] of suites)
    for (const { name: flag, about, least, most } of flags)
      command.option(`--${flag} <n>`, `${name}: ${about}, ${least} to ${most}`, wholeNumber(least, most));
  const examples = suites.flatMap(([, suite]) => suite.examples ?? []);
  command
    .option("--json", "print the result as JSON and nothing else")
    .option("--save <file>", "write the result as JSON")
    .option("--html <file>", "write a page with charts")
    .addHelpText(
      "after",
      `
Examples:
  touchstone bench                                                        everything: ours beside its peers
${examples.map(([words, about = ""]) => `  touchstone bench ${words}`.padEnd(about === "" ? 0 : 74) + about).join("\n")}
`,
    )
    .action(async (suite: string | undefined, url: string | undefined, options: BenchOptions & Readonly<Record<string, unknown>>) => {
      const { runBench } = await import("./act.ts");
      process.exitCode = await runBench({ tools, suite, url, options });
    });
}
