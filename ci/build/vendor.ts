import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Reached } from "./modules.ts";

/**
 * Packages that stay imports: those that a user chooses (peers), a native one, one whose types are in our declarations, and those that only a
 * comparison in this repository starts.
 */
const IMPORTED: ReadonlySet<string> = new Set([
  "vitest",
  "autocannon",
  "istanbul-lib-instrument",
  "bullmq",
  "ioredis",
  "@lydell/node-pty",
  "yaml",
  "ws",
  "@grpc/grpc-js",
  "@bufbuild/protobuf",
  "@connectrpc/connect",
  "@connectrpc/connect-node",
]);

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
const isInstalled = (specifier: string): boolean => {
  try {
    // The modules of Node itself have another scheme.
    return import.meta.resolve(specifier).startsWith("file:");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return false;
  }
};

/**
 * Bundles the packages that the built code imports into a folder of `dist`, one module each, with their licences in `LICENSES.md` there, and
 * makes the code import those. A user installs only what stays.
 */
export async function vendor(
  dist: string,
  { files, packages }: Reached,
  { folder: name = "vendor", stays = IMPORTED }: { readonly folder?: string; readonly stays?: ReadonlySet<string> } = {},
): Promise<void> {
  const bundled = [...packages.keys()].filter((name) => !stays.has(packageOf(name)) && isInstalled(name));
  const folder = join(dist, name);
  const entries = join(dist, "vendor-entries");
  mkdirSync(entries, { recursive: true });
  const names = new Map(bundled.map((name) => [name, name.replace(/^@/, "").replaceAll("/", "-").replace(/\.js$/, "")]));
  for (const [specifier, name] of names) {
    // The file and the names that Node itself finds, so that a CommonJS package exports the same.
    const found = Object.keys((await import(specifier)) as object).filter((one) => one !== "module.exports" && /^[\w$]+$/.test(one));
    writeFileSync(
      join(entries, `${name}.mjs`),
      `export { ${found.join(", ")} } from ${JSON.stringify(fileURLToPath(import.meta.resolve(specifier)))};\n`,
    );
  }
  await build({
    configFile: false,
    logLevel: "warn",
    root: dirname(dist),
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: "node24",
      minify: true,
      license: { fileName: "LICENSES.md" },
      rolldownOptions: {
        input: Object.fromEntries([...names.values()].map((name) => [name, join(entries, `${name}.mjs`)])),
        output: { entryFileNames: "[name].js", chunkFileNames: "shared-[hash].js" },
        // eval: a histogram asks for zlib by it, and goes on without.
        checks: { pluginTimings: false, eval: false },
      },
    },
  });
  rmSync(entries, { recursive: true });
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const changed = text.replaceAll(/(\bfrom\s*|\bimport\s*\(\s*)"([^"\n.][^"\n]*)"/g, (whole, before: string, specifier: string) => {
      const name = names.get(specifier);
      return name === undefined ? whole : `${before}"${pathTo(file, join(folder, `${name}.js`))}"`;
    });
    if (changed !== text) writeFileSync(file, changed);
  }
}

function pathTo(from: string, to: string): string {
  const path = relative(dirname(from), to).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}
