import type { Command } from "commander";

/** Declares `touchstone metrics`: tools for the files of a metrics server. */
export function metricsToolsCommand(verb: Command): void {
  verb
    .command("check-config <file...>")
    .description("check configurations: every problem with its file, line and field")
    .option("--agent", "check them for agent mode")
    .option("--syntax-only", "do not look at the files that they name")
    .action(async (files: string[], options) => (await import("./check-config.ts")).checkConfig(files, options));
}
