import { type Command, Option } from "commander";
import { Misuse } from "../../../core/index.ts";
import { LINT_GROUPS, LINT_RULES, lintContract, type LintGroup, type LintRule, type Problem } from "../../../rpc/contract/index.ts";
import { type ContractOptions, contractOptions, readFiles } from "./open-contract.ts";
import { counted, each, findingText } from "./findings.ts";

type LintOptions = ContractOptions & {
  readonly also?: readonly LintGroup[];
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly rules?: true;
  readonly json?: true;
};

/** Declares `touchstone rpc lint`. */
export function lintCommand(command: Command): void {
  contractOptions(command, "[file...]")
    .addOption(
      new Option("--also <group>", "rules that only some projects want; may be given several times")
        .choices(LINT_GROUPS.filter((group) => group !== "standard"))
        .argParser(each),
    )
    .option("--only <rule>", "only this rule; may be given several times", each)
    .option("--except <rule>", "not this rule; may be given several times", each)
    .option("--rules", "list the rules with their groups, and exit")
    .option("--json", "print only the findings, as JSON")
    .addHelpText(
      "after",
      `
A comment switches rules off for its element and all elements inside of it:

  // touchstone-lint-ignore MESSAGE_PASCAL_CASE, FIELD_LOWER_SNAKE_CASE: an old name

On the syntax or the package it is about the whole file.

Exit status: 0 nothing found, 1 something found, 2 the contract has errors or the command was wrong.`,
    )
    .action((files: string[], options: LintOptions) => {
      if (options.rules === true) return LINT_RULES.forEach(({ name, group }) => console.log(`${name.padEnd(34)}${group}`));
      if (files.length === 0) throw new Misuse("Give at least one .proto file, or a folder of them.");
      const rules = chosen(options);
      const opened = readFiles(files, options);
      if (opened === undefined) return void (process.exitCode = 2);
      const findings = lintContract(opened.contract, rules).map(opened.shown);
      report(findings, opened.contract.roots.length, options.json === true);
      process.exitCode = findings.length === 0 ? 0 : 1;
    });
}

function report(findings: readonly Problem[], files: number, isJson: boolean): void {
  if (isJson) return console.log(JSON.stringify({ findings }, undefined, 2));
  for (const finding of findings) console.log(findingText(finding));
  console.log(`${findings.length === 0 ? "nothing found" : counted(findings.length, "finding")} in ${counted(files, "file")}.`);
}

/** The rules that the options choose. */
function chosen({ also = [], only = [], except = [] }: LintOptions): readonly LintRule[] {
  const unknown = [...only, ...except].find((rule) => !LINT_RULES.some(({ name }) => name === rule));
  if (unknown !== undefined) throw new Misuse(`There is no rule ${unknown}: --rules lists them.`);
  const groups: readonly LintGroup[] = ["standard", ...also];
  return LINT_RULES.filter(
    ({ name, group }) => (only.length === 0 ? groups.includes(group) : only.includes(name)) && !except.includes(name),
  );
}
