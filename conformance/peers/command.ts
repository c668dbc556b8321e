import type { Command } from "commander";

/** `touchstone peers`: lists the installed third-party implementations, and how to install the others. */
export function peersCommand(command: Command, suites: readonly string[]): void {
  command
    .argument("[suite]", `only the peers of ${suites.join(", ")}`)
    .option("--json", "print an array of {name, about, roles, version, install} instead of a table")
    .addHelpText(
      "after",
      "\nExamples:\n  touchstone peers\n  touchstone peers websocket\n  touchstone peers --json | jq '.[] | select(.version == null) | .install'\n",
    )
    .action(async (suite: string | undefined, options: { readonly json?: true }) => {
      const { listPeers } = await import("./list.ts");
      process.exitCode = await listPeers(suites, suite, options.json === true);
    });
}
