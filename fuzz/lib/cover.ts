import { registerHooks, stripTypeScriptTypes } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Which branches an input reached. Sources are instrumented as they are loaded, so this must be installed before the target is
 * imported. Counters in the program cost about a tenth of what V8's precise coverage costs to collect (`fuzz/README.md` has the figures).
 */
export type Cover = {
  /** Clears the counters. */
  reset(): void;
  /** True when the last run reached a branch, or a new order of magnitude of one, that no run had reached before. */
  grew(): boolean;
  /** Branches reached so far. */
  readonly reached: () => number;
};

/** What the instrumented code counts in: statements as an object keyed by number, branches as an array each. */
type Counters = { readonly s: Slots; readonly b: Readonly<Record<string, number[]>> };
type Slots = Record<number, number>;
const GLOBAL = "__touchstoneCover__";

/** Instruments every module under `folders` (relative to `root`) that is loaded from now on. */
export async function installCover(root: string, folders: readonly string[]): Promise<Cover> {
  const { createInstrumenter } = await import("istanbul-lib-instrument").catch((cause: unknown) => {
    throw new Error(
      'Guided fuzzing needs the package istanbul-lib-instrument: "npm install --save-dev istanbul-lib-instrument", or use --blind.',
      { cause },
    );
  });
  const instrumenter = createInstrumenter({ esModules: true, compact: true, coverageVariable: GLOBAL, preserveComments: false });
  registerHooks({
    load(url, context, next) {
      const file = url.startsWith("file:") ? relative(root, fileURLToPath(url)) : "";
      if (!folders.some((folder) => file.startsWith(folder)) || !/\.[jt]s$/.test(file)) return next(url, context);
      const loaded = next(url, { ...context, format: "module" });
      const text = Buffer.from(loaded.source as Uint8Array).toString("utf8");
      const plain = file.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
      return { format: "module", source: instrumenter.instrumentSync(plain, file), shortCircuit: true };
    },
  });
  return new Counting();
}

/** AFL's idea of "about as often": 1, 2, 3, 4-7, 8-15, … are different, the rest is noise. */
const magnitude = (count: number): number => (count < 4 ? count : 1 + (32 - Math.clz32(count)));

class Counting implements Cover {
  readonly #groups: { readonly slots: Slots; readonly size: number }[] = [];
  #files = 0;
  readonly #seen: number[] = [];
  #reached = 0;

  readonly reached = (): number => this.#reached;

  reset(): void {
    for (const { slots, size } of this.#counters()) for (let i = 0; i < size; i++) slots[i] = 0;
  }

  grew(): boolean {
    let grew = false;
    let at = 0;
    for (const { slots, size } of this.#counters()) {
      for (let i = 0; i < size; i++, at++) {
        const count = slots[i] ?? 0;
        if (count === 0) continue;
        const before = this.#seen[at] ?? 0;
        const bit = 1 << magnitude(count);
        if ((before & bit) !== 0) continue;
        if (before === 0) this.#reached++;
        this.#seen[at] = before | bit;
        grew = true;
      }
    }
    return grew;
  }

  /** The counters of every module loaded so far; a module that loads later is added at the end, so places stay. */
  #counters(): readonly { readonly slots: Slots; readonly size: number }[] {
    const files = Object.values(((globalThis as Record<string, unknown>)[GLOBAL] ?? {}) as Record<string, Counters>);
    for (; this.#files < files.length; this.#files++) {
      const file = files[this.#files];
      for (const slots of file === undefined ? [] : [file.s, ...Object.values(file.b)])
        this.#groups.push({ slots, size: Object.keys(slots).length });
    }
    return this.#groups;
  }
}
