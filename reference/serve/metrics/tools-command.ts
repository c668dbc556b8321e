import type { Command } from "commander";

const EXAMPLES = `
Examples:
  touchstone metrics check-config metrics.yml
  touchstone metrics check-rules rules/*.yml
  touchstone metrics test-rules rules/tests.yml
  touchstone metrics backfill-rules rules/new.yml --start 2026-01-01T00:00:00Z --output blocks

touchstone metrics COMMAND --help shows the options of one.`;

/** Declares `touchstone metrics`: tools for the files of a metrics server. */
export function metricsToolsCommand(verb: Command): void {
  verb.addHelpText("after", EXAMPLES);
  verb
    .command("check-config <file...>")
    .description("check configurations: every problem with its file, line and field")
    .option("--agent", "check them for agent mode")
    .option("--syntax-only", "do not look at the files that they name")
    .action(async (files: string[], options) => (await import("./check-config.ts")).checkConfig(files, options));
  verb
    .command("check-router <file...>")
    .description("check configurations of alert routers: every problem with its file, line and field")
    .action(async (files: string[]) => (await import("./router/config-files.ts")).checkRouterConfig(files));
  verb
    .command("check-web-config <file...>")
    .description("check web configurations (TLS, passwords, header fields): every problem with its file, line and field, and what is weak")
    .action(async (files: string[]) => (await import("./check-config.ts")).checkWebConfig(files));
  verb
    .command("check-rules <file...>")
    .description("check rule files: every problem with its file, line and field")
    .action(async (files: string[]) => (await import("./check-rules.ts")).checkRules(files));
  verb
    .command("lint-rules <file...>")
    .description("find what rules do that is allowed, and rarely meant: names, windows, gauges taken for counters, alerts that cannot fire")
    .option("--scrape-interval <duration>", "the time between two scrapes", "1m")
    .option("--strict", "end with status 1 if there is a finding")
    .action(async (files: string[], options) => (await import("./check-rules.ts")).lintRuleFiles(files, options));
  verb
    .command("backfill-rules <file...>")
    .description(
      "evaluate recording rules of the past on a running server, at the times of their groups (name the files as its configuration does: the name counts), and write blocks of the results to move into its data directory",
    )
    .requiredOption("--start <time>", "where to begin: seconds since 1970, or as in 2026-01-02T03:04:05Z")
    .option("--end <time>", "where to end; three hours ago by default, since the server has newer samples in memory")
    .option("--url <url>", "the server", "http://127.0.0.1:9090")
    .option("--output <directory>", "where to write the blocks", "data")
    .option("--eval-interval <duration>", "how often to evaluate groups without an interval", "60s")
    .action(async (files: string[], options) => {
      process.exitCode = await (await import("./backfill.ts")).backfillRules(files, options);
    });
  verb
    .command("test-rules <file...>")
    .description("run unit tests of rules, in the format of promtool, on virtual time")
    .action(async (files: string[]) => (await import("./check-rules.ts")).testRules(files));
}
