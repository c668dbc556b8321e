#!/usr/bin/env node
import { Command, CommanderError } from "commander";
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

/**
 * The verbs, in the order of the help. Only the room of the one that is asked for is loaded: a program with the code of all of them in its
 * memory starts late, and each collection of garbage looks through what it never uses.
 */
const ROOMS: Readonly<Record<string, () => Promise<void>>> = {
  check: async () => {
    const { checkCommand } = await import("./conformance/command.ts");
    const { writeReports } = await import("./reports/write.ts");
    checkCommand(program, { version, write: writeReports });
  },
  crosscheck: async () => (await import("./conformance/command.ts")).crosscheckCommand(program),
  diff: async () => {
    const { diffCommand } = await import("./conformance/diff/command.ts");
    const { writeDiffPage } = await import("./reports/write.ts");
    diffCommand(program, { writeHtml: writeDiffPage });
  },
  serve: async () => (await import("./reference/serve/cli/command.ts")).serveCommand(program),
  query: async () => (await import("./reference/serve/metrics/query-command.ts")).queryCommand(program),
  fuzz: async () => (await import("./fuzz/command.ts")).fuzzCommand(program),
  bench: async () => {
    const { benchCommand } = await import("./bench/command.ts");
    const { writeBenchPage } = await import("./reports/write.ts");
    benchCommand(program, { version, writeHtml: writeBenchPage });
  },
  vectors: async () => (await import("./vectors/command.ts")).vectorsCommand(program),
  report: async () => (await import("./reports/command.ts")).reportCommand(program),
  compare: async () => (await import("./reports/command.ts")).compareCommand(program),
  peers: async () => (await import("./conformance/peers/index.ts")).peersCommand(program),
};

const verb = process.argv[2] ?? "";
// Help, and what is wrong with a word that is no verb, speak of all of them.
for (const room of Object.hasOwn(ROOMS, verb) ? [ROOMS[verb]!] : Object.values(ROOMS)) await room();

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
