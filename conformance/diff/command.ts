import type { Command } from "commander";
import type { Registry } from "../harness/suite.ts";
import type { DiffResult } from "./result.ts";

export type DiffFlags = {
  readonly name?: string;
  readonly only?: string;
  readonly peers?: true;
  readonly all?: true;
  readonly json?: true;
  readonly html?: string;
};
/** The writer of the page, passed in by the command line. */
export type DiffWiring = { readonly writeHtml: (result: DiffResult, path: string) => Promise<void> };

/** `touchstone diff`: sends the same messages to several implementations, and shows where they understand them differently. */
export function diffCommand(command: Command, registry: Registry, wiring: DiffWiring): void {
  command
    .argument("<what>", "http: the same requests in every version of HTTP; or the messages of one suite: http1")
    .argument(
      "[targets...]",
      "addresses of servers; a path that echoes the content of a request shows most. With http also http1=URL, http2=URL and http3=URL for one version",
    )
    .option("--name <names>", "what the table calls them, separated by commas")
    .option("--peers", "also start and compare every server that is installed here, and our own")
    .option("--only <pattern>", "messages whose name contains this")
    .option("--all", "also show the messages that all understand alike")
    .option("--json", "print the result as JSON and nothing else")
    .option("--html <file>", "write the matrix as a page")
    .addHelpText(
      "after",
      `
Examples:
  touchstone diff http https://127.0.0.1:8443/echo
  touchstone diff http http1=http://127.0.0.1:8080/ http3=https://127.0.0.1:8443/ --only length
  touchstone diff http --peers --html diff.html
  touchstone diff http1 http://127.0.0.1:8080/echo http://127.0.0.1:9090/echo
  touchstone diff http1 http://127.0.0.1:8080/ --peers --only chunk

An address alone stands for every version in which the server answers there; HTTP/3 is asked for at the same port over UDP. A dot in the matrix:
that version has no words for the message.

Exit status: 0 compared (whether or not they differ), 2 the command was wrong, 3 a server could not be reached.`,
    )
    .action(async (suite: string, urls: readonly string[], flags: DiffFlags) => {
      const { compareServers } = await import("./run.ts");
      const { guarded } = await import("../cli/guarded.ts");
      process.exitCode = await guarded(() => compareServers(registry, { suite, urls, flags, wiring }));
    });
}
