/**
 * `node vectors/rpc/buf.ts [FILE…]` asks `buf` about every pair of contracts and about the style of contracts, and prints where its answer is not
 * the recorded one; exit status 1 if there is any. `ci/peers.sh` installs it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { PAIRS, STYLES } from "./make.ts";
import { type Breaks, type BreakingDraft, breaksOf, type BreakingSource, type Files, isRule } from "./source/breaking/craft.ts";
import type { Group, LintDraft, LintSource } from "./source/lint/craft.ts";

const PLACES = ["buf", join(tmpdir(), `touchstone-peers-${userInfo().uid}`, "buf/node_modules/.bin/buf")];
/** The command of `buf`, or undefined where it is not installed. */
export const bufCommand = (): string | undefined =>
  PLACES.find((place) => spawnSync(place, ["--version"], { stdio: "ignore" }).status === 0);

/** Every rule at once: which strengths a rule belongs to is part of the vectors. */
const STRENGTHS = { version: "v2", breaking: { use: ["FILE", "PACKAGE", "WIRE_JSON", "WIRE"] } };
const GROUPS: Readonly<Record<Group, string>> = {
  standard: "STANDARD",
  comments: "COMMENTS",
  unary: "UNARY_RPC",
  stable: "STABLE_PACKAGE_NO_IMPORT_UNSTABLE",
};

/** The rules that `buf` finds broken between two contracts. */
export function bufBreaks(buf: string, { name, old, new: now }: BreakingDraft): Breaks {
  const found = ask(buf, name, { args: ["breaking", ".", "--against", "../old"], folders: { old, new: now }, config: STRENGTHS });
  const odd = found.find(({ type }) => !isRule(type));
  if (odd !== undefined) throw new Error(`buf has a rule that is new to us: ${odd.type}`);
  return breaksOf([...new Set(found.map(({ type }) => type).filter(isRule))]);
}

/** The files and rules that `buf` reports about the style of a contract, sorted. */
export function bufLints(buf: string, { name, files, groups }: LintDraft): readonly string[] {
  const translated = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, text.replaceAll("touchstone-lint-ignore", "buf:lint:ignore")]),
  );
  const config = { version: "v2", lint: { use: groups.map((group) => GROUPS[group]) } };
  const found = ask(buf, name, { args: ["lint", "."], folders: { new: translated }, config });
  return found.map(({ path, type }) => `${path} ${type}`).sort();
}

type Asked = { readonly args: readonly string[]; readonly folders: Readonly<Record<string, Files>>; readonly config: object };
function ask(buf: string, name: string, { args, folders, config }: Asked): { readonly path: string; readonly type: string }[] {
  const base = mkdtempSync(join(tmpdir(), "touchstone-buf-"));
  try {
    for (const [folder, files] of Object.entries(folders)) write(join(base, folder), files);
    const options = ["--error-format", "json", "--config", JSON.stringify(config)];
    const run = spawnSync(buf, [...args, ...options], { cwd: join(base, "new"), encoding: "utf8" });
    // Status 100 says that it has found something.
    if (run.status !== 0 && run.status !== 100) throw new Error(`buf cannot read ${name}: ${run.stdout}${run.stderr}`);
    return run.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { path: string; type: string });
  } finally {
    rmSync(base, { recursive: true });
  }
}

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What the vectors say about `buf`. */
export const recordedBreaks = (pair: BreakingDraft): Breaks => pair.peer?.breaks ?? pair.breaks;
export const recordedLints = ({ peer, findings }: LintDraft): readonly string[] =>
  (peer?.rules ?? findings.map((finding) => finding.replace(/:\d+:\d+ /, " "))).toSorted();

function main(names: readonly string[]): void {
  const buf = bufCommand();
  if (buf === undefined) return console.log("buf is not installed: ci/peers.sh installs it.");
  const pairs: [string, BreakingSource][] = Object.entries(PAIRS);
  const styles: [string, LintSource][] = Object.entries(STYLES);
  const questions = [
    ...pairs.flatMap(([file, { vectors }]) =>
      vectors.map((pair) => ({ file, name: pair.name, theirs: () => bufBreaks(buf, pair), due: recordedBreaks(pair) })),
    ),
    ...styles.flatMap(([file, { vectors }]) =>
      vectors.map((style) => ({ file, name: style.name, theirs: () => bufLints(buf, style), due: recordedLints(style) })),
    ),
  ].filter(({ file }) => names.length === 0 || names.includes(file));
  let differing = 0;
  for (const { file, name, theirs, due } of questions) {
    const [answer, expected] = [JSON.stringify(theirs()), JSON.stringify(due)];
    if (answer === expected) continue;
    differing += 1;
    console.log(`${file}/${name}: buf says ${answer}, the vector says ${expected}`);
  }
  console.log(`${questions.length} contracts, ${differing} with another answer than recorded.`);
  process.exitCode = differing === 0 ? 0 : 1;
}

if (import.meta.main) main(process.argv.slice(2));
