import type { Command } from "commander";
import type { Registry } from "../harness/suite.ts";

export type CrosscheckFlags = { readonly tool?: string; readonly json?: true; readonly timeout: string };

/** `touchstone crosscheck`: runs our suite and another one on the same server, and shows where they disagree. */
export function crosscheckCommand(command: Command, registry: Registry): void {
  command
    .argument("<suite>", Object.keys(registry).join(", "))
    .argument("<url>", "the server: http:// or https://")
    .option("--tool <path>", "the other suite's program; by default the one on the PATH")
    .option("--timeout <seconds>", "how long the other suite waits for an answer", "2")
    .option("--json", "print the comparison as JSON")
    .addHelpText(
      "after",
      `
Examples:
  touchstone crosscheck http2 http://127.0.0.1:8080/
  touchstone crosscheck http2 https://127.0.0.1:8443/ --tool ~/go/bin/h2spec

ci/h2spec.sh installs h2spec with Go.

Exit status: 0 the verdicts agree, 1 they differ somewhere, 2 the command was wrong or the program is missing, 3 the server could not be reached.`,
    )
    .action(async (suite: string, url: string, flags: CrosscheckFlags) => {
      const { crosscheck } = await import("./run.ts");
      const { guarded } = await import("../cli/guarded.ts");
      process.exitCode = await guarded(() => crosscheck(registry, { suite, url, ...flags }));
    });
}
