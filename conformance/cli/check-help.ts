import { type Command, Help } from "commander";
import type { Suite } from "../harness/suite.ts";

type Named = readonly (readonly [name: string, suite: Suite])[];

const STARTING = [
  ["http2 http://127.0.0.1:8080/", "a server"],
  ["http2 --client 'curl -s --http2-prior-knowledge {url}'", "a client"],
  ["http1 --proxy './my-proxy {port} {origin}'", "a reverse proxy"],
  ["hpack --codec './my-codec'", "a codec"],
] as const;
const GENERAL = [
  ["SUITE URL --only 6.9 --trace", "one section, with every octet"],
  ["SUITE URL --baseline known.json", "red only if something changed"],
  ["SUITE URL --same-as release.json", "red for any other behaviour"],
] as const;
const WIDE = 74;

/** The suite that the command line names: its help shows the options and examples of no other. */
const suiteIn = ({ args }: Command, suites: Named): Named => suites.filter(([name]) => args.includes(name));

/** Hides the flags of all suites but the named one: without a name, of all. */
export function onlyNamed(suites: Named): Partial<Help> {
  return {
    visibleOptions: (command) => {
      const shown = suiteIn(command, suites).flatMap(([, { flags = [] }]) => flags.map(({ name }) => name));
      const hidden = suites.flatMap(([, { flags = [] }]) => flags.map(({ name }) => name)).filter((name) => !shown.includes(name));
      return new Help().visibleOptions(command).filter(({ long }) => long === undefined || !hidden.includes(long.slice(2)));
    },
  };
}

/** What follows the options: the suites, examples and the exit status. */
export function textAfter(command: Command, suites: Named): string {
  const named = suiteIn(command, suites);
  const width = Math.max(...suites.map(([name]) => name.length)) + 2;
  const lines =
    named.length === 0
      ? [...STARTING, ...GENERAL]
      : named.flatMap(([name, { examples = [] }]) => [
          ...examples,
          ...GENERAL.map(([words, about]) => [words.replace("SUITE", name), about] as const),
        ]);
  return `
Suites:
${(named.length === 0 ? suites : named).map(([name, { about }]) => `  ${name.padEnd(width)}${about}`).join("\n")}

Examples:
${examplesOf(lines)}

${named.length === 0 ? "touchstone check SUITE --help also shows the options and examples of one suite.\n\n" : ""}\
Exit status: 0 nothing failed (warnings and unproved cases are allowed without --strict), 1 something failed, 2 the command was wrong,
3 the subject could not be reached or judged.`;
}

/** Formats commands with their descriptions beside them, or below long ones. */
const examplesOf = (lines: readonly (readonly [string, string?])[]): string =>
  lines
    .map(([words, about]) => {
      const command = `  touchstone check ${words}`;
      if (about === undefined) return command;
      return command.length < WIDE ? `${command.padEnd(WIDE)}${about}` : `${command}\n${"".padEnd(WIDE)}${about}`;
    })
    .join("\n");
