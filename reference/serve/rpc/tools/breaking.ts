import { type Command, Option } from "commander";
import { dirname } from "node:path";
import { Misuse } from "../../../core/index.ts";
import { type Breakage, breakages, BREAKING_RULES, type Strength, STRENGTHS } from "../../../rpc/contract/index.ts";
import { each, findingText } from "./findings.ts";
import { type Opened, readFiles } from "./open-contract.ts";
import { DISK, revision } from "./origin.ts";

type BreakingOptions = {
  readonly against?: string;
  readonly strength: Strength;
  readonly except?: readonly string[];
  readonly protoPath?: string[];
  readonly oldProtoPath?: string[];
  readonly json?: true;
};

/** Declares `touchstone rpc breaking`. */
export function breakingCommand(command: Command): void {
  command
    .argument("<old>", "the old .proto file, or a folder of them; with --against, the new one")
    .argument("[new]", "the new .proto file, or a folder of them")
    .option("--against <revision>", "compare with the same path in a branch, a tag or a commit of git")
    .addOption(
      new Option(
        "--strength <strength>",
        "whom the change must not break: code generated for a file or for a package, JSON, binary messages",
      )
        .choices(STRENGTHS)
        .default("file"),
    )
    .option("--except <rule>", "not this rule; may be given several times", each)
    .option("-I, --proto-path <folder>", "where imports are looked for; may be given several times", each)
    .option("--old-proto-path <folder>", "the same for the old version (default: as --proto-path)", each)
    .option("--json", "print only the findings, as JSON")
    .addHelpText(
      "after",
      `
Examples:
  touchstone rpc breaking old/shop.proto new/shop.proto
  touchstone rpc breaking release-1/proto release-2/proto --strength wire-json
  touchstone rpc breaking proto --against main

Exit status: 0 nothing breaks, 1 something does, 2 a contract has errors or the command was wrong.`,
    )
    .action((first: string, second: string | undefined, options: BreakingOptions) => {
      const versions = open(first, second, options);
      if (versions === undefined) return void (process.exitCode = 2);
      const all = compare(versions).filter(({ rule }) => options.except?.includes(rule) !== true);
      report(all, options);
      process.exitCode = all.some(({ strengths }) => strengths.includes(options.strength)) ? 1 : 0;
    });
}

type Versions = { readonly old: Opened; readonly now: Opened; readonly areFolders: boolean };
/** The two versions; undefined if one has errors, which are printed. */
function open(first: string, second: string | undefined, options: BreakingOptions): Versions | undefined {
  const { against, protoPath, oldProtoPath = protoPath, except = [] } = options;
  const unknown = except.find((rule) => !BREAKING_RULES.some(({ name }) => name === rule));
  if (unknown !== undefined) throw new Misuse(`There is no rule ${unknown}.`);
  if ((second === undefined) === (against === undefined))
    throw new Misuse("Give an old and a new version, or one path and the revision to compare it with (--against).");
  const [oldPath, newPath] = [first, second ?? first];
  const origin = against === undefined ? DISK : revision(against);
  const [oldFiles, newFiles] = [origin.list(oldPath), DISK.list(newPath)];
  if ((oldFiles === undefined) !== (newFiles === undefined)) throw new Misuse("Compare two files or two folders, not one with the other.");
  // A file alone is looked for, and looks for its imports, in its own folder.
  const folders = (given: string[] | undefined, path: string, isFolder: boolean): { protoPath?: string[] } =>
    given === undefined ? (isFolder ? {} : { protoPath: [dirname(path), "."] }) : { protoPath: given };
  const old = readFiles([oldPath], folders(oldProtoPath, oldPath, oldFiles !== undefined), origin);
  const now = readFiles([newPath], folders(protoPath, newPath, newFiles !== undefined));
  return old === undefined || now === undefined ? undefined : { old, now, areFolders: newFiles !== undefined };
}

function compare({ old, now, areFolders }: Versions): readonly Breakage[] {
  // Two files are one under two names; files of folders are paired by path.
  const renamed = areFolders ? undefined : now.paths[0];
  const found = breakages(old.contract, now.contract, (path) => (path === old.paths[0] ? (renamed ?? path) : path));
  return found.map((one) => (one.of === "old" ? old.shown(one) : now.shown(one)));
}

function report(all: readonly Breakage[], { strength, json }: BreakingOptions): void {
  const findings = all.filter(({ strengths }) => strengths.includes(strength));
  const counts = STRENGTHS.map((each) => [each, all.filter(({ strengths }) => strengths.includes(each)).length] as const);
  if (json === true) return console.log(JSON.stringify({ strength, findings, counts: Object.fromEntries(counts) }, undefined, 2));
  for (const finding of findings) console.log(`${findingText(finding)}${finding.of === "old" ? " (old version)" : ""}`);
  console.log(
    `${findings.length === 0 ? "nothing breaks" : "it breaks"}; rules broken by strength: ${counts.map(([each, count]) => `${each} ${count}`).join(", ")}.`,
  );
}
