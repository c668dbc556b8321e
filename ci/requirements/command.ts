import { stripVTControlCharacters } from "node:util";
import Table from "cli-table3";
import type { Command } from "commander";
import { requirementFiles } from "../../conformance/harness/coverage.ts";
import { allSuites, casesOfSuite } from "../../conformance/harness/registry.ts";
import type { Settings, Suite } from "../../conformance/harness/suite.ts";
import { SUITES } from "../../conformance/suites.ts";
import { countOf, drift, faults, levelsOf, mappedBy, type Row } from "./count.ts";
import { reasons, renewed, sentenceIndexes, unitsOf, writeIndex } from "./entries.ts";
import { countCases } from "./open.ts";

type Flags = { readonly texts?: string; readonly write?: true; readonly prose?: true };

/** `npm run requirements -- count`: whether every normative sentence of every text has a requirement or an excuse. */
export function declareRequirements(command: Command): Command {
  command.description("Counts the requirements against the normative keywords of the specifications.");
  command
    .command("count")
    .description(
      "print keywords by text (sections, where a text has none): mapped to a requirement, excused, missing; then the missing ones",
    )
    .option("--texts <folder>", "the texts of the specifications; also compares the index with them", process.env["TOUCHSTONE_TEXTS"])
    .option("--write", "renew the index from the texts; new sentences have no mapping yet")
    .option("--prose", "list the requirements that rest on a sentence without a keyword, with their level and basis")
    .addHelpText(
      "after",
      `
The texts are not part of the project. Without them the committed index is checked: every sentence of it is mapped or excused.
RFCs are plain text from https://www.rfc-editor.org/rfc/rfc9113.txt or https://httpwg.org/specs/rfc9113.html; TOUCHSTONE_TEXTS names the folder, too.
Each index names its files. Those in prometheus/, alertmanager/ and rpc/ are the Markdown pages of the documentation of Prometheus, of Alertmanager
and of gRPC, with its proposals.

Exit status: 0 nothing is missing, 1 something is, 2 the command was wrong.`,
    )
    .action((flags: Flags) => {
      process.exitCode = count(flags);
    });
  command
    .command("cases")
    .description("print requirements by document: with a case, excused from one with a reason, open")
    .option("--open", "list the open ones")
    .action(async ({ open }: { readonly open?: true }) => {
      await cases(open === true);
    });
  return command;
}

/** The settings that give all cases of a suite: none, and each value of a flag that selects other cases. */
const settingsOf = ({ flags = [] }: Suite): Settings[] => [
  {},
  ...flags.flatMap(({ name, otherCases = [] }) => otherCases.map((value) => ({ [name]: value }))),
];

async function cases(isListed: boolean): Promise<void> {
  const every = await Promise.all(
    (await allSuites(SUITES)).flatMap(([, suite]) => settingsOf(suite).map((settings) => casesOfSuite(suite, settings))),
  );
  const counts = countCases(requirementFiles(), new Set(every.flat().flatMap(({ covers }) => covers)));
  const table = new Table({
    head: ["document", "requirements", "with a case", "excused", "open"],
    colAligns: ["left", "right", "right", "right", "right"],
  });
  for (const { spec, all, withCase, excused, open } of counts) table.push([spec, all, withCase, excused, open.length]);
  console.log(plain(table));
  if (isListed)
    for (const { spec, open } of counts) for (const { id, level, text } of open) console.log(`${spec}#${id}: ${level}: ${text}`);
}

function count({ texts, write, prose }: Flags): number {
  if (write === true && texts === undefined) {
    console.error("requirements: --write needs --texts FOLDER.");
    return 2;
  }
  const levels = levelsOf(requirementFiles());
  const wrong: string[] = [];
  const rows: Row[] = [];
  const absent: string[] = [];
  const indexes = sentenceIndexes();
  const mapped = mappedBy(indexes);
  for (const given of indexes) {
    const found = texts === undefined ? undefined : unitsOf(given, texts);
    if (texts !== undefined && found === undefined) absent.push(given.spec);
    const index = write === true && found !== undefined ? renewed(given, found) : given;
    if (index !== given) writeIndex(index);
    rows.push(countOf(index, levels));
    wrong.push(...faults(index, levels, reasons(), mapped), ...(found === undefined ? [] : drift(index, found)));
  }
  console.log(tableOf(rows));
  if (prose === true) for (const line of restingOnProse()) console.log(line);
  for (const name of absent) console.log(`${name}: its text is not in ${texts ?? ""}; only the index was checked.`);
  for (const line of wrong) console.log(line);
  return wrong.length > 0 ? 1 : 0;
}

/** The requirements that no sentence with a keyword states, with their level and what that rests on. */
function restingOnProse(): string[] {
  const prose = new Set(sentenceIndexes().flatMap((index) => index.prose.map((id) => `${index.spec}#${id}`)));
  return requirementFiles().flatMap(({ spec, requirements }) =>
    requirements
      .filter(({ id }) => prose.has(`${spec}#${id}`))
      .map(({ id, level, basis }) => `${spec}#${id}: ${level}, ${basis ?? "no basis stated"}`),
  );
}

function tableOf(rows: readonly Row[]): string {
  const table = new Table({
    head: ["text", "sentences", "keywords", "mapped", "excused", "missing"],
    colAligns: ["left", "right", "right", "right", "right", "right"],
  });
  const cells = ({ spec, sections, sentences, keywords, mapped, excused, missing }: Omit<Row, "missingAt">): (string | number)[] => [
    sections === undefined ? spec : `${spec}, ${sections} ${sections === 1 ? "section" : "sections"}`,
    sentences,
    keywords,
    mapped,
    excused,
    missing,
  ];
  const sum = (key: "sentences" | "keywords" | "mapped" | "excused" | "missing"): number =>
    rows.reduce((total, row) => total + row[key], 0);
  for (const row of rows) table.push(cells(row));
  table.push(
    cells({
      spec: "all",
      sentences: sum("sentences"),
      keywords: sum("keywords"),
      mapped: sum("mapped"),
      excused: sum("excused"),
      missing: sum("missing"),
    }),
  );
  return plain(table);
}

/** With colours only on a terminal. */
const plain = (table: Table.Table): string => (process.stdout.isTTY ? table.toString() : stripVTControlCharacters(table.toString()));
