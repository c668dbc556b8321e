#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { benchCommand } from "./bench/command.ts";
import { checkCommand, crosscheckCommand } from "./conformance/command.ts";
import { peersCommand } from "./conformance/peers/index.ts";
import { fuzzCommand } from "./fuzz/command.ts";
import { serveCommand } from "./reference/serve/command.ts";
import { compareCommand, reportCommand } from "./reports/command.ts";
import { writeBenchPage, writeReports } from "./reports/write.ts";
import { vectorsCommand } from "./vectors/command.ts";
import { version } from "./version.ts";

/** The command line: names the verbs, and hands each to its room. */
const program = new Command("touchstone")
  .description("Find out whether network software speaks its protocol.")
  .version(version)
  .showHelpAfterError("Run it with --help to see what there is.")
  .showSuggestionAfterError()
  .exitOverride()
  .addHelpText(
    "after",
    `
Examples:
  touchstone check http2 http://127.0.0.1:8080                       judge a server
  touchstone check http2 --client 'curl -s --http2-prior-knowledge {url}'   judge a client
  touchstone serve http2 --port 8080                                 a peer that behaves, or misbehaves on request
  touchstone fuzz http2 http://127.0.0.1:8080 --seed 7               look for what a server gets wrong
  touchstone bench http2 http://127.0.0.1:8080 --against http://127.0.0.1:9090

Exit status: 0 all passed, 1 something failed, 2 the command was wrong, 3 the subject could not be reached.`,
  );

checkCommand(program, { version, write: writeReports });
crosscheckCommand(program);
serveCommand(program);
fuzzCommand(program);
benchCommand(program, { version, writeHtml: writeBenchPage });
vectorsCommand(program);
reportCommand(program);
compareCommand(program);
peersCommand(program);

// A reader that closes the pipe early (head, less) has seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Help and version end well; everything else that commander refuses is a wrong command, and it has said so.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    console.error(`touchstone: ${error instanceof Error ? error.message : String(error)}`);
    if (process.env["TOUCHSTONE_DEBUG"] !== undefined) console.error(error);
    process.exitCode = 2;
  }
}
