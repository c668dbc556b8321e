/** Bundles the web pages of `serve metrics` into `pages/built/` beside their sources, unless that is up to date. `npm ci` and `npm pack` run it. */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const pages = join(root, "reference/serve/metrics/pages");
const built = join(pages, "built");
const stampFile = join(built, "stamp.txt");

/** Changes with every source, every locked library, and this file. */
function stamp(): string {
  const hash = createHash("sha256");
  const sources = globSync("**/*", { cwd: pages, exclude: (name) => name.startsWith("built") }).filter(
    (file) => file.includes(".") && !file.endsWith(".test.ts"),
  );
  for (const file of [...sources.sort().map((name) => join(pages, name)), join(root, "package-lock.json"), import.meta.filename])
    if (existsSync(file)) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

const now = stamp();
if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== now) await bundle();

async function bundle(): Promise<void> {
  const vite = await import("vite").catch(() => undefined);
  if (vite === undefined) {
    console.error("The web pages are not built: Vite is a development dependency. Run npm ci without --omit=dev.");
    return;
  }
  // A server that starts meanwhile sees the former pages or the new ones.
  const next = `${built}-${process.pid}`;
  await vite.build({
    root: pages,
    base: "./",
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: next,
      target: "es2023",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: { checks: { pluginTimings: false } },
      license: { fileName: "licenses.md" },
    },
  });
  writeFileSync(join(next, "stamp.txt"), now);
  try {
    rmSync(built, { recursive: true, force: true });
    renameSync(next, built);
  } catch (error) {
    // Another process that built the same was faster.
    rmSync(next, { recursive: true, force: true });
    if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== now) throw error;
  }
}
