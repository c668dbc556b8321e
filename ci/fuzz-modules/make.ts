import { createHash } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { loadCorpus } from "../../fuzz/lib/corpus.ts";
import type { Target } from "../../fuzz/lib/target.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The canary fails by design: a service that reports failures has no use for it. */
const CANARY = "canary/";

/** A target with the file that exports it. */
export type Found = { readonly file: string; readonly target: Target };

/** All fuzz targets of the project. */
export async function targetsHere(): Promise<readonly Found[]> {
  const files = globSync("fuzz/**/*.fuzz.ts", { cwd: ROOT }).sort();
  return Promise.all(
    files.map(async (file) => ({ file, target: ((await import(join(ROOT, file))) as { readonly target: Target }).target })),
  );
}

/** The name of the files of a target. */
export const nameOf = ({ name }: Pick<Target, "name">): string => name.replaceAll("/", "-");

/**
 * Makes a CommonJS module of each target that exports `fuzz(data: Buffer)`, as Jazzer.js expects it, and what libFuzzer takes beside it: `NAME.dict` and a
 * folder `NAME_seed_corpus`. CommonJS, because every version of the engine instruments it. Returns the names.
 */
export async function makeModules(found: readonly Found[], out: string, { canary = false } = {}): Promise<readonly string[]> {
  const chosen = found.filter(({ target }) => canary || !target.name.startsWith(CANARY));
  const entries = mkdtempSync(join(tmpdir(), "touchstone-fuzz-modules-"));
  try {
    for (const { file, target } of chosen) writeFileSync(join(entries, `${nameOf(target)}.ts`), entryOf(file));
    await build({
      configFile: false,
      logLevel: "warn",
      root: ROOT,
      ssr: { noExternal: true, target: "node" },
      plugins: [{ name: "places", enforce: "pre", transform: (code, id) => withPlaces(code, id) }],
      build: {
        ssr: true,
        outDir: out,
        emptyOutDir: true,
        target: "node24",
        minify: false,
        rolldownOptions: {
          input: Object.fromEntries(chosen.map(({ target }) => [nameOf(target), join(entries, `${nameOf(target)}.ts`)])),
          output: { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "shared-[hash].cjs" },
          checks: { pluginTimings: false, eval: false },
        },
      },
    });
  } finally {
    rmSync(entries, { recursive: true });
  }
  for (const { target } of chosen) {
    const name = nameOf(target);
    if (target.dictionary !== undefined) writeFileSync(join(out, `${name}.dict`), dictionaryOf(target.dictionary));
    const seeds = join(out, `${name}_seed_corpus`);
    mkdirSync(seeds);
    for (const input of [...target.seeds, ...loadCorpus(join(ROOT, "fuzz/corpus", `${name}.txt`))])
      writeFileSync(join(seeds, createHash("sha256").update(input).digest("hex").slice(0, 16)), input);
  }
  return chosen.map(({ target }) => nameOf(target));
}

/** Sources find their data beside them: the modules read it in the checkout that they are made from. */
const withPlaces = (code: string, id: string): string =>
  code.replaceAll("import.meta.dirname", JSON.stringify(dirname(id))).replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href));

/** A target gets octets of its own: a `Buffer` of the engine is written again. It may be asked for no more than it says. */
const entryOf = (file: string): string => `import { target } from ${JSON.stringify(join(ROOT, file))};

export function fuzz(data: Uint8Array): void {
  if (data.length <= target.maxLength) target.run(Uint8Array.from(data));
}
`;

/** A dictionary of libFuzzer: one quoted string a line. Its parser refuses an empty one. */
export const dictionaryOf = (words: readonly Uint8Array[]): string =>
  words
    .filter((word) => word.length > 0)
    .map((word) => `"${[...word].map((octet) => `\\x${octet.toString(16).padStart(2, "0")}`).join("")}"\n`)
    .join("");
