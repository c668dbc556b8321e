import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { stringify } from "yaml";
import { WrongUse } from "../harness/driver.ts";
import { oneOf } from "../harness/registry.ts";
import { NAMES } from "./config-file.ts";
import { guarded } from "./guarded.ts";

type Answers = {
  readonly format?: string;
  readonly name?: string;
  readonly suite?: string;
  readonly url?: string;
  readonly start?: string;
  readonly baseline?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly force?: true;
};
const FORMATS = ["ts", "json", "yaml"] as const;

/** What is asked, in order, with the answer to an empty line; undefined: the setting is left out. */
const QUESTIONS: readonly { readonly key: keyof Answers; readonly words: string; readonly usual: string | undefined }[] = [
  { key: "format", words: `Which form: ${oneOf(FORMATS)}?`, usual: "ts" },
  { key: "name", words: "What is the server called in reports?", usual: "server" },
  { key: "suite", words: "Which suites judge it? Separate several by commas.", usual: "http1" },
  { key: "url", words: "Where does it listen?", usual: "http://127.0.0.1:8080/" },
  { key: "start", words: "Which command starts it? Empty: it runs already.", usual: undefined },
  { key: "baseline", words: "A file of known failures? Empty: none.", usual: undefined },
  { key: "junit", words: "A file for JUnit XML? Empty: none.", usual: undefined },
  { key: "html", words: "A file for the report page? Empty: none.", usual: undefined },
];

/** `touchstone init`: writes a configuration file, by asking on a terminal. */
export function initCommand(command: Command, suites: readonly string[]): void {
  command
    .option("--format <form>", "ts, json or yaml (ts)")
    .option("--name <name>", "what reports call the server (server)")
    .option("--suite <names>", "the suites that judge it, separated by commas (http1)")
    .option("--url <url>", "its address (http://127.0.0.1:8080/)")
    .option("--start <command>", "the command that starts it")
    .option("--baseline <file>", "a file of known failures")
    .option("--junit <file>", "a file for JUnit XML")
    .option("--html <file>", "a file for the report page")
    .option("--force", "replace a configuration that is there")
    .addHelpText(
      "after",
      `
On a terminal it asks for what no flag says. Elsewhere the values in parentheses are taken.

Examples:
  touchstone init
  touchstone init --suite http1,http2 --url https://127.0.0.1:8443/ --start ./my-server --junit junit.xml
  touchstone init --format yaml --url http://127.0.0.1:8080/

Exit status: 0 written, 2 there is a configuration already, or an answer was wrong.`,
    )
    .action(async (flags: Answers) => {
      process.exitCode = await guarded(() => init(flags, suites));
    });
}

async function init(flags: Answers, suites: readonly string[]): Promise<number> {
  const there = NAMES.find((name) => existsSync(name));
  if (there !== undefined && flags.force !== true)
    throw new WrongUse(`There is a ${there} already: change it, or replace it with --force.`);
  const answers = process.stdin.isTTY && process.stdout.isTTY ? await asked(flags) : usual(flags);
  const format = FORMATS.find((one) => one === answers.format);
  if (format === undefined) throw new WrongUse(`--format ${answers.format}: write ${oneOf(FORMATS)}.`);
  const names = (answers.suite ?? "").split(",").map((name) => name.trim());
  const unknown = names.find((name) => !suites.includes(name));
  if (unknown !== undefined) throw new WrongUse(`There is no suite "${unknown}": write ${oneOf(suites)}.`);
  const file = `touchstone.config.${format}`;
  writeFileSync(file, textOf(format, configOf(answers, names)));
  console.error(`touchstone: wrote ${file}. Run it with touchstone check.`);
  return 0;
}

const usual = (flags: Answers): Answers => ({ ...Object.fromEntries(QUESTIONS.map(({ key, usual: value }) => [key, value])), ...flags });

/** Asks for what no flag says. Lines may be typed ahead, or pasted. */
async function asked(flags: Answers): Promise<Answers> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const lines = terminal[Symbol.asyncIterator]();
  const answers: Record<string, string | true | undefined> = { ...flags };
  try {
    for (const { key, words, usual: value } of QUESTIONS) {
      if (answers[key] !== undefined) continue;
      process.stdout.write(`${words}${value === undefined ? "" : ` (${value})`} `);
      const line = await lines.next();
      if (line.done === true) throw new WrongUse("The questions were not answered to the end: nothing is written.");
      answers[key] = line.value.trim() === "" ? value : line.value.trim();
    }
  } finally {
    terminal.close();
  }
  return answers as Answers;
}

function configOf({ name = "server", url, start, baseline, junit, html }: Answers, suites: readonly string[]): object {
  const subject = { suite: suites.length === 1 ? suites[0] : suites, url, start, baseline };
  const reports = { junit, html };
  const isEmpty = Object.values(reports).every((value) => value === undefined);
  return { subjects: { [name]: subject }, ...(isEmpty ? {} : { reports }) };
}

/** Where the schema is, as seen from the folder of a configuration. */
const SCHEMA = "./node_modules/touchstone/dist/conformance/cli/config.schema.json";

function textOf(format: (typeof FORMATS)[number], config: object): string {
  // JSON leaves out what is undefined.
  const plain = JSON.parse(JSON.stringify(config)) as object;
  if (format === "yaml") return `# yaml-language-server: $schema=${SCHEMA}\n${stringify(plain)}`;
  if (format === "json") return `${JSON.stringify({ $schema: SCHEMA, ...plain }, null, 2)}\n`;
  return `import { defineConfig } from "@touchstone-suite/touchstone/config";\n\nexport default defineConfig(${JSON.stringify(plain, null, 2)});\n`;
}
