import type { Command } from "commander";
import { CONSENT } from "../consent.ts";
import { wholeNumber } from "../options.ts";
import type { BenchResult } from "./lib/result.ts";
import type { BenchRegistry } from "./lib/suite.ts";

export type BenchOptions = {
  readonly against?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly only?: string;
  readonly quick?: true;
  readonly rounds?: number;
  readonly json?: true;
  readonly save?: string;
  readonly html?: string;
  readonly iOperateThisTarget?: boolean;
};
/** What the command line provides: the benches, the names of all suites, and the HTML writer, since `bench` does not import `reports`. */
export type BenchTools = {
  readonly version: string;
  readonly benches: BenchRegistry;
  readonly suites: readonly string[];
  readonly writeHtml: (result: BenchResult, path: string) => Promise<void>;
};

/** `touchstone bench`: compares Touchstone with its peers, or your server with another, in one run. */
export async function benchCommand(command: Command, tools: BenchTools): Promise<void> {
  const suites = await Promise.all(Object.entries(tools.benches).map(async ([name, load]) => [name, (await load()).suite] as const));
  const parts = [...new Set(suites.flatMap(([, suite]) => suite.parts))];
  command
    .argument("[suite]", `${Object.keys(tools.benches).join(", ")}; without a URL, compare Touchstone with its peers`)
    .argument("[url]", "measure the server at this URL")
    .option("--against <url>", "compare with the server at this URL")
    .option(CONSENT, "allow servers that are not this machine")
    .option("--ca <file>", "http1, http2: the authorities of the servers' certificates, in PEM; without it any certificate is accepted")
    .option("--cert <file>", "http1, http2: our certificate in PEM, for servers that require one")
    .option("--key <file>", "http1, http2: the key of that certificate in PEM")
    .option("--only <part>", `measure one part only: ${parts.join(", ")}`)
    .option("--quick", "fewer and shorter rounds")
    .option("--rounds <n>", "measure each subject this many times", wholeNumber(1, 99));
  for (const [name, { flags = [] }] of suites)
    for (const { name: flag, about, least, most } of flags)
      command.option(`--${flag} <n>`, `${name}: ${about}, ${least} to ${most}`, wholeNumber(least, most));
  const examples = suites.flatMap(([, suite]) => suite.examples ?? []);
  command
    .option("--json", "print only the result, as JSON")
    .option("--save <file>", "write the result to a JSON file")
    .option("--html <file>", "write an HTML page with charts")
    .addHelpText(
      "after",
      `
Examples:
  touchstone bench                                                             compare Touchstone with its peers in everything
${examples.map(([words, about = ""]) => `  touchstone bench ${words}`.padEnd(about === "" ? 0 : 79) + about).join("\n")}
`,
    )
    .action(async (suite: string | undefined, url: string | undefined, options: BenchOptions & Readonly<Record<string, unknown>>) => {
      const { runBench } = await import("./act.ts");
      process.exitCode = await runBench({ tools, suite, url, options });
    });
}
