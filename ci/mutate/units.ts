import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catch } from "./judge.ts";
import type { Mutant } from "./mutants.ts";

/** A request to `units-child.ts`: test files to run, or a file, to find the test files that import it. */
export type UnitsAsked = {
  readonly root: string;
  readonly mutated?: Pick<Mutant, "file" | "edit">;
  readonly tests: readonly string[];
  readonly related?: string;
};
export type UnitsSaid = { readonly ran: number; readonly failed?: { readonly file: string; readonly test: string } };
/** A test has ended; or the result. */
export type UnitsHeard = { readonly is: "test" } | ({ readonly is: "said" } & UnitsSaid);

/** How long test files may be silent: without a measure of them, this long. */
const LIMIT_MS = 300_000;
/** With one, this multiple of their longest silence without a mutant, plus this constant. Each test that ends begins it anew. */
const TIME_FACTOR = 8;
const TIME_MORE_MS = 15_000;
/** How long to wait before the silence is measured. */
const FIRST_MS = 60_000;
const ENDLESS = "do not end";
/** Files in memory: tests that use real directories wait for the disk most of their time. */
const MEMORY = "/dev/shm";

type Run = { readonly said: UnitsSaid | undefined; readonly longestMs: number };

function run(asked: UnitsAsked, limitMs = LIMIT_MS): Promise<Run> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "touchstone-units-"));
  return new Promise<Run>((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "units-child.ts"), JSON.stringify(asked)], {
      cwd: asked.root,
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      detached: true,
    });
    let said: UnitsSaid | undefined;
    let longestMs = 0;
    let heardAt = performance.now();
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(end, limitMs);
    child.on("message", (message: UnitsHeard) => {
      timer.refresh();
      const now = performance.now();
      longestMs = Math.max(longestMs, now - heardAt);
      heardAt = now;
      if (message.is === "said") said = message;
    });
    child.once("error", () => resolve({ said, longestMs }));
    child.once("exit", () => {
      clearTimeout(timer);
      end();
      resolve({ said, longestMs });
    });
  }).finally(() => rmSync(folder, { recursive: true, force: true }));
}

/** Runs unit tests on mutants. Remembers which test files pass without one. */
export class UnitTests {
  readonly #root: string;
  readonly #clean = new Map<string, Promise<boolean>>();
  readonly #limits = new Map<string, Promise<number>>();
  /** Test files that fail without a mutant. */
  readonly #broken = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The test that detects the mistake, among those that import the file; tests beside it run first. */
  async related(mutant: Mutant, folders: readonly string[]): Promise<Catch | undefined> {
    const beside = globSync(`${mutant.file.split("/").slice(0, -1).join("/")}/**/*.test.ts`, { cwd: this.#root });
    const near = await this.#notice(mutant, { tests: beside, related: mutant.file });
    if (near !== undefined) return near;
    const all = globSync(
      folders.map((folder) => `${folder}/**/*.test.ts`),
      { cwd: this.#root },
    );
    return this.#notice(mutant, { tests: all.filter((file) => !beside.includes(file)), related: mutant.file });
  }

  /** The test of these files that detects the mistake. */
  async these(mutant: Mutant, tests: readonly string[]): Promise<Catch | undefined> {
    const found = await this.#notice(mutant, { tests }, FIRST_MS);
    if (found?.how !== ENDLESS) return found;
    // How long they are silent without a mutant is measured only now: it takes as long as many mutants.
    const limit = await this.#limitOf(tests);
    return limit <= FIRST_MS ? found : this.#notice(mutant, { tests }, limit);
  }

  /** How long these files may be silent: a limit for mutants that never end. */
  #limitOf(tests: readonly string[]): Promise<number> {
    const name = tests.join(" ");
    const known =
      this.#limits.get(name) ??
      run({ root: this.#root, tests }).then(({ longestMs }) => Math.min(LIMIT_MS, TIME_FACTOR * longestMs + TIME_MORE_MS));
    this.#limits.set(name, known);
    return known;
  }

  async #notice(mutant: Mutant, { tests, related }: Pick<UnitsAsked, "tests" | "related">, limitMs?: number): Promise<Catch | undefined> {
    const { file, edit } = mutant;
    for (;;) {
      const left = tests.filter((one) => !this.#broken.has(one));
      if (left.length === 0) return undefined;
      const asked = { root: this.#root, mutated: { file, edit }, tests: left, ...(related === undefined ? {} : { related }) };
      const { said } = await run(asked, limitMs);
      if (said === undefined) return { by: "unit tests", how: ENDLESS };
      const { failed } = said;
      if (failed === undefined) return undefined;
      if (await this.#passes(failed.file)) return { by: failed.file, how: failed.test };
      // It fails without the mistake too, now or always: continue without it.
      this.#broken.add(failed.file);
      if (!left.includes(failed.file)) return undefined;
    }
  }

  #passes(file: string): Promise<boolean> {
    const known =
      this.#clean.get(file) ??
      run({ root: this.#root, tests: [file] }).then(({ said }) => said !== undefined && said.ran > 0 && said.failed === undefined);
    this.#clean.set(file, known);
    return known;
  }
}
