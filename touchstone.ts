#!/usr/bin/env node
import { Command, CommanderError, Help } from "commander";
import { version } from "./version.ts";

/** The command line: names the verbs, and hands each to its room. */
const program = new Command("touchstone")
  .description("Find out whether network software speaks its protocol.")
  .version(version)
  .showHelpAfterError("Run it with --help to see the commands.")
  .showSuggestionAfterError()
  .exitOverride()
  .configureHelp({
    // An empty list is what a repeatable option without a value is; as a default it would say nothing.
    optionDescription: (option) =>
      Array.isArray(option.defaultValue) && option.defaultValue.length === 0
        ? option.description
        : Help.prototype.optionDescription.call(new Help(), option),
  })
  .addHelpText(
    "after",
    `
Examples:
  touchstone check http2 http://127.0.0.1:8080                       judge a server
  touchstone check http2 --client 'curl -s --http2-prior-knowledge {url}'   judge a client
  touchstone serve http2 --port 8080                                 a peer that behaves, or misbehaves on request
  touchstone fuzz http2 http://127.0.0.1:8080 --seed 7               look for what a server gets wrong
  touchstone bench http2 http://127.0.0.1:8080 --against http://127.0.0.1:9090

touchstone VERB --help shows the options of one.

Exit status: 0 all passed, 1 something failed, 2 the command was wrong, 3 the subject could not be reached.`,
  );

type Verb = { readonly about: string; readonly declare: (command: Command) => Promise<void> };

/**
 * The verbs, in the order of the help. A room is loaded only to declare its own verb, and its code only when the verb runs: unused code would
 * delay the start and be scanned by every garbage collection.
 */
const VERBS: Readonly<Record<string, Verb>> = {
  check: {
    about: "judge a server, a client, a proxy or a codec: a verdict for every requirement, with its evidence",
    declare: async (command) => {
      const { checkCommand } = await import("./conformance/cli/check.ts");
      const { SUITES } = await import("./conformance/suites.ts");
      await checkCommand(command, SUITES, {
        write: async (...report) => (await import("./reports/write.ts")).writeReports(...report),
        text: async (results, options) => (await import("./reports/terminal.ts")).toText(results, options),
      });
    },
  },
  init: {
    about: "write a configuration file for check, by asking",
    declare: async (command) => (await import("./conformance/cli/init.ts")).initCommand(command, await suiteNames()),
  },
  merge: {
    about: "join the results of the shards of a run, with reports and exit status; and corpora of fuzz",
    declare: async (command) => {
      const { mergeCommand } = await import("./conformance/cli/merge-command.ts");
      mergeCommand(command, {
        read: async (path) => (await import("./reports/validate.ts")).readResults(path),
        write: async (...report) => (await import("./reports/write.ts")).writeReports(...report),
        text: async (results, options) => (await import("./reports/terminal.ts")).toText(results, options),
        corpora: async (folders, into) => {
          const { joinCorpora, joinedText } = await import("./fuzz/lib/corpora.ts");
          return joinedText(joinCorpora(folders, into));
        },
      });
    },
  },
  campaign: {
    about: "run a plan of checks, fuzzing and mutants on many machines, through a queue in Redis",
    declare: async (command) => {
      const { campaignCommand } = await import("./campaign/command.ts");
      campaignCommand(command, {
        text: async (results, options) => (await import("./reports/terminal.ts")).toText(results, options),
      });
    },
  },
  crosscheck: {
    about: "run another suite and ours on the same server, and list where the verdicts differ, with our evidence",
    declare: async (command) => {
      const { crosscheckCommand } = await import("./conformance/crosscheck/command.ts");
      const { SUITES } = await import("./conformance/suites.ts");
      crosscheckCommand(command, SUITES);
    },
  },
  diff: {
    about: "send the same messages to several servers, and show where they understand them differently",
    declare: async (command) => {
      const { diffCommand } = await import("./conformance/diff/command.ts");
      const { SUITES } = await import("./conformance/suites.ts");
      diffCommand(command, SUITES, { writeHtml: async (...page) => (await import("./reports/write.ts")).writeDiffPage(...page) });
    },
  },
  serve: {
    about: "run a peer to test clients against; it can misbehave on request",
    declare: async (command) => (await import("./reference/serve/cli/command.ts")).serveCommand(command),
  },
  query: {
    about: "query a metrics server: prints a table, or a line of bars for each series",
    declare: async (command) => (await import("./reference/serve/metrics/query-command.ts")).queryCommand(command),
  },
  rpc: {
    about: "generate code from contracts, check and show them, and call services",
    declare: async (command) => (await import("./reference/serve/rpc/tools/command.ts")).rpcCommand(command),
  },
  metrics: {
    about: "check the files of a metrics server",
    declare: async (command) => (await import("./reference/serve/metrics/tools-command.ts")).metricsToolsCommand(command),
  },
  fuzz: {
    about: "search for inputs that break a rule; every failure prints the line that reproduces it",
    declare: async (command) => {
      const { fuzzCommand } = await import("./fuzz/command.ts");
      const { FUZZERS } = await import("./fuzz/suites.ts");
      fuzzCommand(command, FUZZERS, await suiteNames());
    },
  },
  bench: {
    about: "measure speed and memory, ours and a peer in one run, as ratios",
    declare: async (command) => {
      const { benchCommand } = await import("./bench/command.ts");
      const { BENCHES } = await import("./bench/suites.ts");
      const writeHtml: Parameters<typeof benchCommand>[1]["writeHtml"] = async (...page) =>
        (await import("./reports/write.ts")).writeBenchPage(...page);
      await benchCommand(command, { version, benches: BENCHES, suites: await suiteNames(), writeHtml });
    },
  },
  vectors: {
    about: "list the vectors, check their files, or run them on a codec",
    declare: async (command) => (await import("./vectors/command.ts")).vectorsCommand(command, await suiteNames()),
  },
  report: {
    about: "write reports from saved results; without options, print the failures and the counts",
    declare: async (command) => (await import("./reports/command.ts")).reportCommand(command),
  },
  compare: {
    about: "compare the results of several implementations; the cases on which they differ come first",
    declare: async (command) => (await import("./reports/command.ts")).compareCommand(command),
  },
  peers: {
    about: "list the third-party implementations that this project can start, and which are installed",
    declare: async (command) => (await import("./conformance/peers/command.ts")).peersCommand(command, await suiteNames()),
  },
};

/** The suites by name: rooms that may not import conformance are given them. */
const suiteNames = async (): Promise<readonly string[]> => (await import("./conformance/suites.ts")).suiteNames;

const asked = process.argv[2];
for (const [name, { about, declare }] of Object.entries(VERBS)) {
  const command = program.command(name).description(about);
  if (name === asked) await declare(command);
}

// A reader that closes the pipe early (head, less) has seen enough; a check still has to find its exit status.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" && asked === "check") return;
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  console.error(
    `touchstone: standard output cannot be written: ${error.code === "ENOSPC" ? "no space is left on the device" : error.message}.`,
  );
  process.exit(2);
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Help and version succeed; anything else that commander rejects is a wrong command, which it has reported.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    console.error(`touchstone: ${error instanceof Error ? error.message : String(error)}`);
    if (process.env["TOUCHSTONE_DEBUG"] !== undefined) console.error(error);
    process.exitCode = 2;
  }
}
