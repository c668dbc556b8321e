/**
 * `node vectors/rpc/buf.ts [FILE…]` asks `buf` about every pair of contracts and prints where its answer is not the recorded one; exit status 1
 * if there is any. `ci/peers.sh` installs it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { PAIRS } from "./make.ts";
import type { Breaks, BreakingDraft, BreakingSource, Files } from "./source/breaking/craft.ts";
import { breaksOf, isRule } from "./source/breaking/craft.ts";

const PLACES = ["buf", join(tmpdir(), `touchstone-peers-${userInfo().uid}`, "buf/node_modules/.bin/buf")];
/** The command of `buf`, or undefined where it is not installed. */
export const bufCommand = (): string | undefined =>
  PLACES.find((place) => spawnSync(place, ["--version"], { stdio: "ignore" }).status === 0);

/** Every rule at once: which strengths a rule belongs to is part of the vectors. */
const CONFIG = JSON.stringify({ version: "v2", breaking: { use: ["FILE", "PACKAGE", "WIRE_JSON", "WIRE"] } });

/** The rules that `buf` finds broken between two contracts. */
export function bufBreaks(buf: string, pair: BreakingDraft): Breaks {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-buf-"));
  try {
    write(join(folder, "old"), pair.old);
    write(join(folder, "new"), pair.new);
    const run = spawnSync(buf, ["breaking", ".", "--against", "../old", "--error-format", "json", "--config", CONFIG], {
      cwd: join(folder, "new"),
      encoding: "utf8",
    });
    const rules = run.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => String((JSON.parse(line) as { type?: unknown }).type));
    const odd = rules.filter((rule) => !isRule(rule));
    // Status 100 says that it has found something.
    if ((run.status !== 0 && run.status !== 100) || odd.length > 0)
      throw new Error(`buf cannot compare ${pair.name}: ${[...odd, run.stderr, run.error?.message ?? ""].join(" ")}`);
    return breaksOf([...new Set(rules.filter(isRule))]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What the vectors say about `buf`. */
export const recorded = (pair: BreakingDraft): Breaks => pair.peer?.breaks ?? pair.breaks;

function main(names: readonly string[]): void {
  const buf = bufCommand();
  if (buf === undefined) return console.log("buf is not installed: ci/peers.sh installs it.");
  const all: [string, BreakingSource][] = Object.entries(PAIRS);
  let asked = 0;
  let differing = 0;
  for (const [name, { vectors }] of all.filter(([name]) => names.length === 0 || names.includes(name)))
    for (const pair of vectors) {
      const [theirs, due] = [JSON.stringify(bufBreaks(buf, pair)), JSON.stringify(recorded(pair))];
      asked += 1;
      if (theirs === due) continue;
      differing += 1;
      console.log(`${name}/${pair.name}: buf says ${theirs}, the vector says ${due}`);
    }
  console.log(`${asked} pairs, ${differing} with another answer than recorded.`);
  process.exitCode = differing === 0 ? 0 : 1;
}

if (import.meta.main) main(process.argv.slice(2));
