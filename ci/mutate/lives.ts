import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { covers, type Region } from "./cover.ts";
import { orderFor } from "./hooked.ts";
import type { LivesAsked, LivesSaid } from "./lives-ipc.ts";
import type { Mutant } from "./mutants.ts";

/** The lives of the original. */
export type OriginalLives = {
  /** The file of a `LivesModule`. */
  readonly module: string;
  readonly count: number;
  /** A file with the hash of each life. */
  readonly hashes: string;
  readonly ms: number;
  /** The code that the lives execute or do not execute, by file. */
  readonly regions: Readonly<Record<string, readonly Region[]>>;
};

/** What the lives of a mutant show. `witness`: the first life that differs, and its first line that does. */
export type Lived = { readonly count: number; readonly witness?: Witness };
export type Witness = { readonly seed: number; readonly original: string; readonly mutant: string };

/** How long all lives of a mutant may take: this multiple of those of the original, plus this constant. */
const TIME_FACTOR = 10;
const TIME_MORE_MS = 20_000;
/** How long a single life of a mutant may take: those of the original take milliseconds. */
const SILENT_MS = 20_000;

/** Performs the lives of the original. Throws if one of them fails. */
export async function originalLives(root: string, module: string, count: number): Promise<OriginalLives> {
  const hashes = join(mkdtempSync(join(tmpdir(), "touchstone-lives-")), "hashes.json");
  const said = await ask(root, undefined, { is: "record", root, module: join(root, module), count, hashes });
  if (said.is !== "recorded") throw new Error(`${module}: ${saidOf(said)}`);
  const { ms, regions } = said;
  return { module, count, hashes, ms, regions };
}

/** Performs the lives of a mutant. Undefined if they do not execute the mutated code. */
export async function lives(root: string, mutant: Mutant, original: OriginalLives): Promise<Lived | undefined> {
  if (!covers(original.regions[mutant.file] ?? [], mutant.edit.start)) return undefined;
  const { count, hashes } = original;
  const module = join(root, original.module);
  const said = await ask(root, mutant, { is: "compare", module, count, hashes }, TIME_FACTOR * original.ms + TIME_MORE_MS);
  if (said.is === "alike") return { count };
  if (said.is !== "differs") return { count, witness: { seed: -1, original: "", mutant: saidOf(said) } };
  const told = await ask(root, undefined, { is: "tell", module, seed: said.seed, hashes });
  if (told.is !== "told") throw new Error(`${original.module}: the life of seed ${said.seed}: ${saidOf(told)}`);
  return { count, witness: { seed: said.seed, ...firstDifference(told.text, said.text) } };
}

/** The first line that differs. */
function firstDifference(original: string, mutant: string): Omit<Witness, "seed"> {
  const [ours, theirs] = [original.split("\n"), mutant.split("\n")];
  const at = ours.findIndex((line, index) => line !== theirs[index]);
  const line = at < 0 ? ours.length : at;
  return { original: ours[line] ?? "(the end)", mutant: theirs[line] ?? "(the end)" };
}

const saidOf = (said: LivesSaid): string => (said.is === "failed" ? said.why : said.is);

function ask(root: string, mutant: Mutant | undefined, asked: LivesAsked, limitMs?: number): Promise<LivesSaid> {
  const order = mutant === undefined ? undefined : orderFor(mutant, root);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--no-warnings", join(import.meta.dirname, "lives-child.ts"), JSON.stringify(asked)], {
      cwd: root,
      env: { ...process.env, ...order?.environment },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let said: LivesSaid | undefined;
    let errors = "";
    let isLate = false;
    const late = (): void => {
      isLate = true;
      child.kill("SIGKILL");
    };
    const timers = limitMs === undefined ? [] : [setTimeout(late, limitMs), setTimeout(late, SILENT_MS)];
    child.stderr?.on("data", (part: Buffer) => (errors = (errors + part.toString("utf8")).slice(-2_000)));
    child.on("message", (message: LivesSaid) => {
      timers[1]?.refresh();
      if (message.is !== "at") said = message;
    });
    child.once("error", (error) => (errors = error.message));
    child.once("close", () => {
      for (const timer of timers) clearTimeout(timer);
      order?.remove();
      resolve(
        said ?? { is: "failed", why: isLate ? "the lives do not end" : (errors.match(/^\w*Error\b.*/m)?.[0] ?? "the process ended") },
      );
    });
  });
}
