import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Mutant } from "./mutants.ts";
import type { Outcome } from "./outcome.ts";
import { filesOf } from "./target-mutants.ts";
import type { Target } from "./targets.ts";

const hash = (...parts: readonly (string | Buffer)[]): string => {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest("hex").slice(0, 16);
};

/** A hash of everything in the checkout, including uncommitted changes. */
export function treeOf(root: string): string {
  const git = (...args: readonly string[]): Buffer => execFileSync("git", args, { cwd: root, maxBuffer: 1 << 28 });
  return hash(git("rev-parse", "HEAD^{tree}"), git("diff", "HEAD"));
}

type Line = { readonly tree: string; readonly outcome: Outcome };
type Hints = Record<string, Record<string, number>>;

/** The results of earlier runs, in files that are not committed. */
export class State {
  readonly #file: string;
  readonly #hintsFile: string;
  readonly #tree: string;
  readonly #known = new Map<string, Outcome>();
  readonly #hints: Hints;

  constructor(name: string, target: Target, folder: string = join(target.root, "node_modules", ".cache", "touchstone-mutate")) {
    mkdirSync(folder, { recursive: true });
    const sources = filesOf(target).map((file) => readFileSync(join(target.root, file)));
    this.#tree = treeOf(target.root);
    this.#file = join(folder, `${name.replaceAll("/", "-")}-${hash(...sources)}.jsonl`);
    this.#hintsFile = join(folder, "hints.json");
    this.#hints = existsSync(this.#hintsFile) ? (JSON.parse(readFileSync(this.#hintsFile, "utf8")) as Hints) : {};
    const lines = existsSync(this.#file) ? readFileSync(this.#file, "utf8").split("\n") : [];
    for (const text of lines.filter((line) => line !== "")) {
      const { tree, outcome } = JSON.parse(text) as Line;
      // A caught mutant stays caught; a survivor is judged again after any change.
      if (outcome.suite !== undefined || tree === this.#tree) this.#known.set(outcome.mutant.key, outcome);
    }
  }

  known(mutant: Mutant): Outcome | undefined {
    return this.#known.get(mutant.key);
  }

  add(outcome: Outcome): void {
    // Installing packages in between empties their folder.
    mkdirSync(dirname(this.#file), { recursive: true });
    this.#known.set(outcome.mutant.key, outcome);
    appendFileSync(this.#file, `${JSON.stringify({ tree: this.#tree, outcome } satisfies Line)}\n`);
    const { suite, mutant } = outcome;
    if (suite === undefined) return;
    const counts = (this.#hints[mutant.file] ??= {});
    counts[suite.by] = (counts[suite.by] ?? 0) + 1;
    writeFileSync(this.#hintsFile, JSON.stringify(this.#hints));
  }

  /** Cases that have caught mutants of the same file, the most successful first. */
  hints({ file }: Mutant): string[] {
    return Object.entries(this.#hints[file] ?? {})
      .sort(([, a], [, b]) => b - a)
      .map(([id]) => id);
  }
}
